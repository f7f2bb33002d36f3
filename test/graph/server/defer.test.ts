import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { type App, startApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId, openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { createGate, type Gate } from '../../support/gate.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { type Part, readParts } from '../../support/parts.ts';
import { NO_IDLE_WAIT, postQuery, SIZES } from '../../support/testGraph.ts';

/** Few enough that a test can exceed them. */
const CALLS_PER_REQUEST = 30;
const EVENTS = 'Customer/ListCustomerTimelineEvents';
const GET = 'Customer/GetCustomer';
const CUSTOMER_ID = demoId('customer 0');

const logLines: string[] = [];
let sandbox: TestSandbox;
let gate: Gate;
let app: App;

async function openApp(): Promise<{ readonly app: App; readonly gate: Gate }> {
  const gate = createGate(httpTransport({ url: sandbox.url, connections: 32 }));
  const upstream = createUpstream({ transport: gate, timeoutMs: 20_000, callsPerRequest: CALLS_PER_REQUEST, wait: async () => {} });
  const logger = pino({ level: 'error' }, { write: (line: string) => void logLines.push(line) });
  return {
    app: await startApp({
      config: readConfig({ PORT: '0', MAX_EVENT_LOOP_DELAY_MS: '60000' }),
      upstream,
      ledger: createMemoryLedger(),
      logger,
      http: NO_IDLE_WAIT,
    }),
    gate,
  };
}

beforeAll(async () => {
  sandbox = await openSandbox();
  ({ app, gate } = await openApp());
});
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  await app.close();
  await sandbox.close();
});

interface RequestOptions {
  readonly variables?: object;
  readonly accept?: string;
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly requestId?: string;
  readonly key?: string;
}

const sendQuery = (
  query: string,
  {
    variables = { id: CUSTOMER_ID },
    accept = 'multipart/mixed',
    url = app.url,
    signal,
    requestId,
    key = 'demo-owner',
  }: RequestOptions = {},
) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      accept,
      ...(requestId && { 'x-request-id': requestId }),
    },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });

async function readResponseParts(response: Response): Promise<AsyncGenerator<Part, void>> {
  expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"');
  if (!response.body) throw new Error('A response in parts must have a body.');
  return readParts(response.body);
}

/** The next payload. Fails if there is none. */
async function readNext(parts: AsyncGenerator<Part, void>): Promise<Part> {
  const { value, done } = await parts.next();
  if (done || !value) throw new Error('There must be one more part.');
  return value;
}

