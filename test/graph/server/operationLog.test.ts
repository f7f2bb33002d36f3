import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureLog } from '../../support/capturedLog.ts';
import { connectRaw, sendRaw } from '../../support/rawHttp.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const TRUSTED = 'query Contacts { contacts(first: 3) { nodes { id } } }';
const file = join(mkdtempSync(join(tmpdir(), 'operation-log-')), 'trusted.json');
writeFileSync(file, JSON.stringify({ 'contacts-v1': TRUSTED }));

const JSON_KEY = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
const computeHash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** A test graph with access to its log. */
function useLoggedGraph(env: Readonly<Record<string, string>>, level: 'debug' | 'warn' = 'debug') {
  const { logger, lines, waitForLines } = captureLog(level);
  const testGraph = useTestGraph({}, undefined, {
    logger,
    env: { TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also', ...env },
  });
  beforeEach(() => {
    testGraph.sandbox.faults.clear();
    lines.length = 0;
  });
  const send = async (body: object | string, headers: Readonly<Record<string, string>> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    await sendRaw(testGraph.url, { method: 'POST', headers: { ...JSON_KEY, ...headers }, body: text });
    const [line] = await waitForLines(1, 'request');
    return line;
  };
  return { testGraph, lines, waitForLines, send };
}

/** Fields of every line whose values vary between runs. */
const VARYING = {
  level: 30,
  time: expect.any(Number),
  pid: expect.any(Number),
  hostname: expect.any(String),
  requestId: expect.any(String),
  ms: expect.any(Number),
};
const HTTP = { ...VARYING, method: 'POST', path: '/graphql', status: 200, msg: 'request' };

const READ = 'query Read { contacts(first: 1) { nodes { rawId } } }';
const CREATE = 'mutation Create { contactCreate(input: { lastName: "Logged" }) { __typename } }';

describe.each([
  ['the fast path', 'true'],
  ['Yoga', 'false'],
])('log line of a request (%s)', (_path, FAST_PATH) => {
  const { testGraph, lines, waitForLines, send } = useLoggedGraph({ FAST_PATH });

  it('describes the operation without variables, documents, or keys', async () => {
    const query = 'query List($first: Int) { contacts(first: $first) { nodes { lastName } } }';
    expect(await send({ query, variables: { first: 2 } })).toEqual({
      ...HTTP,
      operation: 'List',
      type: 'query',
      document: computeHash(query),
      outcome: 'ok',
      calls: 1,
    });
    expect(lines).toHaveLength(1);
  });

  it('contains the ID of a trusted document', async () => {
    expect(await send({ documentId: 'contacts-v1' })).toMatchObject({ operation: 'Contacts', document: 'contacts-v1', outcome: 'ok' });
  });

  it('contains each error code once, and `partial` if a root field succeeded', async () => {
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListProducts', status: 500, times: 10 });
    const query =
      '{ a: products(first: 1) { nodes { rawId } } b: products(first: 1) { nodes { rawId } } contacts(first: 1) { nodes { rawId } } }';
    expect(await send({ query })).toMatchObject({ outcome: 'partial', codes: ['UPSTREAM_UNAVAILABLE'] });
  });

  it('contains `failed` if every root field is null because of errors', async () => {
    testGraph.sandbox.faults.add({ operation: '*', status: 503, times: 100 });
    const query = '{ products(first: 1) { nodes { rawId } } contacts(first: 1) { nodes { rawId } } }';
    expect(await send({ query })).toMatchObject({ outcome: 'failed', codes: ['UPSTREAM_UNAVAILABLE'] });
  });

  it.each([
    ['next to `__typename`', {}],
    ['in an incremental response', { accept: 'multipart/mixed' }],
  ])('contains `failed` if every root field %s is null', async (_name, headers) => {
    testGraph.sandbox.faults.add({ operation: '*', status: 503, times: 100 });
    const later = 'accept' in headers ? '... @defer { contacts(first: 1) { nodes { rawId } } }' : '__typename';
    expect(await send({ query: `{ products(first: 1) { nodes { rawId } } ${later} }` }, headers)).toMatchObject({
      outcome: 'failed',
      codes: ['UPSTREAM_UNAVAILABLE'],
    });
  });

  it('contains `failed` if every entity is null because of errors', async () => {
    testGraph.sandbox.faults.add({ operation: '*', status: 503, times: 100 });
    const query = '{ _entities(representations: [{ __typename: "Contact", rawId: "x" }]) { ... on Contact { lastName } } }';
    expect(await send({ query })).toMatchObject({ outcome: 'failed', codes: ['UPSTREAM_UNAVAILABLE'] });
  });

  it('contains `ok` for a missing record', async () => {
    expect(await send({ query: '{ contact(id: "x") { lastName } }' })).toMatchObject({ outcome: 'ok', calls: 1 });
  });

  it('contains the code of an error in a result union, regardless of the selection', async () => {
    const query =
      'mutation Blank { contactCreate(input: { lastName: "A", idempotencyKey: " " }) { ... on ContactCreatePayload { effect } } }';
    expect(await send({ query })).toMatchObject({ operation: 'Blank', type: 'mutation', outcome: 'failed', codes: ['BAD_USER_INPUT'] });
  });

  it('contains the code of a missing scope', async () => {
    expect(await send({ query: CREATE }, { authorization: 'Bearer demo-reader' })).toMatchObject({
      level: 30,
      operation: 'Create',
      outcome: 'failed',
      codes: ['FORBIDDEN'],
      calls: 0,
    });
  });

  it.each([
    ['a write with an unknown outcome', CREATE, { operation: 'Contact/CreateContact', cut: 'after' }, 'OUTCOME_UNKNOWN'],
    ['a read that failed', READ, { operation: 'Contact/ListContacts', status: 500 }, 'UPSTREAM_UNAVAILABLE'],
    ['a read that timed out', READ, { operation: 'Contact/ListContacts', timesOut: true }, 'UPSTREAM_TIMEOUT'],
    ['an invalid response', READ, { operation: 'Contact/ListContacts', body: '<html>' }, 'UPSTREAM_INVALID_RESPONSE'],
  ] as const)('uses the level warn for %s', async (_name, query, { operation, ...fault }, code) => {
    const held = 'timesOut' in fault ? testGraph.gate.holdResponses(operation) : undefined;
    if (!held) testGraph.sandbox.faults.add({ operation, ...fault });
    const line = send({ query });
    await held?.arrived;
    held?.timeOut();
    expect(await line).toMatchObject({ level: 40, outcome: 'failed', codes: [code] });
  });

  it.each([
    ['with a syntax error', { query: '{ secretField(' }, 'GRAPHQL_PARSE_FAILED'],
    ['with an unknown field', { query: 'query Wrong { secretField }', operationName: 'Wrong' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'with several operations and no name',
      { query: 'query A { a: __typename } query B { b: __typename }' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
  ])('contains the code and the hash of a document %s', async (_name, body: { query: string; operationName?: string }, code) => {
    const line = await send(body);
    expect(line).toMatchObject({ document: computeHash(body.query), outcome: 'failed', codes: [code], calls: 0 });
    expect(line?.operation).toBe(body.operationName);
    expect(lines).toHaveLength(1);
  });

  it('contains an unknown document ID only in a common format', async () => {
    expect(await send({ documentId: 'web.v2:orders' })).toMatchObject({
      document: 'web.v2:orders',
      outcome: 'failed',
      codes: ['PERSISTED_QUERY_NOT_FOUND'],
    });
    lines.length = 0;
    const line = await send({ documentId: 'a secret\n{"level":60}', operationName: 'not a name' });
    expect(line).toMatchObject({ outcome: 'failed', codes: ['PERSISTED_QUERY_NOT_FOUND'] });
    expect(line).not.toHaveProperty('document');
    expect(line).not.toHaveProperty('operation');
  });

  it.each([
    ['malformed JSON', '{', {}, 'BAD_REQUEST'],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 'BAD_REQUEST'],
    ['an unsupported Accept', '{}', { accept: 'image/png' }, 'BAD_REQUEST'],
    ['a batch', '[{"query":"{ __typename }"}]', {}, 'BAD_REQUEST'],
    [
      'invalid variables',
      JSON.stringify({ query: 'query ($n: Int) { contacts(first: $n) { nodes { id } } }', variables: { n: 'x' } }),
      {},
      'BAD_USER_INPUT',
    ],
  ])('contains the code of a request error: %s', async (_name, body, headers, code) => {
    expect(await send(body, headers)).toMatchObject({ outcome: 'failed', codes: [code], calls: 0 });
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  });

  it('contains the outcome of all payloads of an incremental response', async () => {
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListProducts', status: 500, times: 10 });
    const query = 'query Later { contacts(first: 1) { nodes { rawId } } ... @defer { products(first: 1) { nodes { rawId } } } }';
    expect(await send({ query }, { accept: 'multipart/mixed' })).toMatchObject({
      operation: 'Later',
      outcome: 'partial',
      codes: ['UPSTREAM_UNAVAILABLE'],
      calls: 2,
    });
    expect(lines.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  });

  it('precedes a line of the operation if the client disconnects early', async () => {
    const held = testGraph.gate.hold('Contact/CreateContact');
    const body = JSON.stringify({ query: CREATE });
    const { socket } = connectRaw(testGraph.url);
    const head = `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer demo-owner\r\ngraphql-client-name: leaver\r\n`;
    socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    await held.arrived;
    socket.destroy();
    const [request] = await waitForLines(1, 'request');
    expect(request).toEqual({ ...HTTP, status: null, client: 'leaver' });
    held.release();
    const [, operation] = await waitForLines(2, 'request', 'operation');
    const requestId = request?.requestId;
    expect(operation).toMatchObject({ msg: 'operation', requestId, operation: 'Create', outcome: 'ok', calls: 1, client: 'leaver' });
  });

  it('contains no codes and is the only line if the client disconnects while sending the body', async () => {
    const { socket } = connectRaw(testGraph.url);
    socket.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await new Promise((resolve) => socket.once('ready', resolve));
    socket.end();
    socket.destroy();
    const [line] = await waitForLines(1, 'request');
    expect(line).toEqual({ ...HTTP, status: null });
    await send({ query: '{ __typename }' });
    await waitForLines(2, 'request');
    expect(lines.map(({ msg }) => msg)).toEqual(['request', 'request']);
  });

  it.each([
    ['Apollo’s', { 'apollographql-client-name': 'web', 'apollographql-client-version': '1.2.0' }],
    ['other clients’', { 'graphql-client-name': 'web', 'graphql-client-version': '1.2.0' }],
  ])('contains the client’s name and version from %s headers', async (_name, headers) => {
    expect(await send({ query: '{ __typename }' }, headers)).toMatchObject({ client: 'web', clientVersion: '1.2.0' });
  });

  it('limits a client’s name to 64 characters, replaces unusual ones, and omits the key', async () => {
    const headers = { 'apollographql-client-name': `{"a":"\\u001b"}${'x'.repeat(5_000)}`, 'apollographql-client-version': 'demo-owner' };
    const line = await send({ query: '{ __typename }' }, headers);
    expect(line?.client).toMatch(/^__a_:__u001b__x+$/);
    expect(line?.client).toHaveLength(64);
    expect(line?.clientVersion).toBe('[key]');
  });

  it('contains no operation for other paths', async () => {
    await sendRaw(testGraph.url, { path: '/other' });
    const [line] = await waitForLines(1, 'request');
    expect(line).toEqual({ ...HTTP, method: 'GET', path: '/other', status: 404 });
  });

  it.each(['/health/live', '/health/ready?verbose'])('uses the level debug for %s', async (path) => {
    await sendRaw(testGraph.url, { path });
    const [line] = await waitForLines(1, 'request');
    expect(line).toEqual({ ...HTTP, level: 20, method: 'GET', path: path.replace('?verbose', '') });
  });
});

describe('log lines of an agent tool', () => {
  const { testGraph, waitForLines } = useLoggedGraph({ MCP: 'true' });

  it('include a line per operation with the request ID of the tool call', async () => {
    const client = await connectTools(testGraph.url, 'demo-owner');
    await client.call('svc_find_customer', { query: 'a' });
    const [operation] = await waitForLines(1, 'operation');
    const [call] = await waitForLines(1, 'tool call');
    expect(operation).toMatchObject({ operation: 'find_customer', type: 'query', outcome: 'ok', requestId: call?.requestId });
    expect(operation?.document).toMatch(/^sha256:/);
    await client.close();
  });
});

describe('LOG_LEVEL=warn', () => {
  const { testGraph, waitForLines } = useLoggedGraph({}, 'warn');

  it('omits all lines of operations except those that failed because of the upstream', async () => {
    await testGraph.execute(READ);
    await testGraph.execute('{ nonsense }');
    await testGraph.execute('{ contact(id: "x") { lastName } }');
    testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', cut: 'after' });
    await testGraph.execute(CREATE);
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', status: 503 });
    await testGraph.execute(READ);
    const requests = await waitForLines(2, 'request');
    expect(requests.map(({ operation }) => operation)).toEqual(['Create', 'Read']);
  });
});
