import { describe, expect, it } from 'vitest';
import {
  ACCEPTS,
  type Headers,
  ID,
  JSON_BODY,
  KEY,
  MUTATION,
  NEEDS_ID,
  postRequest,
  queryRequest,
  READ,
  SMALL,
  summarizeStatus,
  useBothPaths,
} from '../../support/bothPaths.ts';

const both = useBothPaths();

const PARTIAL = '{ contacts(first: 1) { nodes { rawId } } customer(id: "x") { title } }';
const DEFERRED = '{ contacts(first: 1) { __typename ... @defer { nodes { lastName } } } }';

const BODIES: readonly (readonly [name: string, body: string])[] = [
  ['invalid JSON', '{"query": secret'],
  ['only whitespace', ' '],
  ['a string', '"x"'],
  ['null', 'null'],
  ['a number', '5'],
  ['an array', '[]'],
  ['a batch', JSON.stringify([{ query: SMALL }, { query: SMALL }])],
  ['an object without members', '{}'],
  ['a null query', '{"query":null}'],
  ['an empty query', '{"query":""}'],
  ['a query that is a number', '{"query":5}'],
  ['a query that is an object', '{"query":{}}'],
  ['a query of spaces', '{"query":"  "}'],
  ['a query of comments', '{"query":"# none"}'],
  ['unknown members', JSON.stringify({ query: SMALL, id: 'x' })],
  ['a member named __proto__', `{"query":${JSON.stringify(SMALL)},"__proto__":{}}`],
  ['duplicate members', `{"query":"{","query":${JSON.stringify(SMALL)}}`],
  ['a byte order mark', `\ufeff${JSON.stringify({ query: SMALL })}`],
  ['non-ASCII characters', JSON.stringify({ query: '{ customers(first: 1, query: "Ünï💥") { nodes { title } } }' })],
  ['a lone surrogate', `{"query":"{ customers(first: 1, query: \\"\\ud800\\") { nodes { title } } }"}`],
  ['variables that are a string', JSON.stringify({ query: SMALL, variables: 'x' })],
  ['variables that are a JSON string', JSON.stringify({ query: NEEDS_ID, variables: JSON.stringify({ id: ID }) })],
  ['variables that are a list', JSON.stringify({ query: SMALL, variables: [] })],
  ['variables that are a number', JSON.stringify({ query: SMALL, variables: 1 })],
  ['variables that are null', JSON.stringify({ query: SMALL, variables: null })],
  ['extensions that are a string', JSON.stringify({ query: SMALL, extensions: 'x' })],
  ['extensions that are null', JSON.stringify({ query: SMALL, extensions: null })],
  ['unknown extensions', JSON.stringify({ query: SMALL, extensions: { tracing: true } })],
  ['variables that contain __proto__', `{"query":${JSON.stringify(NEEDS_ID)},"variables":{"id":{"__proto__":{}}}}`],
  ['variables that are nested too deeply', `{"query":${JSON.stringify(NEEDS_ID)},"variables":{"id":${'['.repeat(500)}${']'.repeat(500)}}}`],
  ['extensions that are nested too deeply', `{"query":${JSON.stringify(SMALL)},"extensions":{"a":${'['.repeat(500)}${']'.repeat(500)}}}`],
  ['an operation name that is a number', JSON.stringify({ query: SMALL, operationName: 5 })],
  ['an operation name that is an object', JSON.stringify({ query: SMALL, operationName: {} })],
  ['an operation name that is null', JSON.stringify({ query: SMALL, operationName: null })],
  ['an operation name that is empty', JSON.stringify({ query: SMALL, operationName: '' })],
  ['an unknown operation name', JSON.stringify({ query: 'query A { __typename }', operationName: 'B' })],
  ['an operation name', JSON.stringify({ query: 'query A { __typename } query B { viewer { __typename } }', operationName: 'B' })],
  ['two operations and no operation name', JSON.stringify({ query: 'query A { __typename } query B { __typename }' })],
  ['a document without operations', JSON.stringify({ query: 'fragment F on Query { __typename }' })],
  ['a type definition', JSON.stringify({ query: 'type A { a: Int }' })],
  ['a subscription', JSON.stringify({ query: 'subscription { __typename }' })],
  ['an unknown document ID', JSON.stringify({ documentId: 'x' })],
  ['a document ID that is the hash of another document', JSON.stringify({ documentId: `sha256:${'0'.repeat(64)}`, query: SMALL })],
  [
    'the hash of another document',
    JSON.stringify({ query: SMALL, extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
  ],
  ['a document ID that is a number', JSON.stringify({ documentId: 5 })],
  ['a document ID and a query', JSON.stringify({ documentId: 'x', query: SMALL })],
  ['an unknown hash', JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } })],
  ['additional characters after the JSON', `${JSON.stringify({ query: SMALL })}x`],
];

