import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { makeCatalog } from '../../support/catalogs.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { buildTree, type Collector, openCollector, type RecordedSpan, type SpanTree } from '../../support/telemetry/collector.ts';
import { openRecorder, type Recorder } from '../../support/telemetry/recorder.ts';

const TRUSTED = 'query Contacts { contacts(first: 3) { nodes { rawId } } }';
const folder = mkdtempSync(join(tmpdir(), 'telemetry-'));
const trusted = join(folder, 'trusted.json');
writeFileSync(trusted, JSON.stringify({ 'contacts-v1': TRUSTED }));

/** Marks values that must not leak, such as secrets and arguments. */
const MARKER = 'Quercus-robur';

let sandbox: TestSandbox;
let recorder: Recorder;
let collector: Collector;
let traced: GraphProcess;
let plain: GraphProcess;

beforeAll(async () => {
  sandbox = await openSandbox();
  recorder = await openRecorder(() => sandbox.url);
  collector = await openCollector();
  const settings = {
    UPSTREAM_URL: recorder.url,
    LEDGER_URL: `file:${join(folder, 'ledger.sqlite')}`,
    TRUSTED_DOCUMENTS: trusted,
    TRUSTED_DOCUMENTS_MODE: 'also',
    COMPILE_AFTER: '2',
  };
  const exporter = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_PROPAGATORS: 'tracecontext,baggage',
  };
  [traced, plain] = await Promise.all([
    startGraph({ ...settings, ...exporter }, ['--import', './deploy/telemetry/start.mjs']),
    startGraph({ ...settings, LEDGER_URL: `file:${join(folder, 'plain.sqlite')}` }),
  ]);
});

afterAll(async () => {
  await killAll();
  collector?.close();
  recorder?.close();
  await sandbox?.close();
});

beforeEach(() => {
  sandbox.faults.clear();
  recorder.calls.length = 0;
});

const createTraceId = () => randomBytes(16).toString('hex');
const CALLER = '00f067aa0ba902b7';

interface RequestOptions {
  readonly traceId?: string;
  readonly key?: string;
  readonly variables?: object;
  readonly accept?: string;
  /** Trace flags of the client's context: `01` for a sampled trace. */
  readonly flags?: string;
}

/** Sends a request with a trace context. */
async function sendQuery(
  { url }: GraphProcess,
  query: string,
  { traceId = createTraceId(), key = 'demo-owner', variables = {}, accept, flags = '01' }: RequestOptions = {},
) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      traceparent: `00-${traceId}-${CALLER}-${flags}`,
      baggage: `secret=${MARKER}`,
      ...(accept && { accept }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { traceId, answer: (await response.json()) as { readonly data?: Record<string, unknown>; readonly errors?: unknown[] } };
}

/** The span tree of the only request of a trace. */
async function fetchTree(traceId: string): Promise<SpanTree> {
  const spans = await collector.spansOf(traceId);
  const roots = spans.filter(({ parentId }) => parentId === CALLER);
  expect(roots).toHaveLength(1);
  return buildTree(roots[0] as RecordedSpan, spans);
}

const REQUEST = {
  name: 'POST /graphql',
  kind: 'SERVER',
  attributes: {
    'http.request.method': 'POST',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'http.route': '/graphql',
    'url.path': '/graphql',
    'http.response.status_code': 200,
  },
  hasFailed: false,
};

const HASH = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

const expectedOperation = (type: string, attributes: object, children: readonly unknown[], outcome = 'ok') => ({
  name: type,
  kind: 'SERVER',
  attributes: {
    'graphql.operation.type': type,
    'workspace_graph.document.id': HASH,
    'workspace_graph.operation.outcome': outcome,
    ...(outcome === 'failed' && { 'error.type': outcome }),
    ...attributes,
  },
  hasFailed: outcome === 'failed',
  children,
});

const LOST = { 'error.type': 'lost' };

const expectedCall = (method: string, attributes: object = {}, hasFailed = false) => ({
  name: `publicapi.v1.${method}`,
  kind: 'CLIENT',
  attributes: {
    'rpc.system.name': 'http_json',
    'rpc.method': `publicapi.v1.${method}`,
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    ...(attributes !== LOST && { 'http.response.status_code': 200 }),
    ...attributes,
  },
  hasFailed,
  children: [],
});

