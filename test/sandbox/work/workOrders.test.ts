import { describe, expect, it } from 'vitest';
import { CallContext } from '../../../sandbox/kernel/call.ts';
import { authenticate } from '../../../sandbox/kernel/keys.ts';
import { reopenWorkOrder } from '../../../sandbox/work/workOrders.ts';
import { spec } from '../../support/spec.ts';
import { BLOCKED, FORBIDDEN, INVALID, MISSING, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

const CUSTOMER = demoId('customer 0');
const SITE = demoId('data field site_address');
const BILLING = demoId('data field billing_address');
const SERVICE = demoId('work order template service');

const OPEN = 'PUBLIC_WORK_ORDER_STATUS_OPEN';
const COMPLETED = 'PUBLIC_WORK_ORDER_STATUS_COMPLETED';
const CANCELLED = 'PUBLIC_WORK_ORDER_STATUS_CANCELLED';

const creation = (request: object = {}) => ({ customerId: CUSTOMER, locationDataFieldId: SITE, title: 'Made', ...request });
const create = (request: object = {}) => call('WorkOrder/CreateWorkOrder', creation(request));

async function createWorkOrder(request: object = {}) {
  const { status, body } = await create(request);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.workOrder;
}

const get = async (id: string, page: object = {}) => (await call('WorkOrder/GetWorkOrder', { id, ...page })).body;
const listTasks = async (id: string) => (await get(id, { pageSize: 100 })).tasks ?? [];
const listTaskBodies = async (id: string) => (await listTasks(id)).map(({ body }: { body: string }) => body);
const step = (name: 'Complete' | 'Cancel', id: string) => call(`WorkOrder/${name}WorkOrder`, { id });

/** Timeline events of a work order, oldest first. */
async function listEvents(id: string): Promise<string[]> {
  const { body } = await call('Customer/ListCustomerTimelineEvents', { customerId: CUSTOMER, pageSize: 100 });
  const events: { entityId: string; eventType: string }[] = body.events;
  return events.filter(({ entityId }) => entityId === id).map(({ eventType }) => eventType);
}

/** A customer without data fields. */
const createEmptyCustomer = async () => (await call('Customer/CreateCustomer', { title: 'Nowhere' })).body.customer.id;

describe('new work order', () => {
  it('copies the title, the description and the tasks of its template', spec('2.6.4', '2.6.5', '2.6.6'), async () => {
    const order = await createWorkOrder({ title: '', workOrderTemplateId: SERVICE, tasks: [{ body: 'Bring cake' }] });
    expect(order).toMatchObject({
      customerId: CUSTOMER,
      workOrderTemplateId: SERVICE,
      status: OPEN,
      title: 'Service the heat pump',
      description: 'Check, clean and report. Bring filters.',
      location: { locationDataFieldId: SITE, isPreferred: true },
    });
    expect(await listTaskBodies(order.id)).toEqual(['Check the pressure', 'Clean the filter', 'Have the report signed', 'Bring cake']);
  });

  it('uses its own title and description if specified', spec('2.6.5'), async () => {
    const order = await createWorkOrder({
      title: 'Mine',
      description: 'My own.',
      workOrderTemplateId: SERVICE,
      locationDataFieldId: BILLING,
    });
    expect(order).toMatchObject({ title: 'Mine', description: 'My own.', location: { locationDataFieldId: BILLING } });
    expect(order.location.isPreferred ?? false).toBe(false);
  });

  it.each([
    ['no title, and no template', { title: '' }],
    ['a blank title, and no template', { title: '  ' }],
    ['a title of 201 characters', { title: 'x'.repeat(201) }],
    ['a description of 20,001 characters', { description: 'x'.repeat(20_001) }],
    ['501 tasks', { tasks: Array.from({ length: 501 }, () => ({ body: 'x' })) }],
    ['a task without text', { tasks: [{ body: '' }] }],
    ['a task of 20,001 characters', { tasks: [{ body: 'x'.repeat(20_001) }] }],
    ['no customer', { customerId: '' }],
  ])('fails with %s', spec('2.6.1', '2.6.4', '2.6.5', '2.6.6'), async (_case, request) => {
    expect(summarizeError(await create(request))).toEqual(INVALID);
  });

  it(
    'accepts its own fields up to the limits, in addition to those of the template',
    spec('2.6.4', '2.6.5', '2.6.6', '4.4.3'),
    async () => {
      const tasks = Array.from({ length: 500 }, (_, index) => ({ body: `${index} ${'x'.repeat(10)}` }));
      const order = await createWorkOrder({ title: 'x'.repeat(200), description: 'x'.repeat(20_000), tasks, workOrderTemplateId: SERVICE });
      const { tasks: last, hasMore } = await get(order.id, { page: 6, pageSize: 100 });
      expect([last.map(({ body }: { body: string }) => body), hasMore ?? false]).toEqual([tasks.slice(-3).map(({ body }) => body), false]);
    },
  );

  it('requires a location unless the template prefers one that the customer has', spec('2.6.2', '2.6.3', '2.6.8'), async () => {
    const nowhere = await createEmptyCustomer();
    expect((await createWorkOrder({ locationDataFieldId: '', workOrderTemplateId: SERVICE })).location.locationDataFieldId).toBe(SITE);
    for (const request of [
      { locationDataFieldId: '' },
      { locationDataFieldId: '', workOrderTemplateId: demoId('work order template inspection') },
      { locationDataFieldId: '', workOrderTemplateId: demoId('work order template removal') },
      { locationDataFieldId: '', workOrderTemplateId: SERVICE, customerId: nowhere },
      { customerId: nowhere },
    ]) {
      expect([request, summarizeError(await create(request))]).toEqual([request, INVALID]);
    }
  });

  it('fails for a field that the Customer View hides, with or without a value', spec('4.4.10'), async () => {
    const nowhere = await createEmptyCustomer();
    for (const customerId of [CUSTOMER, nowhere]) {
      const hidden = creation({ customerId, locationDataFieldId: BILLING });
      expect(summarizeError(await callAs('demo-subcontractor', 'WorkOrder/CreateWorkOrder', hidden))).toEqual(FORBIDDEN);
    }
    // The field is visible but has no value, which the second check rejects.
    const empty = creation({ customerId: nowhere, locationDataFieldId: SITE });
    expect(summarizeError(await callAs('demo-subcontractor', 'WorkOrder/CreateWorkOrder', empty))).toEqual(INVALID);
    expect((await callAs('demo-subcontractor', 'WorkOrder/CreateWorkOrder', creation())).status).toBe(200);
    expect(summarizeError(await create({ locationDataFieldId: demoId('data field budget') }))).toEqual(MISSING);
  });

  it('fails if the Customer View hides the template’s preferred location', spec('2.6.3'), async () => {
    const template = { name: 'At the office', title: 'Visit', preferredLocationDataFieldId: BILLING };
    const { workOrderTemplate } = (await call('WorkOrderTemplate/CreateWorkOrderTemplate', template)).body;
    const request = creation({ locationDataFieldId: '', workOrderTemplateId: workOrderTemplate.id });
    expect((await call('WorkOrder/CreateWorkOrder', request)).body.workOrder.location.locationDataFieldId).toBe(BILLING);
    expect(summarizeError(await callAs('demo-subcontractor', 'WorkOrder/CreateWorkOrder', request))).toEqual(INVALID);
  });

  it('fails with an archived or unknown template', async () => {
    expect(summarizeError(await create({ workOrderTemplateId: demoId('work order template retired') }))).toEqual(BLOCKED);
    expect(summarizeError(await create({ workOrderTemplateId: 'nothing' }))).toEqual(MISSING);
  });

  it.each([
    ['can write work orders, but only read customers', ['planningAccess:READ_WRITE', 'boardAccess:READ_ONLY']],
    ['can write customers, but only read work orders', ['planningAccess:READ_ONLY', 'boardAccess:READ_WRITE']],
    ['can write settings and customers, but not work orders', ['settingsAccess:READ_WRITE', 'boardAccess:READ_WRITE']],
  ] as const)('fails for a member who %s', spec('4.4.11'), async (_case, permissions) => {
    const key = makeKey(opened.sandbox.world, { permissions });
    expect(summarizeError(await callAs(key, 'WorkOrder/CreateWorkOrder', creation({ workOrderTemplateId: SERVICE })))).toEqual(FORBIDDEN);
  });

  it('requires write access to work orders and customers', spec('4.4.11'), async () => {
    const key = makeKey(opened.sandbox.world, { permissions: ['planningAccess:READ_WRITE', 'boardAccess:READ_WRITE'] });
    expect((await callAs(key, 'WorkOrder/CreateWorkOrder', creation({ workOrderTemplateId: SERVICE }))).status).toBe(200);
  });

  it('can be created twice', spec('4.4.1'), async () => {
    const [first, second] = [await createWorkOrder({ title: 'Twice' }), await createWorkOrder({ title: 'Twice' })];
    expect(first.id).not.toBe(second.id);
  });

  it('doesn’t change stock', async () => {
    const stock = () => opened.sandbox.world.store.all('SELECT * FROM inventory_movements');
    const before = stock();
    const { id } = await createWorkOrder();
    await step('Complete', id);
    expect(stock()).toEqual(before);
  });
});

describe('customer locations', () => {
  const prepare = async (key: string, request: object) =>
    (await callAs(key, 'WorkOrder/PrepareWorkOrder', { customerId: CUSTOMER, ...request })).body.locations ?? [];
  const ids = (locations: { locationDataFieldId: string }[]) => locations.map(({ locationDataFieldId }) => locationDataFieldId);

  it('include those with a value that the Customer View contains', spec('2.6.2', '4.4.4'), async () => {
    opened.requiresDemoData();
    expect(ids(await prepare('demo-owner', {}))).toEqual([SITE, BILLING]);
    expect(ids(await prepare('demo-subcontractor', {}))).toEqual([SITE]);
    expect(await prepare('demo-owner', { customerId: await createEmptyCustomer() })).toEqual([]);
  });

  it('mark the one that the template prefers', spec('4.4.4'), async () => {
    const [site, billing] = await prepare('demo-owner', { workOrderTemplateId: SERVICE });
    expect([site, billing]).toMatchObject([{ isPreferred: true }, { label: expect.stringContaining('Billing address: ') }]);
    expect(billing.isPreferred ?? false).toBe(false);
  });

  it('require read access to customers', spec('5.31'), async () => {
    const key = makeKey(opened.sandbox.world, { permissions: ['planningAccess:READ_WRITE'] });
    expect(summarizeError(await callAs(key, 'WorkOrder/PrepareWorkOrder', { customerId: CUSTOMER }))).toEqual(FORBIDDEN);
  });

  it('don’t appear in work orders for members who can’t see them', async () => {
    const { id, location } = await createWorkOrder({ locationDataFieldId: BILLING });
    expect(location.label).toMatch(/^Billing address: /);
    const seen = await callAs('demo-subcontractor', 'WorkOrder/GetWorkOrder', { id });
    expect([seen.status, seen.body.workOrder.location ?? null]).toEqual([200, null]);
  });
});

describe('work order update', () => {
  const update = (id: string, request: object) => call('WorkOrder/UpdateWorkOrder', { id, ...request });

  it('updates specified fields, and preserves the others', async () => {
    const order = await createWorkOrder({ description: 'First.', tasks: [{ body: 'One' }, { body: 'Two' }] });
    const [one, two] = await listTasks(order.id);
    const { body } = await update(order.id, { tasks: [{ taskId: two.taskId, isCompleted: true }] });
    expect(body.workOrder).toMatchObject({ title: 'Made', description: 'First.', status: OPEN });
    expect(await listTasks(order.id)).toEqual([one, { ...two, isCompleted: true, completedAt: String(opened.sandbox.now) }]);
    await update(order.id, { description: '', tasks: [{ taskId: two.taskId, isCompleted: false }] });
    expect((await get(order.id)).workOrder.description ?? '').toBe('');
    expect(await listTasks(order.id)).toEqual([one, two]);
  });

  it('fails for a location that the Customer View hides or without a value', spec('4.4.7'), async () => {
    const { id } = await createWorkOrder();
    const hidden = { id, locationDataFieldId: BILLING };
    expect(summarizeError(await callAs('demo-subcontractor', 'WorkOrder/UpdateWorkOrder', hidden))).toEqual(FORBIDDEN);
    expect((await update(id, { locationDataFieldId: BILLING })).body.workOrder.location.locationDataFieldId).toBe(BILLING);
  });

  it('fails for a task of another work order, and changes nothing', async () => {
    const [order, other] = [await createWorkOrder({ tasks: [{ body: 'Mine' }] }), await createWorkOrder({ tasks: [{ body: 'Theirs' }] })];
    const [[mine], [theirs]] = [await listTasks(order.id), await listTasks(other.id)];
    const tasks = [mine, theirs].map(({ taskId }) => ({ taskId, isCompleted: true }));
    expect(summarizeError(await update(order.id, { tasks }))).toEqual(MISSING);
    expect(await listTasks(order.id)).toEqual([mine]);
  });

  it.each(['Complete', 'Cancel'] as const)('fails after the work order was closed: %s', async (name) => {
    const { id } = await createWorkOrder();
    await step(name, id);
    expect(summarizeError(await update(id, { title: 'Too late' }))).toEqual(BLOCKED);
  });
});

describe('work order completion', () => {
  it('adds one timeline event, and returns a completed work order unchanged', spec('3.2', '6.3'), async () => {
    const { id } = await createWorkOrder();
    const first = (await step('Complete', id)).body.workOrder;
    expect(first).toMatchObject({ status: COMPLETED, completedAt: String(opened.sandbox.now) });
    opened.sandbox.now += 60;
    expect((await step('Complete', id)).body.workOrder).toEqual(first);
    expect(await listEvents(id)).toEqual(['work_order_completed']);
  });

  it('fails while there are open tasks or advanced tasks', spec('3.1', '7.32'), async () => {
    const { id } = await createWorkOrder({ tasks: [{ body: 'First' }] });
    const definition = { workOrderId: id, advancedTaskDefinitionId: demoId('advanced task definition 2') };
    const { task } = (await call('AdvancedTask/AttachAdvancedTask', definition)).body;
    expect(summarizeError(await step('Complete', id))).toEqual(BLOCKED);
    const [{ taskId }] = await listTasks(id);
    await call('WorkOrder/UpdateWorkOrder', { id, tasks: [{ taskId, isCompleted: true }] });
    expect(summarizeError(await step('Complete', id))).toEqual(BLOCKED);
    const done = { advancedTaskId: task.id, values: { is_safe: true }, completed: true };
    expect((await call('AdvancedTask/UpdateAdvancedTaskInstance', done)).status).toBe(200);
    expect((await step('Complete', id)).body.workOrder.status).toBe(COMPLETED);
  });

  it('fails for a canceled work order', async () => {
    const { id } = await createWorkOrder();
    await step('Cancel', id);
    expect(summarizeError(await step('Complete', id))).toEqual(BLOCKED);
    expect((await get(id)).workOrder.status).toBe(CANCELLED);
  });

  it('takes effect once together with a concurrent cancellation', spec('6.3'), async () => {
    const { id } = await createWorkOrder();
    const names = ['Complete', 'Cancel', 'Complete', 'Cancel'] as const;
    await Promise.all(names.map((name) => step(name, id)));
    expect(await listEvents(id)).toHaveLength(1);
  });
});

describe('work order cancellation', spec('3.3'), () => {
  it('adds one timeline event, and returns a canceled work order unchanged, even with tasks', async () => {
    const { id } = await createWorkOrder({ tasks: [{ body: 'Never done' }] });
    const first = (await step('Cancel', id)).body.workOrder;
    expect(first).toMatchObject({ status: CANCELLED, cancelledAt: String(opened.sandbox.now) });
    opened.sandbox.now += 60;
    expect((await step('Cancel', id)).body.workOrder).toEqual(first);
    expect(await listEvents(id)).toEqual(['work_order_cancelled']);
  });

  it('returns a completed work order unchanged', async () => {
    const { id } = await createWorkOrder();
    const completed = (await step('Complete', id)).body.workOrder;
    expect((await step('Cancel', id)).body.workOrder).toEqual(completed);
    expect(await listEvents(id)).toEqual(['work_order_completed']);
  });
});

describe('reopened work order', () => {
  /** Reopens a work order, as canceling an appointment does. */
  function reopen(id: string): void {
    const { world } = opened.sandbox;
    const headers = { authorization: 'Bearer demo-owner', apiKey: undefined, address: '127.0.0.1' };
    const principal = authenticate({ store: world.store, now: world.now() }, headers);
    reopenWorkOrder(new CallContext(world, principal, 0, ''), id);
  }

  it.each(['Complete', 'Cancel'] as const)('has the status open and a timeline event, and can be closed again: %s', async (name) => {
    const { id } = await createWorkOrder();
    await step(name, id);
    reopen(id);
    const { status, completedAt, cancelledAt } = (await get(id)).workOrder;
    expect([status, completedAt, cancelledAt]).toEqual([OPEN, undefined, undefined]);
    await step(name, id);
    const closed = name === 'Complete' ? 'work_order_completed' : 'work_order_cancelled';
    expect((await listEvents(id)).toSorted()).toEqual([closed, closed, 'work_order_reopened'].toSorted());
  });

  it('doesn’t change if it’s already open', async () => {
    const { id } = await createWorkOrder();
    reopen(id);
    expect([(await get(id)).workOrder.status, await listEvents(id)]).toEqual([OPEN, []]);
  });
});

describe('work order lists', () => {
  const list = async (request: object) => (await call('WorkOrder/ListWorkOrders', request)).body.workOrders ?? [];

  it('contain all, those of a customer, or those with a status', spec('4.4.5'), async () => {
    const { id } = await createWorkOrder();
    await step('Cancel', id);
    const of = await list({ customerId: CUSTOMER, status: CANCELLED });
    expect(of.map((order: { id: string }) => order.id)).toContain(id);
    expect(new Set(of.map(({ customerId, status }: Record<string, string>) => `${customerId} ${status}`))).toEqual(
      new Set([`${CUSTOMER} ${CANCELLED}`]),
    );
    expect((await list({})).length).toBeGreaterThan((await list({ customerId: CUSTOMER })).length);
  });

  it('contain 100 rows by default', spec('4.4.5'), async () => {
    for (let count = 0; count < 101; count += 1) await createWorkOrder({ title: `Many ${count}` });
    expect(await list({})).toHaveLength(100);
  });

  it('search title and description', spec('4.4.6'), async () => {
    const { id } = await createWorkOrder({ title: 'A needle', description: 'In the 100 % haystack.' });
    for (const query of ['needle', '100 % hay']) {
      const { workOrders } = (await call('WorkOrder/SearchWorkOrders', { query })).body;
      expect(workOrders.map((order: { id: string }) => order.id)).toEqual([id]);
    }
    expect((await call('WorkOrder/SearchWorkOrders', { query: '100_%' })).body.workOrders ?? []).toEqual([]);
  });

  it('contain only the workspace’s work orders', spec('4.4.2'), async () => {
    const { id } = await createWorkOrder();
    expect(summarizeError(await callAs('demo-neighbour', 'WorkOrder/GetWorkOrder', { id }))).toEqual(MISSING);
    const { workOrders = [] } = (await callAs('demo-neighbour', 'WorkOrder/ListWorkOrders', {})).body;
    expect(workOrders.map((order: { id: string }) => order.id)).not.toContain(id);
  });
});
