import { describe, expect, it } from 'vitest';
import { ACCEPTS, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { CUSTOMER } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIMIT = 4 * 1024 * 1024;
const COUNT = 249;
const repeatField = (field: string, count = COUNT) => Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
const createString = (length: number) => 'x'.repeat(length);

describe('variable used by many fields', () => {
  const testGraph = useTestGraph();
  const both = useBothPaths();
  const MANY_NODES = `query ($of: ID!) { ${repeatField('node(id: $of) { id }')} }`;

  it.each<[string, string, number?]>([
    ['IDs', MANY_NODES],
    ['IDs of lookups', `query ($of: ID!) { ${repeatField('customer(id: $of) { id }')} }`],
    ['input fields', `mutation ($of: String!) { ${repeatField('customerCreate(input: { title: $of }) { __typename }')} }`],
    [
      'fields of fragments',
      `query ($of: String!) { customer(id: "x") { ...F } b: customer(id: "y") { ...F } } fragment F on Customer { ${repeatField('comments(after: $of) { __typename }', 124)} }`,
      248,
    ],
  ])('counts once per use and is rejected before any call: %s', async (_name, query, count = COUNT) => {
    const bytes = 90_002 * count;
    const [result, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of: createString(90_000) }));
    expect([result.status, result.data, calls]).toEqual([400, undefined, []]);
    expect(result.errors).toEqual([
      {
        message: expect.stringMatching(`total ${bytes} bytes across its fields, which exceeds the maximum of ${LIMIT}\\.`),
        extensions: {
          code: 'QUERY_TOO_EXPENSIVE',
          retry: 'NEVER',
          limit: LIMIT,
          limitOf: 'ARGUMENT_BYTES',
          argumentBytes: bytes,
        },
      },
    ]);
  });

  it('counts its default once per use', async () => {
    const query = `query ($of: ID = "${createString(90_000)}") { ${repeatField('node(id: $of) { id }')} }`;
    expect((await testGraph.execute(query)).errors?.[0]?.extensions).toMatchObject({
      limitOf: 'ARGUMENT_BYTES',
      argumentBytes: COUNT * 90_002,
    });
  });

  it.each(ACCEPTS)('causes a rejection on both paths, in %s', async (accept) => {
    const [first, second] = await both.equal(queryRequest(MANY_NODES, { variables: { of: createString(90_000) } }, { accept }));
    const expectedCode = `${accept === 'application/json' ? 200 : 400} QUERY_TOO_EXPENSIVE`;
    expect([summarizeStatus(first), summarizeStatus(second), first.calls]).toEqual([expectedCode, expectedCode, []]);
  });

  it('passes up to the limit', async () => {
    const query = `query ($of: ID!, $id: ID!) { ${repeatField('customer(id: $id) { id }')} x: node(id: $of) { id } }`;
    const [{ errors, data }] = await testGraph.recordCalls(() => testGraph.execute(query, { of: createString(90_000), id: CUSTOMER }));
    expect(errors?.map(({ path }) => path)).toEqual([['x']]);
    expect(data.a248).toMatchObject({ id: expect.any(String) });
  });
});

describe('ID or cursor', () => {
  const testGraph = useTestGraph();

  it('fails without decoding if it has more than 1,000 characters', async () => {
    const query = `query ($of: ID!, $after: String) { customer(id: $of) { id } node(id: $of) { id } customers(first: 1, after: $after) { nodes { id } } }`;
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(query, { of: createString(1_001), after: createString(1_001) }),
    );
    expect([calls, errors?.map(({ path, extensions }) => [path, extensions.code])]).toEqual([
      [],
      [
        [['customer'], 'BAD_USER_INPUT'],
        [['node'], 'BAD_USER_INPUT'],
        [['customers'], 'INVALID_CURSOR'],
      ],
    ]);
    expect(errors?.[0]?.message).toContain('of at most 1000 characters, but has 1001');
  });

  it('passes with 1,000 characters', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($of: ID!) { customer(id: $of) { title } }', { of: createString(1_000) }),
    );
    expect([data, errors, calls.length]).toEqual([{ customer: null }, undefined, 1]);
  });
});