describe('graph with an OpenTelemetry SDK', () => {
  it('exports the request, its operation, and its calls, starting with the call for the key’s scopes', async () => {
    const { traceId, answer: response } = await sendQuery(traced, TRUSTED, { key: 'demo-reader' });
    expect(response.errors).toBeUndefined();
    expect(await fetchTree(traceId)).toEqual({
      ...REQUEST,
      children: [
        expectedCall('Workspace/Me'),
        expectedOperation('query', { 'graphql.operation.name': 'Contacts', 'workspace_graph.document.id': 'contacts-v1' }, [
          expectedCall('Contact/ListContacts'),
        ]),
      ],
    });
    expect(recorder.calls.map(({ operation: expectedOperation }) => expectedOperation)).toEqual(['Workspace/Me', 'Contact/ListContacts']);
  });

  it('identifies a document that isn’t trusted by the hash of its text', async () => {
    const query = '{ contacts(first: 7) { nodes { rawId } } }';
    const hash = createHash('sha256').update(query).digest('hex');
    const { traceId } = await sendQuery(traced, query);
    const operation = (await fetchTree(traceId)).children.find(({ name }) => name === 'query');
    expect(operation?.attributes).toMatchObject({ 'workspace_graph.document.id': `sha256:${hash}` });
  });

  it('sends each call with the ID of its span and without baggage', async () => {
    const { traceId } = await sendQuery(traced, '{ contacts(first: 4) { nodes { rawId } } }');
    const spans = await collector.spansOf(traceId);
    const sent = recorder.calls.map(({ operation: expectedOperation, traceparent }) => [`publicapi.v1.${expectedOperation}`, traceparent]);
    const expected = spans.filter(({ kind }) => kind === 'CLIENT').map(({ name, id }) => [name, `00-${traceId}-${id}-01`]);
    expect(sent.toSorted()).toEqual(expected.toSorted());
    expect(sent.length).toBeGreaterThan(0);
    expect(recorder.calls.map(({ baggage }) => baggage)).toEqual(recorder.calls.map(() => undefined));
  });

  it('propagates an unsampled trace and exports none of its spans', async () => {
    const { traceId } = await sendQuery(traced, '{ contacts(first: 10) { nodes { rawId } } }', { flags: '00' });
    expect(recorder.calls).toEqual([
      {
        operation: 'Contact/ListContacts',
        traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-(?!${CALLER})[0-9a-f]{16}-00$`)),
        baggage: undefined,
      },
    ]);
    const { traceId: next } = await sendQuery(traced, '{ __typename }');
    await collector.spansOf(next);
    expect(collector.received.join('\n')).not.toContain(traceId);
  });

  it('exports a span per attempt if a call is retried', async () => {
    await sendQuery(traced, '{ __typename viewer { workspace { name } } }');
    sandbox.faults.add({ operation: 'Contact/ListContacts', status: 503, times: 1 });
    const { traceId } = await sendQuery(traced, '{ contacts(first: 5) { nodes { rawId } } }');
    expect(await fetchTree(traceId)).toEqual({
      ...REQUEST,
      children: [
        expectedOperation('query', {}, [
          expectedCall('Contact/ListContacts', { 'http.response.status_code': 503, 'error.type': '503' }, true),
          expectedCall('Contact/ListContacts', { 'http.request.resend_count': 1 }),
        ]),
      ],
    });
  });

  it('links a coalesced read to the call that was sent', async () => {
    const held = recorder.hold('Contact/ListContacts');
    const first = sendQuery(traced, 'query First { contacts(first: 6) { nodes { rawId } } }');
    await held.arrived;
    const traceId = createTraceId();
    const second = sendQuery(traced, 'query Second { other: contacts(first: 6) { nodes { rawId } } }', { traceId });
    // Its response arrives while the read is held. By then, the second request, which was sent earlier, waits for the read.
    await sendQuery(traced, '{ __typename }');
    held.release();
    const [{ traceId: firstTrace }] = await Promise.all([first, second]);
    const [sent] = (await collector.spansOf(firstTrace)).filter(({ kind }) => kind === 'CLIENT');
    expect(await fetchTree(traceId)).toEqual({
      ...REQUEST,
      children: [
        expectedOperation('query', { 'graphql.operation.name': 'Second' }, [
          {
            name: 'publicapi.v1.Contact/ListContacts',
            kind: 'INTERNAL',
            attributes: { 'rpc.method': 'publicapi.v1.Contact/ListContacts', 'workspace_graph.call.coalesced': true },
            hasFailed: false,
            children: [],
          },
        ]),
      ],
    });
    const waiting = (await collector.spansOf(traceId)).find(({ kind }) => kind === 'INTERNAL');
    expect(waiting?.links).toEqual([sent?.id]);
    expect(recorder.calls).toHaveLength(1);
  });

  it('exports the number of calls that a list batch has served', async () => {
    const { key, listed } = makeCatalog(sandbox.world, 30);
    const of = listed.slice(0, 20).map((rawId) => ({ __typename: 'Product', rawId }));
    const document = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { rawId name } } }';
    const send = () => sendQuery(traced, document, { key, variables: { of } });
    await send();
    const { traceId, answer: response } = await send();
    expect(response.errors).toBeUndefined();
    expect(await fetchTree(traceId)).toEqual({
      ...REQUEST,
      children: [
        expectedOperation('query', { 'workspace_graph.operation.saved_calls': 19 }, [
          {
            name: 'list_batch',
            kind: 'INTERNAL',
            attributes: { 'workspace_graph.list_batch.list': 'Catalog/ListProducts', 'workspace_graph.list_batch.served_calls': 20 },
            hasFailed: false,
            children: [],
          },
          expectedCall('Catalog/ListProducts'),
        ]),
      ],
    });
  });

  it('marks a mutation with an unknown outcome as failed and doesn’t retry it', async () => {
    sandbox.faults.add({ operation: 'Contact/CreateContact', cut: 'after', times: 1 });
    const document = `mutation Create($name: String!) {
      contactCreate(input: { lastName: $name }) { __typename ... on MutationError { code } }
    }`;
    const { traceId, answer: response } = await sendQuery(traced, document, { variables: { name: MARKER } });
    expect(response.data?.contactCreate).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await fetchTree(traceId)).toEqual({
      ...REQUEST,
      children: [
        expectedOperation(
          'mutation',
          { 'graphql.operation.name': 'Create' },
          [expectedCall('Contact/CreateContact', LOST, true)],
          'failed',
        ),
      ],
    });
  });

  it('exports the same spans for requests outside the fast path', async () => {
    const multipart = 'multipart/mixed;deferSpec=20220824, application/json;q=0.5';
    const query = 'query { ... @skip(if: true) { __typename } contacts(first: 9) { nodes { rawId } } }';
    const trees: SpanTree[] = [];
    for (const body of [query, `${query} # defer`]) {
      const { traceId } = await sendQuery(traced, body, body === query ? {} : { accept: multipart.replace(/.*, /, '') });
      trees.push(await fetchTree(traceId));
    }
    for (const tree of trees)
      expect(tree).toEqual({ ...REQUEST, children: [expectedOperation('query', {}, [expectedCall('Contact/ListContacts')])] });
  });

  it('exports a call that wasn’t sent because the key’s quota was exhausted', async () => {
    const key = makeKey(sandbox.world, {});
    const held = recorder.hold('Customer/SearchCustomers');
    sandbox.faults.add({ operation: 'Contact/ListContacts', status: 429, retryAfter: 600, times: 1 });
    const refused = recorder.answered('Contact/ListContacts');
    const query = '{ contacts(first: 1) { nodes { rawId } } customers(first: 1) { nodes { quotes(first: 1) { nodes { rawId } } } } }';
    const pending = sendQuery(traced, query, { key });
    await Promise.all([held.arrived, refused]);
    held.release();
    const { traceId } = await pending;
    const { children } = await fetchTree(traceId);
    expect(children.find(({ name }) => name === 'query')?.children).toEqual([
      expectedCall('Contact/ListContacts', { 'http.response.status_code': 429, 'error.type': '429' }, true),
      expectedCall('Customer/SearchCustomers'),
      {
        name: 'publicapi.v1.Quote/ListQuotes',
        kind: 'INTERNAL',
        attributes: {
          'rpc.method': 'publicapi.v1.Quote/ListQuotes',
          'workspace_graph.call.sent': false,
          'error.type': 'RATE_LIMITED',
        },
        hasFailed: true,
        children: [],
      },
    ]);
  });

  it('logs the trace and span IDs of a request and exports no unknown path', async () => {
    const traceId = createTraceId();
    await fetch(`${traced.url}/${MARKER}?key=demo-owner`, { headers: { traceparent: `00-${traceId}-${CALLER}-01` } });
    expect(await fetchTree(traceId)).toEqual({
      name: 'GET',
      kind: 'SERVER',
      attributes: {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'network.protocol.version': '1.1',
        'http.response.status_code': 404,
      },
      hasFailed: false,
      children: [],
    });
    const [span] = await collector.spansOf(traceId);
    const readLines = () =>
      readFileSync(join(tmpdir(), 'programs'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(traceId))
        .map((line) => JSON.parse(line));
    await expect.poll(readLines).toEqual([expect.objectContaining({ msg: 'request', trace_id: traceId, span_id: span?.id })]);
  });

  it('exports no spans of health checks and no secrets', async () => {
    const traceId = createTraceId();
    await fetch(`${traced.url}/health/live`, { headers: { traceparent: `00-${traceId}-${CALLER}-01` } });
    const { traceId: last } = await sendQuery(traced, `{ customer(id: "${MARKER}") { rawId } }`);
    await collector.spansOf(last);
    const exported = collector.received.join('\n');
    expect(exported).toContain(last);
    expect(exported).not.toContain(traceId);
    for (const secret of ['demo-owner', 'demo-reader', 'catalog-', 'contacts(', MARKER, 'listed'])
      expect(exported, secret).not.toContain(secret);
  });

  it('flushes pending spans on shutdown', async () => {
    const ending = await startGraph(
      {
        UPSTREAM_URL: recorder.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '600000',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_LOGS_EXPORTER: 'none',
      },
      ['--import', './deploy/telemetry/start.mjs'],
    );
    const { traceId } = await sendQuery(ending, '{ __typename }');
    expect(await ending.terminate()).toBe(0);
    expect((await fetchTree(traceId)).name).toBe('POST /graphql');
  });
});

describe('graph without an OpenTelemetry SDK', () => {
  it('propagates the incoming trace context unchanged', async () => {
    const { traceId } = await sendQuery(plain, '{ contacts(first: 7) { nodes { rawId } } }');
    const lists = recorder.calls.filter(({ operation: expectedOperation }) => expectedOperation === 'Contact/ListContacts');
    expect(lists).toEqual([{ operation: 'Contact/ListContacts', traceparent: `00-${traceId}-${CALLER}-01`, baggage: undefined }]);
  });
});
