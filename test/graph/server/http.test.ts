import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawRequest, type RawResponse, sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const send = (request: RawRequest) => sendRaw(testGraph.url, request);

const query = (text: string, headers: Record<string, string> = {}, variables: object = {}) =>
  send({
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', ...headers },
    body: JSON.stringify({ query: text, variables }),
  });

const jsonOf = ({ body }: RawResponse) => JSON.parse(body.toString());

const SMALL = '{ __typename }';
const LARGE = '{ contacts(first: 100) { nodes { id rawId lastName } } }';
const MUTATION = 'mutation { contactCreate(input: { lastName: "Got" }) { __typename } }';
const PARTIAL = '{ contacts(first: 1) { nodes { rawId } } customer(id: "x") { title } }';
const NEEDS_ID = 'query ($id: ID!) { customer(id: $id) { title } }';

describe('an answer as application/graphql-response+json', () => {
  it.each([
    ['a query that works', SMALL, {}, 200],
    ['data with an error', PARTIAL, {}, 294],
    ['an error that leaves no data', '{ customer(id: "x") { title } }', {}, 294],
    ['a query that does not parse', '{', {}, 400],
    ['a query that does not fit the graph', '{ nonsense }', {}, 400],
    ['a variable that is not there', NEEDS_ID, {}, 400],
    ['a variable of another type', NEEDS_ID, { id: { a: 1 } }, 400],
    ['two queries of which none is named', 'query A { __typename } query B { __typename }', {}, 400],
  ])('to %s', async (_name, text, variables, status) => {
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomer', status: 500 });
    const answer = await query(text, { accept: 'application/graphql-response+json' }, variables);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/graphql-response+json; charset=utf-8']);
    expect('data' in jsonOf(answer)).toBe(status < 300);
  });

  it('to a request that is refused for its form', async () => {
    const headers = { accept: 'application/graphql-response+json', 'content-type': 'text/plain' };
    const answers = [await query(SMALL, headers), await send({ path: `/graphql?query=${encodeURIComponent(SMALL)}&variables=x`, headers })];
    expect(answers.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [415, 'application/graphql-response+json; charset=utf-8'],
      [400, 'application/graphql-response+json; charset=utf-8'],
    ]);
    expect(answers.map((answer) => jsonOf(answer).errors[0].extensions)).toEqual([{ code: 'BAD_REQUEST' }, { code: 'BAD_REQUEST' }]);
  });
});

describe('an answer as application/json', () => {
  it.each([
    ['a query that works', SMALL, {}, 200],
    ['data with an error', PARTIAL, {}, 200],
    ['an error that leaves no data', '{ customer(id: "x") { title } }', {}, 200],
    ['a query that does not parse', '{', {}, 200],
    ['a query that does not fit the graph', '{ nonsense }', {}, 200],
    ['a variable that is not there', NEEDS_ID, {}, 200],
    ['a variable of another type', NEEDS_ID, { id: { a: 1 } }, 200],
    ['two queries of which none is named', 'query A { __typename } query B { __typename }', {}, 200],
  ])('to %s', async (_name, text, variables, status) => {
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomer', status: 500 });
    const answer = await query(text, { accept: 'application/json' }, variables);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
    expect(jsonOf(answer).errors === undefined).toBe(text === SMALL);
  });
});

