import { describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { useTestGraph } from '../../support/testGraph.ts';

// The seed and sizes of `npm start`: the examples' variables contain IDs of its records.
const testGraph = useTestGraph({ seed: 1, sizes: FULL });

const examples = readExamples();

const runExample = (name: string) => {
  const example = examples.find((each) => each.name === name);
  if (!example) throw new Error(`There is no example ${name}.`);
  return testGraph.execute(example.query, JSON.parse(example.variables ?? '{}'));
};

const atLeast = (least = 1) => expect.toSatisfy((list: readonly unknown[]) => list.length >= least);
const name = { name: expect.any(String) };

/** Expected data of each example, in the order in which they run. */
const EXPECTED: Readonly<Record<string, object>> = {
  '01-first-query': {
    viewer: { workspace: { name: 'Demo Works' } },
    customersByIdentifier: [{ quotes: { nodes: atLeast(2), pageInfo: { hasNextPage: true } } }],
  },
  '02-customer-orders-stock': { customer: { quotes: { nodes: atLeast(3) }, orders: { nodes: atLeast(3) } } },
  '03-catalog-discounts': { products: { nodes: atLeast(5), pageInfo: { hasNextPage: true } } },
  '04-quote-create': {
    quoteCreate: {
      effect: 'DONE',
      quote: { status: 'CONCEPT', version: '1', lines: atLeast(2), discounts: [{ name: 'Welcome' }], totalOnce: { currencyCode: 'EUR' } },
    },
  },
  '05-quote-update': { quoteUpdate: { effect: 'DONE', quote: { version: '2', lines: [{ quantity: 3 }] } } },
  '06-quote-confirm': {
    quoteConfirm: { quote: { status: 'CONFIRMED' }, order: { status: 'OPEN', cancellationImpact: { canCancel: true } } },
  },
  '07-receipt-create': { inventoryReceiptCreate: { receipt: { status: 'DRAFT', location: { name: 'Main warehouse' } } } },
  '08-receipt-post': {
    inventoryReceiptLineAdd: { line: { quantity: 12 } },
    inventoryReceiptPost: { receipt: { status: 'POSTED', postedAt: '2026-03-02T09:00:00Z' } },
  },
  '09-stock-move': { inventoryMove: { operationId: expect.any(String), movements: { nodes: atLeast(4) } } },
  '10-backorders': { inventoryBackorders: { nodes: atLeast(10), pageInfo: { hasNextPage: true } } },
  '11-what-became-of-it': { idempotentOperation: { state: 'SUCCEEDED' } },
  '12-custom-fields': {
    customerCustomFieldsUpdate: {
      customer: { budget: { money: { amount: '12500.00' } }, preferredDate: { date: '2026-06-01' }, accessNotes: null },
    },
  },
  '13-order-page': {
    order: {
      lines: atLeast(),
      totalOnce: { currencyCode: 'EUR' },
      reservations: { nodes: atLeast() },
      cancellationImpact: { canCancel: true },
    },
  },
  '14-billing': {
    order: {
      payments: { nodes: atLeast() },
      refunds: { nodes: [] },
      invoice: { status: 'DRAFT', orderVersion: '1' },
      proFormas: { nodes: atLeast() },
      customer: { accountingIntegrations: { nodes: atLeast(2) } },
    },
  },
  '15-people': {
    members: { nodes: atLeast(5), isTruncated: false },
    roles: { nodes: expect.arrayContaining([expect.objectContaining({ name: 'Owner', access: expect.anything() })]) },
    memberInvitations: { nodes: atLeast(3), isTruncated: false },
  },
  '16-problem-resolve': {
    advancedTaskUpdate: { task: { status: 'COMPLETED', values: { broken_tiles: 4 }, definition: { name: 'Roof inspection' } } },
    problemResolve: { problem: { status: 'RESOLVED', advancedTasks: { nodes: [{ status: 'COMPLETED' }] } } },
  },
  '17-work-orders': {
    customer: {
      problems: { nodes: atLeast() },
      appointments: {
        nodes: expect.arrayContaining([
          {
            id: expect.any(String),
            status: expect.any(String),
            startsAt: expect.any(String),
            agenda: expect.objectContaining({ timeZone: expect.any(String) }),
            member: expect.objectContaining({ displayName: expect.any(String) }),
          },
        ]),
      },
      workOrders: {
        nodes: [
          { template: { name: 'Yearly service' }, tasks: { nodes: atLeast(3) }, location: { label: expect.any(String) } },
          { template: null, tasks: { nodes: [] } },
        ],
        isTruncated: false,
      },
      workOrderLocations: [{ isPreferred: true }, { isPreferred: false }],
    },
  },
  '18-planner-day': {
    agendas: atLeast(4),
    appointments: { nodes: atLeast(3), pageInfo: { hasNextPage: true }, isTruncated: false },
    // Daylight saving time starts on that day: it has 46 half hours.
    agenda: { timeZone: 'America/New_York', availableSlots: expect.toSatisfy((slots: readonly unknown[]) => slots.length === 46) },
  },
  '19-action-requests': {
    actionRequests: { nodes: atLeast(5), pageInfo: { hasNextPage: true } },
    emailTemplates: { nodes: atLeast(4) },
    documentTemplates: { nodes: atLeast(4) },
  },
  '20-analytics': {
    now: { status: 'READY', rows: expect.toSatisfy((rows: readonly unknown[]) => rows.length > 0) },
    before: { resolvedTimeRange: { from: expect.any(String), to: expect.any(String) } },
  },
  '21-analytics-sql': {
    analyticsSql: { columns: atLeast(3), normalizedSql: expect.stringContaining('SELECT'), normalizedQuery: { entity: 'WORKORDERS' } },
    analyticsCatalog: { entities: atLeast(8) },
  },
  '22-top-customers': {
    analyticsQuery: {
      rows: Array(5).fill({
        revenue: { money: { amount: expect.any(String), currencyCode: 'EUR' } },
        orders: { integer: expect.any(String) },
        customer: { id: expect.any(String), title: expect.any(String), email: expect.anything() },
      }),
    },
  },
  '23-order-board': {
    counts: { totalCount: expect.any(Number), facets: { byStatus: atLeast(3) } },
    open: { nodes: Array(10).fill({ totalOnce: { currencyCode: 'EUR' } }), pageInfo: { hasNextPage: true } },
  },
};

describe('examples', () => {
  it('have expected data', () => {
    expect(examples.map((example) => example.name)).toEqual(Object.keys(EXPECTED));
  });

  it.each(examples.filter(({ query }) => query.includes('mutation ')))(
    '$name selects the code, message, and retry of every error type',
    ({ query }) => {
      const members = [...query.matchAll(/^ {2}\w+\(input: /gm)];
      expect(query.match(/^ {4}__typename$/gm)).toHaveLength(members.length);
      expect(query.match(/\.\.\. on MutationError \{\n {6}code\n {6}message\n {6}retry\n/g)).toHaveLength(members.length);
    },
  );

  it.each(Object.entries(EXPECTED))('%s returns the expected data', async (example, expected) => {
    const { status, data, errors } = await runExample(example);
    expect([status, errors]).toEqual([200, undefined]);
    expect(data).toMatchObject(expected);
  });

  it.each(Object.keys(EXPECTED))('%s succeeds when repeated', async (example) => {
    const { data, errors } = await runExample(example);
    expect(errors).toBeUndefined();
    for (const result of Object.values(data)) expect(result).not.toHaveProperty('code');
  });

  it('find products with stock and products with discounts in the demo data', async () => {
    const stock = await runExample('02-customer-orders-stock');
    const lines = stock.data.customer.orders.nodes.flatMap((order: { lines: object[] }) => order.lines);
    expect(lines).toContainEqual(
      expect.objectContaining({ product: expect.objectContaining({ inventoryBalances: { nodes: atLeast(1) } }) }),
    );
    const catalog = await runExample('03-catalog-discounts');
    expect(catalog.data.products.nodes).toContainEqual(
      expect.objectContaining({
        discounts: {
          nodes: expect.arrayContaining([expect.objectContaining({ discount: expect.objectContaining(name) })]),
          isTruncated: false,
        },
      }),
    );
  });
});
