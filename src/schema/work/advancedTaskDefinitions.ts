import { GetAdvancedTaskDefinition } from '../../upstream/contract/generated/operations.ts';
import type {
  AdvancedTaskDefinitionRecordJson,
  AdvancedTaskFieldRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { entity } from '../kit/entities.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';

const field = new RecordFields<AdvancedTaskFieldRecordJson>('AdvancedTaskFieldRecord');

const AdvancedTaskField = field.type('AdvancedTaskField', {
  description: 'A field of the form that an advanced task is.',
  fields: (t) => ({
    name: field.requiredText(t, 'name', 'The name of its value in `AdvancedTask.values`.'),
    label: field.text(t, 'label', 'The words that people see.'),
    isRequired: field.flag(t, 'required', 'Whether the task can be completed only with a value here.'),
  }),
});

const definition = new RecordFields<AdvancedTaskDefinitionRecordJson>('AdvancedTaskDefinitionRecord');

export const AdvancedTaskDefinition: Entity<AdvancedTaskDefinitionRecordJson> = entity('AdvancedTaskDefinition', {
  record: definition,
  description: 'The form of advanced tasks: their name and the fields to fill in.',
  operation: GetAdvancedTaskDefinition,
  key: 'id',
  root: 'The definition of this id; null when there is none.',
  fields: (t) => ({
    name: definition.requiredText(t, 'name', 'The name of the tasks.'),
    description: definition.text(t, 'description', 'A description of the work.'),
    fields: definition.list(t, 'fields', AdvancedTaskField, 'The fields of the form.'),
    createdAt: definition.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: definition.dateTime(t, 'updatedAt', 'The moment of the last change.'),
  }),
});
