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

describe('both paths return the same response for an Accept header', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'Application/JSON',
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json;charset=latin1',
    'application/json;q=0',
    'application/json;q=0, */*',
    'application/json;q=0.1, application/graphql-response+json',
    'application/graphql-response+json',
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
    'application/graphql-response+json;q=0, application/json',
    'application/json, application/graphql-response+json;q=0',
    'text/html, application/json',
    'text/html, */*;q=0.1',
    'text/*, application/graphql-response+json',
    'multipart/mixed',
    'multipart/mixed, application/json',
    'application/json, multipart/mixed',
    'text/event-stream',
    'text/event-stream, application/json;q=0.5',
    'multipart/*',
    'text/plain',
    'image/*',
    ',',
    ', application/json',
    'application/json;q=nonsense',
    'application/json ;q = 1',
    'application/json+seq',
    `${'text/x-a, '.repeat(200)}application/json`,
  ])('%j', async (accept) => {
    for (const query of [SMALL, READ, PARTIAL, '{ nonsense }', '{'])
      await both.equal(queryRequest(query, {}, accept === undefined ? {} : { accept }));
  });
});

describe('both paths return the same response for a Content-Type header', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
    'application/json;',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=latin1',
    'application/json, text/plain',
    'application/graphql+json',
    'application/graphql-response+json',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    '',
  ])('%j', async (type) => {
    await both.equal(queryRequest(READ, {}, { 'content-type': type }));
    await both.equal(queryRequest('{ nonsense }', {}, { 'content-type': type }));
  });
});

const BODIES: readonly (readonly [name: string, body: string])[] = [
  ['no JSON', '{"query": secret'],
  ['nothing but space', ' '],
  ['a text', '"x"'],
  ['null', 'null'],
  ['a number', '5'],
  ['an array', '[]'],
  ['a batch', JSON.stringify([{ query: SMALL }, { query: SMALL }])],
  ['an object without members', '{}'],
  ['a query that is null', '{"query":null}'],
  ['a query that is empty', '{"query":""}'],
  ['a query that is a number', '{"query":5}'],
  ['a query that is an object', '{"query":{}}'],
  ['a query of spaces', '{"query":"  "}'],
  ['a query of comments', '{"query":"# none"}'],
  ['members that nobody knows', JSON.stringify({ query: SMALL, id: 'x' })],
  ['a member named as the prototype', `{"query":${JSON.stringify(SMALL)},"__proto__":{}}`],
  ['members that come twice', `{"query":"{","query":${JSON.stringify(SMALL)}}`],
  ['a mark of its byte order', `\ufeff${JSON.stringify({ query: SMALL })}`],
  ['characters beyond ASCII', JSON.stringify({ query: '{ customers(first: 1, query: "Ünï💥") { nodes { title } } }' })],
  ['half a character', `{"query":"{ customers(first: 1, query: \\"\\ud800\\") { nodes { title } } }"}`],
  ['variables that are text', JSON.stringify({ query: SMALL, variables: 'x' })],
  ['variables that are text of JSON', JSON.stringify({ query: NEEDS_ID, variables: JSON.stringify({ id: ID }) })],
  ['variables that are a list', JSON.stringify({ query: SMALL, variables: [] })],
  ['variables that are a number', JSON.stringify({ query: SMALL, variables: 1 })],
  ['variables that are null', JSON.stringify({ query: SMALL, variables: null })],
  ['extensions that are text', JSON.stringify({ query: SMALL, extensions: 'x' })],
  ['extensions that are null', JSON.stringify({ query: SMALL, extensions: null })],
  ['extensions that nobody knows', JSON.stringify({ query: SMALL, extensions: { tracing: true } })],
  ['variables that lead to a prototype', `{"query":${JSON.stringify(NEEDS_ID)},"variables":{"id":{"__proto__":{}}}}`],
  ['variables that are too deep', `{"query":${JSON.stringify(NEEDS_ID)},"variables":{"id":${'['.repeat(500)}${']'.repeat(500)}}}`],
  ['extensions that are too deep', `{"query":${JSON.stringify(SMALL)},"extensions":{"a":${'['.repeat(500)}${']'.repeat(500)}}}`],
  ['an operation name that is a number', JSON.stringify({ query: SMALL, operationName: 5 })],
  ['an operation name that is an object', JSON.stringify({ query: SMALL, operationName: {} })],
  ['an operation name that is null', JSON.stringify({ query: SMALL, operationName: null })],
  ['an operation name that is empty', JSON.stringify({ query: SMALL, operationName: '' })],
  ['an operation name that nobody knows', JSON.stringify({ query: 'query A { __typename }', operationName: 'B' })],
  ['an operation name', JSON.stringify({ query: 'query A { __typename } query B { viewer { __typename } }', operationName: 'B' })],
  ['two operations of which none is named', JSON.stringify({ query: 'query A { __typename } query B { __typename }' })],
  ['a document without operations', JSON.stringify({ query: 'fragment F on Query { __typename }' })],
  ['a definition of a type', JSON.stringify({ query: 'type A { a: Int }' })],
  ['a subscription', JSON.stringify({ query: 'subscription { __typename }' })],
  ['a document id that nobody knows', JSON.stringify({ documentId: 'x' })],
  ['a document id that is the hash of another', JSON.stringify({ documentId: `sha256:${'0'.repeat(64)}`, query: SMALL })],
  ['a hash of another', JSON.stringify({ query: SMALL, extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } })],
  ['a document id that is a number', JSON.stringify({ documentId: 5 })],
  ['a document id beside a query', JSON.stringify({ documentId: 'x', query: SMALL })],
  ['a hash that nobody knows', JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } })],
  ['a text that is longer than it says', `${JSON.stringify({ query: SMALL })}x`],
];

