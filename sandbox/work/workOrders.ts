import { PublicWorkOrderTemplateStatus as TemplateStatus } from '../../src/upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import {
  type CreateWorkOrderRequest,
  PublicWorkOrderStatus as Status,
  type UpdateWorkOrderRequest,
  WorkOrder,
} from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { getCustomer } from '../customers/customerRecords.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument, notFound } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { CUSTOMER_READ, CUSTOMER_WRITE, requireCapability, WORK_READ, WORK_WRITE } from './access.ts';
import { openAdvancedTasks } from './advancedTaskRecords.ts';
import { findLocation, findPreferredLocation, listLocationFields, requireLocation } from './locations.ts';
import {
  createWorkOrderEvent,
  getWorkOrder,
  isTerminal,
  toWorkOrder,
  type WorkOrderRow,
  type WorkOrderTaskRow,
  workOrderTable,
  workOrderTaskTable,
} from './workOrderRecords.ts';
import { getWorkOrderTemplate, parseTaskBodies } from './workOrderTemplates.ts';

const readWorkOrder = (call: CallContext, id: string) => ({ workOrder: toWorkOrder(call, getWorkOrder(call, id)) });

/** The template of a new work order. Undefined for none. Members that can write work orders can read templates. */
function findTemplate(call: CallContext, id: string | undefined) {
  if (!id) return undefined;
  const template = getWorkOrderTemplate(call, id);
  if (template.status === TemplateStatus.ARCHIVED)
    throw failedPrecondition(`The template ${template.name} is archived, so no work orders can be created from it.`);
  return template;
}

function create(call: CallContext, request: CreateWorkOrderRequest): string {
  requireCapability(call, CUSTOMER_WRITE, 'write customers');
  const customer = getCustomer(call, request.customerId);
  const template = findTemplate(call, request.workOrderTemplateId);
  const preferred = template?.preferred_location_data_field_id;
  const location =
    request.locationDataFieldId === ''
      ? findPreferredLocation(call, customer, preferred)
      : requireLocation(call, customer, request.locationDataFieldId);
  const title = request.title.trim() === '' ? template?.title : request.title;
  if (!title) throw invalidArgument('title is required, because there is no template to inherit it from.');
  const id = call.id();
  workOrderTable.insert(call.store, {
    id,
    workspace_id: call.workspaceId,
    customer_id: customer.id,
    work_order_template_id: template?.id ?? '',
    status: Status.OPEN,
    title,
    description: request.description || (template?.description ?? ''),
    location_data_field_id: location,
    created_at: call.now,
    updated_at: call.now,
    completed_at: null,
    cancelled_at: null,
  });
  const bodies = [...(template ? parseTaskBodies(template) : []), ...request.tasks.map(({ body }) => body)];
  for (const [position, body] of bodies.entries()) {
    workOrderTaskTable.insert(call.store, { id: call.id(), work_order_id: id, position, body, is_completed: 0, completed_at: null });
  }
  return id;
}

function update(call: CallContext, request: UpdateWorkOrderRequest): void {
  const order = getWorkOrder(call, request.id);
  if (isTerminal(order)) throw failedPrecondition(`The work order ${order.title} is closed and can’t be changed.`);
  const { title, description, locationDataFieldId: location } = request;
  for (const { taskId, isCompleted } of request.tasks) {
    const task = workOrderTaskTable.find(call.store, { id: taskId, work_order_id: order.id });
    if (!task) throw notFound('task', taskId);
    if (task.is_completed === Number(isCompleted)) continue;
    workOrderTaskTable.update(call.store, taskId, { is_completed: Number(isCompleted), completed_at: isCompleted ? call.now : null });
  }
  workOrderTable.update(call.store, order.id, {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location_data_field_id: requireLocation(call, getCustomer(call, order.customer_id), location) }),
    updated_at: call.now,
  });
}

/** Throws if the work order has open tasks. */
function requireNoOpenTasks(call: CallContext, { id, title }: WorkOrderRow): void {
  const open = workOrderTaskTable.list(call.store, { work_order_id: id, is_completed: 0 }, 'position');
  if (open.length > 0) throw failedPrecondition(`The work order ${title} has ${open.length} incomplete tasks. Complete them first.`);
  const advanced = openAdvancedTasks(call, { work_order_id: id });
  if (advanced.length > 0)
    throw failedPrecondition(`The work order ${title} has ${advanced.length} incomplete advanced tasks. Complete them first.`);
}

