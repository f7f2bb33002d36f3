import { afterEach, describe, expect, it } from 'vitest';
import { toCompositeId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

afterEach(() => testGraph.sandbox.faults.clear());

const CUSTOMER = demoId('customer 0');
const SITE = demoId('data field site_address');
const LOCATION = toCompositeId('WorkOrderLocation', [CUSTOMER, SITE]);

const FAILURES = `__typename
  ... on ValidationError { issues { path code message } }
  ... on NotFoundError { missingId path }
  ... on OutcomeUnknownError { retry }
  ... on MutationError { code }`;
const BLOCKED = '... on TransitionBlockedError { fromText blockers { code } current { ... on WorkOrder { rawId status } } }';
const ORDER =
  'rawId title description status completedAt location { id rawId label isPreferred } tasks(first: 10) { nodes { id rawId body isCompleted } }';

const change = async (name: string, input: object, key = 'demo-owner', selection = ORDER) => {
  const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ${FAILURES} ${name === 'workOrderCancel' ? '' : BLOCKED} ... on ${Name}Payload { effect workOrder { ${selection} } } } }`;
  const { data, errors } = await testGraph.executeAs(key, query, { input });
  expect(errors).toBeUndefined();
  return data[name];
};

async function createWorkOrder(input: object = {}) {
  const { workOrder } = await change('workOrderCreate', { customerId: CUSTOMER, locationId: LOCATION, title: 'Made', ...input });
  return workOrder;
}

/** Performs a transition and selects only the ID and status. */
const transition = (name: 'Complete' | 'Cancel', workOrderId: string, { key, ...more }: { key?: string; idempotencyKey?: string } = {}) =>
  testGraph.recordCalls(() => change(`workOrder${name}`, { workOrderId, ...more }, key, 'rawId status'));

const fetchStatus = async (id: string) =>
  (await testGraph.execute('query ($id: ID!) { workOrder(id: $id) { status } }', { id })).data.workOrder.status;

/** Number of timeline events about a work order. */
const countEvents = (id: string) =>
  testGraph.sandbox.world.store.all<{ event_type: string }>('SELECT event_type FROM timeline_events WHERE entity_id = :id', { id }).length;

const [GET, COMPLETE, CANCEL] = ['WorkOrder/GetWorkOrder', 'WorkOrder/CompleteWorkOrder', 'WorkOrder/CancelWorkOrder'];

describe('Customer.workOrders', () => {
  it('returns customer, template, location, tasks, and advanced tasks', async () => {
    const query = `query ($id: ID!) {
      customer(id: $id) {
        workOrders(first: 2, filter: { status: OPEN }) {
          isTruncated
          nodes {
            title customer { title } template { name requiresLocation preferredLocationField { label } } location { label }
            tasks(first: 2) { nodes { body isCompleted } pageInfo { hasNextPage } } advancedTasks { nodes { status } }
          }
        }
      }
    }`;
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: CUSTOMER }));
    expect(errors).toBeUndefined();
    expect(data.customer.workOrders).toMatchObject({
      isTruncated: false,
      nodes: [
        {
          title: 'Service the heat pump',
          customer: { title: expect.any(String) },
          template: { name: 'Yearly service', requiresLocation: false, preferredLocationField: { label: 'Site address' } },
          location: { label: expect.stringMatching(/^Site address: /) },
          tasks: { nodes: [{ body: 'Check the pressure', isCompleted: true }, { isCompleted: true }], pageInfo: { hasNextPage: true } },
        },
        { title: 'Look at the noise', template: null, tasks: { nodes: [] } },
      ],
    });
    expect(calls.toSorted()).toEqual(
      [
        'WorkOrder/ListWorkOrders',
        'Customer/GetCustomer',
        'WorkOrderTemplate/GetWorkOrderTemplate',
        'WorkOrderTemplate/ListWorkOrderTemplateLocationFields',
        GET,
        GET,
        'AdvancedTask/ListAdvancedTaskInstances',
        'AdvancedTask/ListAdvancedTaskInstances',
      ].toSorted(),
    );
  });

  it('fetches a work order and its tasks by ID with one call', spec('4.4.3'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { workOrder(id: $id) { title tasks { nodes { body } } } }', { id: demoId('work order 0') }),
    );
    expect([data.workOrder.tasks.nodes.length, calls]).toEqual([3, [GET]]);
  });

  it('resolves from timeline events', async () => {
    const query =
      'query ($id: ID!) { customer(id: $id) { timelineEvents(first: 100) { nodes { eventType entity { ... on WorkOrder { rawId } } } } } }';
    const { data } = await testGraph.execute(query, { id: CUSTOMER });
    expect(data.customer.timelineEvents.nodes).toContainEqual({
      eventType: 'work_order_completed',
      entity: { rawId: demoId('work order 2') },
    });
  });
});

describe('Customer.workOrderLocations', () => {
  const query = 'query ($id: ID!, $of: ID) { customer(id: $id) { workOrderLocations(templateId: $of) { id rawId label isPreferred } } }';

  it('lists the customer’s locations and the one preferred by the template in one call', async () => {
    const of = toGlobalId('WorkOrderTemplate', demoId('work order template service'));
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: CUSTOMER, of }));
    expect([errors, calls]).toEqual([undefined, ['WorkOrder/PrepareWorkOrder']]);
    expect(data.customer.workOrderLocations).toEqual([
      { id: LOCATION, rawId: SITE, label: expect.stringMatching(/^Site address: /), isPreferred: true },
      { id: expect.any(String), rawId: expect.any(String), label: expect.stringMatching(/^Billing address: /), isPreferred: false },
    ]);
  });

  it('omits locations that the Customer View of the key hides', async () => {
    const { data } = await testGraph.executeAs('demo-subcontractor', query, { id: CUSTOMER });
    expect(data.customer.workOrderLocations.map(({ rawId }: { rawId: string }) => rawId)).toEqual([SITE]);
  });

  it('requires work_order:read and customer:read', spec('5.37'), async () => {
    for (const missing of ['work_order:read', 'customer:read']) {
      const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== missing) });
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, query, { id: CUSTOMER }));
      expect([errors?.[0]?.extensions.missingScopes, calls]).toEqual([[missing], []]);
    }
  });
});

describe('Query.workOrders', () => {
  const query =
    'query ($query: String, $filter: WorkOrderFilterInput) { workOrders(first: 100, query: $query, filter: $filter) { nodes { title status customer { rawId } } } }';

  it('filters by customer and status, or searches', async () => {
    const filter = { customerId: toGlobalId('Customer', CUSTOMER), status: 'CANCELLED' };
    const [listed, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { filter }));
    expect(listed.data.workOrders.nodes).toContainEqual({ title: 'Inspect the site', status: 'CANCELLED', customer: { rawId: CUSTOMER } });
    expect(new Set(listed.data.workOrders.nodes.map(({ status }: { status: string }) => status))).toEqual(new Set(['CANCELLED']));
    expect(calls).toEqual(['WorkOrder/ListWorkOrders']);
    const [found, searched] = await testGraph.recordCalls(() => testGraph.execute(query, { query: 'noise' }));
    expect([found.data.workOrders.nodes.length, searched]).toEqual([1, ['WorkOrder/SearchWorkOrders']]);
  });

  it('rejects a search with a filter, which the Workspace API doesn’t support', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { query: 'noise', filter: { status: 'OPEN' } }));
    expect([errors?.[0]?.extensions, calls]).toEqual([
      expect.objectContaining({ code: 'BAD_USER_INPUT', issues: [expect.objectContaining({ path: ['filter'], code: 'NOT_ALLOWED' })] }),
      [],
    ]);
    const { data } = await testGraph.execute(query, { query: 'noise', filter: { status: null } });
    expect(data.workOrders.nodes).toHaveLength(1);
  });
});

describe('Mutation.workOrderCreate', () => {
  it('inherits from its template and appends its own tasks', async () => {
    const input = { templateId: demoId('work order template service'), title: null, tasks: [{ body: 'Bring cake' }], locationId: null };
    const order = await createWorkOrder(input);
    expect(order).toMatchObject({ title: 'Service the heat pump', status: 'OPEN', location: { id: LOCATION, isPreferred: true } });
    expect(order.tasks.nodes.map(({ body }: { body: string }) => body)).toEqual([
      'Check the pressure',
      'Clean the filter',
      'Have the report signed',
      'Bring cake',
    ]);
  });

  it('rejects the location of another customer without an upstream call', async () => {
    const input = { customerId: demoId('customer 1'), locationId: LOCATION, title: 'Elsewhere' };
    const [result, calls] = await testGraph.recordCalls(() => change('workOrderCreate', input));
    expect([result, calls]).toMatchObject([{ __typename: 'ValidationError', issues: [{ path: ['locationId'], code: 'NOT_ALLOWED' }] }, []]);
  });

  it('returns ValidationError if the location is required or has no value', async () => {
    const { customer } = (
      await testGraph.execute(
        'mutation { customerCreate(input: { title: "Nowhere" }) { ... on CustomerCreatePayload { customer { id } } } }',
      )
    ).data.customerCreate;
    const results = [{ title: 'Where?' }, { title: 'There', locationId: SITE }].map((input) =>
      change('workOrderCreate', { customerId: customer.id, ...input }),
    );
    expect(await Promise.all(results)).toMatchObject([
      { __typename: 'ValidationError', issues: [{ path: [], message: expect.stringContaining('location') }] },
      { __typename: 'ValidationError', issues: [{ path: ['locationId'] }] },
    ]);
  });

  it('returns TransitionBlockedError without a current record for an archived template', async () => {
    const input = { customerId: CUSTOMER, locationId: LOCATION, templateId: demoId('work order template retired') };
    expect(await change('workOrderCreate', input)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'OTHER' }],
      current: null,
    });
  });

  it('returns ForbiddenError for a location that the Customer View of the key hides', spec('4.4.10'), async () => {
    const input = { customerId: CUSTOMER, title: 'Hidden', locationId: demoId('data field billing_address') };
    expect(await change('workOrderCreate', input, 'demo-subcontractor')).toMatchObject({ __typename: 'ForbiddenError' });
  });

  it('returns OutcomeUnknownError after a lost response if only another work order is similar', async () => {
    const templateId = demoId('work order template service');
    const input = { customerId: CUSTOMER, templateId, title: 'Same', tasks: [{ body: 'My task' }] };
    // Looks as if it was created while the response to the other request was pending.
    testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 600;
    await change('workOrderCreate', { ...input, tasks: [{ body: 'Another task' }] });
    testGraph.sandbox.faults.add({ operation: 'WorkOrder/CreateWorkOrder', cut: 'before' });
    expect(await change('workOrderCreate', input)).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' });
  });

  it('reconciles a malformed response by customer, template, and tasks', async () => {
    const templateId = demoId('work order template installation');
    const input = { customerId: CUSTOMER, templateId, title: 'Lost', tasks: [{ body: 'My task' }] };
    testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 600;
    testGraph.sandbox.faults.add({ operation: 'WorkOrder/CreateWorkOrder', body: '{' });
    const result = await change('workOrderCreate', input);
    expect(result).toMatchObject({ effect: 'RECONCILED', workOrder: { title: 'Lost' } });
    expect(result.workOrder.tasks.nodes.at(-1)).toMatchObject({ body: 'My task' });
  });
});

describe('Mutation.workOrderUpdate', () => {
  it('completes and reopens tasks', async () => {
    const { rawId: workOrderId, tasks } = await createWorkOrder({ tasks: [{ body: 'One' }, { body: 'Two' }] });
    const [one, two] = tasks.nodes;
    const done = await change('workOrderUpdate', { workOrderId, tasks: [{ taskId: two.id, isCompleted: true }] });
    expect([done.effect, done.workOrder.tasks.nodes]).toEqual(['DONE', [one, { ...two, isCompleted: true }]]);
    const undone = await change('workOrderUpdate', { workOrderId, tasks: [{ taskId: two.id, isCompleted: false }] });
    expect(undone.workOrder.tasks.nodes).toEqual([one, two]);
  });

  it('rejects a task of another work order without an upstream call', async () => {
    const [order, other] = [await createWorkOrder(), await createWorkOrder({ tasks: [{ body: 'Theirs' }] })];
    const tasks = [{ taskId: other.tasks.nodes[0].id, isCompleted: true }];
    const [result, calls] = await testGraph.recordCalls(() => change('workOrderUpdate', { workOrderId: order.rawId, tasks }));
    expect([result, calls]).toMatchObject([{ issues: [{ path: ['tasks', '0', 'taskId'], code: 'NOT_ALLOWED' }] }, []]);
  });
});

describe('work order transitions', () => {
  it.each(['Complete', 'Cancel'] as const)('applies once, then reports UNCHANGED without a second event: %s', spec('3.2'), async (name) => {
    const { rawId } = await createWorkOrder();
    const status = name === 'Complete' ? 'COMPLETED' : 'CANCELLED';
    const calls = [GET, name === 'Complete' ? COMPLETE : CANCEL];
    expect(await transition(name, rawId)).toEqual([
      { __typename: `WorkOrder${name}Payload`, effect: 'DONE', workOrder: { rawId, status } },
      calls,
    ]);
    const repeat = await transition(name, rawId);
    expect(repeat).toEqual([{ __typename: `WorkOrder${name}Payload`, effect: 'UNCHANGED', workOrder: { rawId, status } }, calls]);
    expect(countEvents(rawId)).toBe(1);
  });

  it('reports UNCHANGED for canceling a completed work order', spec('3.3'), async () => {
    const { rawId } = await createWorkOrder();
    await transition('Complete', rawId);
    const withoutReadScope = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'work_order:cancel'] });
    for (const key of ['demo-owner', withoutReadScope]) {
      const [result] = await transition('Cancel', rawId, { key });
      expect(result).toMatchObject({ effect: 'UNCHANGED', workOrder: { status: 'COMPLETED' } });
    }
  });

  it('requires one call if the key can’t read work orders', async () => {
    const { rawId } = await createWorkOrder();
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'work_order:complete'] });
    const [result, calls] = await transition('Complete', rawId, { key });
    expect([result, calls]).toMatchObject([{ effect: 'DONE', workOrder: { status: 'COMPLETED' } }, [COMPLETE]]);
  });

  it('replays without a write even if the work order has been reopened since', spec('4.4.8'), async () => {
    const { rawId } = await createWorkOrder();
    await transition('Complete', rawId, { idempotencyKey: 'complete once' });
    testGraph.sandbox.world.store.run('UPDATE work_orders SET status = 1, completed_at = NULL WHERE id = :rawId', { rawId });
    const [result, calls] = await transition('Complete', rawId, { idempotencyKey: 'complete once' });
    expect([result, calls]).toMatchObject([{ effect: 'REPLAYED', workOrder: { status: 'OPEN' } }, [GET]]);
    expect(await fetchStatus(rawId)).toBe('OPEN');
  });

  it.each([
    ['Complete', 'COMPLETED'],
    ['Cancel', 'CANCELLED'],
  ] as const)('reconciles a lost response: %s', async (name, status) => {
    const { rawId } = await createWorkOrder();
    testGraph.sandbox.faults.add({ operation: `WorkOrder/${name}WorkOrder`, cut: 'after' });
    const [result, calls] = await transition(name, rawId);
    expect([result, calls]).toMatchObject([{ effect: 'RECONCILED', workOrder: { status } }, [GET, `WorkOrder/${name}WorkOrder`, GET]]);
  });

  it.each(['before', 'after'] as const)(
    'reports UNCHANGED after a lost response if the work order was already completed: cut %s',
    async (cut) => {
      const { rawId } = await createWorkOrder();
      await transition('Complete', rawId);
      testGraph.sandbox.faults.add({ operation: CANCEL ?? '', cut });
      const [result] = await transition('Cancel', rawId);
      expect(result).toMatchObject({ effect: 'UNCHANGED', workOrder: { status: 'COMPLETED' } });
    },
  );

  it('returns OutcomeUnknownError without a retry if the write never arrived', spec('4.4.8'), async () => {
    const { rawId } = await createWorkOrder();
    testGraph.sandbox.faults.add({ operation: CANCEL ?? '', cut: 'before' });
    const [result, calls] = await transition('Cancel', rawId);
    expect([result, calls]).toMatchObject([{ __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' }, [GET, CANCEL, GET]]);
    expect(await fetchStatus(rawId)).toBe('OPEN');
  });

  it('reports incomplete tasks and advanced tasks as distinct blockers until they are complete', spec('3.1'), async () => {
    const { rawId: workOrderId, tasks } = await createWorkOrder({ tasks: [{ body: 'First' }] });
    const attached = { workOrderId, advancedTaskDefinitionId: demoId('advanced task definition 2') };
    const { task } = (await post(testGraph.sandbox.url, 'demo-owner', 'AdvancedTask/AttachAdvancedTask', attached)).body;
    const [both] = await transition('Complete', workOrderId);
    expect(both).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_WORK_ORDER_STATUS_OPEN',
      blockers: [{ code: 'INCOMPLETE_TASKS' }, { code: 'INCOMPLETE_ADVANCED_TASKS' }],
      current: { rawId: workOrderId, status: 'OPEN' },
    });
    await change('workOrderUpdate', { workOrderId, tasks: [{ taskId: tasks.nodes[0].id, isCompleted: true }] });
    const [advanced] = await transition('Complete', workOrderId);
    expect(advanced.blockers).toEqual([{ code: 'INCOMPLETE_ADVANCED_TASKS' }]);
    const update = `mutation ($input: AdvancedTaskUpdateInput!) { advancedTaskUpdate(input: $input) { __typename } }`;
    const input = { advancedTaskId: task.id, values: { is_safe: true }, isCompleted: true };
    expect((await testGraph.execute(update, { input })).data?.advancedTaskUpdate).toEqual({ __typename: 'AdvancedTaskUpdatePayload' });
    expect((await transition('Complete', workOrderId))[0]).toMatchObject({ effect: 'DONE' });
  });

  it('finds an incomplete task across many pages', async () => {
    const { rawId: workOrderId } = await createWorkOrder({ tasks: Array.from({ length: 130 }, (_, index) => ({ body: `Task ${index}` })) });
    testGraph.sandbox.world.store.run(
      'UPDATE work_order_tasks SET is_completed = 1 WHERE work_order_id = :workOrderId AND position < 129',
      {
        workOrderId,
      },
    );
    const [result, calls] = await transition('Complete', workOrderId);
    expect(result.blockers).toEqual([{ code: 'INCOMPLETE_TASKS' }]);
    expect(calls.filter((name) => name === GET)).toHaveLength(4);
  });

  it('returns TransitionBlockedError with the status for a canceled work order', async () => {
    const { rawId } = await createWorkOrder();
    await transition('Cancel', rawId);
    expect((await transition('Complete', rawId))[0]).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_WORK_ORDER_STATUS_CANCELLED',
      blockers: [{ code: 'WRONG_STATUS' }],
    });
    expect(await change('workOrderUpdate', { workOrderId: rawId, title: 'Late' })).toMatchObject({ blockers: [{ code: 'WRONG_STATUS' }] });
  });

  it('includes the preceding read in its cost', async () => {
    const { rawId } = await createWorkOrder();
    const query = 'mutation ($id: ID!) { workOrderCancel(input: { workOrderId: $id }) { __typename } }';
    expect((await testGraph.execute(query, { id: rawId })).cost).toMatchObject({ predictedCalls: 2, actualCalls: 2 });
  });
});
