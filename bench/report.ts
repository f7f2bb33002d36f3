import { LOADS } from './loads.ts';
import type { Cell } from './measure.ts';
import { isCoreShared } from './processes.ts';
import type { StartupTimes } from './start.ts';

/** A row of the measurements. */
export interface Row {
  readonly load: string;
  readonly work: string;
  readonly server: string;
}

/** The rounds of one process. */
interface ProcessRounds {
  /** The warm-up round, whose responses and calls are also checked. */
  readonly warm: readonly Cell[];
  /** One cell per round. */
  readonly cells: readonly Cell[];
}

/** The processes of a server with a work item under a load. Those with the same index ran side by side with those of other servers. */
export interface Measurement extends Row {
  readonly processes: readonly ProcessRounds[];
}

/** A metric of a cell. */
export type Metric = Exclude<keyof Cell, 'fault' | 'firstProblem'>;

export const findRow = (measured: readonly Measurement[], { load, work, server }: Row): Measurement | undefined =>
  measured.find((row) => row.load === load && row.work === work && row.server === server);

/** The server that the others are compared with. */
const BASELINE = 'floor';
/** Above this share of a core, the upstream or the load generator may limit the server. */
const MAX_UTILIZATION = 0.85;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The median over processes, with its interval. */
export interface Estimate {
  readonly value: number;
  readonly interval: readonly [number, number] | undefined;
}

/**
 * The median over processes of each process's median of a value that is computed from the concurrent rounds of some rows. Rounds say little about processes:
 * those of equal code differ by up to a fifth, because of what V8 compiles and promotes. Its value is NaN if a row wasn't measured.
 */
export function estimate(rows: readonly (Measurement | undefined)[], compute: (...cells: Cell[]) => number): Estimate {
  const medians = (rows[0]?.processes ?? []).map(({ cells }, process) =>
    median(
      cells.map((_, round) => {
        const concurrent = rows.map((row) => row?.processes[process]?.cells[round]);
        return concurrent.every((cell) => cell !== undefined) ? compute(...concurrent) : Number.NaN;
      }),
    ),
  );
  const known = medians.filter(Number.isFinite);
  return { value: median(known), interval: calculateInterval(known) };
}

export const computeMedian = (row: Measurement | undefined, figure: Metric): number =>
  estimate([row], (cell) => cell[figure] ?? Number.NaN).value;

/** The ratio of the concurrent rounds of two rows. */
export const estimateRatio = (one: Measurement | undefined, other: Measurement | undefined, figure: Metric): Estimate =>
  estimate([one, other], (cell, concurrent) => (cell[figure] ?? Number.NaN) / (concurrent?.[figure] || Number.NaN));

/**
 * Interval that contains the median of the values, whatever their distribution: order statistics at ranks from the normal approximation of the binomial
 * distribution. Its confidence is 95 % from six values on. Of fewer, it's the range, which has less: 75 % for three. Undefined for a single value.
 */
function calculateInterval(values: readonly number[]): readonly [number, number] | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length < 2) return;
  const rank = Math.max(1, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return [sorted[rank - 1] ?? Number.NaN, sorted[sorted.length - rank] ?? Number.NaN];
}

/** `0.43 (0.41–0.46)`: a value with its interval, if there is one. */
export function formatEstimate({ value, interval }: Estimate): string {
  return interval ? `${formatNumber(value)} (${formatNumber(interval[0])}–${formatNumber(interval[1])})` : formatNumber(value);
}

const getUtilization = ({ upstreamBusy, generatorBusy }: Cell) =>
  isCoreShared ? upstreamBusy + generatorBusy : Math.max(upstreamBusy, generatorBusy);

/** Whether the upstream or the load generator limited the server. */
export const isLimitedByBench = (row: Measurement) => estimate([row], getUtilization).value > MAX_UTILIZATION;

/** Below this share of its core, a server with 32 callers was waiting for other programs, so its requests/s aren't meaningful. */
const MIN_UTILIZATION = 0.8;

/** Whether other programs limited the server. With few callers or a slow upstream, it's idle anyway. */
export function hasCpuContention(row: Measurement): boolean {
  const { connections = 1, latencyMs = 0 } = LOADS.find(({ name }) => name === row.load) ?? {};
  return connections > 1 && latencyMs === 0 && computeMedian(row, 'serverBusy') < MIN_UTILIZATION;
}

/** With fewer responses per connection, the requests in flight at the start and end distort the result. Chosen. */
const MIN_RESPONSES = 8;

function hasFewResponses({ load, processes }: Measurement): boolean {
  const { connections = 1 } = LOADS.find(({ name }) => name === load) ?? {};
  return processes.some(({ cells }) => cells.some(({ requests }) => requests < connections * MIN_RESPONSES));
}

