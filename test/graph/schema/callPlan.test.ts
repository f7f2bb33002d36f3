import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { WORK } from '../../../bench/work.ts';
import { CustomerByNumber, MoreOrders, MoreQuotes, QuoteNow } from '../../../examples/web/documents.ts';
import { FULL } from '../../../sandbox/demo.ts';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { createRoundTransport, type RoundTransport } from '../../support/roundTransport.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const SEED = 1;
const CUSTOMER = createUuid(SEED, 'demo customer 0');

let rounds: RoundTransport | undefined;
const testGraph = useTestGraph({ seed: SEED, sizes: FULL }, undefined, {
  // Enough connections that no call waits, so that rounds depend only on the data.
  env: { UPSTREAM_CONNECTIONS: '1000' },
  transport: (usual) => {
    rounds = createRoundTransport(usual);
    return rounds;
  },
});

/** Executes a document with a key. Returns the operations of each round with their number of calls. */
async function recordPlan(key: string, query: string, variables: object): Promise<string[]> {
  if (!rounds) throw new Error('The testGraph is not open.');
  // Looks the key's grants up first: the graph does this once per key, not per query.
  await testGraph.executeAs(key, '{ viewer { workspace { name } } }');
  rounds.reset();
  const { errors } = await testGraph.executeAs(key, query, variables);
  expect(errors).toBeUndefined();
  return rounds.rounds.map((names) =>
    Object.entries(Object.groupBy(names, (name) => name))
      .map(([name, calls = []]) => `${calls.length} ${name}`)
      .join(', '),
  );
}

/** The plan of a new key, which hasn't read any list. */
const recordPlanOfNewKey = (query: string, variables: object) => recordPlan(makeKey(testGraph.sandbox.world), query, variables);

const countCalls = (plan: readonly string[]) =>
  plan.flatMap((round) => round.match(/\d+(?= )/g) ?? []).reduce((sum, count) => sum + Number(count), 0);

/** Calls and rounds for a new key, which hasn't read any list, where they differ. */
const NEW_KEY_PLANS: Readonly<Record<string, readonly [calls: number, rounds: number]>> = {
  // The first page of the products, the same record by its ID, and the other two pages.
  b: [6, 5],
  e: [6, 5],
  // One, two, three, and four pages of all balances, the page that must be empty, and the balances of a product with and of a product without any.
  c: [14, 6],
  // The three pages and the page after the last. By ID, the record to compare and the five inactive records.
  f: [10, 4],
  // The analytics catalog.
  board: [99, 4],
};

describe('benchmark workload', () => {
  it.each(WORK)('$name costs $calls calls in $rounds rounds', async ({ name, requests: [request], calls, rounds: expected }) => {
    if (!request) throw new Error('There is no request.');
    const key = makeKey(testGraph.sandbox.world);
    for (const [time, plan] of [NEW_KEY_PLANS[name] ?? [calls, expected], [calls, expected]].entries()) {
      const variables = JSON.parse(JSON.stringify(request.variables).replaceAll('UNIQUE', `plan ${time}`));
      const recorded = await recordPlan(key, request.query, variables);
      expect([countCalls(recorded), recorded.length]).toEqual(plan);
    }
  });
});

/** Calls of a page of 50, once the catalog is cached. */
describe('search', () => {
  const QUERY = 'AnalyticsService/ExecuteQuery';
  const createDocument = (selection: string) => `{ orderSearch(first: 50, orderBy: { field: UPDATED_AT }) { ${selection} } }`;
  const INDEX_FIELDS = 'id referenceNumber status currencyCode updatedAt customer { id }';

  it('reads the catalog once per key', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const document = createDocument(`nodes { ${INDEX_FIELDS} }`);
    expect(await recordPlan(key, document, {})).toEqual(['1 AnalyticsService/ListCatalog', `1 ${QUERY}`]);
    expect(await recordPlan(key, document, {})).toEqual([`1 ${QUERY}`]);
  });

  it.each([
    ['fields that the index has', `edges { cursor node { ${INDEX_FIELDS} } } pageInfo { hasNextPage endCursor }`, [`1 ${QUERY}`]],
    // The count waits for the page: if that's rejected, it isn't sent.
    ['those and counts', `nodes { ${INDEX_FIELDS} } totalCount facets { byStatus { status count } }`, [`1 ${QUERY}`, `1 ${QUERY}`]],
    ['those and customers', `nodes { ${INDEX_FIELDS} customer { title } }`, [`1 ${QUERY}`, '49 Customer/GetCustomer']],
    ['a field that only the record has', `nodes { ${INDEX_FIELDS} paid { amount } }`, [`1 ${QUERY}`, '50 Order/GetOrder']],
    [
      'a field that only the record has, and customers',
      `nodes { ${INDEX_FIELDS} paid { amount } customer { title } }`,
      [`1 ${QUERY}`, '50 Order/GetOrder', '49 Customer/GetCustomer'],
    ],
    ['only a total', 'totalCount', [`1 ${QUERY}`]],
    ['only facets', 'facets { byStatus { status count } byCurrency { currencyCode count } }', [`1 ${QUERY}`]],
    ['only counts', 'totalCount facets { byStatus { status count } byCurrency { currencyCode count } }', [`1 ${QUERY}`]],
  ])('sends the fewest calls for a page of 50 orders: %s', async (_title, selection, plan) => {
    // Reads the catalog.
    await testGraph.execute(createDocument(`nodes { ${INDEX_FIELDS} }`));
    expect(await recordPlan('demo-owner', createDocument(selection), {})).toEqual(plan);
  });
});

