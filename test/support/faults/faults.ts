import type { Fault as SandboxFault } from '../../../sandbox/kernel/faults.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { type Transport, TransportError, type UpstreamRequest } from '../../../src/upstream/transport/transport.ts';
import type { Course } from './courses.ts';
import type { Graph, Upheld } from './harness.ts';
import type { Relay } from './relay.ts';

/** Target of a fault. */
export interface Site {
  readonly graph: Graph;
  readonly upheld: Upheld;
  readonly relay: Relay;
  /** The only affected operation, unless the fault makes the whole upstream unreachable. */
  readonly operation: string;
}

/** An injected fault. */
export interface Strike {
  /** Affects the upstream during the graph's call. */
  readonly meanwhile?: () => Promise<void>;
  /** Delivers delayed calls. */
  readonly arrive?: () => Promise<void>;
}

type Hit = (site: Site) => Promise<Strike>;

/** More often than the graph sends any call. */
const ALWAYS = 1_000;

/** Injects a fault into the sandbox. */
const sandboxDoes =
  (traits: Omit<SandboxFault, 'operation'>): Hit =>
  async ({ upheld, operation }) => {
    upheld.faults.add({ operation, ...traits });
    return {};
  };

/** Redirects the graph's calls to this URL. */
const leadsTo =
  (url: string): Hit =>
  async ({ graph }) => {
    await graph.intercept(httpTransport({ url, connections: 1 }));
    return {};
  };

const halfAnAnswer =
  (times: number): Hit =>
  async ({ graph, relay, operation }) => {
    relay.halve(operation, times);
    await graph.intercept(httpTransport({ url: relay.url, connections: 4 }));
    return {};
  };

/** Lets each call of the operation time out. `arrives` specifies whether `arrive` delivers them to the upstream later. */
const noAnswerInTime =
  (arrives: boolean): Hit =>
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
    if (!arrives) return {};
    return {
      arrive: async () => {
        for (const request of late.splice(0)) await graph.direct.send(request);
      },
    };
  };

const restarted: Hit = async ({ upheld }) => {
  await upheld.restart();
  return {};
};

const restartedMeanwhile: Hit = async ({ graph, upheld, operation }) => {
  upheld.faults.add({ operation, latencyMs: 600_000, times: 1 });
  const arrived = upheld.nextCall(operation);
  const back = arrived.then(() => upheld.restart());
  graph.whileItWaits = () => back;
  return { meanwhile: () => back };
};

/** A fault with its expected results. */
export interface Fault {
  readonly name: string;
  readonly hit: Hit;
  /** Expected results of writes. */
  readonly course: Course;
  /** Expected outcome of a read. A retry succeeds. */
  readonly read: string;
  /** Expected number of calls, for operations that can be retried and for others. */
  readonly calls: readonly [resendable: number, other: number];
  /** Delayed calls reach the upstream after the first retry instead of before it. */
  readonly arrivesLast?: true;
}

const UNAVAILABLE = 'UPSTREAM_UNAVAILABLE SAFE';
const TOO_MANY = 'RATE_LIMITED SAFE';
const TIMEOUT = 'UPSTREAM_TIMEOUT SAFE';
const INVALID = 'UPSTREAM_INVALID_RESPONSE SAFE';