/** Why rounds are invalid. */
export const listFaults = (measured: readonly Measurement[]) =>
  measured.flatMap(({ work, load, server, processes }) =>
    processes.flatMap(({ warm, cells }, process) =>
      [...warm, ...cells].flatMap(({ fault }, round) =>
        fault === null ? [] : [`${server}, ${work} ${load}, process ${process + 1}, cell ${round + 1}: ${fault}`],
      ),
    ),
  );

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const formatPercent = (share: number) => `${(share * 100).toFixed(0)} %`;

export const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const HEAD = [
  'Work',
  'Load',
  'Server',
  'Requests/s',
  '/ floor',
  'CPU ms',
  '/ floor',
  'Main thread, CPU ms',
  '/ floor',
  'p50 ms',
  '/ floor',
  'p99 ms',
  '/ floor',
  'p99 ms of the plain query',
  'Calls',
  'RSS MB',
  'Server busy',
  'Stub busy',
  'Load generator busy',
  'Note',
];

function createNote(row: Measurement): string {
  if (listFaults([row]).length > 0) return 'invalid';
  if (hasFewResponses(row)) return 'too few responses: increase --seconds';
  if (isLimitedByBench(row)) return 'bound by the stub';
  return hasCpuContention(row) ? 'CPU contention on the machine' : '';
}

/** A table of medians, and of ratios to the baseline, or to the first server if there is no baseline. */
export function formatMeasurements(measured: readonly Measurement[]): string {
  const rows = measured.map((row) => {
    const { work, load, server } = row;
    const same = measured.filter((other) => other.work === work && other.load === load);
    const baseline = same.find((other) => other.server === BASELINE) ?? same[0];
    const formatMedian = (figure: Metric) => formatNumber(computeMedian(row, figure));
    const formatBoth = (figure: Metric) => [
      formatMedian(figure),
      row === baseline ? formatNumber(1) : formatEstimate(estimateRatio(row, baseline, figure)),
    ];
    return [
      work,
      load,
      server,
      ...formatBoth('requestsPerSecond'),
      ...formatBoth('cpuMsPerRequest'),
      ...formatBoth('mainCpuMsPerRequest'),
      ...formatBoth('p50Ms'),
      ...formatBoth('p99Ms'),
      formatMedian('backgroundP99Ms'),
      formatMedian('callsPerRequest'),
      formatMedian('rssMb'),
      formatPercent(computeMedian(row, 'serverBusy')),
      formatPercent(computeMedian(row, 'upstreamBusy')),
      formatPercent(computeMedian(row, 'generatorBusy')),
      createNote(row),
    ];
  });
  return formatTable(HEAD, rows);
}

/** Ratios of mutations with idempotency keys to those without, and of concurrent queries. Empty if they weren't measured. */
export function formatLedgerRatios(measured: readonly Measurement[]): string {
  const rows = ['floor', 'graph'].map((server) => {
    const [keyed, unkeyed] = ['g', 'g-unkeyed'].map((work) => findRow(measured, { load: 'ledger', work, server }));
    const alone = findRow(measured, { load: 'alone', work: 'a', server });
    return [
      server,
      formatEstimate(estimateRatio(keyed, unkeyed, 'requestsPerSecond')),
      formatEstimate(estimateRatio(keyed, unkeyed, 'backgroundP99Ms')),
      formatNumber(computeMedian(keyed, 'backgroundP99Ms') / computeMedian(alone, 'p99Ms')),
    ];
  });
  if (rows.flat().every((cell) => cell === '-' || cell === 'floor' || cell === 'graph')) return '';
  const p99 = 'p99 of a concurrent query';
  return formatTable(
    [
      'Server',
      'Throughput of mutations with a key relative to those without',
      `${p99}, relative to mutations without a key`,
      `${p99}, relative to no mutations`,
    ],
    rows,
  );
}

/** The responses and calls of a run without timing. */
export function formatShort(measured: readonly Measurement[]): string {
  const rows = measured.map(({ work, server, processes: [first] }) => {
    const [cell] = first?.cells ?? [];
    return cell ? [work, server, String(cell.responses), formatNumber(cell.callsPerRequest)] : [work, server, 'timed out', '-'];
  });
  return formatTable(['Work', 'Server', 'Correct responses under load', 'Upstream calls per request'], rows);
}

export function formatStarts(starts: readonly StartupTimes[]): string {
  const seconds = (ms: number | null) => (ms === null ? '-' : `${(ms / 1000).toFixed(2)} s`);
  return formatTable(
    ['Server', 'Ready', 'First response', 'Ready without compile cache', 'First response without compile cache'],
    starts.map(({ server, readyMs, responseMs, coldReadyMs, coldResponseMs }) => [
      server,
      ...[readyMs, responseMs, coldReadyMs, coldResponseMs].map(seconds),
    ]),
  );
}
