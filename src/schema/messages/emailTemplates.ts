import { GetEmailTemplate } from '../../upstream/contract/generated/operations.ts';
import type { EmailTemplateRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';

export const EmailTemplate: Entity<EmailTemplateRecord> = defineEntity('EmailTemplate', {
  record: 'EmailTemplateRecord',
  description: 'A template for emails, with a subject and a body.',
  operation: GetEmailTemplate,
  key: 'id',
  root: 'Looks up an email template by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the template.'),
    subject: f.string('subject', 'Subject of the emails.'),
    body: f.string('body', 'Text of the emails.'),
    isPublished: f.boolean('isPublished', 'Whether the template is published. Otherwise, it’s a draft.'),
    createdAt: f.dateTime('createdAt', 'When the template was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the template was last updated.'),
  }),
});
