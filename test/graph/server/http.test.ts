import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawRequest, type RawResponse, sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const send = (request: RawRequest) => sendRaw(testGraph.url, request);

const sendQuery = (text: string, headers: Record<string, string> = {}, variables: object = {}) =>
  send({
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', ...headers },
    body: JSON.stringify({ query: text, variables }),
  });

const parseJson = ({ body }: RawResponse) => JSON.parse(body.toString());

const SMALL = '{ __typename }';
const LARGE = '{ contacts(first: 100) { nodes { id rawId lastName } } }';
const MUTATION = 'mutation { contactCreate(input: { lastName: "Got" }) { __typename } }';
const PARTIAL = '{ contacts(first: 1) { nodes { rawId } } customer(id: "x") { title } }';
const NEEDS_ID = 'query ($id: ID!) { customer(id: $id) { title } }';

describe('application/graphql-response+json response', () => {
  it.each([
    ['a successful query', SMALL, {}, 200],
    ['data with an error', PARTIAL, {}, 294],
    ['an error without data', '{ customer(id: "x") { title } }', {}, 294],
    ['a query with a syntax error', '{', {}, 400],
    ['an invalid query', '{ nonsense }', {}, 400],
    ['a missing variable', NEEDS_ID, {}, 400],
    ['a variable with the wrong type', NEEDS_ID, { id: { a: 1 } }, 400],
    ['two operations without an operation name', 'query A { __typename } query B { __typename }', {}, 400],
  ])('has the expected status: %s', async (_name, text, variables, status) => {
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomer', status: 500 });
    const response = await sendQuery(text, { accept: 'application/graphql-response+json' }, variables);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/graphql-response+json; charset=utf-8']);
    expect('data' in parseJson(response)).toBe(status < 300);
  });

  it('reports an invalid request with the status of the error', async () => {
    const headers = { accept: 'application/graphql-response+json', 'content-type': 'text/plain' };
    const responses = [
      await sendQuery(SMALL, headers),
      await send({ path: `/graphql?query=${encodeURIComponent(SMALL)}&variables=x`, headers }),
    ];
    expect(responses.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [415, 'application/graphql-response+json; charset=utf-8'],
      [400, 'application/graphql-response+json; charset=utf-8'],
    ]);
    expect(responses.map((response) => parseJson(response).errors[0].extensions)).toEqual([
      { code: 'BAD_REQUEST' },
      { code: 'BAD_REQUEST' },
    ]);
  });
});

describe('application/json response', () => {
  it.each([
    ['a successful query', SMALL, {}, 200],
    ['data with an error', PARTIAL, {}, 200],
    ['an error without data', '{ customer(id: "x") { title } }', {}, 200],
    ['a query with a syntax error', '{', {}, 200],
    ['an invalid query', '{ nonsense }', {}, 200],
    ['a missing variable', NEEDS_ID, {}, 200],
    ['a variable with the wrong type', NEEDS_ID, { id: { a: 1 } }, 200],
    ['two operations without an operation name', 'query A { __typename } query B { __typename }', {}, 200],
  ])('has the expected status: %s', async (_name, text, variables, status) => {
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomer', status: 500 });
    const response = await sendQuery(text, { accept: 'application/json' }, variables);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/json; charset=utf-8']);
    expect(parseJson(response).errors === undefined).toBe(text === SMALL);
  });
});

