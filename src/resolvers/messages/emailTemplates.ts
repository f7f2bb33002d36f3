import { builder } from '../../schema/kit/builder.ts';
import { EmailTemplate } from '../../schema/messages/emailTemplates.ts';
import { CreateEmailTemplate, ListEmailTemplates } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('emailTemplates', (t) =>
  t.field(list(ListEmailTemplates, { description: 'Email templates, including drafts.', node: EmailTemplate })),
);

mutation('emailTemplateCreate', CreateEmailTemplate, {
  description: 'Creates a draft email template in plain text. Drafts can’t be edited or published through this API.',
  input: (f) => ({
    name: f.name('Name of the template.'),
    subject: f.subject('Subject of the emails.'),
    body: f.body('Text of the emails, in plain text.'),
  }),
  returns: { emailTemplate: 'The new draft template.' },
});