/** Faults that affect every call of the operation until the graph has responded, including retries, or only one call. */
export const FAULTS: readonly Fault[] = [
  { name: 'connection refused', hit: leadsTo('http://127.0.0.1:9'), course: 'never sent', read: UNAVAILABLE, calls: [0, 0] },
  { name: 'a name that does not resolve', hit: leadsTo('http://upstream.invalid'), course: 'never sent', read: UNAVAILABLE, calls: [0, 0] },
  { name: 'reset before it is handled', hit: sandboxDoes({ cut: 'before' }), course: 'lost, not done', read: UNAVAILABLE, calls: [3, 1] },
  {
    name: 'reset before it is handled, once',
    hit: sandboxDoes({ cut: 'before', times: 1 }),
    course: 'lost once, not done',
    read: 'done',
    calls: [2, 1],
  },
  { name: 'reset after it took effect', hit: sandboxDoes({ cut: 'after' }), course: 'lost, done', read: UNAVAILABLE, calls: [3, 1] },
  {
    name: 'reset after it took effect, once',
    hit: sandboxDoes({ cut: 'after', times: 1 }),
    course: 'lost once, done',
    read: 'done',
    calls: [2, 1],
  },
  { name: 'reset half-way through the answer', hit: halfAnAnswer(ALWAYS), course: 'lost, done', read: UNAVAILABLE, calls: [3, 1] },
  { name: 'reset half-way through the answer, once', hit: halfAnAnswer(1), course: 'lost once, done', read: 'done', calls: [2, 1] },
  { name: 'JSON cut short', hit: sandboxDoes({ body: '{"contact":{"id":' }), course: 'lost, done', read: INVALID, calls: [1, 1] },
  { name: 'other JSON', hit: sandboxDoes({ body: '[]' }), course: 'lost, done', read: INVALID, calls: [1, 1] },
  // The upstream's way to report a missing record.
  { name: 'an empty object', hit: sandboxDoes({ body: '{}' }), course: 'lost, done', read: INVALID, calls: [1, 1] },
  { name: '500', hit: sandboxDoes({ status: 500 }), course: 'lost, not done', read: UNAVAILABLE, calls: [1, 1] },
  ...[502, 503, 504].flatMap((status): Fault[] => [
    { name: `${status}`, hit: sandboxDoes({ status }), course: 'lost, not done', read: UNAVAILABLE, calls: [3, 1] },
    { name: `${status}, once`, hit: sandboxDoes({ status, times: 1 }), course: 'lost once, not done', read: 'done', calls: [2, 1] },
  ]),
  {
    name: '503 with Retry-After 60',
    hit: sandboxDoes({ status: 503, retryAfter: 60 }),
    course: 'lost, not done',
    read: UNAVAILABLE,
    calls: [1, 1],
  },
  {
    name: '503 with Retry-After 2, once',
    hit: sandboxDoes({ status: 503, retryAfter: 2, times: 1 }),
    course: 'lost once, not done',
    read: 'done',
    calls: [2, 1],
  },
  { name: '429', hit: sandboxDoes({ status: 429 }), course: 'turned away', read: TOO_MANY, calls: [3, 1] },
  { name: '429, once', hit: sandboxDoes({ status: 429, times: 1 }), course: 'turned away once', read: 'done', calls: [2, 1] },
  {
    name: '429 with Retry-After 60',
    hit: sandboxDoes({ status: 429, retryAfter: 60 }),
    course: 'turned away',
    read: TOO_MANY,
    calls: [1, 1],
  },
  {
    name: '429 with Retry-After 2, once',
    hit: sandboxDoes({ status: 429, retryAfter: 2, times: 1 }),
    course: 'turned away once',
    read: 'done',
    calls: [2, 1],
  },
  { name: 'no answer in time, it never arrives', hit: noAnswerInTime(false), course: 'lost, not done', read: TIMEOUT, calls: [0, 0] },
  { name: 'no answer in time, it arrives late', hit: noAnswerInTime(true), course: 'lost, done late', read: TIMEOUT, calls: [0, 0] },
  {
    name: 'no answer in time, it arrives after the repeat',
    hit: noAnswerInTime(true),
    course: 'lost, not done',
    read: TIMEOUT,
    calls: [0, 0],
    arrivesLast: true,
  },
  { name: 'upstream restarted between calls', hit: restarted, course: 'unharmed', read: 'done', calls: [1, 1] },
  { name: 'upstream restarted during the call', hit: restartedMeanwhile, course: 'lost once, not done', read: 'done', calls: [2, 1] },
];
