import { builder } from '../../schema/kit/builder.ts';
import { EmailTemplate } from '../../schema/messages/emailTemplates.ts';
import { CreateEmailTemplate, ListEmailTemplates } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('emailTemplates', (t) =>
  t.field(list(ListEmailTemplates, { description: 'The templates of emails, drafts included.', node: EmailTemplate })),
);

mutation('emailTemplateCreate', CreateEmailTemplate, {
  description: 'Makes a draft of an email template, in plain text. Drafts are edited and published outside this graph.',
  input: (f) => ({
    name: f.name('The name of the template.'),
    subject: f.subject('The subject of its emails.'),
    body: f.body('The text of its emails, in plain text.'),
  }),
  returns: { emailTemplate: 'The new draft.' },
});