describe('both paths return the same response for a body', () => {
  it.each(BODIES)('with %s', async (_name, body) => {
    for (const accept of ACCEPTS) await both.equal(postRequest(body, { accept }));
  });

  it('that is chunked, empty, or too large', async () => {
    const body = JSON.stringify({ query: READ });
    const chunked: Headers = { 'transfer-encoding': 'chunked' };
    expect((await both.equal(postRequest(body, chunked)))[0].status).toBe(200);
    await both.equal(postRequest('', chunked));
    await both.equal({ method: 'POST', headers: { ...JSON_BODY, 'content-length': '0' } });
    const [{ status }] = await both.equal(queryRequest(SMALL, { extensions: { a: 'x'.repeat(1024 * 1024) } }));
    expect(status).toBe(413);
    await both.equal(postRequest(JSON.stringify({ query: SMALL, extensions: { a: 'x'.repeat(2 * 1024 * 1024) } }), chunked));
  });

  it.each(['gzip', 'identity', 'Identity', 'br', 'zstd', ''])('with the Content-Encoding %j', async (coding) => {
    await both.equal(queryRequest(READ, {}, { 'content-encoding': coding }));
  });
});

const many = (count: number, write: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => write(index)).join(' ')} }`;

/** Documents with the status and the first error code, as graphql-response+json. */
const DOCUMENTS: readonly (readonly [name: string, end: string, query: string, variables?: object])[] = [
  ['works', '200', READ],
  ['asks for the schema', '200', '{ __schema { queryType { name } } __typename }'],
  ['asks for the SDL', '200', '{ _service { sdl } }'],
  ['asks for both', '400 GRAPHQL_VALIDATION_FAILED', '{ __schema { queryType { name } } _service { sdl } }'],
  ['reads a record', '200', NEEDS_ID, { id: ID }],
  ['does not parse', '400 GRAPHQL_PARSE_FAILED', '{'],
  ['does not fit the graph', '400 GRAPHQL_VALIDATION_FAILED', '{ custmers { nodes { id } } }'],
  ['is too long', '400 GRAPHQL_PARSE_FAILED', `{ __typename } #${'x'.repeat(100_000)}`],
  ['is nested too deep', '400 GRAPHQL_PARSE_FAILED', `${'{ a '.repeat(101)}${'}'.repeat(101)}`],
  ['has too many tokens', '400 GRAPHQL_PARSE_FAILED', many(10_001, () => 'a')],
  ['has too many aliases', '400 GRAPHQL_VALIDATION_FAILED', many(251, (index) => `a${index}: __typename`)],
  ['has too many directives', '400 GRAPHQL_VALIDATION_FAILED', many(251, () => '__typename @skip(if: false)')],
  ['leads to a prototype', '400 BAD_USER_INPUT', '{ _entities(representations: [{ __proto__: 1 }]) { __typename } }'],
  ['names a member as the prototype', '200', '{ __proto__: __typename }'],
  ['has fragments that lead back', '400 GRAPHQL_VALIDATION_FAILED', '{ ...A } fragment A on Query { ...A }'],
  ['lacks a variable', '400 BAD_USER_INPUT', NEEDS_ID],
  ['has a variable of another type', '400 BAD_USER_INPUT', NEEDS_ID, { id: { a: 1 } }],
  ['asks for what is not there', '200', NEEDS_ID, { id: 'nothing' }],
  ['has an argument that is refused', '294 BAD_USER_INPUT', '{ customers(first: -1) { nodes { title } } }'],
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
  ['is to be answered in parts', '406 BAD_REQUEST', DEFERRED],
  ['speaks of parts', '200', `${READ} # defer, stream`],
  ['changes something', '200', MUTATION],
  [
    'changes what is not there',
    '200 NOT_FOUND',
    'mutation { quoteUpdate(input: { quoteId: "x", expectedVersion: "1", lines: [{ productId: "x", quantity: 1 }], discounts: [] }) { __typename ... on MutationError { code } } }',
  ],
];

