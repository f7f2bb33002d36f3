import { type Compared, callRange, type Running } from './compare.ts';
import type { Load } from './loads.ts';
import { type Cell, measure, requestsOf, type Span } from './measure.ts';
import type { Measured } from './report.ts';
import type { Upstream } from './upstream.ts';
import { WORK, type Work } from './work.ts';

/** Ours: enough for each of 64 keys to have been used some times, so that what is learned by key is known. */
const WARM: Span = { warmSeconds: 0, seconds: 2, answersEach: 8, mostSeconds: 6 };
const MOMENT: Span = { warmSeconds: 0, seconds: 0.1, answersEach: 1, mostSeconds: 10 };
/** Ours: the slowest peer gets its answers for b in that time. */
const MOST_SECONDS = 30;
/** Ours: requests that are under way at a moment are then 5 % of a round at most. */
const fullOf = (seconds: number): Span => ({ warmSeconds: 0.5, seconds, answersEach: 20, mostSeconds: Math.max(seconds, MOST_SECONDS) });

/** The answers and calls that are right, by the name of the work. */
export type Known = ReadonlyMap<string, Compared>;

/** Servers on an upstream, the work that they are given, and how they are loaded. */
export interface Trial {
  readonly running: readonly Running[];
  readonly upstream: Upstream;
  readonly works: readonly Work[];
  readonly load: Load;
  readonly known: Known;
}

/** A server with a piece of work, and what has been measured so far. */
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

/** Each round measures all work with all servers, another server first each time. All servers are measured on a piece of work before the next. */
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

/** Loads each server for a moment, to check answers and calls: the graph's rows first, and none after `untilMs` of this process. */
export async function checkAll(trial: Trial, untilMs: number): Promise<Measured[]> {
  const pairs = pairsOf(trial).flat();
  const isPeers = ({ running: { contestant } }: Pair) => contestant.kind === 'peer';
  for (const pair of [...pairs.filter((each) => !isPeers(each)), ...pairs.filter(isPeers)]) {
    if (performance.now() > untilMs) break;
    pair.cells.push(await cellOf(pair, trial, MOMENT));
  }
  return foundIn(pairs, trial);
}
