import { PublicWorkOrderTemplateStatus as TemplateStatus } from '../../src/upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import { PublicWorkOrderStatus as Status } from '../../src/upstream/contract/generated/publicapi/v1/work_orders_pb.ts';
import { customerTable } from '../customers/customerRecords.ts';
import { listDemoCustomerIds } from '../customers/customersDemo.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { createWorkOrderEvent, workOrderTable, workOrderTaskTable } from './workOrderRecords.ts';
import { getWorkOrderTemplate, parseTaskBodies, workOrderTemplateTable } from './workOrderTemplates.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** Age of the templates. */
const AGE_SECONDS = 350 * DAY_SECONDS;

interface DemoTemplate {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly tasks: readonly string[];
  /** Name of the preferred data field. A deleted field can't be used. */
  readonly location?: 'site_address' | 'former_address';
  readonly isArchived?: true;
}

const TEMPLATES: Readonly<Record<string, DemoTemplate>> = {
  service: {
    name: 'Yearly service',
    title: 'Service the heat pump',
    description: 'Check, clean and report. Bring filters.',
    tasks: ['Check the pressure', 'Clean the filter', 'Have the report signed'],
    location: 'site_address',
  },
  installation: {
    name: 'Installation',
    title: 'Install the equipment',
    tasks: ['Switch off the power', 'Place the equipment', 'Connect it', 'Test it', 'Explain it to the customer'],
    location: 'site_address',
  },
  inspection: { name: 'Inspection', title: 'Inspect the site', tasks: ['Take photographs'] },
  removal: { name: 'Removal', title: 'Take the old equipment away', tasks: [], location: 'former_address' },
  retired: { name: 'Fair visit', title: 'Visit the fair', tasks: ['Set the stand up'], location: 'site_address', isArchived: true },
};

interface DemoWorkOrder {
  readonly template?: keyof typeof TEMPLATES;
  readonly title?: string;
  readonly tasks?: readonly string[];
  readonly done: 'nothing' | 'some' | 'all';
  readonly status?: Status;
  readonly days: number;
}

/** Work orders of the first customer, newest first. */
const FIRST_CUSTOMER_WORK_ORDERS: readonly DemoWorkOrder[] = [
  { template: 'service', done: 'some', days: 2 },
  { title: 'Look at the noise', tasks: [], done: 'nothing', days: 5 },
  { template: 'installation', done: 'all', status: Status.COMPLETED, days: 40 },
  { template: 'inspection', done: 'nothing', status: Status.CANCELLED, days: 60 },
];

/** Work orders of other customers, in rotation. */
const OTHER_WORK_ORDERS: readonly DemoWorkOrder[] = [
  { template: 'service', done: 'nothing', days: 1 },
  { template: 'installation', done: 'some', days: 3 },
  { template: 'service', done: 'all', days: 4 },
  { title: 'Replace the valve', tasks: ['Order the valve', 'Close the tap', 'Fit the valve'], done: 'some', days: 6 },
  { template: 'inspection', done: 'all', status: Status.COMPLETED, days: 30 },
];
/** Number of customers to search for a location. */
const MAX_CANDIDATES = 9;

function seedTemplates(plan: Plan): void {
  const madeAt = plan.now - AGE_SECONDS;
  for (const [slug, { name, title, description = '', tasks, location, isArchived = false }] of Object.entries(TEMPLATES)) {
    const archived_at = isArchived ? madeAt + DAY_SECONDS : null;
    workOrderTemplateTable.insert(plan.store, {
      id: plan.id(`work order template ${slug}`),
      workspace_id: plan.workspaceId,
      name,
      status: isArchived ? TemplateStatus.ARCHIVED : TemplateStatus.ACTIVE,
      title,
      description,
      tasks: JSON.stringify(tasks),
      preferred_location_data_field_id: location ? plan.id(`data field ${location}`) : '',
      created_at: madeAt,
      updated_at: archived_at ?? madeAt,
      archived_at,
    });
  }
}

function seedTasks(plan: Plan, index: number, bodies: readonly string[], done: DemoWorkOrder['done'], at: number): void {
  const completed = { nothing: 0, some: Math.ceil(bodies.length / 2), all: bodies.length }[done];
  for (const [position, body] of bodies.entries()) {
    const isCompleted = position < completed;
    const state = { is_completed: Number(isCompleted), completed_at: isCompleted ? at : null };
    const id = plan.id(`task ${position} of work order ${index}`);
    workOrderTaskTable.insert(plan.store, { id, work_order_id: plan.id(`work order ${index}`), position, body, ...state });
  }
}

function seedWorkOrder(plan: Plan, index: number, customerId: string, demo: DemoWorkOrder): void {
  const { store, workspaceId, now, world } = plan;
  const { template: slug, done, status = Status.OPEN, days } = demo;
  const template = slug ? getWorkOrderTemplate(plan, plan.id(`work order template ${slug}`)) : undefined;
  const id = plan.id(`work order ${index}`);
  const title = demo.title ?? template?.title ?? '';
  const createdAt = now - days * DAY_SECONDS;
  const closedAt = createdAt + 3 * HOUR_SECONDS;
  workOrderTable.insert(store, {
    id,
    workspace_id: workspaceId,
    customer_id: customerId,
    work_order_template_id: template?.id ?? '',
    status,
    title,
    description: template?.description ?? '',
    location_data_field_id: plan.id('data field site_address'),
    created_at: createdAt,
    updated_at: status === Status.OPEN ? createdAt : closedAt,
    completed_at: status === Status.COMPLETED ? closedAt : null,
    cancelled_at: status === Status.CANCELLED ? closedAt : null,
  });
  seedTasks(plan, index, demo.tasks ?? (template ? parseTaskBodies(template) : []), done, closedAt);
  if (status === Status.OPEN) return;
  const step = status === Status.COMPLETED ? 'completed' : 'cancelled';
  writeTimeline(world, workspaceId, customerId, { ...createWorkOrderEvent({ id, title }, step), occurredAt: closedAt });
}

/**
 * Creates the templates `work order template service`, `… inspection` (without a location) and `… retired` (archived), and the work orders. `work order 0` to
 * `work order 3` belong to `customer 0`.
 */
function seedWork(plan: Plan): void {
  seedTemplates(plan);
  const [first = '', ...others] = listDemoCustomerIds(plan).slice(0, MAX_CANDIDATES);
  for (const [index, demo] of FIRST_CUSTOMER_WORK_ORDERS.entries()) seedWorkOrder(plan, index, first, demo);
  const placed = others.filter((id) => 'site_address' in JSON.parse(customerTable.getOrThrow(plan, id, 'customer').custom_fields));
  for (const [index, customerId] of placed.entries()) {
    const demo = OTHER_WORK_ORDERS[index % OTHER_WORK_ORDERS.length];
    if (demo) seedWorkOrder(plan, FIRST_CUSTOMER_WORK_ORDERS.length + index, customerId, demo);
  }
}

export const workDemo = demoData({
  examples: {
    WorkOrder: ['work order 0', 'work order 2'],
    WorkOrderTemplate: ['work order template service', 'work order template retired'],
  },
  seed: seedWork,
});
