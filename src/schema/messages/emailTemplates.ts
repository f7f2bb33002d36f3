import { GetEmailTemplate } from '../../upstream/contract/generated/operations.ts';
import type { EmailTemplateRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<EmailTemplateRecord>('EmailTemplateRecord');

export const EmailTemplate: Entity<EmailTemplateRecord> = entity('EmailTemplate', {
  record,
  description: 'A template for emails, with a subject and a body.',
  operation: GetEmailTemplate,
  key: 'id',
  root: 'Looks up an email template by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the template.'),
    subject: record.text(t, 'subject', 'Subject of the emails.'),
    body: record.text(t, 'body', 'Text of the emails.'),
    isPublished: record.flag(t, 'isPublished', 'Whether the template is published. Otherwise, it’s a draft.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the template was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the template was last updated.'),
  }),
});
