import { GetDocumentTemplate } from '../../upstream/contract/generated/operations.ts';
import type { DocumentTemplateRecordJson } from '../../upstream/contract/generated/publicapi/v1/document_templates_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<DocumentTemplateRecordJson>('DocumentTemplateRecord');

export const DocumentTemplate: Entity<DocumentTemplateRecordJson> = entity('DocumentTemplate', {
  record,
  description: 'A template that PDF documents are made from. Its contents are not shown.',
  operation: GetDocumentTemplate,
  key: 'id',
  root: 'The document template of this id; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the template.'),
    isPublished: record.flag(t, 'isPublished', 'Whether it is published. Until then it is a draft.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
