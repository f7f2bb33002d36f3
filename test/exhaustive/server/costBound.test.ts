import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { createGraph } from '../../../src/graph.ts';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { QueryGenerator } from '../../support/randomQueries.ts';
import { fc, scaleCases } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema } = createGraph();
const testGraph = useTestGraph();

const DOCUMENTS = scaleCases(200);

const CATALOG = 'AnalyticsService/ListCatalog';

/** Selects this many products that no list contains. */
const selectProducts = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}: product(id: "nothing ${index}") { name }`).join(' ');

function callCost(source: string, variables: object, limit = Number.POSITIVE_INFINITY): number {
  const cost = computeCost(schema, parse(source), undefined, { ...variables }, limit);
  return cost ? cost.calls + cost.probeCalls : Number.POSITIVE_INFINITY;
}

describe('upstream calls of a query', () => {
  it('never exceed its cost with a new key, which knows the length of no list', async () => {
    let totalCalls = 0;
    const property = fc.asyncProperty(fc.gen(), async (generate) => {
      const generator = new QueryGenerator(schema, generate);
      const source = generator.generate(1 + generate(fc.nat, { max: 4 }));
      const { variables } = generator;
      const description = `${source}\n${JSON.stringify(variables)}`;
      expect(validate(schema, parse(source)), description).toEqual([]);
      const key = makeKey(testGraph.sandbox.world);
      const [, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, source, variables));
      totalCalls += calls.length;
      expect(calls.length, `${description}\n${calls.join('\n')}`).toBeLessThanOrEqual(callCost(source, variables));
    });
    await fc.assert(property, { numRuns: DOCUMENTS });
    // Most of the documents require calls.
    expect(totalCalls).toBeGreaterThan(DOCUMENTS);
  });

  it.each([
    ['a list of all owners', '{ customers(first: 20) { nodes { payments(first: 2) { nodes { status } } } } }', 23],
    [
      'two lists of all owners',
      '{ customers(first: 20) { nodes { a: problems(filter: { statuses: [OPEN] }) { nodes { id } } b: problems { nodes { id } } } } }',
      45,
    ],
    ['too few owners', '{ customers(first: 14) { nodes { payments { nodes { status } } } } }', 15],
    ['a covering list', `{ a: quote(id: "${demoId('quote 0')}") { lines { product { name } } } }`, 12],
    ['too few records', '{ orderSearch(first: 9) { nodes { reservations(first: 1) { nodes { product { name } } } } } }', 28],
    ['records by reference', `{ ${selectProducts(10)} }`, 11],
    ['fewer records by reference', `{ ${selectProducts(9)} }`, 9],
  ])('never exceed its cost, which includes finding out whether pages save calls: %s', async (_name, source, predicted) => {
    const key = makeKey(testGraph.sandbox.world);
    const [{ errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, source));
    expect(errors).toBeUndefined();
    expect([callCost(source, {}), cost?.predictedCalls]).toEqual([predicted, predicted]);
    expect(calls.filter((name) => name !== CATALOG).length).toBeLessThanOrEqual(predicted);
  });
});

/** Queries whose cost is exact, because they select one record of each kind. */
const EXACT_COSTS: readonly (readonly [name: string, source: string])[] = [
  ['a record', '{ customer(id: $customer) { title email } }'],
  ['a missing record', '{ order(id: "nothing") { status } }'],
  ['the keys of a record', '{ portfolio(id: $portfolio) { id } }'],
  ['a record with a connection', '{ customer(id: $customer) { title quotes(first: 2) { nodes { title } } } }'],
  ['a connection of a record without other fields', '{ customer(id: $customer) { id quotes(first: 2) { nodes { title } } } }'],
  ['a reference', '{ quote(id: $quote) { customer { title } } }'],
  ['the keys of a reference', '{ quote(id: $quote) { title customer { rawId } } }'],
  ['a connection of a reference without other fields', '{ quote(id: $quote) { customer { comments { nodes { body } } } } }'],
  ['the keys of objects by ID', '{ nodes(ids: [$node, $other, $node]) { id } }'],
  ['a connection of an object', '{ node(id: $node) { ... on Customer { orders { __typename } } ... on Quote { title } } }'],
  ['an object of another type than the selection', '{ node(id: $node) { ... on Portfolio { customer { id } } } }'],
  [
    'the keys of objects of a union',
    '{ customer(id: $customer) { timelineEvents(first: 2) { nodes { entity { __typename ... on Node { id } } } } } }',
  ],
  ['a journey status', '{ customer(id: $customer) { journeyStatus { name } } }'],
  [
    'two journey statuses, from one response',
    '{ a: customer(id: $customer) { journeyStatus { name } } b: portfolio(id: $portfolio) { journeyStatus { name } } }',
  ],
  ['amounts of custom fields', '{ customer(id: $customer) { customFields { value money { amount } } } }'],
  ['the keys of custom field definitions', '{ customer(id: $customer) { customFields { definition { id } } } }'],
  ['the discounts of products, from one response', '{ products(first: 5) { nodes { discounts { nodes { value { kind } } } } } }'],
  ['a discount by ID', '{ discount(id: $discount) { name } }'],
  ['a custom field definition by name', '{ customFieldDefinition(name: "budget") { label } }'],
  ['the stage of a journey status', '{ customer(id: $customer) { journeyStatus { stage { name } } } }'],
  ['an order line', '{ order(id: $order) { reservations(first: 1) { nodes { orderLine { quantity } } } } }'],
  ['the keys of an order line', '{ order(id: $order) { reservations(first: 1) { nodes { orderLine { rawId } } } } }'],
  ['an accounting integration', '{ customer(id: $customer) { invoices(first: 1) { nodes { accountingIntegration { name } } } } }'],
  [
    'the keys of an accounting integration',
    '{ customer(id: $customer) { invoices(first: 1) { nodes { accountingIntegration { id } } } } }',
  ],
  ['the attachments of a comment', '{ customer(id: $customer) { comments(first: 1) { nodes { attachments { fileName } } } } }'],
  ['the keys of attachments', '{ customer(id: $customer) { comments(first: 1) { nodes { attachments { rawId } } } } }'],
  ['a receipt and its lines', '{ inventoryReceipt(by: { id: $receipt }) { lines(first: 2) { nodes { quantity } } } }'],
];

const VARIABLES = {
  customer: demoId('customer 0'),
  portfolio: demoId('portfolio 0'),
  quote: demoId('quote 0'),
  order: demoId('order 0'),
  discount: demoId('discount 0'),
  receipt: demoId('receipt 0'),
  node: toGlobalId('Customer', demoId('customer 0')),
  other: toGlobalId('Product', demoId('product 0')),
};

const withVariables = (source: string) => {
  const used = Object.keys(VARIABLES).filter((name) => source.includes(`$${name}`));
  return `query ${used.length > 0 ? `(${used.map((name) => `$${name}: ID!`).join(', ')})` : ''} ${source}`;
};

describe('cost', () => {
  it.each(EXACT_COSTS)('equals the number of calls for %s', async (_name, source) => {
    const document = withVariables(source);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(document, VARIABLES));
    expect(errors).toBeUndefined();
    expect([calls.length, calls]).toEqual([callCost(document, VARIABLES), calls]);
  });
});

it('counts a call for each object of a union or an interface', () => {
  const countTimelineCalls = (fields: string) =>
    callCost(`{ customer(id: "x") { timelineEvents(first: 5) { nodes { entity { ${fields} } } } } }`, {});
  expect([
    countTimelineCalls('... on Quote { title }'),
    countTimelineCalls('... on Quote { id lines { quantity } } ... on Order { rawId }'),
  ]).toEqual([6, 6]);
  expect([countTimelineCalls('__typename'), countTimelineCalls('... on Quote { id } ... on Order { rawId }')]).toEqual([1, 1]);
});

it('counts the call of a list if only edges are selected of its records', () => {
  expect(callCost('{ agendas { eligibleMembers { rawId } } }', {})).toBe(1 + 100);
});

it('counts no call for the record in an error of a mutation', () => {
  const failure = '... on VersionConflictError { current { ... on Quote { title } } }';
  const blocked = '... on TransitionBlockedError { current { ... on Quote { title } ... on Order { status } } }';
  const input = 'input: { quoteId: "x", expectedVersion: "1", lines: [], discounts: [] }';
  expect(callCost(`mutation { quoteUpdate(${input}) { ${failure} ${blocked} } }`, {})).toBe(1);
});

const payload = (name: string, input: string, selection: string, alias = name) =>
  `${alias}: ${name}(input: { ${input} }) { __typename ... on ${name.charAt(0).toUpperCase()}${name.slice(1)}Payload { ${selection} } }`;

const LOCATION = demoId('location 0');
const CUSTOMER = demoId('customer 0');
const STOCK = `locationId: "${LOCATION}", reason: "Counted", change: { quantityDelta: 2 }`;
const EVENT = `customerId: "${CUSTOMER}", eventType: "called", summary: "Called."`;
const MOVE = `destinationLocationId: "${demoId('location 3')}", lines: [{ productId: "${demoId('product 1')}", sourceLocationId: "${LOCATION}", quantity: 1 }]`;
const VALUES = 'customFields: [{ name: "budget", value: { text: "5" } }]';

/** The number of calls, and how many of them aren't part of the cost. An error with a record reads it, which isn't part of the cost. */
const MUTATIONS: readonly (readonly [calls: number, uncountedCalls: number, source: string])[] = [
  [1, 0, payload('contactCreate', 'lastName: "Bound"', 'contact { lastName }')],
  [
    2,
    0,
    payload(
      'customerCustomFieldsUpdate',
      `customerId: "${CUSTOMER}", ${VALUES}`,
      'customer { title customFields { money { amount } definition { label } } }',
    ),
  ],
  [
    4,
    0,
    ['a', 'b']
      .map((alias) =>
        payload(
          'customerCustomFieldsUpdate',
          `customerId: "${CUSTOMER}", ${VALUES}`,
          'customer { customFields { money { amount } } }',
          alias,
        ),
      )
      .join(' '),
  ],
  [3, 0, payload('inventoryReceiptCreate', `locationId: "${LOCATION}", idempotencyKey: "bound 1"`, 'receipt { location { name } }')],
  [
    2,
    0,
    payload('inventoryAdjust', `productId: "${demoId('product 1')}", ${STOCK}, idempotencyKey: "bound 2"`, 'balance { onHand inbound }'),
  ],
  [1, 0, payload('inventoryMove', `${MOVE}, idempotencyKey: "bound 3"`, 'operationId')],
  [
    2,
    0,
    payload('inventoryMove', `${MOVE}, idempotencyKey: "bound 4"`, 'movements(first: 2) { nodes { product { id } location { id } } }'),
  ],
  [1, 0, payload('customerTimelineEventCreate', `${EVENT}`, 'customer { id rawId }')],
  [2, 0, payload('customerTimelineEventCreate', `${EVENT}`, 'customer { id title }')],
  [3, 0, payload('customerTimelineEventCreate', `${EVENT}`, 'customer { quotes { nodes { title } } orders { nodes { status } } }')],
  [
    2,
    1,
    payload(
      'quoteUpdate',
      `quoteId: "${demoId('quote 0')}", expectedVersion: "999", lines: [{ productId: "${demoId('product 0')}", quantity: 1 }], discounts: []`,
      'quote { title }',
    ),
  ],
];

describe('upstream calls of a mutation', () => {
  it.each(MUTATIONS)('number %i, of which %i are not part of the cost: %s', async (expected, uncountedCalls, fields) => {
    const source = `mutation { ${fields} }`;
    expect(validate(schema, parse(source))).toEqual([]);
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source));
    expect(errors).toBeUndefined();
    const typename = uncountedCalls ? 'VersionConflictError' : expect.stringMatching(/Payload$/);
    for (const result of Object.values(data)) expect(result).toMatchObject({ __typename: typename });
    expect([calls.length, calls]).toEqual([expected, calls]);
    expect(calls.length).toBeLessThanOrEqual(callCost(source, {}) + uncountedCalls);
  });

  it('include each record of a list in the payload, and the page that may replace their products', () => {
    const order = payload('orderStockAllocate', 'orderId: "x", idempotencyKey: "x"', 'reservations { product { name } location { name } }');
    expect(callCost(`mutation { ${order} }`, {})).toBe(1 + 10 * 2 + 1);
  });
});

describe('upstream calls of the examples', () => {
  const full = useTestGraph({ seed: 1, sizes: FULL });

  it.each(readExamples().map((example) => [example.name, example] as const))('never exceed the cost: %s', async (_name, example) => {
    const variables = JSON.parse(example.variables ?? '{}');
    const [{ errors }, calls] = await full.recordCalls(() => full.execute(example.query, variables));
    expect(errors).toBeUndefined();
    expect(calls.length).toBeLessThanOrEqual(callCost(example.query, variables));
  });
});

const repeatLevels = (write: (index: number) => string) => Array.from({ length: 14 }, (_, index) => write(index)).join(' ');
const selectPortfolios = (name: string) => `${name} contact { portfolios(first: 0) { nodes`;

/** Documents of 2 KB with fragments that double at each level. */
const DOUBLING: readonly (readonly [name: string, code: string, source: string])[] = [
  [
    'side by side',
    'QUERY_TOO_EXPENSIVE',
    `{ ...F0 } ${repeatLevels((at) => `fragment F${at} on Query { ...F${at + 1} ...F${at + 1} }`)} fragment F14 on Query { __typename }`,
  ],
  [
    'in one field',
    'QUERY_TOO_EXPENSIVE',
    `{ portfolio(id: "x") { ...F0 } } ${repeatLevels((at) => `fragment F${at} on Portfolio { ${`${selectPortfolios('')} { ...F${at + 1} } } } `.repeat(2)} }`)} fragment F14 on Portfolio { id }`,
  ],
  [
    'in two fields, below an empty page',
    // The aliases double, too.
    'GRAPHQL_VALIDATION_FAILED',
    `{ portfolio(id: "x") { ...F0 } } ${repeatLevels((at) => `fragment F${at} on Portfolio { ${selectPortfolios('a:')} { ...F${at + 1} } } } ${selectPortfolios('b:')} { ...F${at + 1} } } } }`)} fragment F14 on Portfolio { id }`,
  ],
];

describe('cost calculation', () => {
  it.each(DOUBLING)('stops early if fragments double %s', async (_name, code, source) => {
    expect(validate(schema, parse(source))).toEqual([]);
    expect(callCost(source, {}, 10_000)).toBe(Number.POSITIVE_INFINITY);
    const [{ status, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source));
    expect([status, errors?.map(({ extensions }) => extensions.code), calls]).toEqual([400, [code], []]);
  });

  it('continues after an argument or a condition without a value, and counts the remaining fields', async () => {
    const source = `query ($id: ID = "x", $if: Boolean = true) {
      a: customer(id: $id) { title }
      b: customer(id: "y") { title @include(if: $if) contact { lastName } }
      c: customer(id: "z") { title }
    }`;
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source, { id: null, if: null }));
    expect([status, data, errors?.length]).toEqual([294, { a: null, b: null, c: null }, 2]);
    expect(callCost(source, { id: null, if: null })).toBeGreaterThanOrEqual(calls.length);
    expect(calls.length).toBeGreaterThan(0);
  });

  it.each([
    ['{ __typename }', {}],
    ['{ __schema { types { name } } }', {}],
    ['query A { __typename } query B { __typename }', {}],
    ['subscription { __typename }', {}],
    ['query ($a: Int!) { customers(first: $a) { nodes { id } } }', { a: 'many' }],
    ['query ($a: Int!) { customers(first: $a) { nodes { id } } }', []],
    ['query ($a: [_Any!]!) { _entities(representations: $a) { __typename } }', { a: [null] }],
    ['query ($a: [_Any!]!) { _entities(representations: $a) { __typename } }', { a: ['x', 1, { __typename: 1 }, { __typename: 'Query' }] }],
    ['query ($a: Int) { customers(first: $a) { nodes { id } } }', { a: 2147483647 }],
    ['{ nodes(ids: []) { id } }', {}],
  ])('never fails: %s', async (source, variables) => {
    const [{ status }, calls] = await testGraph.recordCalls(() => testGraph.execute(source, variables));
    expect([status < 500, calls]).toEqual([true, []]);
  });
});
