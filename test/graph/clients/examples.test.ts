import { describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { readExamples } from '../../../src/server/graphiql/examples.ts';
import { useTestGraph } from '../../support/testGraph.ts';

// The data that `npm start` begins with: the variables of the examples name its records.
const testGraph = useTestGraph({ seed: 1, sizes: FULL });

const examples = readExamples();

const run = (name: string) => {
  const example = examples.find((each) => each.name === name);
  if (!example) throw new Error(`There is no example ${name}.`);
  return testGraph.execute(example.query, JSON.parse(example.variables ?? '{}'));
};

const some = (least = 1) => expect.toSatisfy((list: readonly unknown[]) => list.length >= least);
const name = { name: expect.any(String) };

/** Something telling of each example's answer, in the order in which they run. */
const TELLING: Readonly<Record<string, object>> = {
  '01-first-query': {
    viewer: { workspace: { name: 'Demo Works' } },
    customersByIdentifier: [{ quotes: { nodes: some(2), pageInfo: { hasNextPage: true } } }],
  },
  '02-customer-orders-stock': { customer: { quotes: { nodes: some(3) }, orders: { nodes: some(3) } } },
  '03-catalog-discounts': { products: { nodes: some(5), pageInfo: { hasNextPage: true } } },
  '04-quote-create': {
    quoteCreate: {
      effect: 'DONE',
      quote: { status: 'CONCEPT', version: '1', lines: some(2), discounts: [{ name: 'Welcome' }], totalOnce: { currencyCode: 'EUR' } },
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
  '09-stock-move': { inventoryMove: { operationId: expect.any(String), movements: { nodes: some(4) } } },
  '10-backorders': { inventoryBackorders: { nodes: some(10), pageInfo: { hasNextPage: true } } },
  '11-what-became-of-it': { idempotentOperation: { state: 'SUCCEEDED' } },
  '12-custom-fields': {
    customerCustomFieldsUpdate: {
      customer: { budget: { money: { amount: '12500.00' } }, preferredDate: { date: '2026-06-01' }, accessNotes: null },
    },
  },
  '13-order-page': {
    order: { lines: some(), totalOnce: { currencyCode: 'EUR' }, reservations: { nodes: some() }, cancellationImpact: { canCancel: true } },
  },
  '14-billing': {
    order: {
      payments: { nodes: some() },
      refunds: { nodes: [] },
      invoice: { status: 'DRAFT', orderVersion: '1' },
      proFormas: { nodes: some() },
      customer: { accountingIntegrations: { nodes: some(2) } },
    },
  },
  '15-people': {
    members: { nodes: some(5), isTruncated: false },
    roles: { nodes: expect.arrayContaining([expect.objectContaining({ name: 'Owner', access: expect.anything() })]) },
    memberInvitations: { nodes: some(3), isTruncated: false },
  },
  '16-problem-resolve': {
    advancedTaskUpdate: { task: { status: 'COMPLETED', values: { broken_tiles: 4 }, definition: { name: 'Roof inspection' } } },
    problemResolve: { problem: { status: 'RESOLVED', advancedTasks: { nodes: [{ status: 'COMPLETED' }] } } },
  },
  '17-work-orders': {
    customer: {
      problems: { nodes: some() },
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
          { template: { name: 'Yearly service' }, tasks: { nodes: some(3) }, location: { label: expect.any(String) } },
          { template: null, tasks: { nodes: [] } },
        ],
        isTruncated: false,
      },
      workOrderLocations: [{ isPreferred: true }, { isPreferred: false }],
    },
  },
  '18-planner-day': {
    agendas: some(4),
    appointments: { nodes: some(3), pageInfo: { hasNextPage: true }, isTruncated: false },
    // An hour is missing: of 48 half hours there are 46.
    agenda: { timeZone: 'America/New_York', availableSlots: expect.toSatisfy((slots: readonly unknown[]) => slots.length === 46) },
  },
  '19-action-requests': {
    actionRequests: { nodes: some(5), pageInfo: { hasNextPage: true } },
    emailTemplates: { nodes: some(4) },
    documentTemplates: { nodes: some(4) },
  },
  '20-analytics': {
    now: { status: 'READY', rows: expect.toSatisfy((rows: readonly unknown[]) => rows.length > 0) },
    before: { resolvedTimeRange: { from: expect.any(String), to: expect.any(String) } },
  },
  '21-analytics-sql': {
    analyticsSql: { columns: some(3), normalizedSql: expect.stringContaining('SELECT'), normalizedQuery: { entity: 'WORKORDERS' } },
    analyticsCatalog: { entities: some(8) },
  },
};

describe('the examples', () => {
  it('are all tested', () => {
    expect(examples.map((example) => example.name)).toEqual(Object.keys(TELLING));
  });

  it.each(examples.filter(({ query }) => query.includes('mutation ')))(
    '$name selects what tells a failure, a newer one too',
    ({ query }) => {
      const members = [...query.matchAll(/^ {2}\w+\(input: /gm)];
      expect(query.match(/^ {4}__typename$/gm)).toHaveLength(members.length);
      expect(query.match(/\.\.\. on MutationError \{\n {6}code\n {6}message\n {6}retry\n/g)).toHaveLength(members.length);
    },
  );

  it.each(Object.entries(TELLING))('%s answers', async (example, telling) => {
    const { status, data, errors } = await run(example);
    expect([status, errors]).toEqual([200, undefined]);
    expect(data).toMatchObject(telling);
  });

  it.each(Object.keys(TELLING))('%s can be run again', async (example) => {
    const { data, errors } = await run(example);
    expect(errors).toBeUndefined();
    for (const answer of Object.values(data)) expect(answer).not.toHaveProperty('code');
  });

  it('find what the demo data has: products with stock, and products with discounts', async () => {
    const stock = await run('02-customer-orders-stock');
    const lines = stock.data.customer.orders.nodes.flatMap((order: { lines: object[] }) => order.lines);
    expect(lines).toContainEqual(expect.objectContaining({ product: expect.objectContaining({ inventoryBalances: { nodes: some(1) } }) }));
    const catalog = await run('03-catalog-discounts');
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
