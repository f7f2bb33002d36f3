import { type Comparison, calculateCallRange, type RunningServer } from './compare.ts';
import type { Load } from './loads.ts';
import { type Cell, createRequests, measure, type Span } from './measure.ts';
import type { Measurement } from './report.ts';
import type { Upstream } from './upstream.ts';
import { WORK, type Work } from './work.ts';

/** Chosen by measurement: V8 compiles the graph for 8 s, in threads that take up to 29 % of its CPU, and other servers for a shorter time. */
const WARM_UP: Span = { warmSeconds: 0, seconds: 8, responsesPerConnection: 8, maxSeconds: 12 };
const SHORT_WARM_UP: Span = { ...WARM_UP, seconds: 4 };
const BRIEF: Span = { warmSeconds: 0, seconds: 0.1, responsesPerConnection: 1, maxSeconds: 10 };
/** Chosen: enough time for the slowest peer to respond to b. */
const MAX_SECONDS = 30;
/** Chosen: requests in flight at the start or the end are then at most 10 % of a round. Measuring starts and ends while all clients are busy, so they add noise but no bias. */
const createFullSpan = (seconds: number): Span => ({
  warmSeconds: 0.5,
  seconds,
  responsesPerConnection: 10,
  maxSeconds: Math.max(seconds, MAX_SECONDS),
});

/** The expected responses and calls, by work item. */
export type Comparisons = ReadonlyMap<string, Comparison>;

/** Servers with an upstream, their work, and a load. */
export interface LoadTest {
  readonly running: readonly RunningServer[];
  readonly upstream: Upstream;
  readonly works: readonly Work[];
  readonly load: Load;
  readonly comparisons: Comparisons;
}

/** A server and a work item, with the measurements so far. */
interface Pair {
  readonly running: RunningServer;
  readonly work: Work;
  readonly warm: Cell[];
  readonly cells: Cell[];
}

function measureCell(
  { running: { config, server, tokens }, work, warm }: Pair,
  { upstream, load, comparisons }: LoadTest,
  span: Span,
): Promise<Cell> {
  const createRequestsFor = ({ name, requests }: Work) => createRequests(requests, comparisons.get(name)?.data ?? []);
  const background = WORK.find(({ name }) => name === load.background);
  const alone = comparisons.get(work.name)?.calls.get(config.name) ?? 0;
  const range = calculateCallRange(config, work, load, alone, warm.length > 0);
  return measure(
    server,
    upstream.stub,
    load,
    {
      main: {
        ...createRequestsFor(work),
        ...(config.acceptEncoding && { acceptEncoding: config.acceptEncoding }),
        ...(tokens && { tokens }),
      },
      range,
      ...(background && { background: { ...createRequestsFor(background), calls: background.calls } }),
    },
    span,
  );
}

const createPairs = ({ running, works }: LoadTest): Pair[][] =>
  works.map((work) =>
    running.filter(({ config: { supports } }) => supports(work)).map((each): Pair => ({ running: each, work, warm: [], cells: [] })),
  );

const toMeasurements = (pairs: readonly Pair[], { load }: LoadTest): Measurement[] =>
  pairs.map(({ running: { config }, work, warm, cells }) => ({
    work: work.name,
    load: load.name,
    server: config.name,
    processes: [{ warm, cells }],
  }));

/** Each round measures all work on all servers, starting with another server each time. All servers are measured on one work item before the next. */
export async function measureAll(test: LoadTest, rounds: number, seconds: number): Promise<Measurement[]> {
  const pairs = createPairs(test);
  for (const pair of pairs.flat()) {
    const isGraph = pair.running.config.kind === 'graph';
    pair.warm.push(await measureCell(pair, test, isGraph ? WARM_UP : SHORT_WARM_UP));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const supporting of pairs) {
      for (let index = 0; index < supporting.length; index += 1) {
        const pair = supporting[(index + round) % supporting.length];
        pair?.cells.push(await measureCell(pair, test, createFullSpan(seconds)));
      }
    }
  }
  return toMeasurements(pairs.flat(), test);
}

/** Loads each server briefly, to check responses and calls. Starts with the graph, and skips the rest after `untilMs` (process uptime). */
export async function checkAll(test: LoadTest, untilMs: number): Promise<Measurement[]> {
  const pairs = createPairs(test).flat();
  const isPeer = ({ running: { config } }: Pair) => config.kind === 'peer';
  for (const pair of [...pairs.filter((each) => !isPeer(each)), ...pairs.filter(isPeer)]) {
    if (performance.now() > untilMs) break;
    pair.cells.push(await measureCell(pair, test, BRIEF));
  }
  return toMeasurements(pairs, test);
}
