import { GetWorkflowAutomation } from '../../upstream/contract/generated/operations.ts';
import type { WorkflowAutomationRecord } from '../../upstream/contract/generated/records.ts';
import { defineEntity } from '../kit/entities.ts';
import type { Entity } from '../kit/registry.ts';

export const WorkflowAutomation: Entity<WorkflowAutomationRecord> = defineEntity('WorkflowAutomation', {
  record: 'WorkflowAutomationRecord',
  description: 'A rule that the workspace runs automatically. Read-only: automations can’t be run or changed through this API.',
  operation: GetWorkflowAutomation,
  key: 'id',
  root: 'Looks up a workflow automation by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the automation.'),
    description: f.string('description', 'Description of the automation.'),
    isActive: f.boolean('isActive', 'Whether the automation is enabled.'),
    createdAt: f.dateTime('createdAt', 'When the automation was created.'),
    updatedAt: f.dateTime('updatedAt', 'When the automation was last updated.'),
  }),
});
