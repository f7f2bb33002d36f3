import {
  DocumentTemplate,
  DocumentTemplateRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/document_templates_pb.ts';
import { domain } from '../kernel/service.ts';
import { table } from '../kernel/table.ts';

export const documentTemplateTable = table('document_templates', DocumentTemplateRecordSchema, {
  also: { workspace_id: 'TEXT' },
  indexes: { document_templates_by_age: 'workspace_id, created_at' },
});

const toDocumentTemplate = documentTemplateTable.read;

export const documentTemplates = domain(DocumentTemplate, {
  tables: [documentTemplateTable],
  handlers: {
    listDocumentTemplates: {
      permission: 'settingsAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = documentTemplateTable.page(call, request, {});
        return { documentTemplates: rows.map(toDocumentTemplate), ...page };
      },
    },

    getDocumentTemplate: {
      permission: 'settingsAccess:READ_ONLY',
      run: ({ id }, call) => ({ documentTemplate: toDocumentTemplate(documentTemplateTable.getOrThrow(call, id, 'document template')) }),
    },

    createDocumentTemplate: {
      permission: 'settingsAccess:READ_WRITE',
      run: ({ name }, call) => {
        const row = {
          id: call.id(),
          workspace_id: call.workspaceId,
          name,
          is_published: 0,
          created_at: call.now,
          updated_at: call.now,
        };
        documentTemplateTable.insert(call.store, row);
        return { documentTemplate: toDocumentTemplate(row) };
      },
    },
  },
});
