import {
  WorkflowAutomation,
  WorkflowAutomationRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/workflow_automations_pb.ts';
import { domain } from '../kernel/service.ts';
import { table } from '../kernel/table.ts';

export const workflowAutomationTable = table('workflow_automations', WorkflowAutomationRecordSchema, { also: { workspace_id: 'TEXT' } });

export const workflowAutomations = domain(WorkflowAutomation, {
  tables: [workflowAutomationTable],
  handlers: {
    listWorkflowAutomations: {
      permission: 'workflowAutomationAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = workflowAutomationTable.page(call, request, {}, 'name, id');
        return { workflowAutomations: rows.map(workflowAutomationTable.read), ...page };
      },
    },

    getWorkflowAutomation: {
      permission: 'workflowAutomationAccess:READ_ONLY',
      run: ({ id }, call) => ({
        workflowAutomation: workflowAutomationTable.read(workflowAutomationTable.getOrThrow(call, id, 'workflow automation')),
      }),
    },
  },
});
