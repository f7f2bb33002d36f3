import { EmailTemplate, EmailTemplateRecordSchema } from '../../src/upstream/contract/generated/publicapi/v1/email_templates_pb.ts';
import { domain } from '../kernel/service.ts';
import { table } from '../kernel/table.ts';

export const emailTemplateTable = table('email_templates', EmailTemplateRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: { email_templates_by_age: 'workspace_id, created_at' },
});

const toEmailTemplate = emailTemplateTable.read;

export const emailTemplates = domain(EmailTemplate, {
  tables: [emailTemplateTable],
  handlers: {
    listEmailTemplates: {
      permission: 'settingsAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = emailTemplateTable.page(call, request, {});
        return { emailTemplates: rows.map(toEmailTemplate), ...page };
      },
    },

    getEmailTemplate: {
      permission: 'settingsAccess:READ_ONLY',
      run: ({ id }, call) => ({ emailTemplate: toEmailTemplate(emailTemplateTable.getOrThrow(call, id, 'email template')) }),
    },

    createEmailTemplate: {
      permission: 'settingsAccess:READ_WRITE',
      run: ({ name, subject, body }, call) => {
        const row = {
          id: call.id(),
          workspace_id: call.workspaceId,
          name,
          subject,
          body,
          is_published: 0,
          created_at: call.now,
          updated_at: call.now,
        };
        emailTemplateTable.insert(call.store, row);
        return { emailTemplate: toEmailTemplate(row) };
      },
    },
  },
});
