import { describe, expect, it } from 'vitest';
import { ACCEPTS, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { CUSTOMER } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIMIT = 4 * 1024 * 1024;
const COUNT = 249;
const many = (field: string, count = COUNT) => Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
const long = (length: number) => 'x'.repeat(length);

describe('variables that are given to many fields', () => {
  const testGraph = useTestGraph();
  const both = useBothPaths();
  const inOwn = `query ($of: ID!) { ${many('node(id: $of) { id }')} }`;

  it.each<[string, string, number?]>([
    ['ids', inOwn],
    ['ids that are looked for', `query ($of: ID!) { ${many('customer(id: $of) { id }')} }`],
    ['members of inputs', `mutation ($of: String!) { ${many('customerCreate(input: { title: $of }) { __typename }')} }`],
    [
      'fields of fragments',
      `query ($of: String!) { customer(id: "x") { ...F } b: customer(id: "y") { ...F } } fragment F on Customer { ${many('comments(after: $of) { __typename }', 124)} }`,
      248,
    ],
  ])('are counted as often, and refused before a call is made: %s', async (_name, query, count = COUNT) => {
    const bytes = 900_002 * count;
    const [answer, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of: long(900_000) }));
    expect([answer.status, answer.data, calls]).toEqual([400, undefined, []]);
    expect(answer.errors).toEqual([
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

  it('are counted when they are defaults', async () => {
    const query = `query ($of: ID = "${long(90_000)}") { ${many('node(id: $of) { id }')} }`;
    expect((await testGraph.execute(query)).errors?.[0]?.extensions).toMatchObject({
      limitOf: 'ARGUMENT_BYTES',
      argumentBytes: COUNT * 90_002,
    });
  });

  it.each(ACCEPTS)('are refused on both paths, in %s', async (accept) => {
    const [first, second] = await both.equal(queryRequest(inOwn, { variables: { of: long(900_000) } }, { accept }));
    const told = `${accept === 'application/json' ? 200 : 400} QUERY_TOO_EXPENSIVE`;
    expect([summarizeStatus(first), summarizeStatus(second), first.calls]).toEqual([told, told, []]);
  });

  it('pass up to the limit', async () => {
    const query = `query ($of: ID!, $id: ID!) { ${many('customer(id: $id) { id }')} x: node(id: $of) { id } }`;
    const [{ errors, data }] = await testGraph.recordCalls(() => testGraph.execute(query, { of: long(900_000), id: CUSTOMER }));
    expect(errors?.map(({ path }) => path)).toEqual([['x']]);
    expect(data.a248).toMatchObject({ id: expect.any(String) });
  });
});

describe('an id or a cursor that is too long', () => {
  const testGraph = useTestGraph();

  it('is refused unread', async () => {
    const query = `query ($of: ID!, $after: String) { customer(id: $of) { id } node(id: $of) { id } customers(first: 1, after: $after) { nodes { id } } }`;
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of: long(1_001), after: long(1_001) }));
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

  it('may have up to 1,000 characters', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($of: ID!) { customer(id: $of) { title } }', { of: long(1_000) }),
    );
    expect([data, errors, calls.length]).toEqual([{ customer: null }, undefined, 1]);
  });
});

