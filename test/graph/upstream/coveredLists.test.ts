import { describe, expect, it } from 'vitest';
import { toCompositeId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const PROBLEMS = `{ customers(first: 100) { nodes {
  open: problems(first: 100, filter: { statuses: [OPEN] }) { nodes { rawId status } }
  resolved: problems(first: 100, filter: { statuses: [RESOLVED] }) { nodes { rawId status } }
} } }`;

interface Lists {
  readonly open: { readonly nodes: readonly object[] };
  readonly resolved: { readonly nodes: readonly object[] };
}

const batching = useTestGraph();
const plain = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

it('applies the filter of each list in a batched read of many customers’ lists', async () => {
  const { data: expected } = await plain.execute(PROBLEMS);
  const customers: readonly Lists[] = expected.customers.nodes;
  expect(customers.flatMap(({ open }) => open.nodes)).not.toEqual([]);
  expect(customers.flatMap(({ resolved }) => resolved.nodes)).not.toEqual([]);
  const [{ data }, calls] = await batching.recordCalls(() => batching.execute(PROBLEMS));
  expect(data).toEqual(expected);
  // Without batching, each customer costs two calls.
  expect(calls.length).toBeLessThan(customers.length);
});

const ROWS = '(first: 2) { nodes { id } pageInfo { endCursor hasNextPage } }';

const CUSTOMER = demoId('customer 0');
const LOCATION = toCompositeId('WorkOrderLocation', [CUSTOMER, demoId('data field site_address')]);

describe('lists of many parents', () => {
  it.each([
    ['Contact.portfolios', `{ contacts(first: 30) { nodes { portfolios${ROWS} } } }`, 'Customer/SearchCustomers', [30, 3, 1]],
    ['Customer.payments', `{ orderSearch(first: 50) { nodes { customer { payments${ROWS} } } } }`, 'Payment/ListPayments', [24, 4, 1]],
    [
      'Customer.actionRequests',
      `{ customers(first: 60) { nodes { actionRequests${ROWS} } } }`,
      'ActionRequest/ListActionRequests',
      [60, 4, 1],
    ],
    ['Order.payments', `{ orderSearch(first: 50) { nodes { payments${ROWS} } } }`, 'Payment/ListPayments', [50, 4, 1]],
    ['Order.refunds', `{ orderSearch(first: 100) { nodes { refunds${ROWS} } } }`, 'Payment/ListRefunds', [64, 4, 1]],
    [
      'Portfolio.problems',
      `{ contacts(first: 30) { nodes { portfolios { nodes { problems${ROWS} } } } } }`,
      'Problem/ListProblems',
      [30, 4, 1],
    ],
  ])('come from the list of all parents: %s', async (_field, document, list, expected) => {
    const [plainKey, key] = [plain, batching].map(({ sandbox }) => makeKey(sandbox.world)) as [string, string];
    const [[{ data }, individual], ...batched] = [
      await plain.recordCalls(() => plain.executeAs(plainKey, document)),
      await batching.recordCalls(() => batching.executeAs(key, document)),
      await batching.recordCalls(() => batching.executeAs(key, document)),
    ];
    // Some of the lists have rows.
    expect(JSON.stringify(data)).toMatch(/"endCursor":"/);
    for (const [result] of batched) expect(result).toMatchObject({ data, errors: undefined });
    const plans = [individual, ...batched.map(([, calls]) => calls)];
    expect(plans.map((calls) => calls.filter((name) => name === list).length)).toEqual(expected);
  });

  it.each([
    [
      'WorkOrder.advancedTasks',
      ['workOrders', 'workOrder', `advancedTasks${ROWS}`],
      (index: number) =>
        `workOrderCreate(input: { customerId: "${CUSTOMER}", locationId: "${LOCATION}", title: "Work ${index}" }) { ... on MutationPayload { effect } ... on MutationError { code } }`,
      'AdvancedTask/ListAdvancedTaskInstances',
    ],
    [
      'InventoryLocation.inventoryBalances',
      ['inventoryLocations', 'inventoryLocation', `inventoryBalances${ROWS}`],
      (index: number) =>
        `inventoryLocationCreate(input: { name: "Place ${index}", kind: VEHICLE }) { ... on MutationPayload { effect } ... on MutationError { code } }`,
      'Inventory/ListInventoryBalances',
    ],
  ])('come from the list of all parents, by the second field that a list can be limited by: %s', async (_field, names, create, list) => {
    const [all, single, selection] = names as [string, string, string];
    for (let index = 0; index < 12; index += 1)
      expect(await batching.execute(`mutation { done: ${create(index)} }`)).toMatchObject({
        data: { done: { effect: 'DONE' } },
        errors: undefined,
      });
    const document = `{ ${all}(first: 100) { nodes { id ${selection} } } }`;
    const [{ data }, calls] = await batching.recordCalls(() => batching.executeAs(makeKey(batching.sandbox.world), document));
    const nodes: readonly { readonly id: string }[] = data[all].nodes;
    expect(nodes.length).toBeGreaterThan(15);
    expect(calls.filter((name) => name === list).length).toBeLessThan(nodes.length / 2);
    expect(JSON.stringify(data)).toMatch(/"endCursor":"/);
    for (const node of nodes) {
      const query = `query ($id: ID!) { ${single}(id: $id) { id ${selection} } }`;
      expect((await batching.execute(query, { id: node.id })).data[single]).toEqual(node);
    }
  });
});

describe('list of all parents that is too long', () => {
  const testGraph = useTestGraph();
  const PAYMENTS = 'Payment/ListPayments';

  const createId = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

  /** Adds copies of a record. */
  function addCopies(table: string, count: number, original: string, change: (id: string, index: number) => object): void {
    const { store } = testGraph.sandbox.world;
    const [{ rowid: _rowid, ...row } = {}] = store.all<Record<string, string>>(`SELECT * FROM ${table} WHERE id = :id`, { id: original });
    store.transaction(() => {
      for (let index = 0; index < count; index += 1)
        store.insert(table, { ...row, id: createId(index), ...change(createId(index), index) } as Record<string, string>);
    });
  }

  it('costs no more calls than predicted if two batches could read it at the same time', async () => {
    // Two customers with 15 orders each, and more payments than fit in a page per three orders.
    const customers = [0, 1].map((index) => demoId(`customer ${index}`));
    addCopies('orders', 30, demoId('order 0'), (id, index) => ({ quote_id: id, reference_number: id, customer_id: customers[index % 2] }));
    addCopies('payments', 700, demoId('payment 0'), (_id, index) => ({ order_id: createId(index % 30) }));
    const of = customers.map((rawId) => ({ __typename: 'Customer', rawId }));
    const query =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { orders(first: 15) { nodes { payments(first: 1) { nodes { id } } } } } } }';
    const held = testGraph.gate.hold(PAYMENTS);
    const executing = testGraph.recordCalls(() => testGraph.execute(query, { of }));
    await held.arrived;
    held.release();
    const [{ errors, cost }, calls] = await executing;
    expect(errors).toBeUndefined();
    expect([calls.length, cost]).toEqual([34, expect.objectContaining({ predictedCalls: 34, actualCalls: 34, savedCalls: -2 })]);
  });
});
