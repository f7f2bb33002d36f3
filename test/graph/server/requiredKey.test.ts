import { describe, expect, it } from 'vitest';
import { ACCEPTS, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { openSubscription } from '../../support/subscribe.ts';

const both = useBothPaths({ env: { LIVE: 'on' } });
const WITHOUT_KEY = { authorization: '' };

const NINE = Array.from({ length: 9 }, (_, index) => `a${index}`);

/** Exceeds the limits of analytics queries, upstream calls and values. */
const LARGE: readonly (readonly [name: string, query: string, data: object | null, variables?: object])[] = [
  [
    'nine analytics queries',
    `{ ${NINE.map((name) => `${name}: analyticsSql(sql: "x") { __typename }`).join(' ')} }`,
    Object.fromEntries(NINE.map((name) => [name, null])),
  ],
  ['nested pages', '{ customers(first: 100) { nodes { orders(first: 100) { nodes { customer { title } } } } } }', { customers: null }],
  ['10,000 IDs', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', null, { ids: Array.from({ length: 10_000 }, String) }],
  ['an invalid variable', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', null, { ids: [{}] }],
  [
    'a mutation',
    'mutation ($of: RoleCreateInput!) { roleCreate(input: $of) { __typename } }',
    { roleCreate: null },
    { of: { name: 'x'.repeat(120_000) } },
  ],
  [
    'fields of fragments',
    '{ ...A } fragment A on Query { ... { ...B } } fragment B on Query { __typename contacts { nodes { id } } }',
    { __typename: 'Query', contacts: null },
  ],
];

describe('operation that needs a key, without one', () => {
  it.each(LARGE)('fails before its size and cost, on both paths: %s', async (_name, query, data, variables = {}) => {
    const [response] = await both.equal(queryRequest(query, { variables }, WITHOUT_KEY));
    const result = JSON.parse(response.body);
    const codes = new Set(result.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code));
    expect([codes, result.data, result.extensions.cost.predictedCalls, response.calls]).toEqual([
      new Set(['UNAUTHENTICATED']),
      data,
      null,
      [],
    ]);
  });

  it('has an error for each root field', async () => {
    const query =
      'query ($no: Boolean = false) { __typename a: contacts { nodes { id } } ...B b: viewer @include(if: $no) { __typename } } fragment B on Query { customers { nodes { id } } }';
    const result = await both.worlds[0]?.executeAs(null, query);
    expect([result?.data, result?.errors?.map(({ path }) => path)]).toEqual([
      { __typename: 'Query', a: null, customers: null },
      [['a'], ['customers']],
    ]);
  });

  it.each(ACCEPTS)('fails in %s', async (accept) => {
    const [response] = await both.equal(queryRequest('{ contacts { nodes { id } } }', {}, { accept, ...WITHOUT_KEY }));
    expect(summarizeStatus(response)).toBe(`${accept === 'application/json' ? 200 : 294} UNAUTHENTICATED`);
  });

  it('fails if its result would be incremental', async () => {
    const query = '{ contacts(first: 100) { nodes { ... @defer { lastName } } } }';
    const [{ body, calls }] = await both.equal(queryRequest(query, {}, { accept: 'multipart/mixed, application/json', ...WITHOUT_KEY }));
    expect([body.includes('UNAUTHENTICATED'), calls]).toEqual([true, []]);
  });

  it('fails as a subscription', async () => {
    const [world] = both.worlds;
    const subscription = await openSubscription(
      world?.url ?? '',
      '',
      'subscription ($ids: [ID!]) { recordsChanged(types: [CUSTOMER], ids: $ids) { ids } }',
      { ids: Array.from({ length: 10_000 }, String) },
    );
    const result = await subscription.next();
    subscription.close();
    expect(result?.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
  });
});

describe('operation that needs no key, without one', () => {
  it.each([
    ['a type name', '{ __typename }'],
    ['a type name of mutations', 'mutation { __typename }'],
    ['the schema in a fragment', '{ ...A } fragment A on Query { __typename __schema { queryType { name } } }'],
    ['the SDL', '{ _service { __typename } }'],
  ])('succeeds: %s', async (_name, query) => {
    const [{ body }] = await both.equal(queryRequest(query, {}, WITHOUT_KEY));
    expect(JSON.parse(body).errors).toBeUndefined();
  });

  it('fails by its document first', async () => {
    const codes = await Promise.all(
      ['{ contacts { nodes { nope } } }', '{ contacts'].map(async (query) => {
        const result = await both.worlds[0]?.executeAs(null, query);
        return result?.errors?.[0]?.extensions.code;
      }),
    );
    expect(codes).toEqual(['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED']);
  });
});