describe('both paths return the same response for a document', () => {
  it.each(DOCUMENTS)('that %s: %s', async (_name, end, query, variables) => {
    for (const accept of [...ACCEPTS, 'multipart/mixed, application/json']) {
      const seen = await both.equal(queryRequest(query, { ...(variables && { variables }) }, { accept }));
      if (accept === ACCEPTS[1]) expect(seen.map(summarizeStatus)).toEqual([end, end]);
    }
  });

  it.each([
    ['a record cannot be read', '{ customer(id: "x") { title } contacts(first: 1) { nodes { rawId } } }', { status: 500 }],
    ['a record is not JSON', '{ customer(id: "x") { title } }', { body: '{' }],
    ['a record may not be read', '{ customer(id: "x") { title } }', { status: 403 }],
    ['an answer is too long in coming', '{ customers(first: 3) { nodes { rawId title } } }', { status: 504 }],
    ['the key is no more', '{ customer(id: "x") { title } }', { status: 401 }],
  ])('if %s', async (_name, query, fault) => {
    for (const accept of ACCEPTS) {
      for (const { sandbox } of both.worlds)
        for (const operation of ['Customer/GetCustomer', 'Customer/SearchCustomers']) sandbox.faults.add({ operation, ...fault });
      const [{ body }] = await both.equal(queryRequest(query, {}, { accept }));
      expect(body).toContain('"errors"');
    }
  });
});

describe('both paths return the same response for a request', () => {
  it.each<[string, Headers]>([
    ['without a key', { authorization: '' }],
    ['with a key that is none', { authorization: 'Basic x' }],
    ['with a key that nobody knows', { authorization: 'Bearer nobody' }],
    ['with a key in the other header', { authorization: '', 'x-api-key': 'demo-owner' }],
    ['with two keys', { 'x-api-key': 'nobody' }],
    ['with a request id that is none', { 'x-request-id': 'a b' }],
    ['without a host', { host: '' }],
    ['for a host that is none', { host: 'a b' }],
    ['for another host', { host: 'graph.example:99' }],
    ['of another origin', { origin: 'https://a.example' }],
    ['that keeps its connection', { connection: 'keep-alive' }],
    ['that takes gzip', { 'accept-encoding': 'gzip' }],
    ['that takes brotli', { 'accept-encoding': 'gzip, br' }],
    ['that takes nothing', { 'accept-encoding': 'identity;q=0' }],
    ['with cookies', { cookie: 'a=b' }],
    ['that wants a trace', { 'apollo-federation-include-trace': 'ftv1' }],
    ['that wants another method', { 'x-http-method-override': 'GET' }],
    ['that expects something', { expect: '100-continue' }],
  ])('%s', async (name, headers) => {
    const large = '{ contacts(first: 100) { nodes { id rawId lastName } } }';
    // A trace contains durations.
    const documents = name === 'that wants a trace' ? [] : [SMALL, large, PARTIAL, '{ nonsense }'];
    for (const query of documents) await both.equal(queryRequest(query, {}, headers));
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'QUERY'])('with the method %s', async (method) => {
    const path = `/graphql?query=${encodeURIComponent(READ)}`;
    for (const target of ['/graphql', path]) await both.equal({ method, path: target, headers: KEY });
    if (method !== 'GET' && method !== 'HEAD') await both.equal({ ...queryRequest(READ), method });
  });

  it.each(['/graphql/', '/graphql?', '/graphql?query={', '/graphql?a=b', '/Graphql', '//graphql', '/', '/nope', '/health/live'])(
    'to %s',
    async (path) => {
      await both.equal({ ...queryRequest(READ), path });
    },
  );
});
