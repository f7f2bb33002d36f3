import { GetDocumentTemplate } from '../../upstream/contract/generated/operations.ts';
import type { DocumentTemplateRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<DocumentTemplateRecord>('DocumentTemplateRecord');

export const DocumentTemplate: Entity<DocumentTemplateRecord> = entity('DocumentTemplate', {
  record,
  description: 'A template for PDF documents. Its contents aren’t available in this API.',
  operation: GetDocumentTemplate,
  key: 'id',
  root: 'Looks up a document template by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the template.'),
    isPublished: record.flag(t, 'isPublished', 'Whether the template is published. Otherwise, it’s a draft.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the template was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the template was last updated.'),
  }),
});
