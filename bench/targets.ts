// The performance targets: values of one run, each with its measurements.
import type { Cell } from './measure.ts';
import {
  computeMedian,
  type Estimate,
  estimate,
  estimateRatio,
  findRow,
  formatEstimate,
  formatNumber,
  formatTable,
  isLimitedByBench,
  type Measurement,
  type Metric,
  type Row,
} from './report.ts';
import { COMPRESSED_WORK, PEERS } from './servers.ts';
import type { StartupTimes } from './start.ts';

/** A performance target, and whether it's met. */
interface Target {
  readonly name: string;
  readonly bound: number;
  /** Its value is NaN if it wasn't measured. */
  readonly estimate: Estimate;
  readonly note: string;
}

/**
 * CPU time relative to the floor, by load and work. Chosen by measurement, so that a change for the worse is noticed: the floor sends one call per record where the
 * graph reads a few pages, so it only needs less for a, c and d.
 */
const FLOOR_CPU_RATIOS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  apart: { b: 0.7, c: 1.2, d: 2.2, e: 0.85, f: 0.85 },
  together: { b: 0.6, c: 0.75, f: 0.4 },
};
/** CPU time of a request for one record that the floor doesn't need, in µs. Chosen: what doesn't depend on the size of a request is 0.1 ms. */
const REQUEST_CPU_US = 100;
/** CPU time relative to any peer as shipped. Chosen: none needs less for a and d, and list batching saves calls in b, c, e and f. */
const PEER_CPU_RATIOS: Readonly<Record<string, number>> = { a: 1, b: 0.4, c: 0.5, d: 1, e: 0.5, f: 0.4 };
/** The same for peers that check less than the graph and are faster at what remains. Chosen by measurement, so that a change for the worse is noticed. */
const FASTER_CPU_RATIOS: readonly (readonly [server: string, work: string, bound: number])[] = [
  ['mercurius', 'a', 1.3],
  ['mercurius', 'd', 1.25],
  ['tailcall', 'a', 2.1],
];
/** CPU time of a node in n1000, in µs. Chosen. A ratio of n1000 to n100 would get worse whenever a request's fixed cost decreases. */
const NODE_CPU_US = 8;
const NODES = 1_000;
/** CPU time of an idempotency key, in µs. Chosen: two transactions on disk take most of it. */
const KEY_CPU_US = 110;
/** CPU time with compression, relative to uncompressed responses. Chosen. */
const COMPRESSION_CPU_RATIO = 1.2;
/** p99 latency under load, relative to an idle server. Chosen: a small query waits for a few executions of large ones, but not for all of them. */
const DELAY_RATIO = 3;
/** Startup time in seconds, by server. Chosen: the package is what runs in production. The checkout strips the types of its modules. */
const START_SECONDS: Readonly<Record<string, number>> = { graph: 1.6, 'graph-package': 0.8 };

const US_PER_MS = 1_000;

/** Creates targets from measurements. */
class TargetFactory {
  readonly #measured: readonly Measurement[];

  constructor(measured: readonly Measurement[]) {
    this.#measured = measured;
  }

