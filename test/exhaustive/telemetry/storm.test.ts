import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { Random } from '../../../sandbox/kernel/random.ts';
import { type Transport, TransportError } from '../../../src/upstream/transport/transport.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { makeCatalog } from '../../support/catalogs.ts';
import { SEED } from '../../support/seeded.ts';
import { parseSeries, scrape, sumByLabels, Tally } from '../../support/telemetry/scrape.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const TRUSTED = 'query Contacts { contacts(first: 3) { nodes { rawId } } }';
const file = join(mkdtempSync(join(tmpdir(), 'storm-')), 'trusted.json');
writeFileSync(file, JSON.stringify({ 'contacts-v1': TRUSTED }));

/** Number of requests, and of concurrent callers. Each caller has its own key, so that none shares a read by chance. */
const REQUESTS = 400;
const CALLERS = 8;

/** Counts outside of the graph. */
class ExpectedCounts {
  readonly statuses = new Tally();
  readonly operations = new Tally();
  readonly sent = new Tally();
  readonly uses = new Tally();
  readonly others = new Tally();
  readonly #sentCalls = new Set<string>();

  /** Wraps the transport to the upstream. */
  readonly transport = (transport: Transport): Transport => ({
    send: async (request) => {
      const { path, body, requestId } = request;
      const name = path.replace(/^.*publicapi\.v1\./, '');
      // A request sends no call twice, so a repeated call is a retry.
      const call = `${requestId} ${name} ${body}`;
      if (this.#sentCalls.has(call)) this.others.add('upstream_retries_total');
      this.#sentCalls.add(call);
      try {
        const response = await transport.send(request);
        this.sent.add(`${name} ${response.status}`);
        return response;
      } catch (error) {
        this.sent.add(`${name} ${error instanceof TransportError && error.isSent ? 'lost' : 'unreachable'}`);
        throw error;
      }
    },
    close: () => transport.close(),
  });
}

const OUTCOMES: Readonly<Record<string, string>> = {
  200: 'ok',
  400: 'rejected',
  404: 'rejected',
  429: 'rate_limited',
  500: 'failed',
  503: 'failed',
};

interface StormRequest {
  readonly query: string;
  readonly variables?: object;
  readonly type: 'query' | 'mutation' | 'none';
  readonly document?: string;
  readonly accept?: string;
  readonly path?: string;
}

interface ResponsePart {
  readonly data?: Record<string, { readonly effect?: string; readonly code?: string } | null> | null;
  readonly errors?: readonly unknown[];
  readonly incremental?: readonly ResponsePart[];
  readonly extensions?: { readonly cost?: { readonly savedCalls: number } };
}

/** A media type in which rejected documents have their own status. */
const STRICT_TYPE = 'application/graphql-response+json';

const LEDGER_OUTCOMES: Readonly<Record<string, string>> = {
  IDEMPOTENCY_KEY_REUSED: 'key_reused',
  OPERATION_IN_PROGRESS: 'in_progress',
  OUTCOME_UNKNOWN: 'unknown',
};

const CREATE = `mutation ($name: String!, $key: String) {
  contactCreate(input: { lastName: $name, idempotencyKey: $key }) {
    ... on ContactCreatePayload { effect } ... on MutationError { code }
  }
}`;
const ENTITIES = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Product { rawId name } } }';
const DEFERRED = '{ contacts(first: 2) { nodes { rawId } } ... @defer { customers(first: 2) { nodes { rawId } } } }';

/** The parts of a response. There is one, unless it's incremental. */
function parseParts(text: string): ResponsePart[] {
  const parts = Array.from(text.matchAll(/(?<=\r\n\r\n)\{.*?\}(?=\r\n---)/gs), ([json]) => JSON.parse(json) as ResponsePart);
  return parts.length > 0 ? parts : [JSON.parse(text)];
}

/** Whether a root field has failed: it's null, a list that only contains null, or an error of a result union. */
const hasFailed = (value: unknown): boolean =>
  value === null || (Array.isArray(value) ? value.length > 0 && value.every((item) => item === null) : Object(value).code !== undefined);