describe('list argument of the items of a page', () => {
  const both = useBothPaths();
  const names = Array.from({ length: 900 }, (_, index) => `word ${index}`.padEnd(60, '.'));
  const literal = JSON.stringify(names).replaceAll(',', ' ');
  const selectCustomFields = (names: string) => `nodes { customFields(names: ${names}) { name } }`;

  it.each<[string, string, object, RegExp]>([
    ['literal', `{ customers(first: 100) { ${selectCustomFields(literal)} } }`, {}, /counted once for each object of a page or list/],
    [
      'literal in a fragment under many aliases',
      `{ ${repeatField('customers(first: 1) { ...F }', 200)} } fragment F on CustomerConnection { ${selectCustomFields(literal)} }`,
      {},
      /across its fields, which exceeds/,
    ],
    [
      'variable',
      `query ($of: [String!]!) { customers(first: 100) { ${selectCustomFields('$of')} } }`,
      { of: names },
      /\(counted once for each object of a page or list\), which exceeds/,
    ],
    [
      'default of a variable',
      `query ($of: [String!] = ${literal}) { customers(first: 100) { ${selectCustomFields('$of')} } }`,
      {},
      /\(counted once for each object of a page or list\), which exceeds/,
    ],
  ])('counts once per item: %s', async (_name, query, variables, message) => {
    const [{ body, calls }] = await both.equal(queryRequest(query, { variables }));
    const [error] = JSON.parse(body).errors;
    expect([calls, error]).toEqual([
      [],
      {
        message: expect.stringMatching(message),
        extensions: expect.objectContaining({ code: 'QUERY_TOO_EXPENSIVE', limitOf: 'ARGUMENT_BYTES', limit: LIMIT }),
      },
    ]);
  });

  it('passes if it is short or used once', async () => {
    for (const query of [
      `{ customers(first: 100) { ${selectCustomFields('["budget"]')} } }`,
      `{ customers(first: 1) { ${selectCustomFields(literal)} } }`,
    ]) {
      const [{ body }] = await both.equal(queryRequest(query));
      expect(JSON.parse(body).errors).toBeUndefined();
    }
  });
});

describe('value that is too large to coerce', () => {
  const testGraph = useTestGraph();
  const fill = <Item>(length: number, item: Item) => Array.from({ length }, () => item);
  const SEARCH = 'query ($of: OrderSearchFilterInput) { orderSearch(first: 1, filter: $of) { nodes { id } } }';

  it.each<[name: string, query: string, of: unknown, path: readonly string[], limit: number]>([
    ['IDs', 'query ($of: [ID!]!) { nodes(ids: $of) { id } }', fill(20_000, 'x'), ['ids'], 100],
    ['conditions', SEARCH, { or: fill(30_000, { statuses: ['CONFIRMED'] }) }, ['filter', 'or'], 85],
    ['nested conditions', SEARCH, { and: fill(900, { and: fill(40, {}) }) }, ['filter'], 6_000],
    [
      'lines',
      'mutation ($of: QuoteCreateInput!) { quoteCreate(input: $of) { __typename } }',
      { customerId: 'x', lines: fill(15_000, { productId: 'x', quantity: 1 }) },
      ['lines'],
      1_000,
    ],
    [
      'lines within a literal',
      'mutation ($of: [QuoteLineInput!]!) { quoteCreate(input: { customerId: "x", lines: $of }) { __typename } }',
      fill(15_000, { productId: 'x', quantity: 1 }),
      ['lines'],
      1_000,
    ],
    [
      'unknown fields',
      'mutation ($of: QuoteCreateInput!) { quoteCreate(input: $of) { __typename } }',
      Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`v${index}`, index])),
      [],
      6_000,
    ],
    [
      'JSON',
      'mutation ($of: AdvancedTaskUpdateInput!) { advancedTaskUpdate(input: $of) { __typename } }',
      { advancedTaskId: 'x', values: fill(300_000, {}) },
      ['values'],
      65_536,
    ],
    ['SQL', 'query ($of: String!) { analyticsSql(sql: $of) { __typename } }', `select ${'status in ('.repeat(20_000)}`, ['sql'], 32_768],
    ['a default', `query ($of: [ID!] = [${'"x" '.repeat(1_001)}]) { nodes(ids: $of) { id } }`, undefined, ['ids'], 100],
    ['a literal', `{ orderSearch(first: 1, filter: { or: [${'{}'.repeat(1_001)}] }) { nodes { id } } }`, undefined, ['filter', 'or'], 85],
  ])('fails by the limit of its position, before any call: %s', async (_name, query, of, path, limit) => {
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of }));
    const issue = { path, code: 'TOO_LONG', limit, message: expect.any(String) };
    expect([status, data, errors?.map(({ extensions }) => [extensions.code, extensions.issues]), calls]).toEqual([
      400,
      undefined,
      [['BAD_USER_INPUT', [issue]]],
      [],
    ]);
  });

  it('fails only its own field if it exceeds its limit by little', async () => {
    const ids = fill(1_000, 'x');
    const { data, errors } = await testGraph.execute('query ($of: [String!]!) { __typename viewerCan(coordinates: $of) { coordinate } }', {
      of: ids,
    });
    expect([data, errors?.map(({ path, extensions }) => [path, extensions.code])]).toEqual([
      { __typename: 'Query', viewerCan: null },
      [[['viewerCan'], 'BAD_USER_INPUT']],
    ]);
  });

  it('passes as an unknown variable, up to a number of variables', async () => {
    expect((await testGraph.execute('{ __typename }', { of: fill(300_000, {}) })).errors).toBeUndefined();
    const { errors } = await testGraph.execute(
      '{ __typename }',
      Object.fromEntries(fill(1_001, 0).map((value, index) => [`v${index}`, value])),
    );
    expect(errors?.map(({ message, extensions }) => [message, extensions.code])).toEqual([
      ['`variables` must have at most 1000 members.', 'BAD_USER_INPUT'],
    ]);
  });

  it('reaches the upstream as SQL with thousands of unclosed lists', async () => {
    const sql = `select count(*) from orders where ${'status in ('.repeat(2_900)}`;
    const { data } = await testGraph.execute('query ($of: String!) { analyticsSql(sql: $of) { __typename } }', { of: sql });
    expect(data.analyticsSql).toEqual({ __typename: 'AnalyticsQueryError' });
  });
});

