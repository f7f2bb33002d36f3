import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { ACCEPTS, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { partsOf } from '../../support/parts.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { type GraphResult, RAW_RECORDS, useTestGraph } from '../../support/testGraph.ts';

const times = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** A page of customers under many names, each of them whole twice. */
const MANY_PAGES = `{ ${times(249, (i) => `a${i}: customers(first: 100) { ...F }`)} }
  fragment F on CustomerConnection { nodes { upstreamRecord } edges { node { upstreamRecord } } }`;

const codesOf = ({ errors }: GraphResult) => errors?.map(({ extensions }) => extensions.code);

describe('an answer that its document predicts to be too large', () => {
  const testGraph = useTestGraph({}, undefined, RAW_RECORDS);
  const both = useBothPaths(RAW_RECORDS);

  it('is refused before a call is made, with the numbers', async () => {
    const [answer, calls] = await testGraph.recordCalls(() => testGraph.execute(MANY_PAGES));
    const { status, data, errors, cost } = answer;
    const predicted = { predictedNodes: 249 * (1 + 200 + 100), predictedLeaves: 249 * 200 };
    expect([status, data, calls]).toEqual([400, undefined, []]);
    expect(errors).toEqual([
      {
        message: expect.stringMatching(
          /74949 objects and 49800 values.*exceeds the limit of 16777216 bytes \(MAX_RESPONSE_BYTES\)\. Nothing was executed\./,
        ),
        extensions: {
          code: 'QUERY_TOO_EXPENSIVE',
          retry: 'NEVER',
          limit: 16_777_216,
          limitOf: 'RESPONSE_BYTES',
          predictedBytes: expect.any(Number),
          ...predicted,
        },
      },
    ]);
    expect(cost).toMatchObject({ ...predicted, predictedCalls: 249, actualCalls: 0, responseBytes: null });
  });

  it.each(ACCEPTS)('is refused on both paths, in %s', async (accept) => {
    const [first, second] = await both.equal(queryRequest(MANY_PAGES, {}, { accept }));
    const told = `${accept === 'application/json' ? 200 : 400} QUERY_TOO_EXPENSIVE`;
    expect([summarizeStatus(first), summarizeStatus(second), first.calls]).toEqual([told, told, []]);
  });

  it('counts each part that comes later, of repeated fragments too', async () => {
    const deep = (deferred: string) =>
      `{ roles(first: 95) { nodes { members(first: 1) { nodes { roles(first: 95) { nodes { ...F ${deferred} } } } } } } } fragment F on Role { __typename }`;
    const refusalOf = async (query: string) => {
      const headers = {
        'content-type': 'application/json',
        authorization: 'Bearer demo-owner',
        accept: 'application/json, multipart/mixed',
      };
      const response = await fetch(`${testGraph.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
      const { errors, extensions } = (await response.json()) as GraphResult & { readonly extensions?: Pick<GraphResult, 'cost'> };
      return [errors?.[0]?.extensions.code, errors?.[0]?.extensions.limitOf, extensions?.cost?.actualCalls];
    };
    const tooLarge = ['QUERY_TOO_EXPENSIVE', 'RESPONSE_BYTES', 0];
    expect(await refusalOf(deep(times(100, (i) => `... @defer(label: "x${i}") { __typename }`)))).toEqual(tooLarge);
    expect(await refusalOf(deep(times(100, (i) => `...F @defer(label: "x${i}")`)))).toEqual(tooLarge);
    expect((await testGraph.execute(deep(times(100, () => '... @defer(if: false) { __typename }')))).errors).toBeUndefined();
    // No customer matches: only the prediction is large.
    const streamed = `{ ${times(120, (i) => `a${i}: customers(first: 100, query: "nobody") { nodes @stream(initialCount: 0) { customFields @stream(initialCount: 0) { name value __typename money { amount } } } }`)} }`;
    expect(await refusalOf(streamed)).toEqual(tooLarge);
    expect((await testGraph.execute(streamed.replaceAll(/@stream\(initialCount: 0\)/g, ''))).errors).toBeUndefined();
  });

  it('counts references and ids as often as they are repeated', async () => {
    const fields = times(249, (i) => `a${i}: id`);
    const of = Array(1_000).fill({ __typename: 'Customer', rawId: 'x' });
    const references = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { ${fields} } } }`;
    expect((await testGraph.execute(references, { of: [...of, of[0]] })).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    const ids = Array(100).fill(Buffer.from('Customer:x').toString('base64url'));
    const nodes = `query ($ids: [ID!]!) { ${times(249, (i) => `a${i}: nodes(ids: $ids) { ... on Customer { upstreamRecord customFields { name value } } }`)} }`;
    const { errors } = await testGraph.execute(nodes, { ids });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_EXPENSIVE', predictedLeaves: 249 * 100 * (1 + 10 * 2) });
  });

  it('of the schema is refused to anybody, and the standard query is not', async () => {
    const nested = `{ __schema { ${times(249, (i) => `a${i}: types { name fields { name type { name } } }`)} } }`;
    const deep =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { type { fields { name } } } } } } } } } } } }';
    const sdl = `{ _service { ${times(250, (i) => `a${i}: sdl`)} } }`;
    for (const query of [nested, sdl]) {
      for (const key of [null, 'demo-owner']) {
        const answer = await testGraph.executeAs(key, query);
        expect([query.slice(0, 60), answer.status, codesOf(answer)]).toEqual([query.slice(0, 60), 400, ['QUERY_TOO_EXPENSIVE']]);
        expect(answer.errors?.[0]?.message).toMatch(
          /exceeds the limit of \d+ bytes for the schema \(twice the size of the standard introspection query\)/,
        );
      }
    }
    // Lists of lists of lists are refused by a rule of graphql-js before they are counted.
    expect(codesOf(await testGraph.executeAs(null, deep))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    const all = { descriptions: true, specifiedByUrl: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true };
    for (const query of [
      getIntrospectionQuery(),
      getIntrospectionQuery(all),
      '{ _service { sdl } }',
      '{ __type(name: "Quote") { fields { name } } }',
    ])
      expect((await testGraph.executeAs(null, query)).errors).toBeUndefined();
  });

  it('is small without a key: nothing but the schema is told', async () => {
    const of = Array.from({ length: 100 }, (_, index) => ({ __typename: 'Customer', rawId: `x${index}` }));
    const query = `query ($of: [_Any!]!) { ${times(200, (i) => `a${i}: _entities(representations: $of) { ... on Customer { id rawId } }`)} }`;
    const refused = await testGraph.executeAs(null, query, { of });
    expect([refused.status, codesOf(refused), refused.errors?.[0]?.extensions.limit]).toEqual([400, ['QUERY_TOO_EXPENSIVE'], 262_144]);
    expect(refused.errors?.[0]?.message).toContain('without an API key');
    expect((await testGraph.executeAs(null, '{ customer(id: "x") { title } }')).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});

describe('an answer that gets too large while it is built', () => {
  const LIMIT = 20_000;
  const testGraph = useTestGraph({}, undefined, { env: { RAW_RECORDS: 'true', MAX_RESPONSE_BYTES: String(LIMIT) } });
  const both = useBothPaths({ env: { RAW_RECORDS: 'true', MAX_RESPONSE_BYTES: String(LIMIT) } });
  const { lamp } = createQuoting(testGraph);

  /** 19,000 bytes are predicted, and more are there. */
  const LARGE = '{ customers(first: 18) { nodes { upstreamRecord x: upstreamRecord title } } }';

  const REFUSAL = [
    {
      message: expect.stringContaining(`The response exceeds ${LIMIT} bytes`),
      extensions: { code: 'QUERY_TOO_EXPENSIVE', retry: 'NEVER', limit: LIMIT, limitOf: 'RESPONSE_BYTES' },
    },
  ];

  it('is refused as a whole, compiled or not, when values are larger than they are taken to be', async () => {
    const query = LARGE;
    for (let time = 0; time < 4; time += 1) {
      const { status, data, errors, cost } = await testGraph.execute(query);
      expect([status, data, errors, cost?.actualCalls, cost?.responseBytes]).toEqual([400, undefined, REFUSAL, 1, null]);
    }
    expect((await testGraph.execute(LARGE.replace('x: upstreamRecord', ''))).errors).toBeUndefined();
  });

  it('is counted anew when a compiled query meets an error and is executed again', async () => {
    const query = '{ customers(first: 18) { nodes { upstreamRecord title } } bad: customers(first: -1) { __typename } }';
    for (let time = 0; time < 3; time += 1) {
      const answer = await testGraph.execute(query);
      expect([codesOf(answer), answer.data.customers.nodes.length]).toEqual([['BAD_USER_INPUT'], 18]);
      expect(answer.cost?.responseBytes).toBeGreaterThan(LIMIT / 2);
    }
  });

  it('is refused on both paths', async () => {
    for (const accept of ACCEPTS) {
      const [first, second] = await both.equal(queryRequest(LARGE, {}, { accept }));
      const told = `${accept === 'application/json' ? 200 : 400} QUERY_TOO_EXPENSIVE`;
      expect([summarizeStatus(first), summarizeStatus(second)]).toEqual([told, told]);
    }
  });

  it('is refused when a text is long, or its bytes are more than its characters', async () => {
    const input = { customerId: demoId('customer 1'), body: '"é\u0001😀'.repeat(1_000) };
    await testGraph.execute('mutation ($input: CustomerCommentCreateInput!) { customerCommentCreate(input: $input) { __typename } }', {
      input,
    });
    const of = (aliases: number) =>
      testGraph.execute(
        `{ customer(id: "${input.customerId}") { comments(first: 1) { nodes { ${times(aliases, (i) => `a${i}: body`)} } } } }`,
      );
    // In JSON each repeat takes 2, 2, 6 and 4 bytes.
    const [fits, tooLong] = [await of(1), await of(2)];
    expect([fits.errors, fits.cost?.responseBytes, tooLong.errors]).toEqual([undefined, expect.any(Number), REFUSAL]);
    expect(fits.cost?.responseBytes).toBeGreaterThan(14_000);
    expect(fits.cost?.responseBytes).toBe(Buffer.byteLength(JSON.stringify(fits.data)));
  });

  it('is refused before a list is gone into that is longer than it is taken to be', async () => {
    const product = await lamp();
    const input = { customerId: CUSTOMER, lines: Array.from({ length: 100 }, () => ({ productId: product, quantity: 1 })) };
    const create = 'mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { ... on QuoteCreatePayload { quote { rawId } } } }';
    const { rawId } = (await testGraph.execute(create, { input })).data.quoteCreate.quote;
    const of = (aliases: number) =>
      testGraph.execute(`{ quote(id: "${rawId}") { ${times(aliases, (i) => `a${i}: lines { x: quantity y: quantity z: quantity }`)} } }`);
    // 64 bytes a line are counted, and 25 are answered.
    const [fits, tooMany] = [await of(3), await of(4)];
    expect([fits.errors, fits.data.quote.a2.length, tooMany.errors, tooMany.data]).toEqual([undefined, 100, REFUSAL, undefined]);
  });

  it('is trimmed when it is that of a mutation, which has been executed', async () => {
    const create = (alias: string, lastName: string, fields: string) =>
      `${alias}: contactCreate(input: { lastName: "${lastName}" }) { ... on ContactCreatePayload { contact { ${fields} } } }`;
    const long = 'x'.repeat(150);
    const query = `mutation { ${create('small', 'Small', 'lastName')} ${create(
      'large',
      long,
      times(200, (i) => `a${i}: lastName`),
    )} ${create('last', 'Last', 'lastName')} }`;
    const [{ status, data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([status, data]).toEqual([
      294,
      { small: { contact: { lastName: 'Small' } }, large: null, last: { contact: { lastName: 'Last' } } },
    ]);
    expect(errors).toEqual([
      {
        message: expect.stringMatching(/^large was executed, but the response exceeds 20000 bytes/),
        path: ['large'],
        extensions: { code: 'QUERY_TOO_EXPENSIVE', retry: 'CHECK_FIRST', limit: LIMIT, limitOf: 'RESPONSE_BYTES' },
      },
    ]);
    expect(calls).toEqual(Array(3).fill('Contact/CreateContact'));
  });

  it('is ended at the part that does not fit, when it comes in parts', async () => {
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept: 'multipart/mixed' },
      body: JSON.stringify({
        query: `{ customers(first: 2) { nodes { title } } ... @defer(label: "late") { more: customers(first: 18) { nodes { upstreamRecord x: upstreamRecord } } } }`,
      }),
    });
    const parts = [];
    if (response.body) for await (const part of partsOf(response.body)) parts.push(part);
    expect(parts).toEqual([
      { data: { customers: { nodes: [{ title: expect.any(String) }, { title: expect.any(String) }] } }, hasNext: true },
      {
        incremental: [{ data: null, path: [], label: 'late', errors: [expect.objectContaining({ message: REFUSAL[0]?.message })] }],
        hasNext: false,
        extensions: { cost: expect.objectContaining({ predictedCalls: 2 }) },
      },
    ]);
  });

  it('tells its bytes when it fits, and is what was predicted', async () => {
    const { data, cost } = await testGraph.execute('{ customers(first: 5) { nodes { title email } pageInfo { hasNextPage } } }');
    expect(cost).toMatchObject({
      predictedNodes: 1 + 5 + 1,
      predictedLeaves: 5 * 2 + 1,
      responseBytes: Buffer.byteLength(JSON.stringify(data)),
    });
  });
});