describe('a request that cannot be served', () => {
  it.each(['text/plain', 'application/json;q=0', 'application/json; charset=latin1', 'image/*'])(
    'is refused with 406, before anything is sent, when it accepts %j',
    async (accept) => {
      const [answer, calls] = await testGraph.recordCalls(() => query(MUTATION, { accept }));
      expect([answer.status, calls]).toEqual([406, []]);
      expect(jsonOf(answer).errors).toEqual([
        { message: expect.stringContaining('application/graphql-response+json'), extensions: { code: 'BAD_REQUEST' } },
      ]);
    },
  );

  it.each(['application/*', '*/*', 'text/plain, */*;q=0.1', 'Application/JSON', 'application/json; charset=UTF-8', ''])(
    'is none that accepts %j',
    async (accept) => {
      expect((await query(SMALL, { accept })).status).toBe(200);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['is of another type', { 'content-type': 'application/json-seq' }],
    ['is JSON in another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['is compressed', { 'content-encoding': 'gzip' }],
    ['is encoded in a way that nobody knows', { 'content-encoding': 'zstd' }],
  ])('is refused with 415, and a reason, when its body %s', async (_name, headers) => {
    const [answer, calls] = await testGraph.recordCalls(() => query(MUTATION, headers));
    expect([answer.status, jsonOf(answer).errors[0].extensions.code, calls]).toEqual([415, 'BAD_REQUEST', []]);
  });

  it('is no JSON, and nothing of it is repeated', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await send({ method: 'POST', headers, body: '{"query": secret' });
    expect([answer.status, jsonOf(answer).errors]).toEqual([
      400,
      [{ message: expect.not.stringContaining('secret'), extensions: { code: 'BAD_REQUEST' } }],
    ]);
  });

  it('is a mutation by GET, which is told to use POST', async () => {
    const { status, headers } = await send({ path: `/graphql?query=${encodeURIComponent(MUTATION)}` });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is one by %s, which is told what to use', async (method) => {
    const { status, headers } = await send({ method });
    expect([status, headers.allow]).toEqual([405, 'GET, POST']);
  });

  it('is a document whose fragments lead back to themselves', async () => {
    const fragments = Array.from(
      { length: 300 },
      (_, index) => `fragment F${index} on Customer { contact { customers { nodes { ...F${(index + 1) % 300} } } } }`,
    );
    const text = `{ customer(id: "x") { ...F0 contact { customers { nodes { ...F7 } } } } } ${fragments.join(' ')}`;
    const answer = await query(text, { accept: 'application/graphql-response+json' });
    expect([answer.status, jsonOf(answer).errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  // Validation would compare the fields pair by pair, for seconds.
  it('is a document that asks for one field thousands of times', async () => {
    const answer = await query(`{ ${'__typename '.repeat(5_000)} }`, { accept: 'application/graphql-response+json' });
    expect([answer.status, jsonOf(answer).errors]).toEqual([
      400,
      [{ message: expect.stringContaining('repeats fields'), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    ]);
  });
});

describe('caching', () => {
  it.each<[string, RawRequest]>([
    ['a query', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: SMALL }) }],
    ['a query by GET', { path: `/graphql?query=${encodeURIComponent(SMALL)}` }],
    ['a query that does not parse', { path: '/graphql?query=x' }],
    ['a request that is refused', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: SMALL }],
    ['a request that accepts nothing of ours', { headers: { accept: 'text/plain' } }],
    ['another method', { method: 'DELETE' }],
    ['another path', { path: '/nope' }],
    ['the way to the page', { path: '/' }],
    ['the health of the process', { path: '/health/live' }],
    ['the health of the graph', { path: '/health/ready' }],
  ])('of the answer to %s is forbidden, and so is to guess its type', async (_name, request) => {
    const { headers } = await send(request);
    expect([headers['cache-control'], headers['x-content-type-options']]).toEqual(['no-store', 'nosniff']);
  });
});

describe('compression', () => {
  const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync };
  const plain = async () => JSON.parse((await query(LARGE)).body.toString()).data;

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['deflate', 'deflate'],
    ['*', 'br'],
    ['gzip;q=0, br', 'br'],
  ] as const)('for %s is %s', async (header, coding) => {
    const { headers, body } = await query(LARGE, { 'accept-encoding': header });
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
    const decoded = DECODERS[coding](body);
    expect(body.length).toBeLessThan(decoded.length * 0.6);
    expect(JSON.parse(decoded.toString()).data).toEqual(await plain());
  });

  it.each(['identity', 'gzip;q=0', 'zstd', 'none'])('for %s does not happen', async (header) => {
    const answer = await query(LARGE, { 'accept-encoding': header });
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(jsonOf(answer).data).toEqual(await plain());
  });

  it('does not happen to answers that are small', async () => {
    const answer = await query(SMALL, { 'accept-encoding': 'gzip, br' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(jsonOf(answer)).toEqual({ data: { __typename: 'Query' } });
  });

  it.each(['multipart/mixed', 'text/event-stream'])('does not hold back the parts of %s', async (accept) => {
    const { headers, body } = await query(LARGE, { 'accept-encoding': 'gzip, br', accept });
    expect(headers['content-type']).toContain(accept);
    expect(body.toString()).toContain('"lastName"');
  });
});

describe('pages on other origins', () => {
  const open = useTestGraph({}, undefined, { env: { CORS_ORIGINS: 'https://a.example,https://b.example' } });
  const ask = (origin: string, method = 'POST') =>
    sendRaw(open.url, {
      method,
      headers: {
        'content-type': 'application/json',
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
      ...(method === 'POST' && { body: JSON.stringify({ query: SMALL }) }),
    });

  it('that are listed may call, and read the request id', async () => {
    for (const origin of ['https://a.example', 'https://b.example']) {
      for (const method of ['POST', 'OPTIONS']) {
        const { headers } = await ask(origin, method);
        expect(headers).toMatchObject({ 'access-control-allow-origin': origin, 'access-control-expose-headers': 'x-request-id' });
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    }
  });

  it.each(['null', 'https://c.example', 'https://a.example.evil'])('such as %s hear nothing', async (origin) => {
    for (const method of ['POST', 'OPTIONS']) {
      const { headers } = await ask(origin, method);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
