import { GetAdvancedTaskDefinition } from '../../upstream/contract/generated/operations.ts';
import type {
  AdvancedTaskDefinitionRecordJson,
  AdvancedTaskFieldRecordJson,
  AdvancedTaskRecordJson,
  PublicAdvancedTaskStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { follow } from '../kit/edges.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { ofType, unionOf } from '../kit/subjects.ts';
import { Problem } from './problems.ts';

export const AdvancedTaskStatus = wireEnum<PublicAdvancedTaskStatusJson>()('AdvancedTaskStatus', {
  description: 'The stage of an advanced task.',
  prefix: 'PUBLIC_ADVANCED_TASK_STATUS',
  members: {
    OPEN: 'To be done.',
    COMPLETED: 'Done. It can be opened again.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

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

const AdvancedTaskOwner = unionOf(
  'AdvancedTaskOwner',
  'A record that has advanced tasks. It may get further members: have a default case.',
  () => [Problem],
);

const task = new RecordFields<AdvancedTaskRecordJson>('AdvancedTaskRecord');

export const AdvancedTask = task.type('AdvancedTask', {
  description: 'A form that is to be filled in for a problem or a work order, before that can be resolved or completed.',
  key: 'id',
  fields: (t) => ({
    definition: task.requiredEdge(t, 'advancedTaskDefinitionId', AdvancedTaskDefinition, 'The form that it has.'),
    owner: t.field({
      type: AdvancedTaskOwner,
      ...task.mark(
        'problemId',
        'The problem or work order that has it; null when that is gone, or of a kind that this graph does not know.',
      ),
      resolve: async ({ problemId }, _args, context, info) => {
        const found = await follow(Problem, problemId, context, info);
        return found && ofType(Problem, found);
      },
    }),
    ...task.word(t, 'status', AdvancedTaskStatus, 'The stage of the task: open or completed.'),
    values: t.field({
      type: 'JSON',
      nullable: false,
      ...task.mark(
        'values',
        'An object with the values that were filled in, by the names of the definition’s fields. Each can be any JSON.',
      ),
      resolve: ({ values }) => values ?? {},
    }),
    createdAt: task.dateTime(t, 'createdAt', 'The moment of creation.'),
    updatedAt: task.dateTime(t, 'updatedAt', 'The moment of the last change.'),
    completedAt: task.dateTime(t, 'completedAt', 'The moment at which it was completed; null while it is open.'),
  }),
});
