import { createHash } from 'node:crypto';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Area, type Case, createCase, post } from './case.ts';

const SMALL = '{ __typename }';
const READ = '{ contacts(first: 2) { nodes { rawId lastName } } }';
const PARTIAL = '{ contacts(first: 1) { nodes { rawId } } customer(id: "x") { title } }';
const NEEDS_ID = 'query ($id: ID!) { customer(id: $id) { title contact { lastName } } }';
const KEY = { authorization: 'Bearer demo-owner' };

/** Trusted documents of every engine by ID. */
export const TRUSTED: Readonly<Record<string, string>> = { read: READ, stale: '{ ofOldTimes }', record: NEEDS_ID };

type Headers = Record<string, string>;

const createRawRequest = (body: string, headers: Headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...KEY, ...headers },
  body,
});

const ACCEPTS = [
  '',
  '*/*',
  'application/*',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'application/json;q=0',
  'application/json;q=0.1, application/graphql-response+json',
  'application/graphql-response+json',
  'text/html, application/json',
  'text/html, */*;q=0.1',
  'multipart/mixed',
  'multipart/mixed, application/json',
  'text/event-stream',
  'text/plain',
  ',',
  'application/json;q=nonsense',
];

/** Requests that accept a media type: one that succeeds, one that partially fails, and one that isn't executed. */
const accepts = ACCEPTS.flatMap((accept) =>
  [READ, PARTIAL, '{ nonsense }'].map((query) =>
    createCase(`accept ${JSON.stringify(accept)}: ${query}`, post(query, {}, 'demo-owner', { accept })),
  ),
);

const TYPES = [
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/json, text/plain',
  'application/graphql-response+json',
  'application/graphql',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  '',
];
const types = TYPES.map((type) =>
  createCase(`content type ${JSON.stringify(type)}`, post(READ, {}, 'demo-owner', { 'content-type': type })),
);

const apollo = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const sha256 = createHash('sha256').update(SMALL).digest('hex');

/** Values of the request body. */
const PARAMS: Readonly<Record<string, unknown>> = {
  'a string': 'x',
  null: null,
  'a number': 5,
  'an empty array': [],
  'a batch': [{ query: SMALL }, { query: SMALL }],
  'an empty object': {},
  'a query that is null': { query: null },
  'an empty query': { query: '' },
  'a query that is a number': { query: 5 },
  'a query of comments': { query: '# none' },
  'an unknown property': { query: SMALL, id: 'x' },
  'characters beyond ASCII': { query: '{ customers(first: 1, query: "Ünï💥") { nodes { title } } }' },
  'variables that are a string': { query: SMALL, variables: 'x' },
  'variables that are a list': { query: SMALL, variables: [] },
  'variables that are null': { query: SMALL, variables: null },
  'extensions that are a string': { query: SMALL, extensions: 'x' },
  'extensions that are null': { query: SMALL, extensions: null },
  'unknown extensions': { query: SMALL, extensions: { tracing: true } },
  'an operation name that is a number': { query: SMALL, operationName: 5 },
  'an operation name that is null': { query: SMALL, operationName: null },
  'an empty operation name': { query: SMALL, operationName: '' },
  'an unknown operation name': { query: 'query A { __typename }', operationName: 'B' },
  'an operation name': { query: 'query A { __typename } query B { viewer { __typename } }', operationName: 'B' },
  'two operations without a name': { query: 'query A { __typename } query B { __typename }' },
  'no operation': { query: 'fragment F on Query { __typename }' },
  'a type definition': { query: 'type A { a: Int }' },
  'a subscription': { query: 'subscription { __typename }' },
  'a trusted document': { documentId: 'read' },
  'a trusted document with variables': { documentId: 'record', variables: { id: demoId('customer 0') } },
  'a trusted document that is invalid': { documentId: 'stale' },
  'an unknown document ID': { documentId: 'nothing' },
  'an empty document ID': { documentId: '' },
  'a document ID that is a number': { documentId: 5 },
  'a document ID with a document': { documentId: 'read', query: SMALL },
  'the hash of another document': { query: READ, ...apollo(sha256) },
  'a hash that is a number': apollo(5),
  'an unknown hash': apollo('0'.repeat(64)),
};
const params = Object.entries(PARAMS).map(([name, value]) => createCase(`body: ${name}`, createRawRequest(JSON.stringify(value))));

