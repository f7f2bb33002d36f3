import { builder } from '../../schema/kit/builder.ts';
import { DocumentTemplate } from '../../schema/messages/documentTemplates.ts';
import { CreateDocumentTemplate, ListDocumentTemplates } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

builder.queryField('documentTemplates', (t) =>
  t.field(list(ListDocumentTemplates, { description: 'The templates of documents, drafts included.', node: DocumentTemplate })),
);

mutation('documentTemplateCreate', CreateDocumentTemplate, {
  description: 'Makes a draft of a document template: a blank PDF. Drafts are filled and published outside this graph.',
  input: (f) => ({ name: f.name('The name of the template.') }),
  returns: { documentTemplate: 'The new draft.' },
});
