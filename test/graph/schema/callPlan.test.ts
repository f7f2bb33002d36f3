import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { WORK } from '../../../bench/work.ts';
import { CustomerByNumber, MoreOrders, MoreQuotes, QuoteNow } from '../../../examples/web/documents.ts';
import { FULL } from '../../../sandbox/demo.ts';
import { uuid } from '../../../sandbox/kernel/random.ts';
import { readExamples } from '../../../src/server/graphiql/examples.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { createRoundTransport, type RoundTransport } from '../../support/roundTransport.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const SEED = 1;
const CUSTOMER = uuid(SEED, 'demo customer 0');

let rounds: RoundTransport | undefined;
const testGraph = useTestGraph({ seed: SEED, sizes: FULL }, undefined, {
  // Nobody waits for a connection: rounds are those of the data.
  env: { UPSTREAM_CONNECTIONS: '1000' },
  transport: (usual) => {
    rounds = createRoundTransport(usual);
    return rounds;
  },
});

/** Runs a document with a key. Answers the operations of each round with how often each is called. */
async function planAs(key: string, query: string, variables: object): Promise<string[]> {
  if (!rounds) throw new Error('The testGraph is not open.');
  // Loads the key's grants first: the graph asks for them once per key, and not per query.
  await testGraph.executeAs(key, '{ viewer { workspace { name } } }');
  rounds.reset();
  const { errors } = await testGraph.executeAs(key, query, variables);
  expect(errors).toBeUndefined();
  return rounds.rounds.map((names) =>
    Object.entries(Object.groupBy(names, (name) => name))
      .map(([name, same = []]) => `${same.length} ${name}`)
      .join(', '),
  );
}

/** The plan of a key that has read no list before. */
const planOf = (query: string, variables: object) => planAs(makeKey(testGraph.sandbox.world), query, variables);

const callsOf = (plan: readonly string[]) =>
  plan.flatMap((round) => round.match(/\d+(?= )/g) ?? []).reduce((sum, count) => sum + Number(count), 0);

/** Calls and rounds of works for a key that has read no list before, where that takes more. */
const FIRST_TIME: Readonly<Record<string, readonly [calls: number, rounds: number]>> = {
  // Of the products the first page, the same record by its id, and the other two pages.
  b: [6, 5],
  e: [6, 5],
  // Of all balances one, two, three and four pages, the one that must be empty, and the balances of a product that has some and of one that has none.
  c: [14, 6],
  // The three pages and one after the last, and by their ids the one that is compared and the five that are not active.
  f: [10, 4],
};

describe('the work of the benchmark', () => {
  it.each(WORK)('$name takes $calls calls in $rounds rounds', async ({ name, requests: [request], calls, rounds: expected }) => {
    if (!request) throw new Error('There is no request.');
    const key = makeKey(testGraph.sandbox.world);
    for (const [time, plan] of [FIRST_TIME[name] ?? [calls, expected], [calls, expected]].entries()) {
      const variables = JSON.parse(JSON.stringify(request.variables).replaceAll('UNIQUE', `plan ${time}`));
      const made = await planAs(key, request.query, variables);
      expect([callsOf(made), made.length]).toEqual(plan);
    }
  });
});

/**
 * The fewest calls: each record once, each list once. A round waits for those before it, where it must: a record for the id that leads to it,
 * and the lists of a record for the record, since of one that is not there nothing is to be asked.
 */
const PLANS: Readonly<Record<string, readonly string[]>> = {
  '01-first-query': ['1 Customer/LookupCustomersByIdentifier, 1 Workspace/Me', '1 Quote/ListQuotes', '4 Catalog/GetProduct'],
  '02-customer-orders-stock': [
    '1 Customer/GetCustomer',
    '1 Order/ListOrders, 1 Quote/ListQuotes',
    // Of twelve products the first page, one of its records by id as well, and the other pages.
    '1 Catalog/ListProducts',
    '1 Catalog/GetProduct',
    '2 Catalog/ListProducts',
    '12 Inventory/ListInventoryBalances',
    // There is no call for one location: one list is for all.
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
  '09-stock-move': ['1 Inventory/MoveInventory', '1 Inventory/ListInventoryMovements'],
  // Of twenty products the same, and a page after the last.
  '10-backorders': [
    '1 Inventory/ListInventoryBackorders',
    '1 Catalog/ListProducts, 1 Inventory/SearchInventoryLocations',
    '1 Catalog/GetProduct',
    '3 Catalog/ListProducts',
  ],
  // Whether the key is still good.
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
  // The roles that are listed are those that members have: one list for both.
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
    // The same list of agendas serves all edges to them.
    '1 Appointment/ListAgendas, 1 Appointment/ListAppointments',
    '1 Appointment/ListAppointmentTypes, 1 Appointment/ListAvailableAppointmentSlots, 3 Customer/GetCustomer, 2 Member/GetMember',
    '1 Appointment/ListAgendaEligibleMembers',
  ],
  '19-action-requests': [
    '1 ActionRequest/ListActionRequests, 1 DocumentTemplate/ListDocumentTemplates, 1 EmailTemplate/ListEmailTemplates',
    '4 Customer/GetCustomer',
  ],
  // The catalog is read by the first of the two, and each of them is executed.
  '20-analytics': ['1 AnalyticsService/ListCatalog', '2 AnalyticsService/ExecuteQuery'],
  '21-analytics-sql': ['1 AnalyticsService/ExecuteSQL, 1 AnalyticsService/ListCatalog'],
};

