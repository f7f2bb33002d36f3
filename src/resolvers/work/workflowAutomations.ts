import { builder } from '../../schema/kit/builder.ts';
import { WorkflowAutomation } from '../../schema/work/workflowAutomations.ts';
import { ListWorkflowAutomations } from '../../upstream/contract/generated/operations.ts';
import { list } from '../kit/lists.ts';

builder.queryField('workflowAutomations', (t) =>
  t.field(
    list(ListWorkflowAutomations, {
      description: 'Workflow automations of the workspace.',
      node: WorkflowAutomation,
    }),
  ),
);