function findOutcome(parts: readonly ResponsePart[]): string {
  const results = parts.flatMap((part) => [part, ...(part.incremental ?? [])]);
  const roots = results.flatMap(({ data }) => (data === null ? [null] : Object.values(data ?? {})));
  if (!results.some(({ errors }) => errors?.length) && !roots.some(hasFailed)) return 'ok';
  return roots.every(hasFailed) ? 'failed' : 'partial';
}

const FAULTY_OPERATIONS = [
  'Contact/ListContacts',
  'Contact/CreateContact',
  'Customer/SearchCustomers',
  'Quote/ListQuotes',
  'Catalog/ListProducts',
];
const FAULTS: readonly Omit<Fault, 'operation'>[] = [
  { status: 503 },
  { status: 500 },
  { status: 404, body: '{"code":"not_found","message":"Gone."}', contentType: 'application/json' },
  { status: 429, retryAfter: 1 },
  { cut: 'before' },
  { cut: 'after' },
];

describe.each([
  ['on the fast path, compiled', { FAST_PATH: 'true', COMPILE_AFTER: '1' }],
  ['through Yoga, compiled', { FAST_PATH: 'false', COMPILE_AFTER: '1' }],
  ['on the fast path, not compiled', { FAST_PATH: 'true', COMPILE_AFTER: '0' }],
])('/metrics after many requests with faults, %s', (_way, env) => {
  const expected = new ExpectedCounts();
  const testGraph = useTestGraph({}, undefined, {
    env: { ADMIN_PORT: '0', TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_MODE: 'also', ...env },
    transport: expected.transport,
  });
  const random = new Random(SEED);

  async function sendRequest(
    key: string,
    { query, variables = {}, type, document = 'ad-hoc', accept = 'application/json', path = '/graphql' }: StormRequest,
  ) {
    const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${key}` };
    const response = await fetch(`${testGraph.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const text = await response.text();
    expected.statuses.add(String(response.status));
    if (type === 'none') return;
    const parts = parseParts(text);
    expected.operations.add(`${type} ${document} ${findOutcome(parts)}`);
    const saved = Number(/"savedCalls":(-?\d+)/.exec(text)?.[1] ?? 0);
    if (saved > 0) expected.others.add('upstream_saved_calls_total', saved);
    const createdNames = parts[0]?.data?.contactCreate;
    if (createdNames && (variables as { readonly key?: string }).key !== undefined)
      expected.uses.add(createdNames.effect?.toLowerCase() ?? LEDGER_OUTCOMES[createdNames.code ?? ''] ?? 'rejected');
  }

  /** Random requests of all kinds. */
  function* requests(): Generator<readonly [key: string, request: StormRequest]> {
    const keys = Array.from({ length: CALLERS }, () => makeKey(testGraph.sandbox.world));
    const catalogs = Array.from({ length: CALLERS }, () => makeCatalog(testGraph.sandbox.world, 30));
    const createdNames = keys.map((): string[] => []);
    for (let number = 0; number < REQUESTS; number += 1) {
      const caller = number % CALLERS;
      const key = keys[caller] ?? '';
      const names = createdNames[caller] ?? [];
      const catalog = catalogs[caller];
      const first = random.nextInteger(1, 20);
      // Unused faults must not accumulate.
      if (caller === 0) testGraph.sandbox.faults.clear();
      if (random.nextBoolean(0.5))
        testGraph.sandbox.faults.add({
          operation: random.pick(FAULTY_OPERATIONS),
          times: random.nextInteger(1, 3),
          ...random.pick(FAULTS),
        });
      const generators: readonly (() => readonly [string, StormRequest])[] = [
        () => [key, { type: 'query', query: `{ contacts(first: ${first}) { nodes { rawId } } }` }],
        () => [key, { type: 'query', query: `{ customers(first: ${first}) { nodes { quotes(first: 2) { nodes { rawId } } } } }` }],
        () => [key, { type: 'query', query: `{ viewer { workspace { name } } contacts(first: ${first}) { nodes { rawId } } }` }],
        () => [key, { type: 'query', query: TRUSTED, document: 'contacts-v1' }],
        () => [key, { type: 'query', query: DEFERRED, accept: 'multipart/mixed;deferSpec=20220824, application/json' }],
        () => {
          const of = catalog?.listed.slice(0, first).map((rawId) => ({ __typename: 'Product', rawId }));
          return [catalog?.key ?? '', { type: 'query', query: ENTITIES, variables: { of } }];
        },
        () => {
          names.push(`storm ${number}`);
          return [key, { type: 'mutation', query: CREATE, variables: { name: `storm ${number}`, key: `storm ${number}` } }];
        },
        // A retry, or a different request with the same key.
        () => {
          const usedName = names.length > 0 ? random.pick(names) : 'none';
          const name = random.nextBoolean(0.5) ? usedName : 'something else';
          return [key, { type: 'mutation', query: CREATE, variables: { name, key: usedName } }];
        },
        () => [key, { type: 'mutation', query: CREATE, variables: { name: `keyless ${number}` } }],
        () => [key, { type: 'none', query: '{ contacts(', accept: STRICT_TYPE }],
        () => [key, { type: 'none', query: '{ noSuchField }', accept: STRICT_TYPE }],
        () => [key, { type: 'none', query: '{ __typename }', path: '/nothing' }],
      ];
      yield random.pick(generators)();
    }
  }

  it('matches the counts outside of the graph', async () => {
    const all = requests();
    // Each caller waits for its response, so that the order of a key's requests is the same in each run.
    for (let done = false; !done; ) {
      const wave = Array.from({ length: CALLERS }, () => all.next());
      done = wave.some((each) => each.done);
      await Promise.all(wave.flatMap((each) => (each.done ? [] : [sendRequest(...each.value)])));
    }
    const responseCount = Object.values(expected.statuses.counts).reduce((sum, count) => sum + count, 0);
    expect(responseCount).toBe(REQUESTS);
    let series = parseSeries(await scrape(testGraph.adminUrl));
    const countStatuses = () => sumByLabels(series, 'http_server_request_duration_seconds_count', ['http_response_status_code']);
    // The graph counts a response once it has closed, which the client can't observe.
    while (Object.values(countStatuses()).reduce((sum, count) => sum + count, 0) < REQUESTS)
      series = parseSeries(await scrape(testGraph.adminUrl));

    expect(countStatuses()).toEqual(expected.statuses.counts);
    expect(sumByLabels(series, 'graphql_operation_duration_seconds_count', ['graphql_operation_type', 'document_id', 'outcome'])).toEqual(
      expected.operations.counts,
    );
    const received = new Tally();
    for (const { operation } of testGraph.sandbox.received) received.add(operation);
    expect(sumByLabels(series, 'upstream_request_duration_seconds_count', ['rpc_method'])).toEqual(received.counts);
    const outcomes = new Tally();
    for (const [operationAndStatus, count] of Object.entries(expected.sent.counts)) {
      const [name, status = ''] = operationAndStatus.split(' ');
      outcomes.add(`${name} ${OUTCOMES[status] ?? status}`, count);
    }
    expect(sumByLabels(series, 'upstream_request_duration_seconds_count', ['rpc_method', 'outcome'])).toEqual(outcomes.counts);
    expect(sumByLabels(series, 'ledger_outcomes_total', ['kind'])).toEqual(expected.uses.counts);
    const others = [
      'upstream_retries_total',
      'upstream_saved_calls_total',
      'upstream_coalesced_calls_total',
      'upstream_unsent_calls_total',
    ];
    expect(Object.fromEntries(others.map((name) => [name, series.get(name) ?? 0]))).toEqual({
      upstream_saved_calls_total: 0,
      upstream_coalesced_calls_total: 0,
      upstream_unsent_calls_total: 0,
      ...expected.others.counts,
    });
    // All kinds of outcomes occurred. Otherwise, the comparison would be meaningless.
    expect(Object.keys(expected.uses.counts).toSorted()).toEqual(['done', 'key_reused', 'rejected', 'replayed', 'unknown']);
    expect(Object.keys(expected.statuses.counts)).toEqual(expect.arrayContaining(['200', '400', '404']));
    const upstreamOutcomes = new Set(Object.keys(outcomes.counts).map((name) => name.replace(/.* /, '')));
    expect([...upstreamOutcomes].toSorted()).toEqual(['failed', 'lost', 'ok', 'rate_limited', 'rejected']);
    expect(expected.others.counts.upstream_retries_total).toBeGreaterThan(20);
    expect(expected.others.counts.upstream_saved_calls_total).toBeGreaterThan(20);
  });
});
