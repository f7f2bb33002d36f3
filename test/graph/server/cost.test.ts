import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema } = getGraph();
const NO_LIMIT = Number.POSITIVE_INFINITY;

const predictCost = (source: string, variables: object = {}, operationName?: string, limit = NO_LIMIT) =>
  computeCost(schema, parse(source), operationName, { ...variables }, limit)?.calls ?? null;

describe('cost of an operation', () => {
  it.each([
    ['a record by ID', '{ customer(id: "x") { title } }', 1],
    ['a record with only its keys selected, because its existence is checked', '{ customer(id: "x") { id } }', 1],
    ['a record with only connections selected', '{ customer(id: "x") { quotes { nodes { title } } } }', 1],
    ['a field selected twice under one name', '{ customer(id: "x") { title } customer(id: "x") { email } }', 1],
    ['a field under two aliases', '{ a: customer(id: "x") { title } b: customer(id: "x") { title } }', 2],
    ['a page of its default size', '{ customers { nodes { quotes { nodes { title } } } } }', 1 + 25],
    ['a page of the maximum size', '{ customers(first: 100) { nodes { title } edges { node { title } } } }', 1],
    [
      'nested lists',
      '{ customers(first: 10) { nodes { quotes(last: 20, before: "x") { nodes { customer { title } } } } } }',
      1 + 10 * (1 + 20),
    ],
    [
      'a to-one field with only keys selected',
      '{ quotes: customer(id: "x") { quotes(first: 10) { nodes { customer { id rawId } } } } }',
      1,
    ],
    ['lines, estimated as ten', '{ quote(id: "x") { lines { product { name } } } }', 1 + 10],
    ['an empty page', '{ customers(first: 0) { nodes { quotes { nodes { id } } } } }', 1],
    ['more than the maximum page size, which is rejected later', '{ customers(first: 1000) { nodes { contact { lastName } } } }', 1 + 100],
    ['a negative page size, which is rejected later', '{ customers(first: -5) { nodes { contact { lastName } } } }', 1],
    ['a node', '{ node(id: "x") { ... on Customer { title } } }', 1],
    ['a node with only connections selected', '{ node(id: "x") { ... on Customer { orders { __typename } } } }', 1],
    ['nodes once per ID', '{ nodes(ids: ["a", "b", "c", "a"]) { ... on Customer { title } } }', 3],
    ['introspection', '{ __schema { types { name fields { name } } } }', 0],
  ])('includes %s', (_name, source, expected) => {
    expect(predictCost(source)).toBe(expected);
  });

  it('includes a mutation and the read to compare its record, but not the returned records', () => {
    const source =
      'mutation ($input: QuoteConfirmInput!) { quoteConfirm(input: $input) { ... on QuoteConfirmPayload { quote { title } order { status } } } }';
    expect(predictCost(source, { input: { quoteId: 'x' } })).toBe(2);
  });

  it('includes each referenced entity once, by type', () => {
    const source =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { quotes(first: 10) { nodes { order { status } } } } ... on Product { name } } }';
    const of = [
      ...Array.from({ length: 60 }, (_, index) => ({ __typename: 'Customer', rawId: `x${index}` })),
      ...Array(5).fill({ __typename: 'Product', id: toGlobalId('Product', 'y') }),
      { __typename: 'Product', rawId: 'y' },
      { __typename: 'Nothing' },
    ];
    expect(predictCost(source, { of })).toBe(60 * (1 + 10) + 1);
  });

  it('excludes entities with only keys selected', () => {
    const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { id rawId } } }';
    expect(predictCost(source, { of: Array(100).fill({ __typename: 'Customer', rawId: 'x' }) })).toBe(0);
  });

  it('depends on the executed operation, which isn’t always the first of the document', () => {
    const source = 'query Small { customer(id: "x") { title } } query Big { customers(first: 100) { nodes { orders { __typename } } } }';
    expect([predictCost(source, {}, 'Small'), predictCost(source, {}, 'Big')]).toEqual([1, 101]);
  });

  it('depends on variables, their defaults, and conditions', () => {
    const source = `query ($size: Int = 50, $all: Boolean!) {
      customers(first: $size) { nodes { ...More @include(if: $all) title } }
    }
    fragment More on Customer { orders { __typename } }`;
    expect([predictCost(source, { all: true }), predictCost(source, { all: true, size: 2 }), predictCost(source, { all: false })]).toEqual([
      51, 3, 1,
    ]);
  });

  it('stops at the limit, even for highly repetitive documents', () => {
    const level = (index: number) =>
      `fragment F${index} on Customer { ${['a', 'b', 'c', 'd'].map((name) => `${name}: orders(first: 100) { nodes { customer { title ...F${index + 1} } } }`).join(' ')} }`;
    const source = `{ customer(id: "x") { ...F0 } } ${Array.from({ length: 20 }, (_, index) => level(index)).join(' ')} fragment F20 on Customer { title }`;
    expect(predictCost(source, {}, undefined, 10_000)).toBeNull();
  });

  it('stays within the default limit for all examples', () => {
    const costs = readExamples().map(({ query, variables }) => predictCost(query, JSON.parse(variables ?? '{}'), undefined, 10_000));
    expect(costs.filter((each) => each === null)).toEqual([]);
    expect(Math.max(...costs.map(Number))).toBeGreaterThan(10);
  });
});

describe('operation above the cost limit', () => {
  const testGraph = useTestGraph({}, undefined, { env: { COST_LIMIT: '100' } });
  const NESTED = 'query ($size: Int!) { customers(first: $size) { nodes { orders { __typename } } } }';

  it('fails without a call and reports the limit', async () => {
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NESTED, { size: 100 }));
    expect(status).toBe(400);
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      {
        message: expect.stringContaining('more than 100 upstream calls'),
        extensions: { code: 'QUERY_TOO_EXPENSIVE', retry: 'NEVER', limit: 100, limitOf: 'UPSTREAM_CALLS' },
      },
    ]);
    expect(calls).toEqual([]);
  });

  it('executes if its variables reduce its cost', async () => {
    const { errors } = await testGraph.execute(NESTED, { size: 5 });
    expect(errors).toBeUndefined();
  });

  it('fails for entities, too', async () => {
    const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { title orders { __typename } } } }';
    const of = Array.from({ length: 60 }, (_, index) => ({ __typename: 'Customer', rawId: demoId(`customer ${index}`) }));
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source, { of }));
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_EXPENSIVE']);
    expect(calls).toEqual([]);
  });
});