describe('request validation', () => {
  it.each(['text/plain', 'application/json;q=0', 'application/json; charset=latin1', 'image/*'])(
    'returns 406 without a call if only %j is accepted',
    async (accept) => {
      const [response, calls] = await testGraph.recordCalls(() => sendQuery(MUTATION, { accept }));
      expect([response.status, calls]).toEqual([406, []]);
      expect(parseJson(response).errors).toEqual([
        { message: expect.stringContaining('application/graphql-response+json'), extensions: { code: 'BAD_REQUEST' } },
      ]);
    },
  );

  it.each(['application/*', '*/*', 'text/plain, */*;q=0.1', 'Application/JSON', 'application/json; charset=UTF-8', ''])(
    'returns 200 if %j is accepted',
    async (accept) => {
      expect((await sendQuery(SMALL, { accept })).status).toBe(200);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['has another type', { 'content-type': 'application/json-seq' }],
    ['has another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['is compressed', { 'content-encoding': 'gzip' }],
    ['has an unknown encoding', { 'content-encoding': 'zstd' }],
  ])('returns 415 without a call if the body %s', async (_name, headers) => {
    const [response, calls] = await testGraph.recordCalls(() => sendQuery(MUTATION, headers));
    expect([response.status, parseJson(response).errors[0].extensions.code, calls]).toEqual([415, 'BAD_REQUEST', []]);
  });

  it('accepts an uncompressed body whose coding is named in any case', async () => {
    for (const coding of ['identity', 'Identity', 'IDENTITY'])
      expect((await sendQuery(SMALL, { 'content-encoding': coding })).status).toBe(200);
  });

  it('returns 415 with the media type or the coding that it accepts', async () => {
    const form = await sendQuery(SMALL, { 'content-type': 'text/plain' });
    const encoded = await sendQuery(SMALL, { 'content-encoding': 'gzip', 'accept-encoding': 'gzip' });
    expect([form.headers.accept, encoded.headers['accept-encoding']]).toEqual(['application/json', 'identity']);
  });

  it('returns 400 for malformed JSON, which the error doesn’t repeat', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await send({ method: 'POST', headers, body: '{"query": secret' });
    expect([response.status, parseJson(response).errors]).toEqual([
      400,
      [{ message: expect.not.stringContaining('secret'), extensions: { code: 'BAD_REQUEST' } }],
    ]);
  });

  it('returns 405 with Allow: POST for a mutation with GET', async () => {
    const { status, headers } = await send({ path: `/graphql?query=${encodeURIComponent(MUTATION)}` });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('returns 405 with the allowed methods for %s', async (method) => {
    const { status, headers } = await send({ method });
    expect([status, headers.allow]).toEqual([405, 'GET, POST']);
  });

  it('returns 400 for a document with fragment cycles', async () => {
    const fragments = Array.from(
      { length: 300 },
      (_, index) => `fragment F${index} on Customer { contact { customers { nodes { ...F${(index + 1) % 300} } } } }`,
    );
    const text = `{ customer(id: "x") { ...F0 contact { customers { nodes { ...F7 } } } } } ${fragments.join(' ')}`;
    const response = await sendQuery(text, { accept: 'application/graphql-response+json' });
    expect([response.status, parseJson(response).errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  // Validation would compare the fields pairwise, for seconds.
  it('returns 400 for a document with thousands of equal fields', async () => {
    const response = await sendQuery(`{ ${'__typename '.repeat(5_000)} }`, { accept: 'application/graphql-response+json' });
    expect([response.status, parseJson(response).errors]).toEqual([
      400,
      [{ message: expect.stringContaining('repeats fields'), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    ]);
  });
});

describe('Cache-Control', () => {
  it.each<[string, RawRequest]>([
    ['a query', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: SMALL }) }],
    ['a query with GET', { path: `/graphql?query=${encodeURIComponent(SMALL)}` }],
    ['a query with a syntax error', { path: '/graphql?query=x' }],
    ['a rejected request', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: SMALL }],
    ['a request with an unsupported Accept', { headers: { accept: 'text/plain' } }],
    ['another method', { method: 'DELETE' }],
    ['another path', { path: '/nope' }],
    ['the landing page', { path: '/' }],
    ['the liveness check', { path: '/health/live' }],
    ['the readiness check', { path: '/health/ready' }],
  ])('contains no-store, with nosniff, for %s', async (_name, request) => {
    const { headers } = await send(request);
    expect([headers['cache-control'], headers['x-content-type-options']]).toEqual(['no-store', 'nosniff']);
  });
});

describe('compression', () => {
  const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };
  const fetchUncompressed = async () => JSON.parse((await sendQuery(LARGE)).body.toString()).data;

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd', 'zstd'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'zstd'],
    ['gzip;q=0, br', 'br'],
  ] as const)('uses for %s the encoding %s', async (header, coding) => {
    const { headers, body } = await sendQuery(LARGE, { 'accept-encoding': header });
    expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
    const decoded = DECODERS[coding](body);
    expect(body.length).toBeLessThan(decoded.length * 0.6);
    expect(JSON.parse(decoded.toString()).data).toEqual(await fetchUncompressed());
  });

  it.each(['identity', 'gzip;q=0', 'deflate', 'none', 'identity;q=1, gzip;q=0.5'])('skips responses for %s', async (header) => {
    const response = await sendQuery(LARGE, { 'accept-encoding': header });
    expect([response.headers['content-encoding'], response.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(parseJson(response).data).toEqual(await fetchUncompressed());
  });

  it('compresses a response that is larger than 64 kB', async () => {
    const aliases = Array.from({ length: 20 }, (_, index) => `a${index}: contacts(first: 100) { nodes { id rawId lastName } }`);
    const { headers, body } = await sendQuery(`{ ${aliases.join(' ')} }`, { 'accept-encoding': 'zstd' });
    const decoded = zstdDecompressSync(body);
    expect(decoded.length).toBeGreaterThan(64 * 1024);
    expect([headers['content-encoding'], headers['content-length']]).toEqual(['zstd', String(body.length)]);
    expect(Object.keys(JSON.parse(decoded.toString()).data)).toHaveLength(20);
  });

  it('compresses the response to a GET request', async () => {
    const { headers, body } = await send({
      path: `/graphql?query=${encodeURIComponent(LARGE)}`,
      headers: { authorization: 'Bearer demo-owner', 'accept-encoding': 'br' },
    });
    expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Accept-Encoding']);
    expect(JSON.parse(brotliDecompressSync(body).toString()).data).toEqual(await fetchUncompressed());
  });

  it('skips small responses', async () => {
    const response = await sendQuery(SMALL, { 'accept-encoding': 'gzip, br' });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(parseJson(response)).toEqual({ data: { __typename: 'Query' } });
  });

  it.each(['multipart/mixed', 'text/event-stream'])('doesn’t delay the payloads of %s', async (accept) => {
    const { headers, body } = await sendQuery(LARGE, { 'accept-encoding': 'gzip, br', accept });
    expect(headers['content-type']).toContain(accept);
    expect(body.toString()).toContain('"lastName"');
  });
});

describe('CORS', () => {
  const open = useTestGraph({}, undefined, { env: { CORS_ORIGINS: 'https://a.example,https://b.example' } });
  const sendFrom = (origin: string, method = 'POST') =>
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

  it('allows the configured origins to send requests and read three headers of the response', async () => {
    for (const origin of ['https://a.example', 'https://b.example']) {
      for (const method of ['POST', 'OPTIONS']) {
        const { headers } = await sendFrom(origin, method);
        expect(headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'x-request-id, retry-after, www-authenticate, date',
        });
        expect(headers).not.toHaveProperty('access-control-allow-credentials');
      }
    }
  });

  it('names both headers in Vary if the client accepts compressed responses', async () => {
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip', origin: 'https://a.example' };
    const response = await sendRaw(open.url, { method: 'POST', headers, body: JSON.stringify({ query: SMALL }) });
    expect(response.headers.vary).toBe('Origin, Accept-Encoding');
  });

  it.each(['null', 'https://c.example', 'https://a.example.evil'])('sends no headers for the origin %s', async (origin) => {
    for (const method of ['POST', 'OPTIONS']) {
      const { headers } = await sendFrom(origin, method);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
