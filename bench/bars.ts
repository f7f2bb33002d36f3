// The performance targets: ratios within one run, each with its measurements.
import { digits, type Figure, intervalOf, intervalText, isBound, isStarved, type Measured, median, ratioOf, tableOf } from './report.ts';
import { onBestClient, PEERS } from './servers.ts';
import type { Start } from './start.ts';

/** A performance target, and whether it's met. */
interface Bar {
  readonly name: string;
  readonly isAtLeast: boolean;
  readonly bound: number;
  /** Undefined if it wasn't measured. */
  readonly value: number | undefined;
  readonly interval?: readonly [number, number] | undefined;
  readonly note: string;
}

/** A row of the measurements. */
interface Row {
  readonly load: string;
  readonly work: string;
  readonly server: string;
}

/** Chosen: covering lists need a few pages where the baseline sends one call per record. They save nothing in a, d and the rest. */
const OF_THE_FLOOR: Readonly<Record<string, number>> = { a: 0.55, b: 3.5, c: 2, d: 0.75, e: 3.5, f: 2.5 };
/** Chosen: callers with the same key share reads. */
const BY_SHARING = 1.3;
const COVERED = ['b', 'c', 'e', 'f'];
/** Chosen: the cost of validation and limits, without covering lists. */
const UNCOVERED = 0.6;
const WITHOUT_COVERS = ['b', 'c', 'd', 'f'];
/** Chosen: compared with peers as shipped, and with their best client. */
const OF_A_PEER = { asShipped: 0.5, onBestClient: 1 };
const AGAINST_BEST = ['a', 'd'];
/** Chosen: ten times the nodes, plus a margin for noise. */
const OF_100_NODES = 10.5;
/** Chosen: a small query waits for a few executions of large ones, but not for all of them. */
const OF_IDLE = 3;
/** Chosen: in seconds. */
const START = 1;

/** Creates targets from measurements. */
class Judge {
  readonly #measured: readonly Measured[];

  constructor(measured: readonly Measured[]) {
    this.#measured = measured;
  }

