import { invalidInput } from '../../failures.ts';
import { builder } from '../../schema/kit/builder.ts';
import { group, own } from '../../schema/kit/inputs.ts';
import { AdvancedTaskDefinition } from '../../schema/work/advancedTaskDefinitions.ts';
import { AdvancedTask, AdvancedTaskStatus } from '../../schema/work/advancedTasks.ts';
import { Problem } from '../../schema/work/problems.ts';
import { WorkOrder } from '../../schema/work/workOrders.ts';
import {
  AttachAdvancedTask,
  ListAdvancedTaskDefinitions,
  ListAdvancedTaskInstances,
  UpdateAdvancedTaskInstance,
} from '../../upstream/contract/generated/operations.ts';
import type { AdvancedTaskRecordJson } from '../../upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { inFirstPage } from '../kit/payloads.ts';

const AdvancedTaskFilter = filterOf(ListAdvancedTaskInstances, AdvancedTask, (f) => ({
  problemId: f.problemId('Only those of this problem.'),
  workOrderId: f.workOrderId('Only those of this work order.'),
  status: f.status('Only those in this state.', AdvancedTaskStatus),
}));

builder.queryFields((t) => ({
  advancedTaskDefinitions: t.field(
    list(ListAdvancedTaskDefinitions, {
      description: 'The forms that advanced tasks can have.',
      node: AdvancedTaskDefinition,
    }),
  ),
  advancedTasks: t.field(
    list(ListAdvancedTaskInstances, {
      description: 'The advanced tasks of problems and work orders.',
      order: 'Oldest first.',
      node: AdvancedTask,
      filter: AdvancedTaskFilter,
    }),
  ),
}));

builder.objectField(Problem.ref, 'advancedTasks', (t) =>
  t.field(
    list(ListAdvancedTaskInstances, {
      description: 'The advanced tasks of this problem.',
      order: 'Oldest first.',
      on: Problem,
      node: AdvancedTask,
      filter: AdvancedTaskFilter,
    }),
  ),
);

builder.objectField(WorkOrder.ref, 'advancedTasks', (t) =>
  t.field(
    list(ListAdvancedTaskInstances, {
      description: 'The advanced tasks of this work order.',
      order: 'Oldest first.',
      on: WorkOrder,
      node: AdvancedTask,
      filter: AdvancedTaskFilter,
    }),
  ),
);

/** A task is read again among the first ones of its owner. */
const taskAgain = inFirstPage(
  ListAdvancedTaskInstances,
  ({ id }) => id,
  ({ problemId = '', workOrderId = '' }: AdvancedTaskRecordJson) => ({ problemId, workOrderId }),
);

const TASK_CHANGED = 'The problem; null for a task of a work order. Its `incompleteAdvancedTaskCount` may have changed.';

mutation('advancedTaskUpdate', UpdateAdvancedTaskInstance, {
  description:
    'Fills in an advanced task, completes it or opens it again. Values that are left out stay. Completing it takes a value for each required field.',
  input: (f) => ({
    advancedTaskId: f.advancedTaskId('The advanced task.'),
    values: own('JSON', 'An object with values by the names of the definition’s fields, each any JSON: null takes one away.'),
    isCompleted: f.completed('True completes the task, and false opens it again. Stays as it is when absent.'),
  }),
  request: (request, { values }) => {
    if (values === null || values === undefined) return request;
    if (typeof values !== 'object' || Array.isArray(values))
      throw invalidInput(['values'], 'INVALID_FORMAT', 'must be a JSON object, with values by the names of fields.');
    return { ...request, values: values as NonNullable<AdvancedTaskRecordJson['values']> };
  },
  returns: { task: ['The task as it is now.', taskAgain] },
  leadsTo: { problem: [Problem, TASK_CHANGED, ({ task }) => task?.problemId] },
});

mutation('advancedTaskAttach', AttachAdvancedTask, {
  description: 'Gives an open problem or work order an advanced task, which is to be done before that can be resolved or completed.',
  input: (f) => ({
    definitionId: f.advancedTaskDefinitionId('The definition of the task.'),
    owner: group(
      'AdvancedTaskOwnerInput',
      'The record that gets it.',
      { description: 'A record that can have advanced tasks: exactly one of these.', required: true, isOneOf: true },
      { problemId: f.problemId('A problem.'), workOrderId: f.workOrderId('A work order.') },
    ),
  }),
  returns: { task: ['The new task.', taskAgain] },
  leadsTo: { problem: [Problem, TASK_CHANGED, ({ task }) => task?.problemId] },
});