/**
 * The minimum of calls: each record once, each list once. A round waits for the previous rounds only if it must: a record for its ID, and a record's lists for
 * the record, because a missing record has no lists to query.
 */
const PLANS: Readonly<Record<string, readonly string[]>> = {
  '01-first-query': ['1 Customer/LookupCustomersByIdentifier, 1 Workspace/Me', '1 Quote/ListQuotes', '4 Catalog/GetProduct'],
  '02-customer-orders-stock': [
    '1 Customer/GetCustomer',
    '1 Order/ListOrders, 1 Quote/ListQuotes',
    // For twelve products: the first page, one of its records by ID, and the other pages.
    '1 Catalog/ListProducts',
    '1 Catalog/GetProduct',
    '2 Catalog/ListProducts',
    '12 Inventory/ListInventoryBalances',
    // No operation returns one location: one list contains all.
    '1 Inventory/SearchInventoryLocations',
  ],
  '03-catalog-discounts': ['1 Catalog/SearchProducts', '1 Catalog/ListDiscounts'],
  '04-quote-create': ['1 Quote/CreateQuote'],
  '05-quote-update': ['1 Quote/UpdateQuote'],
  '06-quote-confirm': ['1 Quote/GetQuote', '1 Quote/ConfirmQuote', '1 Order/GetOrderCancellationImpact'],
  '07-receipt-create': ['1 Inventory/CreateInventoryReceipt', '1 Inventory/GetInventoryReceipt', '1 Inventory/SearchInventoryLocations'],
  '08-receipt-post': [
    '1 Inventory/AddInventoryReceiptLine',
    '1 Inventory/GetInventoryReceipt',
    '1 Inventory/ReceiveInventory',
    '1 Inventory/GetInventoryReceipt',
    '4 Catalog/GetProduct',
    '4 Inventory/ListInventoryBalances',
    '1 Inventory/SearchInventoryLocations',
  ],
  '09-stock-move': ['1 Inventory/MoveInventory', '2 Inventory/ListInventoryBalances, 1 Inventory/ListInventoryMovements'],
  // The same for twenty products, and the page after the last.
  '10-backorders': [
    '1 Inventory/ListInventoryBackorders',
    '1 Catalog/ListProducts, 1 Inventory/SearchInventoryLocations',
    '1 Catalog/GetProduct',
    '3 Catalog/ListProducts',
  ],
  // Checks that the key is still valid.
  '11-what-became-of-it': ['1 Workspace/Me'],
  '12-custom-fields': ['1 Customer/PatchCustomerDataFields', '1 DataField/ListDataFields'],
  '13-order-page': [
    '1 Order/GetOrder',
    '1 Catalog/GetProduct, 1 Customer/GetCustomer, 1 Inventory/ListOrderReservations, 1 Order/GetOrderCancellationImpact, 1 Quote/GetQuote',
    '1 Inventory/ListInventoryBalances, 1 Inventory/SearchInventoryLocations',
  ],
  '14-billing': [
    '1 Order/GetOrder',
    '1 Invoice/GetInvoice, 1 Invoice/ListAccountingConnections, 1 Payment/ListPayments, 1 Payment/ListRefunds, 1 ProForma/ListProFormas',
  ],
  // The listed roles are those of the members: one list serves both.
  '15-people': ['1 Invitation/ListMemberInvitations, 1 Member/ListMembers, 1 Role/ListRoles', '10 Role/GetRole, 1 Team/ListTeams'],
  '16-problem-resolve': [
    '1 AdvancedTask/UpdateAdvancedTaskInstance',
    '1 AdvancedTask/GetAdvancedTaskDefinition',
    '1 Problem/GetProblem',
    '1 Problem/UpdateProblemStatus',
    '1 AdvancedTask/ListAdvancedTaskInstances, 1 Customer/GetCustomer, 1 Problem/GetProblem',
  ],
  '17-work-orders': [
    '1 Customer/GetCustomer',
    '1 Appointment/ListCustomerAppointments, 1 Problem/ListProblems, 1 WorkOrder/ListWorkOrders, 1 WorkOrder/PrepareWorkOrder',
    '1 Appointment/ListAgendas, 3 Member/GetMember, 2 WorkOrder/GetWorkOrder, 1 WorkOrderTemplate/GetWorkOrderTemplate',
  ],
  '18-planner-day': [
    // One list of agendas serves all edges to agendas.
    '1 Appointment/ListAgendas, 1 Appointment/ListAppointments',
    '1 Appointment/ListAppointmentTypes, 1 Appointment/ListAvailableAppointmentSlots, 3 Customer/GetCustomer, 2 Member/GetMember',
    '1 Appointment/ListAgendaEligibleMembers',
  ],
  '19-action-requests': [
    '1 ActionRequest/ListActionRequests, 1 DocumentTemplate/ListDocumentTemplates, 1 EmailTemplate/ListEmailTemplates',
    '4 Customer/GetCustomer',
  ],
  // The first query reads the catalog. Each query is executed.
  '20-analytics': ['1 AnalyticsService/ListCatalog', '2 AnalyticsService/ExecuteQuery'],
  '21-analytics-sql': ['1 AnalyticsService/ExecuteSQL, 1 AnalyticsService/ListCatalog'],
  '22-top-customers': ['1 AnalyticsService/ListCatalog', '1 AnalyticsService/ExecuteQuery', '5 Customer/GetCustomer'],
  // The counts and a page. The first page of an index is compared with a record.
  '23-order-board': ['1 AnalyticsService/ListCatalog', '2 AnalyticsService/ExecuteQuery'],
};

