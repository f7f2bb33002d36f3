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
import { memoryLedger } from '../../support/memoryLedger.ts';
import { type Part, partsOf } from '../../support/parts.ts';
import { NO_IDLE_WAIT, postQuery, SIZES } from '../../support/testGraph.ts';

/** Few enough for a test to go past them. */
const CALLS_PER_REQUEST = 30;
const EVENTS = 'Customer/ListCustomerTimelineEvents';
const GET = 'Customer/GetCustomer';
const RICH = demoId('customer 0');

const logged: string[] = [];
let sandbox: TestSandbox;
let gate: Gate;
let app: App;

async function openApp(): Promise<{ readonly app: App; readonly gate: Gate }> {
  const gate = createGate(httpTransport({ url: sandbox.url, connections: 32 }));
  const upstream = createUpstream({ transport: gate, timeoutMs: 20_000, callsPerRequest: CALLS_PER_REQUEST, wait: async () => {} });
  const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  return {
    app: await startApp({
      config: readConfig({ PORT: '0', MAX_EVENT_LOOP_DELAY_MS: '60000' }),
      upstream,
      ledger: memoryLedger(),
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

interface Asking {
  readonly variables?: object;
  readonly accept?: string;
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly requestId?: string;
  readonly key?: string;
}

const ask = (
  query: string,
  { variables = { id: RICH }, accept = 'multipart/mixed', url = app.url, signal, requestId, key = 'demo-owner' }: Asking = {},
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

async function partsFrom(response: Response): Promise<AsyncGenerator<Part, void>> {
  expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="-"');
  if (!response.body) throw new Error('An answer in parts must have a body.');
  return partsOf(response.body);
}

/** The next part; fails when there is none. */
async function next(parts: AsyncGenerator<Part, void>): Promise<Part> {
  const { value, done } = await parts.next();
  if (done || !value) throw new Error('There must be one more part.');
  return value;
}

async function rest(parts: AsyncGenerator<Part, void>): Promise<Part[]> {
  const found: Part[] = [];
  for await (const part of parts) found.push(part);
  return found;
}

const allParts = async (query: string, asking: Asking = {}) => rest(await partsFrom(await ask(query, asking)));

/** Result of `act`, and the upstream calls that it made. */
async function calls<Result>(act: () => Promise<Result>): Promise<readonly [Result, string[]]> {
  const before = sandbox.received.length;
  const result = await act();
  const names = sandbox.received.slice(before).map(({ operation }) => operation);
  return [result, names.filter((name) => name !== 'Workspace/Me')];
}

/** All that came later, in one list. */
const later = (parts: readonly Part[]) => parts.flatMap(({ incremental }) => incremental ?? []);

const TIMELINE = `query ($id: ID!) {
  customer(id: $id) { title ... @defer(label: "events") { timelineEvents(first: 2) { nodes { rawId } } } }
}`;

describe('@defer', () => {
  it('answers a customer before the upstream has answered their timeline', async () => {
    const held = gate.hold(EVENTS);
    const parts = await partsFrom(await ask(TIMELINE));
    expect(await next(parts)).toEqual({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    await held.arrived;
    expect(sandbox.received.at(-1)?.operation).toBe(GET);
    held.release();
    expect(await next(parts)).toEqual({
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

  it('answers orders before the upstream has answered what cancelling them would do', async () => {
    const operation = 'Order/GetOrderCancellationImpact';
    const held = gate.hold(operation);
    const parts = await partsFrom(
      await ask(`query ($id: ID!) {
        customer(id: $id) { orders(first: 2) { nodes { referenceNumber ... @defer { cancellationImpact { canCancel } } } } }
      }`),
    );
    const first = await next(parts);
    expect(first).toMatchObject({
      data: { customer: { orders: { nodes: [{ referenceNumber: expect.any(String) }, {}] } } },
      hasNext: true,
    });
    await held.arrived;
    held.release();
    const others = await rest(parts);
    expect(later(others).map(({ path, data }) => [path, typeof data.cancellationImpact.canCancel])).toEqual([
      [['customer', 'orders', 'nodes', 0], 'boolean'],
      [['customer', 'orders', 'nodes', 1], 'boolean'],
    ]);
    expect(others.at(-1)?.hasNext).toBe(false);
  });

  it('is taken by event streams too', async () => {
    const response = await ask(TIMELINE, { accept: 'text/event-stream' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const answers = (await response.text()).matchAll(/^data: (\{.*\})$/gm);
    expect([...answers].map(([, json = '']) => JSON.parse(json).hasNext)).toEqual([true, false]);
  });

  it('reads what both the first part and a later one ask for once', async () => {
    const [parts, asked] = await calls(() =>
      allParts(`query ($id: ID!) {
        customer(id: $id) { title timelineEvents(first: 2) { nodes { rawId } } ...Late @defer(label: "a") }
        again: customer(id: $id) { title ... @defer(label: "b") { createdAt timelineEvents(first: 2) { nodes { eventType } } } }
      }
      fragment Late on Customer { createdAt timelineEvents(first: 2) { nodes { rawId summary } } }`),
    );
    expect(later(parts)).toHaveLength(2);
    expect(later(parts).every(({ data, errors }) => data !== null && errors === undefined)).toBe(true);
    expect(asked.toSorted()).toEqual([GET, EVENTS]);
  });

  it('reads nothing for a fragment of keys, and the record for a fragment of more', async () => {
    const query = (late: string) => `query ($id: ID!) {
      order(id: $id) { referenceNumber customer { rawId ... @defer { ${late} } } }
    }`;
    const [parts, asked] = await calls(() => allParts(query('id'), { variables: { id: demoId('order 0') } }));
    expect(later(parts)).toEqual([{ data: { id: expect.any(String) }, path: ['order', 'customer'] }]);
    expect(asked).toEqual(['Order/GetOrder']);
    const [, more] = await calls(() => allParts(query('title'), { variables: { id: demoId('order 0') } }));
    expect(more).toEqual(['Order/GetOrder', GET]);
  });

  it.each([
    ['false', { id: RICH, wanted: false }],
    ['left out, false by default', { id: RICH }],
  ])('with `if` being %s answers plain JSON', async (_name, variables) => {
    const query = `query ($id: ID!, $wanted: Boolean! = false) {
      customer(id: $id) { title ... @defer(if: $wanted) { timelineEvents(first: 1) { nodes { rawId } } } }
    }`;
    const response = await ask(query, { variables, accept: 'application/json' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      data: { customer: { title: expect.any(String), timelineEvents: { nodes: [{ rawId: expect.any(String) }] } } },
      extensions: { cost: { predictedCalls: 2, actualCalls: 2, savedCalls: 0, quota: expect.any(Object), ...SIZES } },
    });
    expect(await allParts(query, { variables: { id: RICH, wanted: true } })).toMatchObject([{ hasNext: true }, { hasNext: false }]);
  });

  it('in another operation of the document changes nothing', async () => {
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

  it.each(['application/json', 'application/graphql-response+json', 'application/json, multipart/mixed;q=0'])(
    'is refused with 406 and a reason, before anything is sent, when the caller accepts only %s',
    async (accept) => {
      const [response, asked] = await calls(() => ask(TIMELINE, { accept }));
      expect([response.status, asked]).toEqual([406, []]);
      expect(await response.json()).toEqual({
        errors: [{ message: expect.stringContaining('Send `Accept: multipart/mixed`'), extensions: { code: 'BAD_REQUEST' } }],
      });
    },
  );

  it('is refused with 406 before a mutation runs', async () => {
    const query = `mutation { contactCreate(input: { lastName: "Got" }) { ... on ContactCreatePayload { contact { ... @defer { lastName } } } } }`;
    const [response, asked] = await calls(() => ask(query, { variables: {}, accept: 'application/json' }));
    expect([response.status, asked]).toEqual([406, []]);
  });

  it.each([
    ['on the root of a mutation', 'mutation { ... @defer { __typename } }'],
    ['with a label twice', '{ a: viewer { ... @defer(label: "x") { __typename } } b: viewer { ... @defer(label: "x") { __typename } } }'],
    ['with a label that is a variable', 'query ($l: String) { ... @defer(label: $l) { __typename } }'],
    ['with a label that is null', '{ ... @defer(label: null) { __typename } }'],
    ['with the label of a stream', '{ viewer { ... @defer(label: "x") { __typename } } contacts { nodes @stream(label: "x") { id } } }'],
    ['next to a stream with a label that is a variable', 'query ($l: String) { contacts { nodes @stream(label: $l) { id } } }'],
  ])('%s is refused with 400', async (_name, query) => {
    const response = await ask(query, { variables: {}, accept: 'application/graphql-response+json, multipart/mixed' });
    const { errors } = await response.json();
    expect([response.status, errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  it('is told by introspection, and not to composers', async () => {
    const { directives } = (await postQuery(app.url, null, '{ __schema { directives { name locations } } }')).data.__schema;
    const { sdl } = (await postQuery(app.url, null, '{ _service { sdl } }')).data._service;
    expect(directives).toContainEqual({ name: 'defer', locations: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'] });
    expect(directives).toContainEqual({ name: 'stream', locations: ['FIELD'] });
    expect(sdl).not.toMatch(/directive @(defer|stream)\b/);
  });
});

describe('an error in a later part', () => {
  it('comes in that part, with its code', async () => {
    sandbox.faults.add({ operation: EVENTS, status: 429, retryAfter: 7 });
    const [first, second] = await allParts(TIMELINE, { key: makeKey(sandbox.world) });
    expect(first).toEqual({ data: { customer: { title: expect.any(String) } }, hasNext: true });
    expect(second?.incremental?.[0]).toMatchObject({
      data: { timelineEvents: null },
      errors: [{ path: ['customer', 'timelineEvents'], extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 7 } }],
    });
  });

  it('is masked when it is not meant for callers, and logged under the request id', async () => {
    logged.length = 0;
    sandbox.faults.add({ operation: EVENTS, status: 200, body: '{"events":[{"id":"e","eventType":{"secret":"10.0.0.1"}}]}' });
    const query = 'query ($id: ID!) { customer(id: $id) { rawId ... @defer { timelineEvents(first: 1) { nodes { eventType } } } } }';
    const parts = await allParts(query, { requestId: 'deferred-1' });
    expect(later(parts)[0]?.errors).toEqual([
      {
        message: 'The value stored in the Workspace API is invalid for this field’s type.',
        path: ['customer', 'timelineEvents', 'nodes', 0, 'eventType'],
        locations: expect.any(Array),
        extensions: { code: 'UPSTREAM_INVALID_RESPONSE' },
      },
    ]);
    expect(logged.map((line) => JSON.parse(line).requestId)).toEqual(['deferred-1']);
  });

  it('tells of the calls that the request has used up, in all its parts together', async () => {
    const fields = Array.from(
      { length: CALLS_PER_REQUEST },
      (_, index) => `e${index}: timelineEvents(filter: { transactionId: "t${index}" }) { nodes { rawId } }`,
    );
    const [parts, asked] = await calls(() =>
      allParts(`query ($id: ID!) { customer(id: $id) { title ... @defer { ${fields.join(' ')} } } }`),
    );
    expect(asked).toHaveLength(CALLS_PER_REQUEST);
    expect(later(parts)[0]?.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_EXPENSIVE' } }]);
  });
});

describe('@stream', () => {
  it('answers a list item by item', async () => {
    const [parts, asked] = await calls(() =>
      allParts('query ($id: ID!) { customer(id: $id) { timelineEvents(first: 3) { nodes @stream(initialCount: 1) { rawId } } } }'),
    );
    expect(parts[0]).toEqual({ data: { customer: { timelineEvents: { nodes: [{ rawId: expect.any(String) }] } } }, hasNext: true });
    expect(later(parts)).toEqual(
      [1, 2].map((index) => ({ items: [{ rawId: expect.any(String) }], path: ['customer', 'timelineEvents', 'nodes', index] })),
    );
    expect(asked).toEqual([EVENTS]);
  });

  it('answers the first records of `nodes(ids:)` before the upstream has answered the others', async () => {
    const ids = [toGlobalId('Contact', demoId('contact 1')), toGlobalId('Customer', demoId('customer 1'))];
    const query = `query ($ids: [ID!]!) {
      nodes(ids: $ids) @stream(initialCount: 1) { ... on Contact { lastName } ... on Customer { title } }
    }`;
    const held = gate.hold(GET);
    const parts = await partsFrom(await ask(query, { variables: { ids } }));
    expect(await next(parts)).toEqual({ data: { nodes: [{ lastName: expect.any(String) }] }, hasNext: true });
    await held.arrived;
    held.release();
    expect(later(await rest(parts))).toEqual([{ items: [{ title: expect.any(String) }], path: ['nodes', 1] }]);
  });

  it.each([-1, null])('with an initial count of %s is refused with 400', async (count) => {
    const query =
      'query ($id: ID!, $count: Int) { customer(id: $id) { timelineEvents { nodes @stream(initialCount: $count) { rawId } } } }';
    const [response, asked] = await calls(() =>
      ask(query, { variables: { id: RICH, count }, accept: 'application/json, multipart/mixed' }),
    );
    expect([response.status, (await response.json()).errors[0].extensions.code, asked]).toEqual([400, 'BAD_USER_INPUT', []]);
  });

  it('on a field that is no list is refused with 400', async () => {
    const query = 'query ($id: ID!) { customer(id: $id) { title @stream } }';
    const response = await ask(query, { accept: 'application/graphql-response+json, multipart/mixed' });
    expect(response.status).toBe(400);
    expect((await response.json()).errors[0].message).toContain('cannot be used on non-list field');
  });
});

describe('closing', () => {
  it('lets an answer that comes in parts end', async () => {
    const { app: own, gate: ownGate } = await openApp();
    const held = ownGate.hold(EVENTS);
    const parts = await partsFrom(await ask(TIMELINE, { url: own.url }));
    await next(parts);
    await held.arrived;
    const closed = own.close();
    held.release();
    expect(await next(parts)).toMatchObject({ incremental: [{ label: 'events' }], hasNext: false });
    await closed;
  });
});

describe('a caller that leaves between two parts', () => {
  /** A graph of its own, with a request that got its first part, left, and whose second part is held back. */
  async function left() {
    const own = await openApp();
    const held = own.gate.hold(EVENTS);
    const leaving = new AbortController();
    const parts = await partsFrom(await ask(TIMELINE, { url: own.app.url, signal: leaving.signal }));
    await next(parts);
    await held.arrived;
    leaving.abort();
    await expect(parts.next()).rejects.toThrow();
    return { ...own, held };
  }

  it('leaves a graph that goes on serving others', async () => {
    const { app: own, held } = await left();
    await held.abandoned;
    held.release();
    const { data } = await postQuery(own.url, 'demo-owner', TIMELINE.replace('... @defer(label: "events") {', '... {'), { id: RICH });
    expect(data.customer.timelineEvents.nodes).toHaveLength(2);
    await own.close();
  });

  it('leaves a graph that closes while the upstream has still not answered', async () => {
    const { app: own } = await left();
    await own.close();
    await expect(fetch(own.url)).rejects.toThrow();
  });
});