/** Completes or cancels an open work order, and adds a timeline event. */
function closeWorkOrder(call: CallContext, order: WorkOrderRow, to: 'completed' | 'cancelled'): void {
  workOrderTable.update(call.store, order.id, {
    status: to === 'completed' ? Status.COMPLETED : Status.CANCELLED,
    [`${to}_at`]: call.now,
    updated_at: call.now,
  });
  call.timeline(order.customer_id, createWorkOrderEvent(order, to));
}

/**
 * Reopens a completed or canceled work order, and adds a timeline event. Does nothing if it's open. Only used when an appointment is first canceled, because a
 * repetition must not reopen a work order that was completed in the meantime.
 */
export function reopenWorkOrder(call: CallContext, id: string): void {
  const order = getWorkOrder(call, id);
  if (!isTerminal(order)) return;
  workOrderTable.update(call.store, id, { status: Status.OPEN, completed_at: null, cancelled_at: null, updated_at: call.now });
  call.timeline(order.customer_id, createWorkOrderEvent(order, 'reopened'));
}

export const workOrders = domain(WorkOrder, {
  tables: [workOrderTable, workOrderTaskTable],
  handlers: {
    createWorkOrder: {
      permission: WORK_WRITE,
      run: (request, call) => readWorkOrder(call, create(call, request)),
    },

    getWorkOrder: {
      permission: WORK_READ,
      run: (request, call) => {
        const order = getWorkOrder(call, request.id);
        const { rows, ...page } = call.page<WorkOrderTaskRow>(
          request,
          'SELECT * FROM work_order_tasks WHERE work_order_id = :id ORDER BY position',
          { id: order.id },
        );
        return { workOrder: toWorkOrder(call, order), tasks: rows.map(workOrderTaskTable.read), ...page };
      },
    },

    prepareWorkOrder: {
      permission: WORK_READ,
      run: ({ customerId, workOrderTemplateId }, call) => {
        requireCapability(call, CUSTOMER_READ, 'read customers');
        const customer = getCustomer(call, customerId);
        const preferred = workOrderTemplateId
          ? getWorkOrderTemplate(call, workOrderTemplateId).preferred_location_data_field_id
          : undefined;
        return { locations: listLocationFields(call).flatMap(({ id }) => findLocation(call, customer, id, preferred) ?? []) };
      },
    },

    listWorkOrders: {
      permission: WORK_READ,
      run: (request, call) => {
        const { customerId: customer_id, status } = request;
        const { rows } = workOrderTable.page(call, request, { customer_id, status }, 'created_at DESC, id');
        return { workOrders: rows.map((row) => toWorkOrder(call, row)) };
      },
    },

    searchWorkOrders: {
      permission: WORK_READ,
      run: (request, call) => {
        const { rows } = call.page<WorkOrderRow>(
          request,
          `SELECT * FROM work_orders
           WHERE workspace_id = :workspaceId AND (${createContainsSql('title')} OR ${createContainsSql('description')})
           ORDER BY created_at DESC, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { workOrders: rows.map((row) => toWorkOrder(call, row)) };
      },
    },

    updateWorkOrder: {
      permission: WORK_WRITE,
      run: (request, call) => {
        update(call, request);
        return readWorkOrder(call, request.id);
      },
    },

    completeWorkOrder: {
      permission: WORK_WRITE,
      run: ({ id }, call) => {
        const order = getWorkOrder(call, id);
        if (order.status === Status.CANCELLED)
          throw failedPrecondition(`The work order ${order.title} is canceled and can’t be completed.`);
        if (order.status === Status.OPEN) {
          requireNoOpenTasks(call, order);
          closeWorkOrder(call, order, 'completed');
        }
        return readWorkOrder(call, id);
      },
    },

    cancelWorkOrder: {
      permission: WORK_WRITE,
      run: ({ id }, call) => {
        const order = getWorkOrder(call, id);
        if (!isTerminal(order)) closeWorkOrder(call, order, 'cancelled');
        return readWorkOrder(call, id);
      },
    },
  },
});
