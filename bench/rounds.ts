import { type Compared, callRange, type Running } from './compare.ts';
import type { Load } from './loads.ts';
import { type Cell, measure, requestsOf, type Span } from './measure.ts';
import type { Measured } from './report.ts';
import type { Upstream } from './upstream.ts';
import { WORK, type Work } from './work.ts';

/** Chosen: enough for each of 64 keys to be used several times, so that per-key caches are filled. */
const WARM: Span = { warmSeconds: 0, seconds: 2, answersEach: 8, mostSeconds: 6 };
const MOMENT: Span = { warmSeconds: 0, seconds: 0.1, answersEach: 1, mostSeconds: 10 };
/** Chosen: enough time for the slowest peer to respond to b. */
const MOST_SECONDS = 30;
/** Chosen: requests in flight at the start or the end are then at most 5 % of a round. */
const fullOf = (seconds: number): Span => ({ warmSeconds: 0.5, seconds, answersEach: 20, mostSeconds: Math.max(seconds, MOST_SECONDS) });

/** The expected responses and calls, by work item. */
export type Known = ReadonlyMap<string, Compared>;

/** Servers with an upstream, their work, and a load. */
export interface Trial {
  readonly running: readonly Running[];
  readonly upstream: Upstream;
  readonly works: readonly Work[];
  readonly load: Load;
  readonly known: Known;
}

/** A server and a work item, with the measurements so far. */
interface Pair {
  readonly running: Running;
  readonly work: Work;
  readonly warm: Cell[];
  readonly cells: Cell[];
}

function cellOf({ running: { contestant, server }, work, warm }: Pair, { upstream, load, known }: Trial, span: Span): Promise<Cell> {
  const requestsFor = ({ name, requests }: Work) => requestsOf(requests, known.get(name)?.data ?? []);
  const beside = WORK.find(({ name }) => name === load.beside);
  const alone = known.get(work.name)?.calls.get(contestant.name) ?? 0;
  const range = callRange(contestant, work, load, alone, warm.length > 0);
  return measure(
    server,
    upstream.standIn,
    load,
    { main: requestsFor(work), range, ...(beside && { beside: { ...requestsFor(beside), calls: beside.calls } }) },
    span,
  );
}

const pairsOf = ({ running, works }: Trial): Pair[][] =>
  works.map((work) =>
    running.filter(({ contestant: { does } }) => does(work)).map((each): Pair => ({ running: each, work, warm: [], cells: [] })),
  );

const foundIn = (pairs: readonly Pair[], { load }: Trial): Measured[] =>
  pairs.map(({ running: { contestant }, work, warm, cells }) => ({
    work: work.name,
    load: load.name,
    server: contestant.name,
    warm,
    cells,
  }));

/** Each round measures all work on all servers, starting with another server each time. All servers are measured on one work item before the next. */
export async function measureAll(trial: Trial, rounds: number, seconds: number): Promise<Measured[]> {
  const pairs = pairsOf(trial);
  for (const pair of pairs.flat()) pair.warm.push(await cellOf(pair, trial, WARM));
  for (let round = 0; round < rounds; round += 1) {
    for (const able of pairs) {
      for (let index = 0; index < able.length; index += 1) {
        const pair = able[(index + round) % able.length];
        pair?.cells.push(await cellOf(pair, trial, fullOf(seconds)));
      }
    }
  }
  return foundIn(pairs.flat(), trial);
}

/** Loads each server briefly, to check responses and calls. Starts with the graph, and skips the rest after `untilMs` (process uptime). */
export async function checkAll(trial: Trial, untilMs: number): Promise<Measured[]> {
  const pairs = pairsOf(trial).flat();
  const isPeers = ({ running: { contestant } }: Pair) => contestant.kind === 'peer';
  for (const pair of [...pairs.filter((each) => !isPeers(each)), ...pairs.filter(isPeers)]) {
    if (performance.now() > untilMs) break;
    pair.cells.push(await cellOf(pair, trial, MOMENT));
  }
  return foundIn(pairs, trial);
}
