import type { Fault as SandboxFault } from '../../../sandbox/kernel/faults.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { type Transport, TransportError, type UpstreamRequest } from '../../../src/upstream/transport/transport.ts';
import type { ExpectedResults } from './expectedResults.ts';
import type { DurableSandbox, Graph } from './harness.ts';
import type { Relay } from './relay.ts';

/** Target of a fault. */
export interface FaultTarget {
  readonly graph: Graph;
  readonly sandbox: DurableSandbox;
  readonly relay: Relay;
  /** The only affected operation, unless the fault makes the whole upstream unreachable. */
  readonly operation: string;
}

/** An injected fault. */
export interface ActiveFault {
  /** Affects the upstream during the graph's call. */
  readonly meanwhile?: () => Promise<void>;
  /** Delivers delayed calls. */
  readonly deliverDelayed?: () => Promise<void>;
}

type InjectFault = (site: FaultTarget) => Promise<ActiveFault>;

/** More often than the graph sends any call. */
const ALWAYS = 1_000;

/** Injects a fault into the sandbox. */
const injectIntoSandbox =
  (traits: Omit<SandboxFault, 'operation'>): InjectFault =>
  async ({ sandbox, operation }) => {
    sandbox.faults.add({ operation, ...traits });
    return {};
  };

/** Redirects the graph's calls to this URL. */
const redirectTo =
  (url: string): InjectFault =>
  async ({ graph }) => {
    await graph.intercept(httpTransport({ url, connections: 1 }));
    return {};
  };

const truncateResponses =
  (times: number): InjectFault =>
  async ({ graph, relay, operation }) => {
    relay.truncate(operation, times);
    await graph.intercept(httpTransport({ url: relay.url, connections: 4 }));
    return {};
  };

/** Lets each call of the operation time out. `arrives` specifies whether `arrive` delivers them to the upstream later. */
const timeOutCalls =
  (isDelivered: boolean): InjectFault =>
  async ({ graph, operation }) => {
    const late: UpstreamRequest[] = [];
    const transport: Transport = {
      close: async () => {},
      send: async (request) => {
        if (!request.path.endsWith(operation)) return graph.direct.send(request);
        late.push(request);
        throw new TransportError(true, true);
      },
    };
    await graph.intercept(transport);
    if (!isDelivered) return {};
    return {
      deliverDelayed: async () => {
        for (const request of late.splice(0)) await graph.direct.send(request);
      },
    };
  };

const restartUpstream: InjectFault = async ({ sandbox }) => {
  await sandbox.restart();
  return {};
};

const restartDuringCall: InjectFault = async ({ graph, sandbox, operation }) => {
  sandbox.faults.add({ operation, latencyMs: 600_000, times: 1 });
  const arrived = sandbox.waitForCall(operation);
  const back = arrived.then(() => sandbox.restart());
  graph.onWait = () => back;
  return { meanwhile: () => back };
};

/** A fault with its expected results. */
export interface Fault {
  readonly name: string;
  readonly inject: InjectFault;
  /** Expected results of writes. */
  readonly expected: ExpectedResults;
  /** Expected outcome of a read. A retry succeeds. */
  readonly readOutcome: string;
  /** Expected number of calls, for operations that can be retried and for others. */
  readonly calls: readonly [resendable: number, other: number];
  /** Delayed calls reach the upstream after the first retry instead of before it. */
  readonly isDeliveredAfterRetry?: true;
}

const UNAVAILABLE = 'UPSTREAM_UNAVAILABLE SAFE';
const RATE_LIMITED = 'RATE_LIMITED SAFE';
const TIMEOUT = 'UPSTREAM_TIMEOUT SAFE';
const INVALID = 'UPSTREAM_INVALID_RESPONSE SAFE';

