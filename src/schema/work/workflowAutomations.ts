import { GetWorkflowAutomation } from '../../upstream/contract/generated/operations.ts';
import type { WorkflowAutomationRecordJson } from '../../upstream/contract/generated/publicapi/v1/workflow_automations_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const record = new RecordFields<WorkflowAutomationRecordJson>('WorkflowAutomationRecord');

export const WorkflowAutomation: Entity<WorkflowAutomationRecordJson> = entity('WorkflowAutomation', {
  record,
  description: 'A rule by which the workspace acts on its own. It can be read here, and not be run or changed.',
  operation: GetWorkflowAutomation,
  key: 'id',
  root: 'The workflow automation of this id; null when there is none.',
  fields: (t) => ({
    name: record.requiredText(t, 'name', 'The name of the automation.'),
    description: record.text(t, 'description', 'A description of the automation.'),
    isActive: record.flag(t, 'isActive', 'Whether it acts.'),
    createdAt: record.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: record.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
