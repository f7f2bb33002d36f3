import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { readExamples } from '../../../src/server/graphiql/examples.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const { schema } = getGraph();
const NONE = Number.POSITIVE_INFINITY;

const cost = (source: string, variables: object = {}, operationName?: string, limit = NONE) =>
  computeCost(schema, parse(source), operationName, { ...variables }, limit)?.calls ?? null;

describe('the cost of an operation', () => {
  it.each([
    ['a record by its id', '{ customer(id: "x") { title } }', 1],
    ['a record of which only keys are asked for: that asks whether it exists', '{ customer(id: "x") { id } }', 1],
    ['a record of which only edges are asked for', '{ customer(id: "x") { quotes { nodes { title } } } }', 1],
    ['one name for two roads to the same field', '{ customer(id: "x") { title } customer(id: "x") { email } }', 1],
    ['two names', '{ a: customer(id: "x") { title } b: customer(id: "x") { title } }', 2],
    ['a page of its default size', '{ customers { nodes { quotes { nodes { title } } } } }', 1 + 25],
    ['a page of any size', '{ customers(first: 100) { nodes { title } edges { node { title } } } }', 1],
    [
      'lists within lists',
      '{ customers(first: 10) { nodes { quotes(last: 20, before: "x") { nodes { customer { title } } } } } }',
      1 + 10 * (1 + 20),
    ],
    [
      'an edge of which only keys are asked for',
      '{ quotes: customer(id: "x") { quotes(first: 10) { nodes { customer { id rawId } } } } }',
      1,
    ],
    ['lines, which are taken to be ten', '{ quote(id: "x") { lines { product { name } } } }', 1 + 10],
    ['a page of nothing', '{ customers(first: 0) { nodes { quotes { nodes { id } } } } }', 1],
    ['more than a page may have, which is refused later', '{ customers(first: 1000) { nodes { contact { lastName } } } }', 1 + 100],
    ['fewer than nothing, which is refused later', '{ customers(first: -5) { nodes { contact { lastName } } } }', 1],
    ['any object', '{ node(id: "x") { ... on Customer { title } } }', 1],
    ['any object of which only edges are asked for', '{ node(id: "x") { ... on Customer { orders { __typename } } } }', 1],
    ['ids, one by one', '{ nodes(ids: ["a", "b", "c", "a"]) { ... on Customer { title } } }', 3],
    ['introspection', '{ __schema { types { name fields { name } } } }', 0],
  ])('counts %s', (_name, source, expected) => {
    expect(cost(source)).toBe(expected);
  });

  it('counts a mutation and the comparison with its record, and nothing for the records that it returns', () => {
    const source =
      'mutation ($input: QuoteConfirmInput!) { quoteConfirm(input: $input) { ... on QuoteConfirmPayload { quote { title } order { status } } } }';
    expect(cost(source, { input: { quoteId: 'x' } })).toBe(2);
  });

  it('counts each record that the references of a supergraph name, by its type, once', () => {
    const source =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { quotes(first: 10) { nodes { order { status } } } } ... on Product { name } } }';
    const of = [
      ...Array.from({ length: 60 }, (_, index) => ({ __typename: 'Customer', rawId: `x${index}` })),
      ...Array(5).fill({ __typename: 'Product', id: toGlobalId('Product', 'y') }),
      { __typename: 'Product', rawId: 'y' },
      { __typename: 'Nothing' },
    ];
    expect(cost(source, { of })).toBe(60 * (1 + 10) + 1);
  });

  it('counts nothing for references of which only keys are asked for', () => {
    const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { id rawId } } }';
    expect(cost(source, { of: Array(100).fill({ __typename: 'Customer', rawId: 'x' }) })).toBe(0);
  });

  it('counts the operation that is executed, not the first one of the document', () => {
    const source = 'query Small { customer(id: "x") { title } } query Big { customers(first: 100) { nodes { orders { __typename } } } }';
    expect([cost(source, {}, 'Small'), cost(source, {}, 'Big')]).toEqual([1, 101]);
  });

  it('counts by the values of variables, their defaults and what they leave out', () => {
    const source = `query ($size: Int = 50, $all: Boolean!) {
      customers(first: $size) { nodes { ...More @include(if: $all) title } }
    }
    fragment More on Customer { orders { __typename } }`;
    expect([cost(source, { all: true }), cost(source, { all: true, size: 2 }), cost(source, { all: false })]).toEqual([51, 3, 1]);
  });

  it('is given up soon when it is above the limit, however much the document repeats itself', () => {
    const level = (index: number) =>
      `fragment F${index} on Customer { ${['a', 'b', 'c', 'd'].map((name) => `${name}: orders(first: 100) { nodes { customer { title ...F${index + 1} } } }`).join(' ')} }`;
    const source = `{ customer(id: "x") { ...F0 } } ${Array.from({ length: 20 }, (_, index) => level(index)).join(' ')} fragment F20 on Customer { title }`;
    expect(cost(source, {}, undefined, 10_000)).toBeNull();
  });

  it('is within the usual limit for all examples', () => {
    const costs = readExamples().map(({ query, variables }) => cost(query, JSON.parse(variables ?? '{}'), undefined, 10_000));
    expect(costs.filter((each) => each === null)).toEqual([]);
    expect(Math.max(...costs.map(Number))).toBeGreaterThan(10);
  });
});

describe('an operation above the cost limit', () => {
  const testGraph = useTestGraph({}, undefined, { env: { COST_LIMIT: '100' } });
  const NESTED = 'query ($size: Int!) { customers(first: $size) { nodes { orders { __typename } } } }';

  it('is refused before it makes a call, and says why', async () => {
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

  it('is answered when it asks for less', async () => {
    const { errors } = await testGraph.execute(NESTED, { size: 5 });
    expect(errors).toBeUndefined();
  });

  it('is refused to supergraphs as well', async () => {
    const source = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { title orders { __typename } } } }';
    const of = Array.from({ length: 60 }, (_, index) => ({ __typename: 'Customer', rawId: demoId(`customer ${index}`) }));
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(source, { of }));
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['QUERY_TOO_EXPENSIVE']);
    expect(calls).toEqual([]);
  });
});