describe('lists that fields are given once for each object of a page', () => {
  const both = useBothPaths();
  const words = Array.from({ length: 7_000 }, (_, index) => `word ${index}`);
  const literal = JSON.stringify(words).replaceAll(',', ' ');
  const named = (names: string) => `nodes { customFields(names: ${names}) { name } }`;

  it.each<[string, string, object, RegExp]>([
    ['of the document', `{ customers(first: 100) { ${named(literal)} } }`, {}, /counted once for each object of a page or list/],
    [
      'of a fragment under many names',
      `{ ${many('customers(first: 1) { ...F }', 200)} } fragment F on CustomerConnection { ${named(literal)} }`,
      {},
      /across its fields, which exceeds/,
    ],
    [
      'of a variable',
      `query ($of: [String!]!) { customers(first: 100) { ${named('$of')} } }`,
      { of: words },
      /\(counted once for each object of a page or list\), which exceeds/,
    ],
    [
      'in the default of a variable',
      `query ($of: [String!] = ${literal}) { customers(first: 100) { ${named('$of')} } }`,
      {},
      /\(counted once for each object of a page or list\), which exceeds/,
    ],
  ])('are counted as often: %s', async (_name, query, variables, message) => {
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

  it('pass when they are short, or are given once', async () => {
    for (const query of [`{ customers(first: 100) { ${named('["budget"]')} } }`, `{ customers(first: 1) { ${named(literal)} } }`]) {
      const [{ body }] = await both.equal(queryRequest(query));
      expect(JSON.parse(body).errors).toBeUndefined();
    }
  });
});

describe('variables with many values that are none', () => {
  const bad = 60_000;
  const cases: readonly (readonly [name: string, query: string, value: unknown, fine: unknown])[] = [
    ['ids', 'query ($of: [ID!]!) { nodes(ids: $of) { __typename } }', {}, 'x'],
    [
      'inputs',
      'mutation ($of: [QuoteLineInput!]!) { quoteCreate(input: { customerId: "x", lines: $of }) { __typename } }',
      { nope: 1 },
      {},
    ],
    [
      'references',
      'query ($of: [_Any!]!) { _entities(representations: $of) @skip(if: true) { __typename } }',
      null,
      { __typename: 'Customer' },
    ],
  ];
  const both = useBothPaths();

  it.each(cases)('are told fifty times at most, on both paths, compiled or not: %s', async (_name, query, value, fine) => {
    // Documents that were asked before are compiled.
    for (let time = 0; time < 2; time += 1) await both.equal(queryRequest(query, { variables: { of: [fine] } }));
    const [first, second] = await both.equal(queryRequest(query, { variables: { of: Array.from({ length: bad }, () => value) } }));
    // The last one says that there are more.
    for (const { body } of [first, second]) {
      const { length } = JSON.parse(body).errors;
      expect([length > 1, length <= 51]).toEqual([true, true]);
    }
    expect(first.calls).toEqual([]);
  });

  it('are all told when they are few and small', async () => {
    const [{ body }] = await both.equal(
      queryRequest('query ($of: [ID!]!) { nodes(ids: $of) { __typename } }', { variables: { of: [{}, 'x', []] } }),
    );
    expect(JSON.parse(body).errors).toHaveLength(2);
  });

  it('are told fewer times when they are large, since each message repeats them', async () => {
    const query = 'query ($of: CustomerFileFilterInput) { customer(id: "x") { files(filter: $of) { __typename } } }';
    const of = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`kynd${index}`, 1]));
    const [{ body, calls }] = await both.equal(queryRequest(query, { variables: { of } }));
    expect([JSON.parse(body).errors.length, body.length < 2 * 1024 * 1024, calls]).toEqual([3, true, []]);
  });

  it('are told as often where parts are asked for', async () => {
    const of = Array.from({ length: bad }, () => ({}));
    const query = 'query ($of: [ID!]!) { nodes(ids: $of) { ... @defer { __typename } } }';
    const [first] = await both.equal(queryRequest(query, { variables: { of } }, { accept: 'multipart/mixed, application/json' }));
    expect(JSON.stringify(first.body).match(/got invalid value/g)?.length).toBeLessThanOrEqual(50);
  });
});

describe('a text that would take long to match', () => {
  const testGraph = useTestGraph();

  it('is refused unread as a decimal', async () => {
    const query = 'mutation ($of: Decimal!) { productCreate(input: { name: "Long", vatRate: $of }) { __typename } }';
    const { errors, data } = await testGraph.execute(query, { of: `1${'0'.repeat(900_000)}1` });
    expect([errors?.[0]?.extensions.code, data]).toEqual(['BAD_USER_INPUT', undefined]);
  });

  it('is not matched when it is too long, where a refusal of the upstream is explained', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Invitation/EmailMemberInvitation',
      status: 400,
      body: JSON.stringify({ code: 'invalid_argument', message: 'email: is no address' }),
    });
    const query = `mutation ($of: String!) { memberInvitationCreate(input: { email: $of, idempotencyKey: "long" }) { __typename ... on MutationError { code message } } }`;
    const { data } = await testGraph.execute(query, { of: `${'@'.repeat(500_000)} ` });
    testGraph.sandbox.faults.clear();
    expect(data.memberInvitationCreate).toMatchObject({ __typename: 'ValidationError', code: 'BAD_USER_INPUT' });
  });
});