describe('the examples', () => {
  const examples = readExamples();

  it('have a plan each', () => {
    expect(examples.map(({ name }) => name)).toEqual(Object.keys(PLANS));
  });

  it.each(examples)('$name makes its calls, and no more', async ({ name, query, variables = '{}' }) => {
    expect(await planOf(query, JSON.parse(variables))).toEqual(PLANS[name]);
  });
});

describe('the web page', () => {
  const STOCK = (products: number) => [
    `${products} Catalog/GetProduct`,
    `${products} Inventory/ListInventoryBalances`,
    '1 Inventory/SearchInventoryLocations',
  ];

  it.each([
    [
      CustomerByNumber,
      { referenceNumber: 'C-000001' },
      ['1 Customer/LookupCustomersByIdentifier', '1 Order/ListOrders, 1 Quote/ListQuotes', ...STOCK(7)],
    ],
    // The customer is only gone through: its id is enough.
    [MoreQuotes, { customerId: CUSTOMER }, ['1 Quote/ListQuotes', ...STOCK(4)]],
    [MoreOrders, { customerId: CUSTOMER }, ['1 Order/ListOrders', ...STOCK(6)]],
  ] as const)('reads in the fewest rounds', async (document, variables, plan) => {
    expect(await planOf(print(document as never), variables)).toEqual(plan);
  });

  it('reads a quote in the fewest rounds', async () => {
    const { data } = await testGraph.execute('query ($id: ID!) { customer(id: $id) { quotes(first: 1) { nodes { id } } } }', {
      id: CUSTOMER,
    });
    const [{ id }] = data.customer.quotes.nodes;
    expect(await planOf(print(QuoteNow as never), { id })).toEqual(['1 Quote/GetQuote', ...STOCK(2)]);
  });
});

describe('what is not asked for', () => {
  it('is not called for: keys of what a record leads to', async () => {
    const query =
      'query ($id: ID!) { customer(id: $id) { title quotes(first: 50) { nodes { id customer { id rawId } lines { product { id } } } } } }';
    expect(await planOf(query, { id: CUSTOMER })).toEqual(['1 Customer/GetCustomer', '1 Quote/ListQuotes']);
  });

  it('is not called for: rows that a list has brought whole', async () => {
    const query = '{ products(first: 100) { nodes { id } } again: products(first: 100) { nodes { name sku } } }';
    expect(await planOf(query, {})).toEqual(['1 Catalog/ListProducts']);
  });

  it('is not called for: the total of a list, of which no call is made but its own', async () => {
    const query = (total: string) =>
      `query ($id: ID!) { discounts(first: 1) { nodes { id } } customer(id: $id) { timelineEvents(first: 1) { ${total} nodes { rawId } } } }`;
    const plan = ['1 Catalog/ListDiscounts, 1 Customer/ListCustomerTimelineEvents'];
    expect(await planOf(query('totalCount'), { id: CUSTOMER })).toEqual(plan);
    expect(await planOf(query('__typename'), { id: CUSTOMER })).toEqual(plan);
  });

  it('is not called for: references of which only keys are asked', async () => {
    const { data } = await testGraph.execute('{ products(first: 5) { nodes { rawId } } }');
    const representations = data.products.nodes.map(({ rawId }: { rawId: string }) => ({ __typename: 'Product', rawId }));
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { id rawId } } }';
    expect(await planOf(query, { of: representations })).toEqual([]);
  });
});
