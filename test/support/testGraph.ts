import type { Logger } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { ERROR_CODES } from '../../src/failures/errorCodes.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Redis } from '../../src/lib/redis.ts';
import { type App, type AppOptions, startApp } from '../../src/server/app.ts';
import { type Auth, openAuth } from '../../src/server/auth/openAuth.ts';
import { openUpstream } from '../../src/server/openUpstream.ts';
import { createFailureLog } from '../../src/server/serve.ts';
import { getSubgraphOptions, readConfig } from '../../src/server/settings/config.ts';
import { Metrics } from '../../src/server/telemetry/metrics.ts';
import type { UpstreamOptions } from '../../src/upstream/options.ts';
import { httpTransport } from '../../src/upstream/transport/http.ts';
import type { Transport } from '../../src/upstream/transport/transport.ts';
import { openSandbox, type TestSandbox, type TestSandboxOptions } from '../sandbox/sandbox.ts';
import { CheckedExecutor } from './checkedExecutor.ts';
import { createClockAhead } from './clock.ts';
import { createGate, type Gate } from './gate.ts';
import { getGraph } from './getGraph.ts';
import { createMemoryLedger } from './memoryLedger.ts';
import { runLog } from './runLog.ts';

export interface GraphResult {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses
  readonly data: any;
  readonly errors: readonly { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[] | undefined;
  /** The `cost` extension. */
  readonly cost: Cost | undefined;
}

interface Cost {
  readonly predictedCalls: number | null;
  readonly actualCalls: number;
  readonly savedCalls: number;
  readonly quota: { readonly limit: number; readonly remaining: number; readonly resetsInSeconds: number } | null;
  readonly predictedNodes: number | null;
  readonly predictedLeaves: number | null;
  readonly responseBytes: number | null;
}

/** Matches any sizes in a cost report. */
export const SIZES = { predictedNodes: expect.any(Number), predictedLeaves: expect.any(Number), responseBytes: expect.any(Number) };

/** Throws for error codes that the schema doesn't declare. */
function checkCodes(errors: GraphResult['errors'] = []): void {
  for (const { message, extensions } of errors)
    if (!Object.hasOwn(ERROR_CODES, String(extensions?.code))) throw new Error(`No such code: ${JSON.stringify(extensions)} (${message})`);
}

/** Posts a document to a graph. */
export async function postQuery(url: string, key: string | null, query: string, variables: object = {}): Promise<GraphResult> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors, extensions } = (await response.json()) as Pick<GraphResult, 'data' | 'errors'> & { extensions?: { cost?: Cost } };
  checkCodes(errors);
  return { status: response.status, headers: response.headers, data, errors, cost: extensions?.cost };
}

/** Upstream timeout in tests, in milliseconds. Long enough for a busy machine. */
const TIMEOUT_MS = 20_000;

/** Low enough for tests to exceed. */
export const CALLS_PER_REQUEST = 200;

/** Duration of a ledger lease in addition to the call's timeout, in milliseconds. */
const LEASE_MARGIN_MS = 1_000;

export interface TestGraph {
  readonly sandbox: TestSandbox;
  readonly app: App;
  /** Duration of each wait before a call, in milliseconds, in order. */
  readonly waits: number[];
  /** Holds calls. */
  readonly gate: Gate;
  /** Compares results of compiled queries. `close` throws if any differ. */
  readonly executor: CheckedExecutor;
  /** Null if sign-in is disabled. */
  readonly auth: Auth | null;
  close(): Promise<void>;
}

/** Options for the graph of a world. */
export interface TestGraphOptions {
  /** The graph's clocks. */
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Overrides for the graph's default test settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly app?: Partial<Pick<AppOptions, 'http' | 'overload' | 'upstream' | 'clock' | 'bus' | 'pollStore' | 'demo'>>;
  /** Overrides for the default upstream options. */
  readonly upstream?: Partial<UpstreamOptions>;
  /** Wraps the default transport. */
  readonly transport?: (usual: Transport) => Transport;
  readonly ledger?: Ledger;
  /** Redis server for sharing quotas. Defaults to none. */
  readonly redis?: Redis;
}

/** No circuit breaker and no retry limit, because tests of faults cause many failures in a row. */
const NO_FAILURE_LIMITS: Partial<UpstreamOptions> = { breaker: null, retryBudget: { start: 1_000_000, share: 1, max: 1_000_000 } };

/** Waits that end at once and advance the clocks instead. */
function createInstantWaits(clock?: Clock) {
  const waits: number[] = [];
  let skippedMs = 0;
  const wait = async (ms: number) => {
    waits.push(ms);
    skippedMs += ms;
  };
  return { waits, wait, clock: createClockAhead(() => skippedMs, clock) };
}

/** HTTP limits of graphs in tests: closing one doesn't wait for idle connections, which `fetch` keeps open and tests don't reuse. */
export const NO_IDLE_WAIT = { silenceMs: 0 };

/** High enough that a busy machine doesn't count as overload. */
const MAX_EVENT_LOOP_DELAY_MS = '60000';