describe('both paths', () => {
  it.each(BODIES)('return the same response for a body with %s', async (_name, body) => {
    for (const accept of ACCEPTS) await both.equal(postRequest(body, { accept }));
  });

  it('return the same response for a body that is chunked, empty, or too large', async () => {
    const body = JSON.stringify({ query: READ });
    const chunked: Headers = { 'transfer-encoding': 'chunked' };
    expect((await both.equal(postRequest(body, chunked)))[0].status).toBe(200);
    await both.equal(postRequest('', chunked));
    await both.equal({ method: 'POST', headers: { ...JSON_BODY, 'content-length': '0' } });
    const [{ status }] = await both.equal(queryRequest(SMALL, { extensions: { a: 'x'.repeat(1024 * 1024) } }));
    expect(status).toBe(413);
    await both.equal(postRequest(JSON.stringify({ query: SMALL, extensions: { a: 'x'.repeat(2 * 1024 * 1024) } }), chunked));
  });

  it.each(['gzip', 'identity', 'Identity', 'br', 'zstd', ''])('return the same response for the Content-Encoding %j', async (coding) => {
    await both.equal(queryRequest(READ, {}, { 'content-encoding': coding }));
  });
});

const repeatField = (count: number, write: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => write(index)).join(' ')} }`;

/** Documents with the status and the first error code, as graphql-response+json. */
const DOCUMENTS: readonly (readonly [name: string, status: string, query: string, variables?: object])[] = [
  ['succeeds', '200', READ],
  ['selects the schema', '200', '{ __schema { queryType { name } } __typename }'],
  ['selects the SDL', '200', '{ _service { sdl } }'],
  ['selects the schema and the SDL', '400 GRAPHQL_VALIDATION_FAILED', '{ __schema { queryType { name } } _service { sdl } }'],
  ['reads a record', '200', NEEDS_ID, { id: ID }],
  ['has a syntax error', '400 GRAPHQL_PARSE_FAILED', '{'],
  ['does not match the schema', '400 GRAPHQL_VALIDATION_FAILED', '{ custmers { nodes { id } } }'],
  ['is too long', '400 GRAPHQL_PARSE_FAILED', `{ __typename } #${'x'.repeat(100_000)}`],
  ['is nested too deeply', '400 GRAPHQL_PARSE_FAILED', `${'{ a '.repeat(101)}${'}'.repeat(101)}`],
  ['has too many tokens', '400 GRAPHQL_PARSE_FAILED', repeatField(10_001, () => 'a')],
  ['has too many aliases', '400 GRAPHQL_VALIDATION_FAILED', repeatField(251, (index) => `a${index}: __typename`)],
  ['has too many directives', '400 GRAPHQL_VALIDATION_FAILED', repeatField(251, () => '__typename @skip(if: false)')],
  ['has an input with __proto__', '400 BAD_USER_INPUT', '{ _entities(representations: [{ __proto__: 1 }]) { __typename } }'],
  ['has an alias named __proto__', '200', '{ __proto__: __typename }'],
  ['has circular fragments', '400 GRAPHQL_VALIDATION_FAILED', '{ ...A } fragment A on Query { ...A }'],
  ['lacks a variable', '400 BAD_USER_INPUT', NEEDS_ID],
  ['has a variable of another type', '400 BAD_USER_INPUT', NEEDS_ID, { id: { a: 1 } }],
  ['selects a missing record', '200', NEEDS_ID, { id: 'nothing' }],
  ['has an invalid argument', '294 BAD_USER_INPUT', '{ customers(first: -1) { nodes { title } } }'],
  [
    'is too expensive',
    '400 QUERY_TOO_EXPENSIVE',
    '{ customers(first: 100) { nodes { quotes(first: 100) { nodes { lines { product { name } } } } } } }',
  ],
  [
    'has conditions',
    '200',
    'query ($a: Boolean = true) { ...F @include(if: $a) ...F @skip(if: $a) } fragment F on Query { viewer { apiKey { rawId } } }',
  ],
  ['defers fields', '200', DEFERRED],
  ['mentions defer and stream in a comment', '200', `${READ} # defer, stream`],
  ['is a mutation', '200', MUTATION],
  [
    'is a mutation of a missing record',
    '200 NOT_FOUND',
    'mutation { quoteUpdate(input: { quoteId: "x", expectedVersion: "1", lines: [{ productId: "x", quantity: 1 }], discounts: [] }) { __typename ... on MutationError { code } } }',
  ],
];