  #find({ load, work, server }: Row): Measured | undefined {
    return this.#measured.find((row) => row.load === load && row.work === work && row.server === server);
  }

  ratio(name: string, bound: number, isAtLeast: boolean, figure: Figure, of: Row, to: Row): Bar {
    const [one, other] = [this.#find(of), this.#find(to)];
    const bar = { name, bound, isAtLeast };
    if (!one || !other) return { ...bar, value: undefined, note: '' };
    const starved = figure === 'requestsPerSecond' && (isStarved(one) || isStarved(other)) ? ', CPU contention on the machine' : '';
    return {
      ...bar,
      value: ratioOf(one.cells, other.cells, figure),
      interval: intervalOf(one.cells, other.cells, figure),
      note: isBound(one) || isBound(other) ? ', bound by the stub' : starved,
    };
  }

  /** The p99 latency of a query during other load, relative to its p99 latency without it. */
  delay(name: string, bound: number, loaded: Row, idle: Row): Bar {
    const medianOf = (row: Row, figure: Figure) => median(this.#find(row)?.cells.map((cell) => cell[figure] ?? Number.NaN) ?? []);
    const value = medianOf(loaded, 'besideP99Ms') / medianOf(idle, 'p99Ms');
    return { name, bound, isAtLeast: false, value: Number.isNaN(value) ? undefined : value, note: '' };
  }

  /** The peer's row that uses the least CPU time. */
  best(peer: string, load: string, work: string): Row {
    const rows = [peer, onBestClient(peer)].map((server) => ({ load, work, server }));
    const cpuOf = (row: Row) => median(this.#find(row)?.cells.map(({ cpuMsPerRequest }) => cpuMsPerRequest) ?? [Number.POSITIVE_INFINITY]);
    const [shipped, best] = rows as [Row, Row];
    return cpuOf(best) < cpuOf(shipped) ? best : shipped;
  }
}

function ofTheFloor(judge: Judge): Bar[] {
  const bar = (load: string, server: string, work: string, bound: number) =>
    judge.ratio(
      `${work} ${load}, ${server}: throughput relative to the floor`,
      bound,
      true,
      'requestsPerSecond',
      { load, work, server },
      { load, work, server: 'floor' },
    );
  return [
    ...Object.entries(OF_THE_FLOOR).map(([work, bound]) => bar('apart', 'graph', work, bound)),
    ...COVERED.map((work) => bar('together', 'graph', work, (OF_THE_FLOOR[work] ?? 0) * BY_SHARING)),
    ...WITHOUT_COVERS.map((work) => bar('apart', 'graph-unbatched', work, UNCOVERED)),
  ];
}

function ofPeers(judge: Judge): Bar[] {
  const bar = (work: string, peer: string, bound: number, to: Row) =>
    judge.ratio(
      `${work} apart: CPU relative to ${to.server}${to.server === peer ? ', as shipped' : ''}`,
      bound,
      false,
      'cpuMsPerRequest',
      { load: 'apart', work, server: 'graph' },
      to,
    );
  const shipped = COVERED.flatMap((work) =>
    PEERS.filter(({ isNode, does }) => isNode && does.has(work)).map(({ name }) =>
      bar(work, name, OF_A_PEER.asShipped, { load: 'apart', work, server: name }),
    ),
  );
  const best = AGAINST_BEST.flatMap((work) =>
    PEERS.filter(({ does }) => does.has(work)).map(({ name }) => bar(work, name, OF_A_PEER.onBestClient, judge.best(name, 'apart', work))),
  );
  return [...shipped, ...best];
}

const ofNodes = (judge: Judge) =>
  ['alone', 'apart'].map((load) =>
    judge.ratio(
      `1,000 nodes, ${load === 'alone' ? '1 caller' : '32 callers'}: CPU relative to 100 nodes`,
      OF_100_NODES,
      false,
      'cpuMsPerRequest',
      { load, work: 'n1000', server: 'graph' },
      { load, work: 'n100', server: 'graph' },
    ),
  );

const ofCrowds = (judge: Judge) => [
  judge.delay(
    'a of one key while 150 clients of another send h: p99 relative to an idle server',
    OF_IDLE,
    { load: 'crowded', work: 'h', server: 'graph' },
    { load: 'far', work: 'a', server: 'graph' },
  ),
];

function ofStarts(starts: readonly Start[]): Bar[] {
  const graph = starts.find(({ server }) => server === 'graph');
  const bar = (name: string, ms: number | null | undefined): Bar => ({
    name: `startup time${name}, s`,
    bound: START,
    isAtLeast: false,
    value: ms === null || ms === undefined ? undefined : ms / 1000,
    note: '',
  });
  return [bar('', graph?.readyMs), bar(', without compile cache', graph?.coldReadyMs)];
}

function judgementOf(isAtLeast: boolean, bound: number, value: number): string {
  if (isAtLeast ? value >= bound : value <= bound) return 'met';
  return `**missed** by ${(Math.abs(1 - value / bound) * 100).toFixed(0)} %`;
}

/** Targets whose work and baseline were both measured, as a table. */
export function barsOf(measured: readonly Measured[], starts: readonly Start[]): string {
  const judge = new Judge(measured);
  const bars = [...ofTheFloor(judge), ...ofPeers(judge), ...ofNodes(judge), ...ofCrowds(judge), ...ofStarts(starts)];
  const rows = bars.flatMap((bar) => {
    const { name, isAtLeast, bound, value, interval, note } = bar;
    return value === undefined
      ? []
      : [
          [
            name,
            `${isAtLeast ? '≥' : '≤'} ${digits(bound)}`,
            intervalText(value, interval),
            `${judgementOf(isAtLeast, bound, value)}${note}`,
          ],
        ];
  });
  const left = bars.length - rows.length;
  const rest = left > 0 ? `\n\n${left} targets weren’t measured.` : '';
  return `${tableOf(['Target', 'Limit', 'Measured', 'Result'], rows)}${rest}`;
}