/** Faults that affect every call of the operation until the graph has responded, including retries, or only one call. */
export const FAULTS: readonly Fault[] = [
  { name: 'connection refused', inject: redirectTo('http://127.0.0.1:9'), expected: 'never sent', readOutcome: UNAVAILABLE, calls: [0, 0] },
  {
    name: 'unresolvable host name',
    inject: redirectTo('http://upstream.invalid'),
    expected: 'never sent',
    readOutcome: UNAVAILABLE,
    calls: [0, 0],
  },
  {
    name: 'connection reset before the call is handled',
    inject: injectIntoSandbox({ cut: 'before' }),
    expected: 'lost, not done',
    readOutcome: UNAVAILABLE,
    calls: [3, 1],
  },
  {
    name: 'connection reset before the call is handled, once',
    inject: injectIntoSandbox({ cut: 'before', times: 1 }),
    expected: 'lost once, not done',
    readOutcome: 'done',
    calls: [2, 1],
  },
  {
    name: 'connection reset after the call took effect',
    inject: injectIntoSandbox({ cut: 'after' }),
    expected: 'lost, done',
    readOutcome: UNAVAILABLE,
    calls: [3, 1],
  },
  {
    name: 'connection reset after the call took effect, once',
    inject: injectIntoSandbox({ cut: 'after', times: 1 }),
    expected: 'lost once, done',
    readOutcome: 'done',
    calls: [2, 1],
  },
  {
    name: 'connection reset during the response',
    inject: truncateResponses(ALWAYS),
    expected: 'lost, done',
    readOutcome: UNAVAILABLE,
    calls: [3, 1],
  },
  {
    name: 'connection reset during the response, once',
    inject: truncateResponses(1),
    expected: 'lost once, done',
    readOutcome: 'done',
    calls: [2, 1],
  },
  {
    name: 'truncated JSON',
    inject: injectIntoSandbox({ body: '{"contact":{"id":' }),
    expected: 'lost, done',
    readOutcome: INVALID,
    calls: [1, 1],
  },
  { name: 'other JSON', inject: injectIntoSandbox({ body: '[]' }), expected: 'lost, done', readOutcome: INVALID, calls: [1, 1] },
  // The upstream's way to report a missing record.
  { name: 'an empty object', inject: injectIntoSandbox({ body: '{}' }), expected: 'lost, done', readOutcome: INVALID, calls: [1, 1] },
  { name: '500', inject: injectIntoSandbox({ status: 500 }), expected: 'lost, not done', readOutcome: UNAVAILABLE, calls: [1, 1] },
  ...[502, 503, 504].flatMap((status): Fault[] => [
    { name: `${status}`, inject: injectIntoSandbox({ status }), expected: 'lost, not done', readOutcome: UNAVAILABLE, calls: [3, 1] },
    {
      name: `${status}, once`,
      inject: injectIntoSandbox({ status, times: 1 }),
      expected: 'lost once, not done',
      readOutcome: 'done',
      calls: [2, 1],
    },
  ]),
  {
    name: '503 with Retry-After 60',
    inject: injectIntoSandbox({ status: 503, retryAfter: 60 }),
    expected: 'lost, not done',
    readOutcome: UNAVAILABLE,
    calls: [1, 1],
  },
  {
    name: '503 with Retry-After 2, once',
    inject: injectIntoSandbox({ status: 503, retryAfter: 2, times: 1 }),
    expected: 'lost once, not done',
    readOutcome: 'done',
    calls: [2, 1],
  },
  { name: '429', inject: injectIntoSandbox({ status: 429 }), expected: 'rejected', readOutcome: RATE_LIMITED, calls: [3, 1] },
  {
    name: '429, once',
    inject: injectIntoSandbox({ status: 429, times: 1 }),
    expected: 'rejected once',
    readOutcome: 'done',
    calls: [2, 1],
  },
  {
    name: '429 with Retry-After 60',
    inject: injectIntoSandbox({ status: 429, retryAfter: 60 }),
    expected: 'rejected',
    readOutcome: RATE_LIMITED,
    calls: [1, 1],
  },
  {
    name: '429 with Retry-After 2, once',
    inject: injectIntoSandbox({ status: 429, retryAfter: 2, times: 1 }),
    expected: 'rejected once',
    readOutcome: 'done',
    calls: [2, 1],
  },
  {
    name: 'timeout, and the call never arrives',
    inject: timeOutCalls(false),
    expected: 'lost, not done',
    readOutcome: TIMEOUT,
    calls: [0, 0],
  },
  {
    name: 'timeout, and the call arrives late',
    inject: timeOutCalls(true),
    expected: 'lost, done late',
    readOutcome: TIMEOUT,
    calls: [0, 0],
  },
  {
    name: 'timeout, and the call arrives after the retry',
    inject: timeOutCalls(true),
    expected: 'lost, not done',
    readOutcome: TIMEOUT,
    calls: [0, 0],
    isDeliveredAfterRetry: true,
  },
  { name: 'upstream restarted between calls', inject: restartUpstream, expected: 'unaffected', readOutcome: 'done', calls: [1, 1] },
  {
    name: 'upstream restarted during the call',
    inject: restartDuringCall,
    expected: 'lost once, not done',
    readOutcome: 'done',
    calls: [2, 1],
  },
];
