import { afterEach, describe, expect, it } from 'vitest';
import { ACCEPTS, KEY, MUTATION, postRequest, queryRequest, SMALL, summarizeStatus, useBothPaths } from '../../support/bothPaths.ts';
import { sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const both = useBothPaths({ env: { APQ: 'true' } });

describe('members of the request body that GraphQL over HTTP doesn’t define', () => {
  it.each([
    ['a string', { hint: 'x' }],
    ['an object', { apollo: { secret: true }, batch: [1, 2] }],
    ['the name of a prototype', JSON.parse('{"__proto__": {"query": "{ nonsense }"}, "constructor": 1}') as object],
    ['a member in other case', { Query: '{ nonsense }', VARIABLES: 7 }],
  ])('have no effect if they contain %s', async (_name, members) => {
    const [{ status, body }] = await both.equal(queryRequest(SMALL, members));
    expect([status, JSON.parse(body)]).toEqual([200, { data: { __typename: 'Query' } }]);
  });

  it('have no effect next to variables, an operation name, and extensions', async () => {
    const query = 'query A { a: __typename } query B($yes: Boolean!) { b: __typename @include(if: $yes) }';
    const [{ body }] = await both.equal(
      queryRequest(query, { operationName: 'B', variables: { yes: true }, extensions: { client: 'x' }, id: 1, doc_id: 'x' }),
    );
    expect(JSON.parse(body)).toEqual({ data: { b: 'Query' } });
  });

  it('don’t replace the required ones', async () => {
    for (const accept of ACCEPTS) {
      const [response] = await both.equal(postRequest(JSON.stringify({ qeury: SMALL }), { accept }));
      expect([summarizeStatus(response), JSON.parse(response.body)]).toEqual([
        '400 BAD_REQUEST',
        { errors: [{ message: 'Must provide query string.', extensions: { code: 'BAD_REQUEST' } }] },
      ]);
    }
  });
});

describe('Content-Type', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'APPLICATION/JSON',
    'application/json;charset="utf-8"',
    'application/json ; Charset = utf-8',
    'application/json; charset=utf8',
    'application/json; profile="https://example.com/a;b,c"; charset=utf-8',
    'application/json; odata=verbose',
    'application/json;',
    'application/graphql+json',
  ])('accepts %j', async (type) => {
    const [{ status, body }] = await both.equal(queryRequest(SMALL, {}, { 'content-type': type }));
    expect([status, JSON.parse(body)]).toEqual([200, { data: { __typename: 'Query' } }]);
  });

  it.each([
    '',
    'text/plain',
    'text/plain; application/json',
    'application/json-seq',
    'application/json, text/plain',
    'application/jsonx; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json charset=utf-8',
  ])('rejects %j with 415 without a call', async (type) => {
    const [response] = await both.equal(queryRequest(MUTATION, {}, { 'content-type': type }));
    expect([summarizeStatus(response), response.calls]).toEqual(['415 BAD_REQUEST', []]);
  });
});

describe('Accept', () => {
  it.each([
    ['APPLICATION/graphql-response+JSON; Charset=UTF-8', 'application/graphql-response+json'],
    ['application/graphql-response+json; charset="utf-8"; foo=bar', 'application/graphql-response+json'],
    ['application/json; charset=utf8', 'application/json'],
    ['application/graphql-response+json; charset=utf-16, application/json', 'application/json'],
  ])('%j results in the type %s', async (accept, type) => {
    const [{ status, headers }] = await both.equal(queryRequest(SMALL, {}, { accept }));
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  });
});

describe('operationName', () => {
  it('leaves the operation unnamed if it is empty, with POST and GET', async () => {
    const named = 'query A { __typename }';
    const request = (query: string) => ({ path: `/graphql?${new URLSearchParams({ query, operationName: '' })}`, headers: KEY });
    for (const query of [SMALL, named])
      for (const sent of [queryRequest(query, { operationName: '' }), request(query)]) {
        const [{ status, body }] = await both.equal(sent);
        expect([status, body]).toEqual([200, '{"data":{"__typename":"Query"}}']);
      }
    const several = `${named} query B { b: __typename }`;
    for (const sent of [queryRequest(several, { operationName: '' }), request(several)])
      expect(summarizeStatus((await both.equal(sent))[0])).toBe('200 OPERATION_RESOLUTION_FAILURE');
  });
});