describe('variable with many invalid values', () => {
  const INVALID_COUNT = 900;
  const cases: readonly (readonly [name: string, query: string, value: unknown, validValue: unknown])[] = [
    ['IDs', 'query ($of: [ID!]!) { nodes(ids: $of) { __typename } }', {}, 'x'],
    [
      'inputs',
      'mutation ($of: [QuoteLineInput!]!) { quoteCreate(input: { customerId: "x", lines: $of }) { __typename } }',
      { nope: 1 },
      {},
    ],
    [
      'representations',
      'query ($of: [_Any!]!) { _entities(representations: $of) @skip(if: true) { __typename } }',
      null,
      { __typename: 'Customer' },
    ],
  ];
  const both = useBothPaths();

  it.each(cases)('reports at most fifty errors, on both paths, compiled or not: %s', async (_name, query, value, validValue) => {
    // Repeated documents are compiled.
    for (let time = 0; time < 2; time += 1) await both.equal(queryRequest(query, { variables: { of: [validValue] } }));
    const [first, second] = await both.equal(
      queryRequest(query, { variables: { of: Array.from({ length: INVALID_COUNT }, () => value) } }),
    );
    // The last error says that there are more.
    for (const { body } of [first, second]) {
      const { length } = JSON.parse(body).errors;
      expect([length > 1, length <= 51]).toEqual([true, true]);
    }
    expect(first.calls).toEqual([]);
  });

  it('reports every error if they are few and small', async () => {
    const [{ body }] = await both.equal(
      queryRequest('query ($of: [ID!]!) { nodes(ids: $of) { __typename } }', { variables: { of: [{}, 'x', []] } }),
    );
    expect(JSON.parse(body).errors).toHaveLength(2);
  });

  it('reports fewer errors if they are large, because each message repeats the value', async () => {
    const query = 'query ($of: CustomerFileFilterInput) { customer(id: "x") { files(filter: $of) { __typename } } }';
    const of = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`kynd${index}`.padEnd(90, 'x'), 1]));
    const [{ body, calls }] = await both.equal(queryRequest(query, { variables: { of } }));
    expect([JSON.parse(body).errors.length, body.length < 2 * 1024 * 1024, calls]).toEqual([3, true, []]);
  });

  it('reports at most fifty errors for incremental delivery', async () => {
    const of = Array.from({ length: INVALID_COUNT }, () => ({}));
    const query = 'query ($of: [ID!]!) { nodes(ids: $of) { ... @defer { __typename } } }';
    const [first] = await both.equal(queryRequest(query, { variables: { of } }, { accept: 'multipart/mixed, application/json' }));
    expect(JSON.stringify(first.body).match(/got invalid value/g)?.length).toBeLessThanOrEqual(50);
  });
});

describe('string that is slow to match', () => {
  const testGraph = useTestGraph();

  it('fails as a decimal without matching', async () => {
    const query = 'mutation ($of: Decimal!) { productCreate(input: { name: "Long", vatRate: $of }) { __typename } }';
    const { errors, data } = await testGraph.execute(query, { of: `1${'0'.repeat(90_000)}1` });
    expect([errors?.[0]?.extensions.code, data]).toEqual(['BAD_USER_INPUT', undefined]);
  });

  it('skips matching the upstream’s error text if it is too long', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Invitation/EmailMemberInvitation',
      status: 400,
      body: JSON.stringify({ code: 'invalid_argument', message: 'email: is no address' }),
    });
    const query = `mutation ($of: String!) { memberInvitationCreate(input: { email: $of, idempotencyKey: "long" }) { __typename ... on MutationError { code message } } }`;
    const { data } = await testGraph.execute(query, { of: `${'@'.repeat(90_000)} ` });
    testGraph.sandbox.faults.clear();
    expect(data.memberInvitationCreate).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT' });
  });
});
