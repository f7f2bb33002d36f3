import { builder } from '../../schema/kit/builder.ts';
import { DocumentTemplate } from '../../schema/messages/documentTemplates.ts';
import { CreateDocumentTemplate, ListDocumentTemplates } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('documentTemplates', (t) =>
  t.field(list(ListDocumentTemplates, { description: 'Document templates, including drafts.', node: DocumentTemplate })),
);

mutation('documentTemplateCreate', CreateDocumentTemplate, {
  description: 'Creates a draft document template with a blank PDF. Drafts can’t be edited or published through this API.',
  input: (f) => ({ name: f.name('Name of the template.') }),
  returns: { documentTemplate: 'The new draft template.' },
});
