import { GetEmailTemplate } from '../../upstream/contract/generated/operations.ts';
import type { EmailTemplateRecordJson } from '../../upstream/contract/generated/publicapi/v1/email_templates_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<EmailTemplateRecordJson>('EmailTemplateRecord');

export const EmailTemplate: Entity<EmailTemplateRecordJson> = entity('EmailTemplate', {
  record,
  description: 'A template that emails are written from.',
  operation: GetEmailTemplate,
  key: 'id',
  root: 'The email template of this id; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the template.'),
    subject: record.text(t, 'subject', 'The subject of its emails.'),
    body: record.text(t, 'body', 'The text of its emails.'),
    isPublished: record.flag(t, 'isPublished', 'Whether it is published. Until then it is a draft.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
