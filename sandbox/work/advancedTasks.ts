import {
  AdvancedTask,
  type AttachAdvancedTaskRequest,
  PublicAdvancedTaskStatus as Status,
} from '../../src/upstream/contract/generated/publicapi/v1/advanced_tasks_pb.ts';
import { PublicProblemStatus } from '../../src/upstream/contract/generated/publicapi/v1/problems_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { toJsonValue } from '../kernel/jsonValues.ts';
import { domain } from '../kernel/service.ts';
import { SETTINGS_READ, WORK_READ, WORK_WRITE } from './access.ts';
import {
  attachTask,
  definitionTable,
  getDefinition,
  parseForm,
  parseValues,
  type TaskField,
  type TaskOwner,
  type TaskRow,
  taskTable,
  toDefinition,
  toTask,
} from './advancedTaskRecords.ts';
import { getProblem } from './problemRecords.ts';
import { getWorkOrder, isTerminal } from './workOrderRecords.ts';

const getTask = (call: CallContext, id: string): TaskRow => taskTable.getOrThrow(call, id, 'advanced task');

/** Looks up the record for a new task. Throws unless it is open. Chosen: the upstream doesn't document which statuses allow new tasks. */
function resolveOwner(call: CallContext, { problemId, workOrderId }: AttachAdvancedTaskRequest): TaskOwner {
  if (problemId === '') {
    const order = getWorkOrder(call, workOrderId);
    if (isTerminal(order))
      throw failedPrecondition(`The work order ${order.title} is closed. Tasks can only be attached to open work orders.`);
    return { work_order_id: order.id };
  }
  const { id, title, status } = getProblem(call, problemId);
  if (status !== PublicProblemStatus.OPEN)
    throw failedPrecondition(`The problem ${title} is no longer open. Tasks can only be attached to open problems.`);
  return { problem_id: id };
}

/** Throws for values that aren't in the form. */
function requireKnown(form: readonly TaskField[], names: readonly string[]): void {
  const known = form.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidArgument(`values contains the unknown field ${unknown}. Fields of the task: ${known.join(', ')}.`);
}

/** Throws if a task without a required value is marked complete. */
function requireFilledIn(form: readonly TaskField[], values: object): void {
  const missing = form.filter(({ name, required }) => required && !Object.hasOwn(values, name)).map(({ name }) => name);
  if (missing.length > 0)
    throw failedPrecondition(`The task can’t be completed without a value for ${missing.join(', ')}. Provide it, or leave the task open.`);
}

export const advancedTasks = domain(AdvancedTask, {
  tables: [definitionTable, taskTable],
  handlers: {
    listAdvancedTaskDefinitions: {
      permission: SETTINGS_READ,
      run: (request, call) => {
        const { rows, ...page } = definitionTable.page(call, request, {}, 'name, id');
        return { definitions: rows.map(toDefinition), ...page };
      },
    },

    getAdvancedTaskDefinition: {
      permission: SETTINGS_READ,
      run: ({ id }, call) => ({ definition: toDefinition(getDefinition(call, id)) }),
    },

    listAdvancedTaskInstances: {
      permission: WORK_READ,
      run: (request, call) => {
        const { problemId, workOrderId, status } = request;
        const filters = { problem_id: problemId, work_order_id: workOrderId, status };
        const { rows, ...page } = taskTable.page(call, request, filters, 'created_at, rowid');
        return { tasks: rows.map(toTask), ...page };
      },
    },

    updateAdvancedTaskInstance: {
      permission: WORK_WRITE,
      run: ({ advancedTaskId, values, completed }, call) => {
        const task = getTask(call, advancedTaskId);
        const form = parseForm(getDefinition(call, task.advanced_task_definition_id));
        requireKnown(form, Object.keys(values));
        const given = Object.entries(values).map(([name, value]) => [name, toJsonValue(`The value of ${name}`, value)] as const);
        const all = Object.entries({ ...parseValues(task), ...Object.fromEntries(given) });
        const after = Object.fromEntries(all.filter(([, value]) => value !== null));
        const isComplete = completed ?? task.status === Status.COMPLETED;
        if (isComplete) requireFilledIn(form, after);
        taskTable.update(call.store, task.id, {
          field_values: JSON.stringify(after),
          status: isComplete ? Status.COMPLETED : Status.OPEN,
          completed_at: isComplete ? (task.completed_at ?? call.now) : null,
          updated_at: call.now,
        });
        return { task: toTask(getTask(call, task.id)) };
      },
    },

    attachAdvancedTask: {
      permission: WORK_WRITE,
      run: (request, call) => {
        const { id: definitionId } = getDefinition(call, request.advancedTaskDefinitionId);
        const owner = resolveOwner(call, request);
        const id = attachTask(call.world, { workspaceId: call.workspaceId, definitionId, owner, at: call.now });
        return { task: toTask(getTask(call, id)) };
      },
    },
  },
});