  createRatio(name: string, bound: number, figure: Metric, of: Row, to: Row): Target {
    const [one, other] = [findRow(this.#measured, of), findRow(this.#measured, to)];
    const note = [one, other].some((row) => row && isLimitedByBench(row)) ? ', bound by the stub' : '';
    return { name, bound, estimate: estimateRatio(one, other, figure), note };
  }

  /** A target for CPU time: a value that is computed from those of each round, in ms per request. */
  createCpu(name: string, bound: number, rows: readonly Row[], compute: (...cpuMs: number[]) => number): Target {
    const found = rows.map((row) => findRow(this.#measured, row));
    const computeCpu = (...cells: Cell[]) => compute(...cells.map(({ cpuMsPerRequest }) => cpuMsPerRequest));
    return { name, bound, estimate: estimate(found, computeCpu), note: '' };
  }

  /** A target for the p99 latency of a query during other load, relative to its p99 latency without it. */
  createDelay(name: string, bound: number, loaded: Row, idle: Row): Target {
    const [one, other] = [findRow(this.#measured, loaded), findRow(this.#measured, idle)];
    const value = computeMedian(one, 'backgroundP99Ms') / computeMedian(other, 'p99Ms');
    return { name, bound, estimate: { value, interval: undefined }, note: '' };
  }
}

const createFloorTargets = (factory: TargetFactory): Target[] =>
  Object.entries(FLOOR_CPU_RATIOS).flatMap(([load, ratios]) =>
    Object.entries(ratios).map(([work, bound]) =>
      factory.createRatio(
        `${work} ${load}: CPU relative to the floor`,
        bound,
        'cpuMsPerRequest',
        { load, work, server: 'graph' },
        { load, work, server: 'floor' },
      ),
    ),
  );

function createPeerTargets(factory: TargetFactory): Target[] {
  const create = (work: string, server: string, bound: number) =>
    factory.createRatio(
      `${work} apart: CPU relative to ${server}`,
      bound,
      'cpuMsPerRequest',
      { load: 'apart', work, server: 'graph' },
      { load: 'apart', work, server },
    );
  const isFaster = (name: string, work: string) => FASTER_CPU_RATIOS.some(([server, its]) => server === name && its === work);
  const shipped = Object.entries(PEER_CPU_RATIOS).flatMap(([work, bound]) =>
    PEERS.filter(({ name, supports }) => supports.has(work) && !isFaster(name, work)).map(({ name }) => create(work, name, bound)),
  );
  return [...shipped, ...FASTER_CPU_RATIOS.map(([server, work, bound]) => create(work, server, bound))];
}

const createCompressionTargets = (factory: TargetFactory) =>
  COMPRESSED_WORK.map((work) =>
    factory.createRatio(
      `${work} apart, compressed: CPU relative to uncompressed`,
      COMPRESSION_CPU_RATIO,
      'cpuMsPerRequest',
      { load: 'apart', work, server: 'graph-compressed' },
      { load: 'apart', work, server: 'graph' },
    ),
  );

const createUnitTargets = (factory: TargetFactory) => [
  factory.createCpu(
    'a apart: CPU more than the floor, µs',
    REQUEST_CPU_US,
    ['graph', 'floor'].map((server) => ({ load: 'apart', work: 'a', server })),
    (graph, floor = Number.NaN) => (graph - floor) * US_PER_MS,
  ),
  ...['alone', 'apart'].map((load) =>
    factory.createCpu(
      `n1000 ${load}: CPU per node, µs`,
      NODE_CPU_US,
      [{ load, work: 'n1000', server: 'graph' }],
      (cpuMs) => (cpuMs * US_PER_MS) / NODES,
    ),
  ),
  factory.createCpu(
    'g: CPU more than without an idempotency key, µs',
    KEY_CPU_US,
    ['g', 'g-unkeyed'].map((work) => ({ load: 'ledger', work, server: 'graph' })),
    (keyed, unkeyed = Number.NaN) => (keyed - unkeyed) * US_PER_MS,
  ),
];

const createCrowdTargets = (factory: TargetFactory) => [
  factory.createDelay(
    'a of one key while 150 clients of another send h: p99 relative to an idle server',
    DELAY_RATIO,
    { load: 'crowded', work: 'h', server: 'graph' },
    { load: 'far', work: 'a', server: 'graph' },
  ),
];

const createStartupTargets = (starts: readonly StartupTimes[]): Target[] =>
  Object.entries(START_SECONDS).map(([name, bound]) => {
    const ms = starts.find(({ server }) => server === name)?.readyMs;
    return {
      name: `startup time from the ${name === 'graph' ? 'checkout' : 'package'}, s`,
      bound,
      estimate: { value: (ms ?? Number.NaN) / 1000, interval: undefined },
      note: '',
    };
  });

const isMet = ({ bound, estimate: { value } }: Target): boolean => value <= bound;

function formatRow(target: Target): string[] {
  const { name, bound, estimate, note } = target;
  const difference = (Math.abs(1 - estimate.value / bound) * 100).toFixed(0);
  const result = isMet(target) ? 'met' : `missed by ${difference} %`;
  return [name, `≤ ${formatNumber(bound)}`, formatEstimate(estimate), `${result}${note}`];
}

/** Formats a table of the targets whose work and baseline were both measured. Missed ones come first. */
export function formatTargets(measured: readonly Measurement[], starts: readonly StartupTimes[]): string {
  const factory = new TargetFactory(measured);
  const targets = [
    ...createPeerTargets(factory),
    ...createFloorTargets(factory),
    ...createUnitTargets(factory),
    ...createCompressionTargets(factory),
    ...createCrowdTargets(factory),
    ...createStartupTargets(starts),
  ];
  const known = targets.filter(({ estimate: { value } }) => Number.isFinite(value));
  if (known.length === 0) return '';
  const { open = [], met = [] } = Object.groupBy(known, (target) => (isMet(target) ? 'met' : 'open'));
  const rows = [...open, ...met].map(formatRow);
  const unmeasured = targets.length - rows.length;
  const rest = unmeasured > 0 ? `\n\n${unmeasured} targets weren’t measured.` : '';
  return `${formatTable(['Target', 'Limit', 'Measured', 'Result'], rows)}${rest}`;
}
