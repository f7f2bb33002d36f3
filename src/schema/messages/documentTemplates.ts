import { GetDocumentTemplate } from '../../upstream/contract/generated/operations.ts';
import type { DocumentTemplateRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';

export const DocumentTemplate: Entity<DocumentTemplateRecord> = defineEntity('DocumentTemplate', {
  record: 'DocumentTemplateRecord',
  description: 'A template for PDF documents. Its contents aren’t available in this API.',
  operation: GetDocumentTemplate,
  key: 'id',
  root: 'Looks up a document template by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the template.'),
    isPublished: f.boolean('isPublished', 'Whether the template is published. Otherwise, it’s a draft.'),
    createdAt: f.dateTime('createdAt', 'When the template was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the template was last updated.'),
  }),
});
