import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Overload } from '../../../src/server/execution/overload.ts';
import { START } from '../../sandbox/sandbox.ts';
import {
  ACCEPTS,
  type Headers,
  ID,
  MUTATION,
  NEEDS_ID,
  type ObservedResponse,
  postRequest,
  queryRequest,
  READ,
  SMALL,
  summarizeStatus,
  useBothPaths,
} from '../../support/bothPaths.ts';
import { createBrokenUpstream, SECRET } from '../../support/brokenUpstream.ts';
import { createClock } from '../../support/clock.ts';
import { connectRaw } from '../../support/rawHttp.ts';
import { startTestGraph } from '../../support/testGraph.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const persistedQuery = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

/** Ways to refer to a document, in an order in which hashes are unknown before they're registered. */
const DOCUMENT_REFERENCES: readonly (readonly [name: string, params: object])[] = [
  ['an unknown hash', persistedQuery(sha256(READ))],
  ['a hash with another document', { query: SMALL, ...persistedQuery(sha256(READ)) }],
  ['a hash that is a number', { query: SMALL, ...persistedQuery(5) }],
  ['a hash with its document', { query: READ, ...persistedQuery(sha256(READ)) }],
  ['a known hash', persistedQuery(sha256(READ))],
  ['the ID of a trusted document', { documentId: 'read' }],
  ['the ID of a trusted document that doesn’t match the schema', { documentId: 'stale' }],
  ['the ID of a trusted mutation', { documentId: 'change' }],
  ['an unknown ID', { documentId: 'nothing' }],
  ['an ID and a document', { documentId: 'read', query: SMALL }],
  ['an empty ID', { documentId: '' }],
  ['no ID', { query: SMALL }],
];

const directory = mkdtempSync(join(tmpdir(), 'fast-path-'));
const file = join(directory, 'documents.json');
writeFileSync(file, JSON.stringify({ read: READ, stale: '{ ofOldTimes }', change: MUTATION, [sha256(NEEDS_ID)]: NEEDS_ID }));

describe.each([
  ['there are no trusted documents', {}],
  ['clients can register documents', { APQ: 'true' }],
  [
    'there are trusted documents, and clients can register others',
    { TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also', APQ: 'true' },
  ],
  ['only trusted documents are allowed', { TRUSTED_DOCUMENTS: file }],
])('both paths if %s', (_name, env: Headers) => {
  const bothPaths = useBothPaths({ env });

  it.each(DOCUMENT_REFERENCES)('return the same response for %s', async (_name, params) => {
    for (const accept of ACCEPTS) await bothPaths.equal(postRequest(JSON.stringify(params), { accept }));
  });
});

describe.each<[string, Headers]>([
  ['introspection is disabled', { INTROSPECTION: 'false' }],
  ['only the SDL is available', { INTROSPECTION: 'sdl' }],
  ['NODE_ENV is production', { NODE_ENV: 'production' }],
  ['CORS is enabled', { CORS_ORIGINS: 'https://a.example,https://b.example' }],
  ['the cost limit is low', { COST_LIMIT: '1' }],
  ['types and fields are renamed', { SUBGRAPH_RENAME: 'Customer=WsCustomer,Query.customers=wsCustomers', SUBGRAPH_TYPE_PREFIX: 'Ws' }],
])('both paths if %s', (_name, env) => {
  const configured = useBothPaths({ env });

  it.each([
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Customer") { name } }',
    '{ _service { sdl } }',
    '{ custmers { nodes { id } } }',
    '{ customer(id: 5) { titel } }',
    'query ($id: Nope!) { customer(id: $id) { title } }',
    NEEDS_ID,
    READ,
    '{ a: contact(id: "a") { lastName } b: contact(id: "b") { lastName } }',
    '{ customers(first: 1) { nodes { __typename } } }',
  ])('return the same response for %s', async (query) => {
    const [json, graphqlResponse] = ACCEPTS as [string, string];
    await configured.equal(queryRequest(query, { variables: { id: ID } }, { accept: json, origin: 'https://a.example' }));
    await configured.equal(queryRequest(query, {}, { accept: graphqlResponse, origin: 'https://c.example' }));
  });
});

describe('both paths', () => {
  const broken = useBothPaths({ app: { upstream: createBrokenUpstream() } });

  it.each(['{ customer(id: "x") { title } }', '{ customer(id: "x") { title } __typename }', MUTATION])(
    'report an unexpected error identically for %s',
    async (query) => {
      for (const accept of ACCEPTS) {
        const [{ body, lines }] = await broken.equal(queryRequest(query, {}, { accept }));
        expect(body).toContain('INTERNAL_SERVER_ERROR');
        expect(body).not.toContain(SECRET);
        // The error is logged once, with the request ID.
        expect(lines.map(({ msg, requestId }) => [msg, requestId])).toEqual([
          ['unexpected error', 'the-request'],
          ['request', 'the-request'],
        ]);
        expect(JSON.stringify(lines)).not.toContain('demo-owner');
      }
    },
  );
});

describe('both paths', () => {
  const rateLimited = useBothPaths({}, { rateLimit: { limit: 5, windowSeconds: 60 } });
  const twice = '{ a: contact(id: "a") { lastName } b: contact(id: "b") { lastName } }';

  it('reject a request identically if the key has too few remaining calls', async () => {
    const responses: ObservedResponse[] = [];
    for (let times = 0; times < 2; times += 1)
      responses.push(...(await rateLimited.equal(queryRequest(twice, {}, { accept: ACCEPTS[1] ?? '' }))));
    expect(responses.map(summarizeStatus)).toEqual(['200', '200', '429 RATE_LIMITED', '429 RATE_LIMITED']);
    expect(responses.at(-1)?.headers['retry-after']).toBe('60');
    await rateLimited.equal(queryRequest(twice));
    await rateLimited.equal(
      queryRequest('mutation { contactCreate(input: { lastName: "Poor" }) { __typename ... on MutationError { code } } }'),
    );
  });

  const overloaded = useBothPaths({
    app: { overload: new Overload({ maxRequests: 0, maxDelayMs: 60_000, meter: { take: () => 0, close: () => {} } }) },
  });

  it('reject a request identically if the server is overloaded', async () => {
    for (const accept of ACCEPTS)
      expect(summarizeStatus((await overloaded.equal(queryRequest(READ, {}, { accept })))[0])).toBe('503 OVERLOADED');
  });
});

describe('both paths', () => {
  it('shut down identically if a connection receives a request during shutdown', async () => {
    const [short = '', long] = await Promise.all(
      ['true', 'false'].map(async (FAST_PATH) => {
        const closing = await startTestGraph({}, undefined, { clock: createClock(() => START * 1000), env: { FAST_PATH } });
        const { socket, ended } = connectRaw(closing.app.url);
        const send = async (query: string, operation: string) => {
          const held = closing.gate.hold(operation);
          const body = JSON.stringify({ query });
          const head = 'X-Request-Id: the-request\r\nContent-Type: application/json\r\nAuthorization: Bearer demo-owner';
          socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
          await held.arrived;
          return held;
        };
        const first = await send(READ, 'Contact/ListContacts');
        const closed = closing.close();
        const second = await send('{ customers(first: 1) { nodes { title } } }', 'Customer/SearchCustomers');
        first.release();
        second.release();
        await closed;
        // Header names are case-insensitive.
        return (await ended).replace(/^Date: .*$/gim, '').toLowerCase();
      }),
    );
    expect(short).toMatch(/^http\/1\.1 200 ok.*"lastname".*connection: close.*"title"/s);
    expect(short).toBe(long);
  });
});
