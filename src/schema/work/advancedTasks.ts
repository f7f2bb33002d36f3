import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type {
  AdvancedTaskRecordJson,
  PublicAdvancedTaskStatusJson,
} from '../../upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { follow } from '../kit/edges.ts';
import { wireEnum } from '../kit/enums.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { ofType, unionOf } from '../kit/subjects.ts';
import { AdvancedTaskDefinition } from './advancedTaskDefinitions.ts';
import { Problem } from './problems.ts';
import { WorkOrder } from './workOrders.ts';

export const AdvancedTaskStatus = wireEnum<PublicAdvancedTaskStatusJson>()('AdvancedTaskStatus', {
  description: 'The stage of an advanced task.',
  prefix: 'PUBLIC_ADVANCED_TASK_STATUS',
  members: {
    OPEN: 'To be done.',
    COMPLETED: 'Done, unless it is opened again.',
    OTHER: 'A state that this graph does not know: see `statusText`.',
  },
});

const AdvancedTaskOwner = unionOf(
  'AdvancedTaskOwner',
  'A record that has advanced tasks. Further members may come: have a default case.',
  () => [Problem, WorkOrder],
);

/** The record that has a task, as a member of the union. */
async function ownerOf<RecordShape extends object>(
  target: Entity<RecordShape>,
  id: string | undefined,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordShape | null> {
  const found = await follow(target, id, context, info);
  return found && ofType(target, found);
}

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
      resolve: ({ problemId, workOrderId }, _args, context, info) =>
        problemId ? ownerOf(Problem, problemId, context, info) : ownerOf(WorkOrder, workOrderId, context, info),
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
