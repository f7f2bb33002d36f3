import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { ACCEPTS, queryRequest, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { readParts } from '../../support/parts.ts';
import { CUSTOMER, createQuoting } from '../../support/quoting.ts';
import { type GraphResult, useTestGraph } from '../../support/testGraph.ts';

const repeat = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** Many aliases of a page of customers, each customer selected twice, with ten custom fields. */
const MANY_PAGES = `{ ${repeat(249, (i) => `a${i}: customers(first: 100) { ...F }`)} }
  fragment F on CustomerConnection { nodes { customFields { name } } edges { node { customFields { name } } } }`;

const getCodes = ({ errors }: GraphResult) => errors?.map(({ extensions }) => extensions.code);

describe('predicted response size', () => {
  const testGraph = useTestGraph();
  const both = useBothPaths();

  it('rejects an operation over the limit without a call and reports the numbers', async () => {
    const [result, calls] = await testGraph.recordCalls(() => testGraph.execute(MANY_PAGES));
    const { status, data, errors, cost } = result;
    const predicted = { predictedNodes: 249 * (1 + 200 + 100 + 2_000), predictedLeaves: 249 * 2_000 };
    expect([status, data, calls]).toEqual([400, undefined, []]);
    expect(errors).toEqual([
      {
        message: expect.stringMatching(
          /572949 objects and 498000 values.*exceeds the limit of 16777216 bytes \(MAX_RESPONSE_BYTES\)\. Nothing was executed\./,
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

  it.each(ACCEPTS)('rejects an operation over the limit on both paths, in %s', async (accept) => {
    const [first, second] = await both.equal(queryRequest(MANY_PAGES, {}, { accept }));
    const expectedCode = `${accept === 'application/json' ? 200 : 400} QUERY_TOO_EXPENSIVE`;
    expect([summarizeStatus(first), summarizeStatus(second), first.calls]).toEqual([expectedCode, expectedCode, []]);
  });

  it('counts each deferred or streamed payload, including repeated fragments', async () => {
    const deep = (deferred: string) =>
      `{ roles(first: 95) { nodes { members(first: 1) { nodes { roles(first: 95) { nodes { ...F ${deferred} } } } } } } } fragment F on Role { __typename }`;
    const fetchRefusal = async (query: string) => {
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
    expect(await fetchRefusal(deep(repeat(100, (i) => `... @defer(label: "x${i}") { __typename }`)))).toEqual(tooLarge);
    expect(await fetchRefusal(deep(repeat(100, (i) => `...F @defer(label: "x${i}")`)))).toEqual(tooLarge);
    expect((await testGraph.execute(deep(repeat(100, () => '... @defer(if: false) { __typename }')))).errors).toBeUndefined();
    // No customer matches: only the predicted size is large.
    const streamed = `{ ${repeat(120, (i) => `a${i}: customers(first: 100, query: "absent") { nodes @stream(initialCount: 0) { customFields @stream(initialCount: 0) { name value __typename money { amount } } } }`)} }`;
    expect(await fetchRefusal(streamed)).toEqual(tooLarge);
    expect((await testGraph.execute(streamed.replaceAll(/@stream\(initialCount: 0\)/g, ''))).errors).toBeUndefined();
  });

  it('counts representations and IDs once per repetition', async () => {
    const fields = repeat(249, (i) => `a${i}: id`);
    const of = Array(1_000).fill({ __typename: 'Customer', rawId: 'x' });
    const references = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { ${fields} } } }`;
    expect((await testGraph.execute(references, { of: [...of, of[0]] })).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    const ids = Array(100).fill(Buffer.from('Customer:x').toString('base64url'));
    const nodes = `query ($ids: [ID!]!) { ${repeat(249, (i) => `a${i}: nodes(ids: $ids) { ... on Customer { title customFields { name value text number } } }`)} }`;
    const { errors } = await testGraph.execute(nodes, { ids });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_EXPENSIVE', predictedLeaves: 249 * 100 * (1 + 10 * 4) });
  });

  it('rejects large schema queries for every caller, but not the standard introspection query', async () => {
    const nested = `{ __schema { ${repeat(249, (i) => `a${i}: types { name fields { name type { name } } }`)} } }`;
    const deep =
      '{ __schema { types { fields { type { fields { type { fields { type { fields { type { fields { name } } } } } } } } } } } }';
    const sdl = `{ _service { ${repeat(250, (i) => `a${i}: sdl`)} } }`;
    for (const query of [nested, sdl]) {
      for (const key of [null, 'demo-owner']) {
        const result = await testGraph.executeAs(key, query);
        expect([query.slice(0, 60), result.status, getCodes(result)]).toEqual([query.slice(0, 60), 400, ['QUERY_TOO_EXPENSIVE']]);
        expect(result.errors?.[0]?.message).toMatch(
          /exceeds the limit of \d+ bytes for the schema \(twice the size of the standard introspection query\)/,
        );
      }
    }
    // A rule of graphql-js rejects deeply nested lists before their size is counted.
    expect(getCodes(await testGraph.executeAs(null, deep))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    const all = { descriptions: true, specifiedByUrl: true, schemaDescription: true, inputValueDeprecation: true, oneOf: true };
    for (const query of [
      getIntrospectionQuery(),
      getIntrospectionQuery(all),
      '{ _service { sdl } }',
      '{ __type(name: "Quote") { fields { name } } }',
    ])
      expect((await testGraph.executeAs(null, query)).errors).toBeUndefined();
  });
});

describe('actual response size', () => {
  const LIMIT = 20_000;
  const testGraph = useTestGraph({}, undefined, { env: { MAX_RESPONSE_BYTES: String(LIMIT) } });
  const both = useBothPaths({ env: { MAX_RESPONSE_BYTES: String(LIMIT) } });
  const { lamp } = createQuoting(testGraph);

  beforeAll(() => {
    for (const { sandbox } of [testGraph, ...both.worlds])
      sandbox.world.store.run('UPDATE customers SET title = :title', { title: 'x'.repeat(450) });
  });

  /** The predicted size is a tenth of the limit, the actual size is larger. */
  const LARGE = '{ customers(first: 18) { nodes { title x: title y: title } } }';

  const REFUSAL = [
    {
      message: expect.stringContaining(`The response exceeds ${LIMIT} bytes`),
      extensions: { code: 'QUERY_TOO_EXPENSIVE', retry: 'NEVER', limit: LIMIT, limitOf: 'RESPONSE_BYTES' },
    },
  ];

  it('rejects the whole response, compiled or not, if values are larger than predicted', async () => {
    const query = LARGE;
    for (let time = 0; time < 4; time += 1) {
      const { status, data, errors, cost } = await testGraph.execute(query);
      expect([status, data, errors, cost?.actualCalls, cost?.responseBytes]).toEqual([400, undefined, REFUSAL, 1, null]);
    }
    expect((await testGraph.execute(LARGE.replace('x: title', ''))).errors).toBeUndefined();
  });

  it('counts again if a compiled query fails and is re-executed', async () => {
    const query = '{ customers(first: 18) { nodes { title x: title } } bad: customers(first: -1) { __typename } }';
    for (let time = 0; time < 3; time += 1) {
      const result = await testGraph.execute(query);
      expect([getCodes(result), result.data.customers.nodes.length]).toEqual([['BAD_USER_INPUT'], 18]);
      expect(result.cost?.responseBytes).toBeGreaterThan(LIMIT / 2);
    }
  });

  it('rejects the response on both paths', async () => {
    for (const accept of ACCEPTS) {
      const [first, second] = await both.equal(queryRequest(LARGE, {}, { accept }));
      const expectedCode = `${accept === 'application/json' ? 200 : 400} QUERY_TOO_EXPENSIVE`;
      expect([summarizeStatus(first), summarizeStatus(second)]).toEqual([expectedCode, expectedCode]);
    }
  });

  it('counts the UTF-8 bytes of long strings', async () => {
    const input = { customerId: demoId('customer 1'), body: '"é\u0001😀'.repeat(1_000) };
    await testGraph.execute('mutation ($input: CustomerCommentCreateInput!) { customerCommentCreate(input: $input) { __typename } }', {
      input,
    });
    const createQuery = (aliases: number) =>
      testGraph.execute(
        `{ customer(id: "${input.customerId}") { comments(first: 1) { nodes { ${repeat(aliases, (i) => `a${i}: body`)} } } } }`,
      );
    // In JSON, each repetition has 2, 2, 6, and 4 bytes.
    const [fits, tooLarge] = [await createQuery(1), await createQuery(2)];
    expect([fits.errors, fits.cost?.responseBytes, tooLarge.errors]).toEqual([undefined, expect.any(Number), REFUSAL]);
    expect(fits.cost?.responseBytes).toBeGreaterThan(14_000);
    expect(fits.cost?.responseBytes).toBe(Buffer.byteLength(JSON.stringify(fits.data)));
  });

  it('rejects a list that is longer than predicted before completing its items', async () => {
    const product = await lamp();
    const input = { customerId: CUSTOMER, lines: Array.from({ length: 100 }, () => ({ productId: product, quantity: 1 })) };
    const create = 'mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { ... on QuoteCreatePayload { quote { rawId } } } }';
    const { rawId } = (await testGraph.execute(create, { input })).data.quoteCreate.quote;
    const createQuery = (aliases: number) =>
      testGraph.execute(`{ quote(id: "${rawId}") { ${repeat(aliases, (i) => `a${i}: lines { x: quantity y: quantity z: quantity }`)} } }`);
    // The prediction counts 64 bytes per line, the response has 25.
    const [fits, tooMany] = [await createQuery(3), await createQuery(4)];
    expect([fits.errors, fits.data.quote.a2.length, tooMany.errors, tooMany.data]).toEqual([undefined, 100, REFUSAL, undefined]);
  });

  it('nulls the oversized field of a mutation that has been executed', async () => {
    const create = (alias: string, lastName: string, fields: string) =>
      `${alias}: contactCreate(input: { lastName: "${lastName}" }) { ... on ContactCreatePayload { contact { ${fields} } } }`;
    const long = 'x'.repeat(150);
    const query = `mutation { ${create('small', 'Small', 'lastName')} ${create(
      'large',
      long,
      repeat(200, (i) => `a${i}: lastName`),
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

  it('ends an incremental response at the first payload that doesn’t fit', async () => {
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept: 'multipart/mixed' },
      body: JSON.stringify({
        query: `{ customers(first: 2) { nodes { title } } ... @defer(label: "late") { more: customers(first: 18) { nodes { title x: title y: title } } } }`,
      }),
    });
    const parts = [];
    if (response.body) for await (const part of readParts(response.body)) parts.push(part);
    expect(parts).toEqual([
      { data: { customers: { nodes: [{ title: expect.any(String) }, { title: expect.any(String) }] } }, hasNext: true },
      {
        incremental: [{ data: null, path: [], label: 'late', errors: [expect.objectContaining({ message: REFUSAL[0]?.message })] }],
        hasNext: false,
        extensions: { cost: expect.objectContaining({ predictedCalls: 2 }) },
      },
    ]);
  });

  it('reports the bytes of the response, as predicted', async () => {
    const { data, cost } = await testGraph.execute('{ customers(first: 5) { nodes { title email } pageInfo { hasNextPage } } }');
    expect(cost).toMatchObject({
      predictedNodes: 1 + 5 + 1,
      predictedLeaves: 5 * 2 + 1,
      responseBytes: Buffer.byteLength(JSON.stringify(data)),
    });
  });
});