const BODIES: Readonly<Record<string, string>> = {
  'invalid JSON': '{"query": secret',
  'only spaces': ' ',
  'a property named like the prototype': `{"query":${JSON.stringify(SMALL)},"__proto__":{}}`,
  'a duplicate property': `{"query":"{","query":${JSON.stringify(SMALL)}}`,
  'a byte order mark': `\ufeff${JSON.stringify({ query: SMALL })}`,
  'half a character': '{"query":"{ customers(first: 1, query: \\"\\ud800\\") { nodes { title } } }"}',
  'variables that are too deep': `{"query":${JSON.stringify(NEEDS_ID)},"variables":{"id":${'['.repeat(500)}${']'.repeat(500)}}}`,
  'more than JSON': `${JSON.stringify({ query: SMALL })}x`,
  'too many bytes': JSON.stringify({ query: SMALL, extensions: { a: 'x'.repeat(1024 * 1024) } }),
};
const bodies = Object.entries(BODIES).map(([name, body]) => createCase(`body: ${name}`, createRawRequest(body)));

/** A hash is unknown until it is sent with its document. */
const automatic: Case = {
  title: 'automatic persisted query',
  steps: [
    { title: 'persisted query before its document', request: createRawRequest(JSON.stringify(apollo(sha256))) },
    { title: 'persisted query with its document', request: createRawRequest(JSON.stringify({ query: SMALL, ...apollo(sha256) })) },
    { title: 'persisted query after its document', request: createRawRequest(JSON.stringify(apollo(sha256))) },
  ],
};

const HEADERS: readonly (readonly [string, Headers])[] = [
  ['without a key', { authorization: '' }],
  ['with a key of another scheme', { authorization: 'Basic x' }],
  ['with an unknown key', { authorization: 'Bearer absent' }],
  ['with the key in X-API-Key', { authorization: '', 'x-api-key': 'demo-owner' }],
  ['with two keys', { 'x-api-key': 'absent' }],
  ['with an invalid request ID', { 'x-request-id': 'a b' }],
  ['of an invalid host', { host: 'a b' }],
  ['of another host', { host: 'graph.example:99' }],
  ['of another origin', { origin: 'https://a.example' }],
  ['with an unknown content encoding', { 'content-encoding': 'br' }],
  ['with a plain content encoding', { 'content-encoding': 'identity' }],
  ['in chunks', { 'transfer-encoding': 'chunked' }],
  ['with a method override', { 'x-http-method-override': 'GET' }],
];
const headers = HEADERS.flatMap(([title, more]) =>
  [READ, '{ nonsense }'].map((query) => createCase(`${title}: ${query}`, post(query, {}, 'demo-owner', more))),
);

const search = (given: Headers) => `/graphql?${new URLSearchParams(given)}`;
const GETS: Readonly<Record<string, Headers>> = {
  'a query': { query: READ },
  'a query with variables': { query: NEEDS_ID, variables: JSON.stringify({ id: demoId('customer 1') }) },
  'variables that are invalid JSON': { query: NEEDS_ID, variables: '{' },
  'an operation name': { query: 'query A { __typename } query B { viewer { __typename } }', operationName: 'A' },
  'a mutation': { query: 'mutation { contactCreate(input: { lastName: "Get" }) { __typename } }' },
  'a trusted document': { documentId: 'read' },
  nothing: {},
};
const gets = Object.entries(GETS).map(([name, given]) => createCase(`GET of ${name}`, { path: search(given), headers: KEY }));

const methods = ['HEAD', 'OPTIONS', 'PUT', 'DELETE'].map((method) =>
  createCase(`method ${method}`, { method, path: search({ query: READ }), headers: KEY }),
);
const paths = ['/graphql/', '/graphql?a=b', '/Graphql', '//graphql', '/nope', '/health/live'].map((path) =>
  createCase(`path ${path}`, { ...post(READ), path }),
);

export const forms: Area = {
  name: 'forms',
  cases: [...accepts, ...types, ...params, ...bodies, automatic, ...headers, ...gets, ...methods, ...paths],
};