describe('document with conflicting fields', () => {
  it.each([
    ['different fields', '{ a: __typename a: viewer { workspace { id } } }'],
    ['different arguments', '{ contacts(first: 1) { nodes { id } } contacts(first: 2) { nodes { id } } }'],
    ['a field and one in a fragment', '{ a: __typename ...F } fragment F on Query { a: viewer { workspace { id } } }'],
    ['a streamed and another list', '{ agendas { id } agendas @stream { id } }'],
  ])('results in one error per conflict: %s', async (_name, query) => {
    const [{ body }] = await both.equal(queryRequest(query));
    expect(JSON.parse(body).errors).toEqual([
      {
        message: expect.stringMatching(/^Fields ".*" conflict because /),
        locations: [expect.any(Object), expect.any(Object)],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
  });
});

describe('extensions.persistedQuery', () => {
  const sha256Hash = '7f56e67dd21ab3f30d1ff8b7bed08893f0a0db86449836189b361dd1e56ddb4b';
  const VERSIONS = [undefined, null, 0, 2, '1', true, {}] as const;
  const withoutPersistedQueries = useTestGraph();

  it.each(ACCEPTS)('succeeds with version 1, in %s', async (accept) => {
    const [{ status, body }] = await both.equal(
      queryRequest(SMALL, { extensions: { persistedQuery: { version: 1, sha256Hash } } }, { accept }),
    );
    expect([status, body]).toEqual([200, '{"data":{"__typename":"Query"}}']);
  });

  it.each(VERSIONS)('causes BAD_REQUEST with version %j, with and without a document', async (version) => {
    const extensions = { persistedQuery: { version, sha256Hash } };
    for (const query of [undefined, SMALL, MUTATION]) {
      const [response] = await both.equal(queryRequest(query, { extensions }));
      expect([summarizeStatus(response), response.calls]).toEqual(['400 BAD_REQUEST', []]);
      expect(JSON.parse(response.body).errors[0].message).toContain('`version` 1');
    }
  });

  it('causes BAD_REQUEST with another version, without automatic persisted queries and with GET', async () => {
    const extensions = JSON.stringify({ persistedQuery: { version: 2, sha256Hash } });
    for (const { url } of [withoutPersistedQueries, ...both.worlds]) {
      const search = new URLSearchParams({ query: SMALL, extensions });
      const { status, body } = await sendRaw(url, { path: `/graphql?${search}`, headers: KEY });
      expect([status, JSON.parse(body.toString()).errors[0].message]).toEqual([400, expect.stringContaining('`version` 1')]);
    }
  });

  it.each<[unknown]>([
    [7],
    ['x'],
    [[]],
    [{ version: 1 }],
    ...[null, 7, '', ['x']].map((hash): [object] => [{ version: 1, sha256Hash: hash }]),
  ])('causes BAD_REQUEST about the hash as %j, with and without a document or its ID', async (persistedQuery) => {
    for (const more of [{ query: SMALL }, {}, { documentId: 'x' }]) {
      const [response] = await both.equal(postRequest(JSON.stringify({ ...more, extensions: { persistedQuery } })));
      expect([summarizeStatus(response), JSON.parse(response.body).errors[0].message]).toEqual([
        '400 BAD_REQUEST',
        expect.stringContaining('the hash of the document as `sha256Hash`'),
      ]);
    }
  });

  it('allows null', async () => {
    const [response] = await both.equal(queryRequest(SMALL, { extensions: { persistedQuery: null } }));
    expect(response.status).toBe(200);
  });
});

describe('CORS', () => {
  const ORIGIN = 'https://a.example';
  const open = useTestGraph({}, undefined, { env: { CORS_ORIGINS: `${ORIGIN},https://b.example` } });
  const closed = useTestGraph();
  afterEach(() => open.sandbox.faults.clear());

  const FORMS: readonly (readonly [string, Parameters<typeof sendRaw>[1]])[] = [
    ['a query', queryRequest(SMALL)],
    ['an invalid query', queryRequest('{ nonsense }')],
    ['a partial response', queryRequest('{ __typename customer(id: "x") { title } }')],
    ['a query with GET', { path: `/graphql?query=${encodeURIComponent(SMALL)}`, headers: KEY }],
    ['a mutation with GET', { path: `/graphql?query=${encodeURIComponent(MUTATION)}`, headers: KEY }],
    ['a body that isn’t JSON', postRequest('{')],
    ['another content type', postRequest(SMALL, { 'content-type': 'text/plain' })],
    ['another method', { method: 'DELETE', headers: KEY }],
    ['an unsupported response type', queryRequest(SMALL, {}, { accept: 'text/plain' })],
    ['a body that is too large', queryRequest('x'.repeat(2_000_000))],
  ];
  const sendFrom = (origin: string | null, request: Parameters<typeof sendRaw>[1]) =>
    sendRaw(open.url, { ...request, headers: { ...request.headers, ...(origin !== null && { origin }) } });
  const listVary = (headers: Record<string, unknown>) =>
    String(headers.vary ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase());

  it.each(FORMS)('varies by origin in the response to %s', async (_name, request) => {
    for (const origin of [ORIGIN, 'https://c.example', null]) {
      const { headers } = await sendFrom(origin, request);
      expect([listVary(headers).includes('origin'), headers['access-control-allow-origin']]).toEqual([
        true,
        origin === ORIGIN ? origin : undefined,
      ]);
    }
  });

  const sendPreflight = (origin: string, more: Record<string, string> = {}) =>
    sendRaw(open.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type', ...more },
    });

  it('has a cacheable preflight', async () => {
    const { status, headers, body } = await sendPreflight(ORIGIN);
    expect([status, body.length]).toEqual([204, 0]);
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '7200',
    });
    expect(listVary(headers)).toEqual(
      expect.arrayContaining(['origin', 'access-control-request-method', 'access-control-request-headers']),
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('has a preflight without permission for other origins', async () => {
    const { status, headers } = await sendPreflight('https://c.example');
    expect([status, Object.keys(headers).filter((name) => name.startsWith('access-control-'))]).toEqual([204, []]);
    expect(listVary(headers)).toContain('origin');
  });

  it('has status 405 for OPTIONS without preflight headers', async () => {
    const { status, headers } = await sendFrom(ORIGIN, { method: 'OPTIONS' });
    expect([status, headers.allow]).toEqual([405, 'GET, POST']);
  });

  it('sends no headers without CORS_ORIGINS', async () => {
    for (const [, request] of FORMS) {
      const { headers } = await sendRaw(closed.url, { ...request, headers: { ...request.headers, origin: ORIGIN } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});