describe('both paths', () => {
  it.each(DOCUMENTS)('return the same response for a document that %s: %s', async (_name, status, query, variables) => {
    for (const accept of [...ACCEPTS, 'multipart/mixed, application/json']) {
      const responses = await both.equal(queryRequest(query, { ...(variables && { variables }) }, { accept }));
      if (accept === ACCEPTS[1]) expect(responses.map(summarizeStatus)).toEqual([status, status]);
    }
  });

  it.each([
    ['a record cannot be read', '{ customer(id: "x") { title } contacts(first: 1) { nodes { rawId } } }', { status: 500 }],
    ['a record is not JSON', '{ customer(id: "x") { title } }', { body: '{' }],
    ['the key cannot read a record', '{ customer(id: "x") { title } }', { status: 403 }],
    ['the upstream times out', '{ customers(first: 3) { nodes { rawId title } } }', { status: 504 }],
    ['the key was revoked', '{ customer(id: "x") { title } }', { status: 401 }],
  ])('return the same response if %s', async (_name, query, fault) => {
    for (const accept of ACCEPTS) {
      for (const { sandbox } of both.worlds)
        for (const operation of ['Customer/GetCustomer', 'Customer/SearchCustomers']) sandbox.faults.add({ operation, ...fault });
      const [{ body }] = await both.equal(queryRequest(query, {}, { accept }));
      expect(body).toContain('"errors"');
    }
  });
});

describe('both paths', () => {
  it.each<[string, Headers]>([
    ['without a key', { authorization: '' }],
    ['with a malformed key', { authorization: 'Basic x' }],
    ['with an unknown key', { authorization: 'Bearer absent' }],
    ['with a key in the other header', { authorization: '', 'x-api-key': 'demo-owner' }],
    ['with two keys', { 'x-api-key': 'absent' }],
    ['with an invalid request ID', { 'x-request-id': 'a b' }],
    ['without a host', { host: '' }],
    ['for an invalid host', { host: 'a b' }],
    ['for another host', { host: 'graph.example:99' }],
    ['from another origin', { origin: 'https://a.example' }],
    ['with keep-alive', { connection: 'keep-alive' }],
    ['that accepts gzip', { 'accept-encoding': 'gzip' }],
    ['that accepts Brotli', { 'accept-encoding': 'gzip, br' }],
    ['that accepts no encoding', { 'accept-encoding': 'identity;q=0' }],
    ['with cookies', { cookie: 'a=b' }],
    ['with a header that requests a trace', { 'apollo-federation-include-trace': 'ftv1' }],
    ['with a header that overrides the method', { 'x-http-method-override': 'GET' }],
    ['with an Expect header', { expect: '100-continue' }],
  ])('return the same response for a request %s', async (name, headers) => {
    const large = '{ contacts(first: 100) { nodes { id rawId lastName } } }';
    // A trace contains durations.
    const documents = name === 'with a header that requests a trace' ? [] : [SMALL, large, PARTIAL, '{ nonsense }'];
    for (const query of documents) await both.equal(queryRequest(query, {}, headers));
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'QUERY'])('return the same response for the method %s', async (method) => {
    const path = `/graphql?query=${encodeURIComponent(READ)}`;
    for (const url of ['/graphql', path]) await both.equal({ method, path: url, headers: KEY });
    if (method !== 'GET' && method !== 'HEAD') await both.equal({ ...queryRequest(READ), method });
  });

  it.each(['/graphql/', '/graphql?', '/graphql?query={', '/graphql?a=b', '/Graphql', '//graphql', '/', '/nope', '/health/live'])(
    'return the same response for a request to %s',
    async (path) => {
      await both.equal({ ...queryRequest(READ), path });
    },
  );
});
