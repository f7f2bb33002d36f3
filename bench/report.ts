import { LOADS } from './loads.ts';
import type { Cell } from './measure.ts';
import { isCoreShared } from './processes.ts';
import type { StartupTimes } from './start.ts';

/** The rounds of a server and a work item under a load. */
export interface Measurement {
  readonly work: string;
  readonly load: string;
  readonly server: string;
  /** The warm-up round, whose responses and calls are also checked. */
  readonly warm: readonly Cell[];
  /** One cell per round. */
  readonly cells: readonly Cell[];
}

/** A metric of a cell. */
export type Metric = 'requestsPerSecond' | 'cpuMsPerRequest' | 'p50Ms' | 'p99Ms' | 'callsPerRequest' | 'rssMb' | 'backgroundP99Ms';

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

const calculateRatios = (cells: readonly Cell[], others: readonly Cell[], figure: Metric): number[] =>
  cells.map((cell, round) => (cell[figure] ?? Number.NaN) / (others[round]?.[figure] || Number.NaN));

/** With fewer rounds, even the interval from the least to the greatest ratio contains the median with a probability below 95 %. */
const MIN_ROUNDS = 6;

/** The median of a value of the rounds, with the bounds of its confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly interval: readonly [number, number] | undefined;
}

export const estimateMedian = (values: readonly number[]): Estimate => ({ value: median(values), interval: calculateInterval(values) });

/** The median of the ratios of concurrent rounds, with its interval. */
export const estimateRatio = (cells: readonly Cell[], others: readonly Cell[], figure: Metric): Estimate =>
  estimateMedian(calculateRatios(cells, others, figure));

/**
 * Interval that contains the median of the values with a confidence of 95 %, whatever their distribution: order statistics at ranks from the normal
 * approximation of the binomial distribution. Undefined for fewer than six rounds.
 */
function calculateInterval(values: readonly number[]): readonly [number, number] | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length < MIN_ROUNDS) return;
  const rank = Math.max(1, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return [sorted[rank - 1] ?? Number.NaN, sorted[sorted.length - rank] ?? Number.NaN];
}

/** `0.43 (0.41–0.46)`: a value with its confidence interval, if there is one. */
export function formatEstimate({ value, interval }: Estimate): string {
  return interval ? `${formatNumber(value)} (${formatNumber(interval[0])}–${formatNumber(interval[1])})` : formatNumber(value);
}

const getUtilization = ({ upstreamBusy, generatorBusy }: Cell) =>
  isCoreShared ? upstreamBusy + generatorBusy : Math.max(upstreamBusy, generatorBusy);

/** Whether the upstream or the load generator limited the server. */
export const isLimitedByBench = ({ cells }: Measurement) => median(cells.map(getUtilization)) > MAX_UTILIZATION;

/** Below this share of its core, a server with 32 callers was waiting for other programs, so its requests/s aren't meaningful. */
const MIN_UTILIZATION = 0.8;

/** Whether other programs limited the server. With few callers or a slow upstream, it's idle anyway. */
export function hasCpuContention({ load, cells }: Measurement): boolean {
  const { connections = 1, latencyMs = 0 } = LOADS.find(({ name }) => name === load) ?? {};
  return connections > 1 && latencyMs === 0 && median(cells.map(({ serverBusy }) => serverBusy)) < MIN_UTILIZATION;
}

/** With fewer responses per connection, the requests in flight at the start and end distort the result. Chosen. */
const MIN_RESPONSES = 8;

function hasFewResponses({ load, cells }: Measurement): boolean {
  const { connections = 1 } = LOADS.find(({ name }) => name === load) ?? {};
  return cells.some(({ requests }) => requests < connections * MIN_RESPONSES);
}

/** Why rounds are invalid. */
export const listFaults = (measured: readonly Measurement[]) =>
  measured.flatMap(({ work, load, server, warm, cells }) =>
    [...warm, ...cells].flatMap(({ fault }, round) => (fault === null ? [] : [`${server}, ${work} ${load}, cell ${round + 1}: ${fault}`])),
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
  if ([...row.warm, ...row.cells].some(({ fault }) => fault !== null)) return 'invalid';
  if (hasFewResponses(row)) return 'too few responses: increase --seconds';
  if (isLimitedByBench(row)) return 'bound by the stub';
  return hasCpuContention(row) ? 'CPU contention on the machine' : '';
}

/** A table of medians over the rounds, and of medians of the rounds' ratios to the baseline, or to the first server if there is no baseline. */
export function formatMeasurements(measured: readonly Measurement[]): string {
  const rows = measured.map((row) => {
    const { work, load, server, cells } = row;
    const same = measured.filter((other) => other.work === work && other.load === load);
    const baseline = (same.find((other) => other.server === BASELINE) ?? same[0])?.cells ?? [];
    const formatMedian = (figure: Metric) => formatNumber(median(cells.map((cell) => cell[figure] ?? Number.NaN)));
    const formatBoth = (figure: Metric) => [
      formatMedian(figure),
      cells === baseline ? formatNumber(1) : formatEstimate(estimateRatio(cells, baseline, figure)),
    ];
    return [
      work,
      load,
      server,
      ...formatBoth('requestsPerSecond'),
      ...formatBoth('cpuMsPerRequest'),
      ...formatBoth('p50Ms'),
      ...formatBoth('p99Ms'),
      formatMedian('backgroundP99Ms'),
      formatMedian('callsPerRequest'),
      formatMedian('rssMb'),
      formatPercent(median(cells.map(({ serverBusy }) => serverBusy))),
      formatPercent(median(cells.map(({ upstreamBusy }) => upstreamBusy))),
      formatPercent(median(cells.map(({ generatorBusy }) => generatorBusy))),
      createNote(row),
    ];
  });
  return formatTable(HEAD, rows);
}

/** Ratios of mutations with idempotency keys to those without, and of concurrent queries. Empty if they weren't measured. */
export function formatLedgerRatios(measured: readonly Measurement[]): string {
  const find = (load: string, work: string, server: string) =>
    measured.find((row) => row.load === load && row.work === work && row.server === server)?.cells ?? [];
  const rows = ['floor', 'graph'].map((server) => {
    const [keyed, unkeyed] = [find('ledger', 'g', server), find('ledger', 'g-unkeyed', server)];
    const backgroundKeyed = keyed.map(({ backgroundP99Ms }) => backgroundP99Ms ?? Number.NaN);
    const alone = find('alone', 'a', server).map(({ p99Ms }) => p99Ms);
    return [
      server,
      formatEstimate(estimateRatio(keyed, unkeyed, 'requestsPerSecond')),
      formatEstimate(estimateRatio(keyed, unkeyed, 'backgroundP99Ms')),
      formatNumber(median(backgroundKeyed) / median(alone)),
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
  const rows = measured.map(({ work, server, cells: [cell] }) =>
    cell ? [work, server, String(cell.responses), formatNumber(cell.callsPerRequest)] : [work, server, 'timed out', '-'],
  );
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
