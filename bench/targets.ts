// The performance targets: ratios within one run, each with its measurements.
import {
  calculateInterval,
  calculateRatio,
  formatInterval,
  formatNumber,
  formatTable,
  hasCpuContention,
  isLimitedByBench,
  type Measurement,
  type Metric,
  median,
} from './report.ts';
import { COMPRESSED_WORK, PEERS, toBestClientName } from './servers.ts';
import type { StartupTimes } from './start.ts';

/** A performance target, and whether it's met. */
interface Target {
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

/** Throughput relative to the baseline. Chosen: covering lists need a few pages where the baseline sends one call per record. They save nothing in a and d. */
const FLOOR_RATIOS: Readonly<Record<string, number>> = { a: 0.55, b: 3.5, c: 2, d: 0.75, e: 3.5, f: 2.5 };
/** Factor for callers with the same key, which share reads. Chosen. */
const SHARING_GAIN = 1.3;
const BATCHED_WORK = ['b', 'c', 'e', 'f'];
/** Throughput without covering lists, relative to the baseline. Chosen: the cost of validation and limits. */
const UNBATCHED_RATIO = 0.6;
const UNBATCHED_WORK = ['b', 'c', 'd', 'f'];
/** CPU time relative to peers, as shipped and with their best client. Chosen. */
const PEER_CPU_RATIOS = { asShipped: 0.5, onBestClient: 1 };
const BEST_CLIENT_WORK = ['a', 'd'];
/** CPU time for 1,000 nodes, relative to 100. Chosen: ten times the nodes, plus a margin for noise. */
const NODES_CPU_RATIO = 10.5;
/** CPU time with compression, relative to uncompressed responses. Chosen. */
const COMPRESSION_CPU_RATIO = 1.2;
/** p99 latency under load, relative to an idle server. Chosen: a small query waits for a few executions of large ones, but not for all of them. */
const DELAY_RATIO = 3;
/** Startup time in seconds. Chosen. */
const START_SECONDS = 1;

/** Creates targets from measurements. */
class TargetFactory {
  readonly #measured: readonly Measurement[];

  constructor(measured: readonly Measurement[]) {
    this.#measured = measured;
  }

  #find({ load, work, server }: Row): Measurement | undefined {
    return this.#measured.find((row) => row.load === load && row.work === work && row.server === server);
  }