/** Starts a graph and a sandbox on free ports of this machine. */
export async function startTestGraph(
  options: TestSandboxOptions = {},
  timeoutMs = TIMEOUT_MS,
  graphOptions: TestGraphOptions = {},
): Promise<TestGraph> {
  const sandbox = await openSandbox(options);
  const graph = await startGraph(sandbox.url, graphOptions, timeoutMs);
  return {
    ...graph,
    sandbox,
    close: async () => {
      await graph.close(() => sandbox.close());
    },
  };
}

/** Starts a graph over a sandbox on a free port of this machine. `close` throws if compiled queries returned other results. */
export async function startGraph(
  sandboxUrl: string,
  { clock, logger = runLog(), env, app: appOptions, upstream: upstreamOptions, redis, ...overrides }: TestGraphOptions = {},
  timeoutMs = TIMEOUT_MS,
) {
  const ledger = overrides.ledger ?? createMemoryLedger({ leaseMs: timeoutMs + LEASE_MARGIN_MS, ...(clock && { clock }) });
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    MAX_EVENT_LOOP_DELAY_MS,
    // Compiles on the first execution, because most tests send a query only once.
    COMPILE_AFTER: '1',
    UPSTREAM_URL: sandboxUrl,
    UPSTREAM_CONNECTIONS: '32',
    UPSTREAM_CALLS_PER_REQUEST: String(CALLS_PER_REQUEST),
    UPSTREAM_TIMEOUT_MS: String(timeoutMs),
    UPSTREAM_ANALYTICS_TIMEOUT_MS: String(timeoutMs),
    ...env,
  });
  const { waits, ...instant } = createInstantWaits(clock);
  const usual = httpTransport({ url: sandboxUrl, connections: config.UPSTREAM_CONNECTIONS });
  const gate = createGate(overrides.transport ? overrides.transport(usual) : usual);
  const metrics = config.ADMIN_PORT === undefined ? undefined : new Metrics();
  const meter = metrics && { meter: metrics.calls };
  const onFailure = createFailureLog(config.UPSTREAM_URL, logger);
  const upstream = openUpstream(config, redis, logger, {
    ...meter,
    ...instant,
    ...NO_FAILURE_LIMITS,
    onFailure,
    transport: gate,
    ...upstreamOptions,
  });
  const auth = config.AUTH_ISSUER === '' ? null : await openAuth(config, env ?? {}, logger, instant.clock);
  const executor = new CheckedExecutor(config.COMPILE_AFTER, config.DOCUMENT_CACHE_MB * 1024 * 1024);
  const app = await startApp({
    config,
    graph: getGraph(getSubgraphOptions(config)),
    upstream,
    ledger,
    logger,
    metrics,
    executor,
    auth,
    ...appOptions,
    http: { ...NO_IDLE_WAIT, ...appOptions?.http },
  });
  const close = async (closeSandbox?: () => Promise<void>) => {
    await app.close();
    await closeSandbox?.();
    if (executor.differences.length > 0) throw new Error(`Compiled queries returned other results:\n${executor.differences.join('\n\n')}`);
  };
  return { app, waits, gate, executor, auth, close };
}

/** A graph and a sandbox for the tests of one file, started before them and closed after them. */
export function useTestGraph(options: TestSandboxOptions = {}, timeoutMs = TIMEOUT_MS, graphOptions: TestGraphOptions = {}) {
  let testGraph: TestGraph | undefined;
  beforeAll(async () => {
    testGraph = await startTestGraph(options, timeoutMs, graphOptions);
  });
  afterAll(async () => {
    testGraph?.gate.releaseAll();
    await testGraph?.close();
    // Workers retain the modules of the files that they ran, which would retain their worlds.
    testGraph = undefined;
  });
  const getTestGraph = () => {
    if (!testGraph) throw new Error('The testGraph is open only while tests run.');
    return testGraph;
  };
  return {
    get sandbox() {
      return getTestGraph().sandbox;
    },
    get adminUrl() {
      return getTestGraph().app.adminUrl;
    },
    get url() {
      return getTestGraph().app.url;
    },
    get waits() {
      return getTestGraph().waits;
    },
    get gate() {
      return getTestGraph().gate;
    },
    get executor() {
      return getTestGraph().executor;
    },
    get auth() {
      return getTestGraph().auth;
    },
    /** Executes a document as `demo-owner`, who has all permissions. */
    execute: (query: string, variables?: object) => postQuery(getTestGraph().app.url, 'demo-owner', query, variables),
    executeAs: (key: string | null, query: string, variables?: object) => postQuery(getTestGraph().app.url, key, query, variables),
    /** Runs `act`. Returns its result and the names of the operations that it called, in order. Omits `Me`, which is cached. */
    recordCalls: async <Result>(act: () => Promise<Result>): Promise<readonly [Result, string[]]> => {
      const { received } = getTestGraph().sandbox;
      const before = received.length;
      const result = await act();
      return [
        result,
        received
          .slice(before)
          .map(({ operation }) => operation)
          .filter((name) => name !== 'Workspace/Me'),
      ];
    },
  };
}
