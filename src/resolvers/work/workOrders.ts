import type { Context } from '../../context.ts';
import type { Blocker } from '../../failures/failures.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { builder } from '../../schema/kit/builder.ts';
import { MAX_CANDIDATES } from '../../schema/kit/candidates.ts';
import { toRawId } from '../../schema/kit/globalIds.ts';
import { defineInput } from '../../schema/kit/inputs.ts';
import { withOwner } from '../../schema/kit/parts.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import { WorkOrderSearch } from '../../schema/work/workOrderSearch.ts';
import { WorkOrder, WorkOrderLocation, WorkOrderStatus, WorkOrderTask } from '../../schema/work/workOrders.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import {
  CancelWorkOrder,
  CompleteWorkOrder,
  CreateWorkOrder,
  GetWorkOrder,
  ListAdvancedTaskInstances,
  ListWorkOrders,
  PrepareWorkOrder,
  SearchWorkOrders,
  UpdateWorkOrder,
} from '../../upstream/contract/generated/operations.ts';
import type { CustomerRecord, WorkOrderRecord, WorkOrderTaskRecord } from '../../upstream/contract/generated/records.ts';
import { declareFilter } from '../kit/filters.ts';
import { list, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import type { SentRequest } from '../kit/perform.ts';
import { readAll } from '../kit/reads.ts';
import { fetchCurrent, filterCreated, matchesInput } from '../kit/reconcile.ts';
import { search } from '../kit/search.ts';

const WorkOrderFilter = declareFilter(ListWorkOrders, WorkOrder, (f) => ({
  customerId: f.customerId('Only work orders of this customer.'),
  status: f.status('Only work orders with this status. To filter by several, use `workOrderSearch`.', WorkOrderStatus),
}));

const workOrderOptions = {
  order: 'Newest first.',
  sortedBy: rankDescendingBy('createdAt'),
  node: WorkOrder,
  index: WorkOrderSearch.index,
  filter: WorkOrderFilter,
};

builder.queryField('workOrders', (t) =>
  t.field(
    searchableList(ListWorkOrders, SearchWorkOrders, {
      ...workOrderOptions,
      description: 'Lists or searches work orders. Limited to the first 100. `query` and `filter` can’t be combined.',
      query: 'Text to search for in titles and descriptions.',
    }),
  ),
);

builder.objectFields(Customer.ref, (t) => ({
  workOrders: t.field(
    list(ListWorkOrders, { ...workOrderOptions, on: Customer, description: 'The customer’s work orders. Limited to the first 100.' }),
  ),

  workOrderLocations: t.field(
    readAll(PrepareWorkOrder, {
      description:
        'Locations of the customer where work can be done. Only includes locations that have a value and are part of the key’s Customer View.',
      type: WorkOrderLocation,
      args: (arg) => ({ templateId: arg.id({ description: 'ID of the work order template that determines `isPreferred`.' }) }),
      request: (customer: CustomerRecord, { templateId }) => ({
        customerId: Customer.getId(customer),
        ...(templateId && { workOrderTemplateId: toRawId('WorkOrderTemplate', templateId, ['templateId']) }),
      }),
      names: { workOrderTemplateId: ['templateId'] },
      resolveValue: ({ locations }, _context, customer) => withOwner(Customer.getId(customer), locations),
      extensions: { isServedByKey: true },
    }),
  ),
}));

builder.objectField(WorkOrder.ref, 'tasks', (t) =>
  t.field(
    list(GetWorkOrder, {
      description: 'Tasks of the work order, starting with those of its template. Advanced tasks aren’t included.',
      order: 'Sorted in the order in which to do them.',
      on: WorkOrder,
      node: WorkOrderTask,
    }),
  ),
);

const COMPLETED = 'PUBLIC_WORK_ORDER_STATUS_COMPLETED';
const CANCELLED = 'PUBLIC_WORK_ORDER_STATUS_CANCELLED';

interface TransitionResponse {
  readonly workOrder: WorkOrderRecord | undefined;
}

/** Whether the transition returned the status that the work order already had. False if the previous status couldn't be read. */
const isStatusUnchanged = ({ workOrder }: TransitionResponse, before: WorkOrderRecord | null): boolean =>
  before !== null && workOrder?.status === before.status;

/** Creates a `reconcile` function that returns the work order if it's in a terminal status that the transition leaves unchanged. */
const reconcileClosed =
  (isClosed: (workOrder: WorkOrderRecord) => boolean) =>
  async ({ request: { id }, context }: SentRequest<{ readonly id?: string }>): Promise<TransitionResponse | undefined> => {
    const workOrder = await fetchCurrent(WorkOrder, id, context);
    return workOrder && isClosed(workOrder) ? { workOrder } : undefined;
  };

/** Fetches the tasks of a work order, page by page. */
async function* fetchTaskPages(id: string, { upstream }: Context): AsyncGenerator<readonly WorkOrderTaskRecord[]> {
  for (let page = 1; ; page += 1) {
    const { rows, hasMore } = await readLargestPage(upstream, GetWorkOrder, { id }, page);
    yield rows;
    if (!hasMore || rows.length === 0) return;
  }
}

async function hasIncompleteTasks(id: string, context: Context): Promise<boolean> {
  for await (const tasks of fetchTaskPages(id, context)) if (tasks.some(({ isCompleted }) => !isCompleted)) return true;
  return false;
}

async function hasIncompleteAdvancedTasks(workOrderId: string, { upstream }: Context): Promise<boolean> {
  const { tasks } = await upstream.call(ListAdvancedTaskInstances, {
    workOrderId,
    status: 'PUBLIC_ADVANCED_TASK_STATUS_OPEN',
    page: 1,
    pageSize: 1,
  });
  return tasks.length > 0;
}

/**
 * Lists everything that blocks the completion of an open work order. A kind of task that the key can't read counts as complete, so that the other is still
 * reported.
 */
async function findCompletionBlockers(id: string, context: Context): Promise<Blocker[]> {
  const unknown = () => false;
  const [plain, advanced] = await Promise.all([
    hasIncompleteTasks(id, context).catch(unknown),
    hasIncompleteAdvancedTasks(id, context).catch(unknown),
  ]);
  return [
    ...(plain
      ? [{ code: 'INCOMPLETE_TASKS' as const, message: 'The work order has incomplete tasks. Complete them with workOrderUpdate.' }]
      : []),
    ...(advanced
      ? [
          {
            code: 'INCOMPLETE_ADVANCED_TASKS' as const,
            message: 'The work order has incomplete advanced tasks. Complete them with advancedTaskUpdate.',
          },
        ]
      : []),
  ];
}

/** Whether the tasks have the requested states. */
async function hasTaskStates(
  id: string,
  expected: readonly { readonly taskId?: string; readonly isCompleted?: boolean }[],
  context: Context,
): Promise<boolean> {
  const remaining = new Map(expected.map(({ taskId = '', isCompleted = false }) => [taskId, isCompleted]));
  for await (const tasks of fetchTaskPages(id, context)) {
    for (const { taskId, isCompleted } of tasks) if (remaining.get(taskId) === isCompleted) remaining.delete(taskId);
    if (remaining.size === 0) return true;
  }
  return false;
}

/** Whether the work order's tasks end with those of the request, after those of its template. `isExact`: it has no other tasks. */
async function endsWithTasks(
  id: string,
  expected: readonly { readonly body?: string }[],
  isExact: boolean,
  context: Context,
): Promise<boolean> {
  const bodies: string[] = [];
  for await (const tasks of fetchTaskPages(id, context)) bodies.push(...tasks.map(({ body }) => body));
  const last = expected.length === 0 ? [] : bodies.slice(-expected.length);
  return (!isExact || bodies.length === expected.length) && expected.every(({ body }, index) => last[index] === body);
}

const WorkOrderTaskInput = defineInput(
  messages.CreateWorkOrderTaskInput,
  'A task of a new work order.',
  (f) => ({ body: f.body('Text of the task.') }),
  'WorkOrderTaskInput',
);

builder.queryField('workOrderSearch', (t) =>
  t.field(search(WorkOrderSearch, 'Searches the work orders of the workspace.', '`workOrders`')),
);

mutation('workOrderCreate', CreateWorkOrder, {
  description:
    'Creates an open work order. An omitted title or description is inherited from the template. Tasks of the input are added after those of the template. Stock doesn’t change.',
  input: (f) => ({
    customerId: f.customerId('Customer that the work is for.'),
    templateId: f.workOrderTemplateId('Template to create the work order from. Must be active.'),
    locationId: f.locationDataFieldId(
      'Location of the work. Must be one of `Customer.workOrderLocations`. Optional if the template prefers one of them.',
    ),
    title: f.title('Title of the work order. Required without a template.'),
    description: f.description('Description of the work order.'),
    tasks: f.tasks('Tasks to add after those of the template.', WorkOrderTaskInput),
  }),
  returns: { workOrder: 'The new work order.' },
  reconcile: {
    calls: 1 + MAX_CANDIDATES,
    find: async ({ request, context, startedAt }) => {
      const { customerId = '', workOrderTemplateId = '', locationDataFieldId, title, description } = request;
      const { rows: workOrders } = await readLargestPage(context.upstream, ListWorkOrders, { customerId });
      const expected = {
        status: 'PUBLIC_WORK_ORDER_STATUS_OPEN',
        workOrderTemplateId,
        title: title || undefined,
        description: description || undefined,
        ...(locationDataFieldId && { location: { locationDataFieldId } }),
      };
      const found = filterCreated(workOrders, expected, startedAt);
      if (found.length > MAX_CANDIDATES) return null;
      const haveTasks = await Promise.all(
        found.map(({ id }) => endsWithTasks(id, request.tasks ?? [], workOrderTemplateId === '', context)),
      );
      return found.filter((_, index) => haveTasks[index]);
    },
  },
});

const WorkOrderTaskStateInput = defineInput(
  messages.UpdateWorkOrderTaskInput,
  'A task and whether it should be completed.',
  (f) => ({
    taskId: f.taskId('Task to complete or reopen.'),
    isCompleted: f.isCompleted('Whether the task is completed. False reopens it.', { required: true }),
  }),
  'WorkOrderTaskStateInput',
);

mutation('workOrderUpdate', UpdateWorkOrder, {
  description: 'Only open work orders can be updated. Also completes and reopens tasks.',
  on: WorkOrder,
  isPatch: true,
  input: (f) => ({
    title: f.title('Title of the work order.'),
    description: f.description('Description of the work order.'),
    locationId: f.locationDataFieldId('Location of the work. Must be one of `Customer.workOrderLocations`.'),
    tasks: f.tasks('Tasks to complete or reopen. Other tasks stay unchanged.', WorkOrderTaskStateInput),
  }),
  returns: { workOrder: 'The updated work order.' },
  reconcile: async ({ request: { id = '', locationDataFieldId, tasks = [], ...fields }, context }) => {
    const workOrder = await fetchCurrent(WorkOrder, id, context);
    const expected = { ...fields, ...(locationDataFieldId && { location: { locationDataFieldId } }) };
    if (!workOrder || !matchesInput(workOrder, expected)) return undefined;
    return tasks.length === 0 || (await hasTaskStates(id, tasks, context)) ? { workOrder } : undefined;
  },
});

mutation('workOrderComplete', CompleteWorkOrder, {
  description:
    'Completes an open work order. Blocked by incomplete tasks and advanced tasks, which `blockers` lists. If it is already completed, the effect is `UNCHANGED`. Fails if it is canceled.',
  on: WorkOrder,
  returns: { workOrder: 'The completed work order.' },
  isUnchanged: isStatusUnchanged,
  blockers: (_request, context, { id }) => findCompletionBlockers(id, context),
  reconcile: reconcileClosed(({ status }) => status === COMPLETED),
});

mutation('workOrderCancel', CancelWorkOrder, {
  description:
    'Cancels an open work order. If it is already completed or canceled, it stays unchanged and the effect is `UNCHANGED`. Check its `status`.',
  on: WorkOrder,
  returns: { workOrder: 'The work order. Check its `status`, because a completed one isn’t canceled.' },
  // A completed work order isn't canceled, whatever its previous status was.
  isUnchanged: (response, before) => isStatusUnchanged(response, before) || response.workOrder?.status === COMPLETED,
  reconcile: reconcileClosed(({ status }) => status === COMPLETED || status === CANCELLED),
});
