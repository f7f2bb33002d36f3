import { invalidInput } from '../../failures/failures.ts';
import { builder } from '../../schema/kit/builder.ts';
import { group, unbound } from '../../schema/kit/inputs.ts';
import { rankAscendingBy } from '../../schema/paging/anchors.ts';
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
import type { AdvancedTaskRecord } from '../../upstream/contract/generated/records.ts';
import { declareFilter } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readFirstPage, registerReread } from '../kit/rereads.ts';

const AdvancedTaskFilter = declareFilter(ListAdvancedTaskInstances, AdvancedTask, (f) => ({
  problemId: f.problemId('Only tasks of this problem.'),
  workOrderId: f.workOrderId('Only tasks of this work order.'),
  status: f.status('Only tasks with this status.', AdvancedTaskStatus),
}));

builder.queryFields((t) => ({
  advancedTaskDefinitions: t.field(
    list(ListAdvancedTaskDefinitions, {
      description: 'Definitions that advanced tasks can have.',
      node: AdvancedTaskDefinition,
    }),
  ),
  advancedTasks: t.field(
    list(ListAdvancedTaskInstances, {
      description: 'Advanced tasks of problems and work orders.',
      order: 'Oldest first.',
      sortedBy: rankAscendingBy('createdAt'),
      node: AdvancedTask,
      filter: AdvancedTaskFilter,
    }),
  ),
}));

builder.objectField(Problem.ref, 'advancedTasks', (t) =>
  t.field(
    list(ListAdvancedTaskInstances, {
      description: 'Advanced tasks of the problem.',
      order: 'Oldest first.',
      sortedBy: rankAscendingBy('createdAt'),
      on: Problem,
      node: AdvancedTask,
      filter: AdvancedTaskFilter,
    }),
  ),
);

builder.objectField(WorkOrder.ref, 'advancedTasks', (t) =>
  t.field(
    list(ListAdvancedTaskInstances, {
      description: 'Advanced tasks of the work order.',
      order: 'Oldest first.',
      sortedBy: rankAscendingBy('createdAt'),
      on: WorkOrder,
      node: AdvancedTask,
      filter: AdvancedTaskFilter,
    }),
  ),
);

registerReread(
  AdvancedTask,
  readFirstPage(ListAdvancedTaskInstances, ({ problemId, workOrderId }) => ({ problemId, workOrderId })),
);

const AFFECTED_PROBLEM =
  'The problem that the task belongs to. Null for a task of a work order. Its `incompleteAdvancedTaskCount` may have changed.';

mutation('advancedTaskUpdate', UpdateAdvancedTaskInstance, {
  description:
    'Fills in, completes, or reopens an advanced task. Omitted values stay unchanged. Completing the task requires a value for each required field.',
  input: (f) => ({
    advancedTaskId: f.advancedTaskId('Advanced task to update.'),
    values: unbound('JSON', 'Object of values, keyed by the names of the definition’s fields. A value can be any JSON. Null clears it.'),
    isCompleted: f.completed('True completes the task, and false reopens it. Omit it to leave the status unchanged.'),
  }),
  request: {
    complete: (request, { values }) => {
      if (values === null || values === undefined) return request;
      if (typeof values !== 'object' || Array.isArray(values))
        throw invalidInput(['values'], 'INVALID_FORMAT', 'must be a JSON object of values, keyed by field name.');
      return { ...request, values: values as NonNullable<AdvancedTaskRecord['values']> };
    },
  },
  returns: { task: 'The updated task.' },
  affects: { problem: [Problem, AFFECTED_PROBLEM, ({ task }) => task?.problemId] },
});

mutation('advancedTaskAttach', AttachAdvancedTask, {
  description:
    'Adds an advanced task to an open problem or work order. The task must be completed before the problem can be resolved or the work order can be completed.',
  input: (f) => ({
    definitionId: f.advancedTaskDefinitionId('Definition of the new task.'),
    owner: group(
      'AdvancedTaskOwnerInput',
      'Problem or work order to add the task to.',
      { description: 'A record that can have advanced tasks. Specify exactly one field.', required: true, isOneOf: true },
      { problemId: f.problemId('An open problem.'), workOrderId: f.workOrderId('An open work order.') },
    ),
  }),
  returns: { task: 'The new task.' },
  affects: { problem: [Problem, AFFECTED_PROBLEM, ({ task }) => task?.problemId] },
});
