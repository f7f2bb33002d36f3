import { GetWorkflowAutomation } from '../../upstream/contract/generated/operations.ts';
import type { WorkflowAutomationRecord } from '../../upstream/contract/generated/records.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<WorkflowAutomationRecord>('WorkflowAutomationRecord');

export const WorkflowAutomation: Entity<WorkflowAutomationRecord> = entity('WorkflowAutomation', {
  record,
  description: 'A rule that the workspace runs automatically. Read-only: automations can’t be run or changed through this API.',
  operation: GetWorkflowAutomation,
  key: 'id',
  root: 'Looks up a workflow automation by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'Name of the automation.'),
    description: record.text(t, 'description', 'Description of the automation.'),
    isActive: record.flag(t, 'isActive', 'Whether the automation is enabled.'),
    createdAt: record.dateTime(t, 'createdAt', 'When the automation was created.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'When the automation was last updated.'),
  }),
});