describe('examples', () => {
  const examples = readExamples();

  it('have a plan each', () => {
    expect(examples.map(({ name }) => name)).toEqual(Object.keys(PLANS));
  });

  it.each(examples)('$name sends exactly its calls', async ({ name, query, variables = '{}' }) => {
    expect(await recordPlanOfNewKey(query, JSON.parse(variables))).toEqual(PLANS[name]);
  });
});

describe('web page', () => {
  const createStockPlan = (products: number) => [
    `${products} Catalog/GetProduct`,
    `${products} Inventory/ListInventoryBalances`,
    '1 Inventory/SearchInventoryLocations',
  ];

  it.each([
    [
      CustomerByNumber,
      { referenceNumber: 'C-000001' },
      ['1 Customer/LookupCustomersByIdentifier', '1 Order/ListOrders, 1 Quote/ListQuotes', ...createStockPlan(7)],
    ],
    // Only the customer's ID is needed, so it isn't fetched.
    [MoreQuotes, { customerId: CUSTOMER }, ['1 Quote/ListQuotes', ...createStockPlan(4)]],
    [MoreOrders, { customerId: CUSTOMER }, ['1 Order/ListOrders', ...createStockPlan(6)]],
  ] as const)('reads query %# in the fewest rounds', async (document, variables, plan) => {
    expect(await recordPlanOfNewKey(print(document as never), variables)).toEqual(plan);
  });

  it('reads a quote in the fewest rounds', async () => {
    const { data } = await testGraph.execute('query ($id: ID!) { customer(id: $id) { quotes(first: 1) { nodes { id } } } }', {
      id: CUSTOMER,
    });
    const [{ id }] = data.customer.quotes.nodes;
    expect(await recordPlanOfNewKey(print(QuoteNow as never), { id })).toEqual(['1 Quote/GetQuote', ...createStockPlan(2)]);
  });
});

describe('unselected data', () => {
  it('costs no call for the IDs of a record’s edges', async () => {
    const query =
      'query ($id: ID!) { customer(id: $id) { title quotes(first: 50) { nodes { id customer { id rawId } lines { product { id } } } } } }';
    expect(await recordPlanOfNewKey(query, { id: CUSTOMER })).toEqual(['1 Customer/GetCustomer', '1 Quote/ListQuotes']);
  });

  it('costs no call for records that a list contains completely', async () => {
    const query = '{ products(first: 100) { nodes { id } } again: products(first: 100) { nodes { name sku } } }';
    expect(await recordPlanOfNewKey(query, {})).toEqual(['1 Catalog/ListProducts']);
  });

  it('costs no call for the total of a list, or for its presence', async () => {
    const query = (total: string) =>
      `query ($id: ID!) { discounts(first: 1) { nodes { id } } customer(id: $id) { timelineEvents(first: 1) { ${total} nodes { rawId } } } }`;
    const plan = ['1 Catalog/ListDiscounts, 1 Customer/ListCustomerTimelineEvents'];
    expect(await recordPlanOfNewKey(query('totalCount'), { id: CUSTOMER })).toEqual(plan);
    expect(await recordPlanOfNewKey(query('__typename'), { id: CUSTOMER })).toEqual(plan);
  });

  it('costs no call for entities of which only keys are selected', async () => {
    const { data } = await testGraph.execute('{ products(first: 5) { nodes { rawId } } }');
    const representations = data.products.nodes.map(({ rawId }: { rawId: string }) => ({ __typename: 'Product', rawId }));
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { id rawId } } }';
    expect(await recordPlanOfNewKey(query, { of: representations })).toEqual([]);
  });
});
