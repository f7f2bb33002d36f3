import { afterEach, describe, expect, it } from 'vitest';
import { toGlobalId, toJointId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

afterEach(() => testGraph.sandbox.faults.clear());

const CUSTOMER = demoId('customer 0');
const SITE = demoId('data field site_address');
const LOCATION = toJointId('WorkOrderLocation', [CUSTOMER, SITE]);

const FAILURES = `__typename
  ... on ValidationError { issues { path code message } }
  ... on NotFoundError { missingId path }
  ... on OutcomeUnknownError { retry }
  ... on MutationError { code }`;
const BARRED = '... on TransitionBlockedError { fromText blockers { code } current { ... on WorkOrder { rawId status } } }';
const ORDER =
  'rawId title description status completedAt location { id rawId label isPreferred } tasks(first: 10) { nodes { id rawId body isCompleted } }';

const change = async (name: string, input: object, key = 'demo-owner', shown = ORDER) => {
  const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ${FAILURES} ${name === 'workOrderCancel' ? '' : BARRED} ... on ${Name}Payload { effect workOrder { ${shown} } } } }`;
  const { data, errors } = await testGraph.executeAs(key, query, { input });
  expect(errors).toBeUndefined();
  return data[name];
};

async function made(input: object = {}) {
  const { workOrder } = await change('workOrderCreate', { customerId: CUSTOMER, locationId: LOCATION, title: 'Made', ...input });
  return workOrder;
}

/** A step that shows keys and state alone. */
const step = (name: 'Complete' | 'Cancel', workOrderId: string, { key, ...more }: { key?: string; idempotencyKey?: string } = {}) =>
  testGraph.recordCalls(() => change(`workOrder${name}`, { workOrderId, ...more }, key, 'rawId status'));

const statusOf = async (id: string) =>
  (await testGraph.execute('query ($id: ID!) { workOrder(id: $id) { status } }', { id })).data.workOrder.status;

/** How often each step of a work order was told on its customer's timeline. */
const eventsOf = (id: string) =>
  testGraph.sandbox.world.store.all<{ event_type: string }>('SELECT event_type FROM timeline_events WHERE entity_id = :id', { id }).length;

const [GET, COMPLETE, CANCEL] = ['WorkOrder/GetWorkOrder', 'WorkOrder/CompleteWorkOrder', 'WorkOrder/CancelWorkOrder'];

describe('a customer’s work orders', () => {
  it('come with their customer, template, location, tasks and advanced tasks', async () => {
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

  it('with their tasks take one call when a work order is read by its id', spec('4.4.3'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { workOrder(id: $id) { title tasks { nodes { body } } } }', { id: demoId('work order 0') }),
    );
    expect([data.workOrder.tasks.nodes.length, calls]).toEqual([3, [GET]]);
  });

  it('are told of on the timeline, which leads to them', async () => {
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

  it('tells the places of the customer, and which one the template prefers, in one call', async () => {
    const of = toGlobalId('WorkOrderTemplate', demoId('work order template service'));
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: CUSTOMER, of }));
    expect([errors, calls]).toEqual([undefined, ['WorkOrder/PrepareWorkOrder']]);
    expect(data.customer.workOrderLocations).toEqual([
      { id: LOCATION, rawId: SITE, label: expect.stringMatching(/^Site address: /), isPreferred: true },
      { id: expect.any(String), rawId: expect.any(String), label: expect.stringMatching(/^Billing address: /), isPreferred: false },
    ]);
  });

  it('leaves out what the Customer View of the key hides', async () => {
    const { data } = await testGraph.executeAs('demo-subcontractor', query, { id: CUSTOMER });
    expect(data.customer.workOrderLocations.map(({ rawId }: { rawId: string }) => rawId)).toEqual([SITE]);
  });

  it('takes both scopes', spec('5.37'), async () => {
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

  it('lists by customer and state, or searches', async () => {
    const filter = { customerId: toGlobalId('Customer', CUSTOMER), status: 'CANCELLED' };
    const [listed, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { filter }));
    expect(listed.data.workOrders.nodes).toContainEqual({ title: 'Inspect the site', status: 'CANCELLED', customer: { rawId: CUSTOMER } });
    expect(new Set(listed.data.workOrders.nodes.map(({ status }: { status: string }) => status))).toEqual(new Set(['CANCELLED']));
    expect(calls).toEqual(['WorkOrder/ListWorkOrders']);
    const [found, searched] = await testGraph.recordCalls(() => testGraph.execute(query, { query: 'noise' }));
    expect([found.data.workOrders.nodes.length, searched]).toEqual([1, ['WorkOrder/SearchWorkOrders']]);
  });

  it('does not search and filter at once, which the Workspace API cannot', async () => {
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
  it('inherits from its template, and puts its own tasks behind', async () => {
    const input = { templateId: demoId('work order template service'), title: null, tasks: [{ body: 'Bring cake' }], locationId: null };
    const order = await made(input);
    expect(order).toMatchObject({ title: 'Service the heat pump', status: 'OPEN', location: { id: LOCATION, isPreferred: true } });
    expect(order.tasks.nodes.map(({ body }: { body: string }) => body)).toEqual([
      'Check the pressure',
      'Clean the filter',
      'Have the report signed',
      'Bring cake',
    ]);
  });

  it('refuses the location of another customer before anything is sent', async () => {
    const input = { customerId: demoId('customer 1'), locationId: LOCATION, title: 'Elsewhere' };
    const [answer, calls] = await testGraph.recordCalls(() => change('workOrderCreate', input));
    expect([answer, calls]).toMatchObject([{ __typename: 'ValidationError', issues: [{ path: ['locationId'], code: 'NOT_ALLOWED' }] }, []]);
  });

  it('tells the location when one must be named, or has no value', async () => {
    const { customer } = (
      await testGraph.execute(
        'mutation { customerCreate(input: { title: "Nowhere" }) { ... on CustomerCreatePayload { customer { id } } } }',
      )
    ).data.customerCreate;
    const answers = [{ title: 'Where?' }, { title: 'There', locationId: SITE }].map((input) =>
      change('workOrderCreate', { customerId: customer.id, ...input }),
    );
    expect(await Promise.all(answers)).toMatchObject([
      { __typename: 'ValidationError', issues: [{ path: [], message: expect.stringContaining('location') }] },
      { __typename: 'ValidationError', issues: [{ path: ['locationId'] }] },
    ]);
  });

  it('is refused from an archived template, of which no work order is in the way', async () => {
    const input = { customerId: CUSTOMER, locationId: LOCATION, templateId: demoId('work order template retired') };
    expect(await change('workOrderCreate', input)).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'OTHER' }],
      current: null,
    });
  });

  it('is forbidden at a location that the Customer View of the key hides', spec('4.4.10'), async () => {
    const input = { customerId: CUSTOMER, title: 'Hidden', locationId: demoId('data field billing_address') };
    expect(await change('workOrderCreate', input, 'demo-subcontractor')).toMatchObject({ __typename: 'ForbiddenError' });
  });

  it('is not taken for another one when its answer is lost', async () => {
    const templateId = demoId('work order template service');
    const input = { customerId: CUSTOMER, templateId, title: 'Same', tasks: [{ body: 'My task' }] };
    // As if it were made while the answer of the other one was awaited.
    testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 600;
    await change('workOrderCreate', { ...input, tasks: [{ body: 'Another task' }] });
    testGraph.sandbox.faults.add({ operation: 'WorkOrder/CreateWorkOrder', cut: 'before' });
    expect(await change('workOrderCreate', input)).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' });
  });

  it('is found by its customer, its template and its tasks when its answer is lost', async () => {
    const templateId = demoId('work order template installation');
    const input = { customerId: CUSTOMER, templateId, title: 'Lost', tasks: [{ body: 'My task' }] };
    testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 600;
    testGraph.sandbox.faults.add({ operation: 'WorkOrder/CreateWorkOrder', cut: 'after' });
    const answer = await change('workOrderCreate', input);
    expect(answer).toMatchObject({ effect: 'RECONCILED', workOrder: { title: 'Lost' } });
    expect(answer.workOrder.tasks.nodes.at(-1)).toMatchObject({ body: 'My task' });
  });
});

describe('Mutation.workOrderUpdate', () => {
  it('completes tasks, and takes them up again', async () => {
    const { rawId: workOrderId, tasks } = await made({ tasks: [{ body: 'One' }, { body: 'Two' }] });
    const [one, two] = tasks.nodes;
    const done = await change('workOrderUpdate', { workOrderId, tasks: [{ taskId: two.id, isCompleted: true }] });
    expect([done.effect, done.workOrder.tasks.nodes]).toEqual(['DONE', [one, { ...two, isCompleted: true }]]);
    const undone = await change('workOrderUpdate', { workOrderId, tasks: [{ taskId: two.id, isCompleted: false }] });
    expect(undone.workOrder.tasks.nodes).toEqual([one, two]);
  });

  it('refuses a task of another work order before anything is sent', async () => {
    const [order, other] = [await made(), await made({ tasks: [{ body: 'Theirs' }] })];
    const tasks = [{ taskId: other.tasks.nodes[0].id, isCompleted: true }];
    const [answer, calls] = await testGraph.recordCalls(() => change('workOrderUpdate', { workOrderId: order.rawId, tasks }));
    expect([answer, calls]).toMatchObject([{ issues: [{ path: ['tasks', '0', 'taskId'], code: 'NOT_ALLOWED' }] }, []]);
  });
});

describe('a step of a work order', () => {
  it.each(['Complete', 'Cancel'] as const)(
    'is done once, and is UNCHANGED from then on, without a second event: %s',
    spec('3.2'),
    async (name) => {
      const { rawId } = await made();
      const status = name === 'Complete' ? 'COMPLETED' : 'CANCELLED';
      const calls = [GET, name === 'Complete' ? COMPLETE : CANCEL];
      expect(await step(name, rawId)).toEqual([
        { __typename: `WorkOrder${name}Payload`, effect: 'DONE', workOrder: { rawId, status } },
        calls,
      ]);
      const again = await step(name, rawId);
      expect(again).toEqual([{ __typename: `WorkOrder${name}Payload`, effect: 'UNCHANGED', workOrder: { rawId, status } }, calls]);
      expect(eventsOf(rawId)).toBe(1);
    },
  );

  it('cancels no completed work order, and says so', spec('3.3'), async () => {
    const { rawId } = await made();
    await step('Complete', rawId);
    const blind = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'work_order:cancel'] });
    for (const key of ['demo-owner', blind]) {
      const [answer] = await step('Cancel', rawId, { key });
      expect(answer).toMatchObject({ effect: 'UNCHANGED', workOrder: { status: 'COMPLETED' } });
    }
  });

  it('is done by a key that may not read work orders, in one call', async () => {
    const { rawId } = await made();
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'work_order:complete'] });
    const [answer, calls] = await step('Complete', rawId, { key });
    expect([answer, calls]).toMatchObject([{ effect: 'DONE', workOrder: { status: 'COMPLETED' } }, [COMPLETE]]);
  });

  it('is REPLAYED under its key, though the work order was opened since, and nothing is sent', spec('4.4.8'), async () => {
    const { rawId } = await made();
    await step('Complete', rawId, { idempotencyKey: 'complete once' });
    testGraph.sandbox.world.store.run('UPDATE work_orders SET status = 1, completed_at = NULL WHERE id = :rawId', { rawId });
    const [answer, calls] = await step('Complete', rawId, { idempotencyKey: 'complete once' });
    expect([answer, calls]).toMatchObject([{ effect: 'REPLAYED', workOrder: { status: 'OPEN' } }, [GET]]);
    expect(await statusOf(rawId)).toBe('OPEN');
  });

  it.each([
    ['Complete', 'COMPLETED'],
    ['Cancel', 'CANCELLED'],
  ] as const)('whose answer is lost is found by reading: %s', async (name, status) => {
    const { rawId } = await made();
    testGraph.sandbox.faults.add({ operation: `WorkOrder/${name}WorkOrder`, cut: 'after' });
    const [answer, calls] = await step(name, rawId);
    expect([answer, calls]).toMatchObject([{ effect: 'RECONCILED', workOrder: { status } }, [GET, `WorkOrder/${name}WorkOrder`, GET]]);
  });

  it.each(['before', 'after'] as const)(
    'whose answer is lost is UNCHANGED when the work order was completed before: cut %s',
    async (cut) => {
      const { rawId } = await made();
      await step('Complete', rawId);
      testGraph.sandbox.faults.add({ operation: CANCEL ?? '', cut });
      const [answer] = await step('Cancel', rawId);
      expect(answer).toMatchObject({ effect: 'UNCHANGED', workOrder: { status: 'COMPLETED' } });
    },
  );

  it('that never arrived is unknown, and is not sent again', spec('4.4.8'), async () => {
    const { rawId } = await made();
    testGraph.sandbox.faults.add({ operation: CANCEL ?? '', cut: 'before' });
    const [answer, calls] = await step('Cancel', rawId);
    expect([answer, calls]).toMatchObject([{ __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' }, [GET, CANCEL, GET]]);
    expect(await statusOf(rawId)).toBe('OPEN');
  });

  it('is barred by tasks and by advanced tasks, each told by its code, until they are complete', spec('3.1'), async () => {
    const { rawId: workOrderId, tasks } = await made({ tasks: [{ body: 'First' }] });
    const attached = { workOrderId, advancedTaskDefinitionId: demoId('advanced task definition 2') };
    const { task } = (await post(testGraph.sandbox.url, 'demo-owner', 'AdvancedTask/AttachAdvancedTask', attached)).body;
    const [both] = await step('Complete', workOrderId);
    expect(both).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_WORK_ORDER_STATUS_OPEN',
      blockers: [{ code: 'INCOMPLETE_TASKS' }, { code: 'INCOMPLETE_ADVANCED_TASKS' }],
      current: { rawId: workOrderId, status: 'OPEN' },
    });
    await change('workOrderUpdate', { workOrderId, tasks: [{ taskId: tasks.nodes[0].id, isCompleted: true }] });
    const [advanced] = await step('Complete', workOrderId);
    expect(advanced.blockers).toEqual([{ code: 'INCOMPLETE_ADVANCED_TASKS' }]);
    const update = `mutation ($input: AdvancedTaskUpdateInput!) { advancedTaskUpdate(input: $input) { __typename } }`;
    const input = { advancedTaskId: task.id, values: { is_safe: true }, isCompleted: true };
    expect((await testGraph.execute(update, { input })).data?.advancedTaskUpdate).toEqual({ __typename: 'AdvancedTaskUpdatePayload' });
    expect((await step('Complete', workOrderId))[0]).toMatchObject({ effect: 'DONE' });
  });

  it('finds the incomplete task among many pages', async () => {
    const { rawId: workOrderId } = await made({ tasks: Array.from({ length: 130 }, (_, index) => ({ body: `Task ${index}` })) });
    testGraph.sandbox.world.store.run(
      'UPDATE work_order_tasks SET is_completed = 1 WHERE work_order_id = :workOrderId AND position < 129',
      {
        workOrderId,
      },
    );
    const [answer, calls] = await step('Complete', workOrderId);
    expect(answer.blockers).toEqual([{ code: 'INCOMPLETE_TASKS' }]);
    expect(calls.filter((name) => name === GET)).toHaveLength(4);
  });

  it('that is for open ones is refused by a cancelled one, whose state is told', async () => {
    const { rawId } = await made();
    await step('Cancel', rawId);
    expect((await step('Complete', rawId))[0]).toMatchObject({
      __typename: 'TransitionBlockedError',
      fromText: 'PUBLIC_WORK_ORDER_STATUS_CANCELLED',
      blockers: [{ code: 'WRONG_STATUS' }],
    });
    expect(await change('workOrderUpdate', { workOrderId: rawId, title: 'Late' })).toMatchObject({ blockers: [{ code: 'WRONG_STATUS' }] });
  });

  it('counts its read before in what it costs', async () => {
    const { rawId } = await made();
    const query = 'mutation ($id: ID!) { workOrderCancel(input: { workOrderId: $id }) { __typename } }';
    expect((await testGraph.execute(query, { id: rawId })).cost).toMatchObject({ predictedCalls: 2, actualCalls: 2 });
  });
});