  createRatio(name: string, bound: number, isAtLeast: boolean, figure: Metric, of: Row, to: Row): Target {
    const [one, other] = [this.#find(of), this.#find(to)];
    const target = { name, bound, isAtLeast };
    if (!one || !other) return { ...target, value: undefined, note: '' };
    const contention =
      figure === 'requestsPerSecond' && (hasCpuContention(one) || hasCpuContention(other)) ? ', CPU contention on the machine' : '';
    return {
      ...target,
      value: calculateRatio(one.cells, other.cells, figure),
      interval: calculateInterval(one.cells, other.cells, figure),
      note: isLimitedByBench(one) || isLimitedByBench(other) ? ', bound by the stub' : contention,
    };
  }

  /** A target for the p99 latency of a query during other load, relative to its p99 latency without it. */
  createDelay(name: string, bound: number, loaded: Row, idle: Row): Target {
    const getMedian = (row: Row, figure: Metric) => median(this.#find(row)?.cells.map((cell) => cell[figure] ?? Number.NaN) ?? []);
    const value = getMedian(loaded, 'backgroundP99Ms') / getMedian(idle, 'p99Ms');
    return { name, bound, isAtLeast: false, value: Number.isNaN(value) ? undefined : value, note: '' };
  }

  /** Finds the peer's row with the lowest CPU time. */
  findBestPeer(peer: string, load: string, work: string): Row {
    const rows = [peer, toBestClientName(peer)].map((server) => ({ load, work, server }));
    const getCpu = (row: Row) => median(this.#find(row)?.cells.map(({ cpuMsPerRequest }) => cpuMsPerRequest) ?? [Number.POSITIVE_INFINITY]);
    const [shipped, best] = rows as [Row, Row];
    return getCpu(best) < getCpu(shipped) ? best : shipped;
  }
}

function createFloorTargets(factory: TargetFactory): Target[] {
  const create = (load: string, server: string, work: string, bound: number) =>
    factory.createRatio(
      `${work} ${load}, ${server}: throughput relative to the floor`,
      bound,
      true,
      'requestsPerSecond',
      { load, work, server },
      { load, work, server: 'floor' },
    );
  return [
    ...Object.entries(FLOOR_RATIOS).map(([work, bound]) => create('apart', 'graph', work, bound)),
    ...BATCHED_WORK.map((work) => create('together', 'graph', work, (FLOOR_RATIOS[work] ?? 0) * SHARING_GAIN)),
    ...UNBATCHED_WORK.map((work) => create('apart', 'graph-unbatched', work, UNBATCHED_RATIO)),
  ];
}

function createPeerTargets(factory: TargetFactory): Target[] {
  const create = (work: string, peer: string, bound: number, to: Row) =>
    factory.createRatio(
      `${work} apart: CPU relative to ${to.server}${to.server === peer ? ', as shipped' : ''}`,
      bound,
      false,
      'cpuMsPerRequest',
      { load: 'apart', work, server: 'graph' },
      to,
    );
  const shipped = BATCHED_WORK.flatMap((work) =>
    PEERS.filter(({ isNode, supports }) => isNode && supports.has(work)).map(({ name }) =>
      create(work, name, PEER_CPU_RATIOS.asShipped, { load: 'apart', work, server: name }),
    ),
  );
  const best = BEST_CLIENT_WORK.flatMap((work) =>
    PEERS.filter(({ supports }) => supports.has(work)).map(({ name }) =>
      create(work, name, PEER_CPU_RATIOS.onBestClient, factory.findBestPeer(name, 'apart', work)),
    ),
  );
  return [...shipped, ...best];
}

const createCompressionTargets = (factory: TargetFactory) =>
  COMPRESSED_WORK.map((work) =>
    factory.createRatio(
      `${work} apart, compressed: CPU relative to uncompressed`,
      COMPRESSION_CPU_RATIO,
      false,
      'cpuMsPerRequest',
      { load: 'apart', work, server: 'graph-compressed' },
      { load: 'apart', work, server: 'graph' },
    ),
  );

const createScalingTargets = (factory: TargetFactory) =>
  ['alone', 'apart'].map((load) =>
    factory.createRatio(
      `1,000 nodes, ${load === 'alone' ? '1 caller' : '32 callers'}: CPU relative to 100 nodes`,
      NODES_CPU_RATIO,
      false,
      'cpuMsPerRequest',
      { load, work: 'n1000', server: 'graph' },
      { load, work: 'n100', server: 'graph' },
    ),
  );

const createCrowdTargets = (factory: TargetFactory) => [
  factory.createDelay(
    'a of one key while 150 clients of another send h: p99 relative to an idle server',
    DELAY_RATIO,
    { load: 'crowded', work: 'h', server: 'graph' },
    { load: 'far', work: 'a', server: 'graph' },
  ),
];

function createStartupTargets(starts: readonly StartupTimes[]): Target[] {
  const graph = starts.find(({ server }) => server === 'graph');
  const create = (name: string, ms: number | null | undefined): Target => ({
    name: `startup time${name}, s`,
    bound: START_SECONDS,
    isAtLeast: false,
    value: ms === null || ms === undefined ? undefined : ms / 1000,
    note: '',
  });
  return [create('', graph?.readyMs), create(', without compile cache', graph?.coldReadyMs)];
}

function formatResult(isAtLeast: boolean, bound: number, value: number): string {
  if (isAtLeast ? value >= bound : value <= bound) return 'met';
  return `**missed** by ${(Math.abs(1 - value / bound) * 100).toFixed(0)} %`;
}

/** Formats a table of the targets whose work and baseline were both measured. */
export function formatTargets(measured: readonly Measurement[], starts: readonly StartupTimes[]): string {
  const factory = new TargetFactory(measured);
  const targets = [
    ...createFloorTargets(factory),
    ...createPeerTargets(factory),
    ...createScalingTargets(factory),
    ...createCompressionTargets(factory),
    ...createCrowdTargets(factory),
    ...createStartupTargets(starts),
  ];
  const rows = targets.flatMap((target) => {
    const { name, isAtLeast, bound, value, interval, note } = target;
    return value === undefined
      ? []
      : [
          [
            name,
            `${isAtLeast ? '≥' : '≤'} ${formatNumber(bound)}`,
            formatInterval(value, interval),
            `${formatResult(isAtLeast, bound, value)}${note}`,
          ],
        ];
  });
  const unmeasured = targets.length - rows.length;
  const rest = unmeasured > 0 ? `\n\n${unmeasured} targets weren’t measured.` : '';
  return `${formatTable(['Target', 'Limit', 'Measured', 'Result'], rows)}${rest}`;
}