async function readRest(parts: AsyncGenerator<Part, void>): Promise<Part[]> {
  const found: Part[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

const fetchParts = async (query: string, options: RequestOptions = {}) =>
  readRest(await readResponseParts(await sendQuery(query, options)));

/** The result of a function, and the upstream calls that it caused. */
async function recordCalls<Result>(execute: () => Promise<Result>): Promise<readonly [Result, string[]]> {
  const before = sandbox.received.length;
  const result = await execute();
  const names = sandbox.received.slice(before).map(({ operation }) => operation);
  return [result, names.filter((name) => name !== 'Workspace/Me')];
}

/** All incremental results in one list. */
const listResults = (parts: readonly Part[]) => parts.flatMap(({ incremental }) => incremental ?? []);

const TIMELINE = `query ($id: ID!) {
  customer(id: $id) { title ... @defer(label: "events") { timelineEvents(first: 2) { nodes { rawId } } } }
}`;

describe('@defer', () => {
  it('returns a customer before the upstream returns its timeline', async () => {
    const held = gate.hold(EVENTS);
    const parts = await readResponseParts(await sendQuery(TIMELINE));
    expect(await readNext(parts)).toEqual({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    await held.arrived;
    expect(sandbox.received.at(-1)?.operation).toBe(GET);
    held.release();
    expect(await readNext(parts)).toEqual({
      incremental: [
        {
          data: { timelineEvents: { nodes: [{ rawId: expect.any(String) }, { rawId: expect.any(String) }] } },
          path: ['customer'],
          label: 'events',
        },
      ],
      hasNext: false,
      extensions: { cost: { predictedCalls: 2, actualCalls: 2, savedCalls: 0, quota: expect.any(Object), ...SIZES } },
    });
    expect((await parts.next()).done).toBe(true);
  });

  it('returns orders before the upstream returns their cancellation impact', async () => {
    const operation = 'Order/GetOrderCancellationImpact';
    const held = gate.hold(operation);
    const parts = await readResponseParts(
      await sendQuery(`query ($id: ID!) {
        customer(id: $id) { orders(first: 2) { nodes { referenceNumber ... @defer { cancellationImpact { canCancel } } } } }
      }`),
    );
    const first = await readNext(parts);
    expect(first).toMatchObject({
      data: { customer: { orders: { nodes: [{ referenceNumber: expect.any(String) }, {}] } } },
      hasNext: true,
    });
    await held.arrived;
    held.release();
    const others = await readRest(parts);
    expect(listResults(others).map(({ path, data }) => [path, typeof data.cancellationImpact.canCancel])).toEqual([
      [['customer', 'orders', 'nodes', 0], 'boolean'],
      [['customer', 'orders', 'nodes', 1], 'boolean'],
    ]);
    expect(others.at(-1)?.hasNext).toBe(false);
  });

  it('supports event streams', async () => {
    const response = await sendQuery(TIMELINE, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const events = (await response.text()).matchAll(/^data: (\{.*\})$/gm);
    expect([...events].map(([, json = '']) => JSON.parse(json).hasNext)).toEqual([true, false]);
  });

  it('fetches data of the initial and of deferred results once', async () => {
    const [parts, sent] = await recordCalls(() =>
      fetchParts(`query ($id: ID!) {
        customer(id: $id) { title timelineEvents(first: 2) { nodes { rawId } } ...Late @defer(label: "a") }
        again: customer(id: $id) { title ... @defer(label: "b") { createdAt timelineEvents(first: 2) { nodes { eventType } } } }
      }
      fragment Late on Customer { createdAt timelineEvents(first: 2) { nodes { rawId summary } } }`),
    );
    expect(listResults(parts)).toHaveLength(2);
    expect(listResults(parts).every(({ data, errors }) => data !== null && errors === undefined)).toBe(true);
    expect(sent.toSorted()).toEqual([GET, EVENTS]);
  });

  it('fetches nothing for a fragment of keys, and the record for other fields', async () => {
    const query = (deferredFields: string) => `query ($id: ID!) {
      order(id: $id) { referenceNumber customer { rawId ... @defer { ${deferredFields} } } }
    }`;
    const [parts, sent] = await recordCalls(() => fetchParts(query('id'), { variables: { id: demoId('order 0') } }));
    expect(listResults(parts)).toEqual([{ data: { id: expect.any(String) }, path: ['order', 'customer'] }]);
    expect(sent).toEqual(['Order/GetOrder']);
    const [, more] = await recordCalls(() => fetchParts(query('title'), { variables: { id: demoId('order 0') } }));
    expect(more).toEqual(['Order/GetOrder', GET]);
  });

  it.each([
    ['false', { id: CUSTOMER_ID, wanted: false }],
    ['omitted, with the default false', { id: CUSTOMER_ID }],
  ])('returns plain JSON if `if` is %s', async (_name, variables) => {
    const query = `query ($id: ID!, $wanted: Boolean! = false) {
      customer(id: $id) { title ... @defer(if: $wanted) { timelineEvents(first: 1) { nodes { rawId } } } }
    }`;
    const response = await sendQuery(query, { variables, accept: 'application/json' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      data: { customer: { title: expect.any(String), timelineEvents: { nodes: [{ rawId: expect.any(String) }] } } },
      extensions: { cost: { predictedCalls: 2, actualCalls: 2, savedCalls: 0, quota: expect.any(Object), ...SIZES } },
    });
    expect(await fetchParts(query, { variables: { id: CUSTOMER_ID, wanted: true } })).toMatchObject([
      { hasNext: true },
      { hasNext: false },
    ]);
  });

  it('has no effect in another operation of the document', async () => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', accept: 'application/json' },
      body: JSON.stringify({
        query: 'query A { viewer { workspace { name } } } query B { ...F @defer } fragment F on Query { __typename }',
        operationName: 'A',
      }),
    });
    expect([response.status, (await response.json()).data.viewer.workspace.name]).toEqual([200, 'Demo Works']);
  });

  it('returns the complete result of a mutation to a client that accepts only JSON', async () => {
    const query = `mutation { contactCreate(input: { lastName: "Got" }) { ... on ContactCreatePayload { contact { ... @defer { lastName } } } } }`;
    const [response, sent] = await recordCalls(() => sendQuery(query, { variables: {}, accept: 'application/json' }));
    expect(sent).toEqual(['Contact/CreateContact']);
    expect((await response.json()).data).toEqual({ contactCreate: { contact: { lastName: 'Got' } } });
  });

  it.each([
    ['on the root of a mutation', 'mutation { ... @defer { __typename } }'],
    [
      'with a repeated label',
      '{ a: viewer { ... @defer(label: "x") { __typename } } b: viewer { ... @defer(label: "x") { __typename } } }',
    ],
    ['with a variable as label', 'query ($l: String) { ... @defer(label: $l) { __typename } }'],
    ['with null as label', '{ ... @defer(label: null) { __typename } }'],
    ['with the label of a stream', '{ viewer { ... @defer(label: "x") { __typename } } contacts { nodes @stream(label: "x") { id } } }'],
    ['next to a stream with a variable as label', 'query ($l: String) { contacts { nodes @stream(label: $l) { id } } }'],
  ])('causes 400 %s', async (_name, query) => {
    const response = await sendQuery(query, { variables: {}, accept: 'application/graphql-response+json, multipart/mixed' });
    const { errors } = await response.json();
    expect([response.status, errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  it('appears in introspection but not in the subgraph SDL', async () => {
    const { directives } = (await postQuery(app.url, null, '{ __schema { directives { name locations } } }')).data.__schema;
    const { sdl } = (await postQuery(app.url, null, '{ _service { sdl } }')).data._service;
    expect(directives).toContainEqual({ name: 'defer', locations: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'] });
    expect(directives).toContainEqual({ name: 'stream', locations: ['FIELD'] });
    expect(sdl).not.toMatch(/directive @(defer|stream)\b/);
  });
});

describe('error in an incremental result', () => {
  it('appears in that result with its code', async () => {
    sandbox.faults.add({ operation: EVENTS, status: 429, retryAfter: 7 });
    const [first, second] = await fetchParts(TIMELINE, { key: makeKey(sandbox.world) });
    expect(first).toEqual({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    expect(second?.incremental?.[0]).toMatchObject({
      data: { timelineEvents: null },
      errors: [{ path: ['customer', 'timelineEvents'], extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 7 } }],
    });
  });

  it('appears masked if it is internal, and in the log with the request ID', async () => {
    logLines.length = 0;
    sandbox.faults.add({ operation: EVENTS, status: 200, body: '{"events":[{"id":"e","eventType":{"secret":"10.0.0.1"}}]}' });
    const query = 'query ($id: ID!) { customer(id: $id) { rawId ... @defer { timelineEvents(first: 1) { nodes { eventType } } } } }';
    const parts = await fetchParts(query, { requestId: 'deferred-1' });
    expect(listResults(parts)[0]?.errors).toEqual([
      {
        message: 'The value stored in the Workspace API is invalid for this field’s type.',
        path: ['customer', 'timelineEvents', 'nodes', 0, 'eventType'],
        locations: expect.any(Array),
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
      },
    ]);
    expect(logLines.map((line) => JSON.parse(line).requestId)).toEqual(['deferred-1']);
  });

  it('reports the call limit of the whole request', async () => {
    const fields = Array.from(
      { length: CALLS_PER_REQUEST },
      (_, index) => `e${index}: timelineEvents(filter: { transactionId: "t${index}" }) { nodes { rawId } }`,
    );
    const [parts, sent] = await recordCalls(() =>
      fetchParts(`query ($id: ID!) { customer(id: $id) { title ... @defer { ${fields.join(' ')} } } }`),
    );
    expect(sent).toHaveLength(CALLS_PER_REQUEST);
    expect(listResults(parts)[0]?.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_EXPENSIVE' } }]);
  });
});

describe('@stream', () => {
  it('returns a list item by item', async () => {
    const [parts, sent] = await recordCalls(() =>
      fetchParts('query ($id: ID!) { customer(id: $id) { timelineEvents(first: 3) { nodes @stream(initialCount: 1) { rawId } } } }'),
    );
    expect(parts[0]).toEqual({ data: { customer: { timelineEvents: { nodes: [{ rawId: expect.any(String) }] } } }, hasNext: true });
    expect(listResults(parts)).toEqual(
      [1, 2].map((index) => ({ items: [{ rawId: expect.any(String) }], path: ['customer', 'timelineEvents', 'nodes', index] })),
    );
    expect(sent).toEqual([EVENTS]);
  });

  it('returns the first records of `nodes(ids:)` before the upstream returns the others', async () => {
    const ids = [toGlobalId('Contact', demoId('contact 1')), toGlobalId('Customer', demoId('customer 1'))];
    const query = `query ($ids: [ID!]!) {
      nodes(ids: $ids) @stream(initialCount: 1) { ... on Contact { lastName } ... on Customer { title } }
    }`;
    const held = gate.hold(GET);
    const parts = await readResponseParts(await sendQuery(query, { variables: { ids } }));
    expect(await readNext(parts)).toEqual({ data: { nodes: [{ lastName: expect.any(String) }] }, hasNext: true });
    await held.arrived;
    held.release();
    expect(listResults(await readRest(parts))).toEqual([{ items: [{ title: expect.any(String) }], path: ['nodes', 1] }]);
  });

  it.each([-1, null])('causes 400 for an initial count of %s', async (count) => {
    const query =
      'query ($id: ID!, $count: Int) { customer(id: $id) { timelineEvents { nodes @stream(initialCount: $count) { rawId } } } }';
    const [response, sent] = await recordCalls(() =>
      sendQuery(query, { variables: { id: CUSTOMER_ID, count }, accept: 'application/json, multipart/mixed' }),
    );
    expect([response.status, (await response.json()).errors[0].extensions.code, sent]).toEqual([400, 'BAD_USER_INPUT', []]);
  });

  it('causes 400 on a field that isn’t a list', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { title @stream } }';
    const response = await sendQuery(query, { accept: 'application/graphql-response+json, multipart/mixed' });
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0].message).toContain('cannot be used on non-list field');
  });
});

describe('shutdown', () => {
  it('waits for the end of an incremental response', async () => {
    const { app: ownApp, gate: gateOfOwnApp } = await openApp();
    const held = gateOfOwnApp.hold(EVENTS);
    const parts = await readResponseParts(await sendQuery(TIMELINE, { url: ownApp.url }));
    await readNext(parts);
    await held.arrived;
    const closed = ownApp.close();
    held.release();
    expect(await readNext(parts)).toMatchObject({ incremental: [{ label: 'events' }], hasNext: false });
    await closed;
  });
});

describe('client that disconnects between two payloads', () => {
  /** Starts a graph and a request that disconnects after its first payload, while the second one is held back. */
  async function openAbandoned() {
    const ownApp = await openApp();
    const held = ownApp.gate.hold(EVENTS);
    const client = new AbortController();
    const parts = await readResponseParts(await sendQuery(TIMELINE, { url: ownApp.app.url, signal: client.signal }));
    await readNext(parts);
    await held.arrived;
    client.abort();
    await expect(parts.next()).rejects.toThrow();
    return { ...ownApp, held };
  }

  it('doesn’t affect other requests', async () => {
    const { app: ownApp, held } = await openAbandoned();
    await held.abandoned;
    held.release();
    const { data } = await postQuery(ownApp.url, 'demo-owner', TIMELINE.replace('... @defer(label: "events") {', '... {'), {
      id: CUSTOMER_ID,
    });
    expect(data.customer.timelineEvents.nodes).toHaveLength(2);
    await ownApp.close();
  });

  it('doesn’t prevent the shutdown while the upstream is still responding', async () => {
    const { app: ownApp } = await openAbandoned();
    await ownApp.close();
    await expect(fetch(ownApp.url)).rejects.toThrow();
  });
});
