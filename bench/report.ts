import { LOADS } from './loads.ts';
import type { Cell } from './measure.ts';
import { isCoreShared } from './processes.ts';
import type { Start } from './start.ts';

/** The rounds of a server and a work item under a load. */
export interface Measured {
  readonly work: string;
  readonly load: string;
  readonly server: string;
  /** The warm-up round, whose responses and calls are also checked. */
  readonly warm: readonly Cell[];
  /** One cell per round. */
  readonly cells: readonly Cell[];
}

/** A metric of a cell. */
export type Figure = 'requestsPerSecond' | 'cpuMsPerRequest' | 'p50Ms' | 'p99Ms' | 'callsPerRequest' | 'rssMb' | 'besideP99Ms';

/** The server that the others are compared with. */
const YARDSTICK = 'floor';
/** Above this share of a core, the upstream or the load generator may limit the server. */
const MOST_BUSY = 0.85;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

const ratiosOf = (cells: readonly Cell[], others: readonly Cell[], figure: Figure): number[] =>
  cells.map((cell, round) => (cell[figure] ?? Number.NaN) / (others[round]?.[figure] || Number.NaN));

/** The median of the ratios of concurrent rounds. */
export const ratioOf = (cells: readonly Cell[], others: readonly Cell[], figure: Figure) => median(ratiosOf(cells, others, figure));

/** With fewer rounds, even the least and the greatest ratio contain the median less than 95 % of the time. */
const LEAST_ROUNDS = 6;

/**
 * Interval that contains the median of the ratios with a confidence of 95 %, whatever their distribution: order statistics at ranks from the normal
 * approximation of the binomial distribution. Undefined for fewer than six rounds.
 */
export function intervalOf(cells: readonly Cell[], others: readonly Cell[], figure: Figure): readonly [number, number] | undefined {
  const sorted = ratiosOf(cells, others, figure).sort((one, other) => one - other);
  if (sorted.length < LEAST_ROUNDS) return;
  const rank = Math.max(1, Math.floor(sorted.length / 2 - 0.98 * Math.sqrt(sorted.length)));
  return [sorted[rank - 1] ?? Number.NaN, sorted[sorted.length - rank] ?? Number.NaN];
}

/** `0.43 (0.41–0.46)`: a ratio with its confidence interval, if there is one. */
export function intervalText(ratio: number, interval: readonly [number, number] | undefined): string {
  return interval ? `${digits(ratio)} (${digits(interval[0])}–${digits(interval[1])})` : digits(ratio);
}

const busyOf = ({ upstreamBusy, generatorBusy }: Cell) =>
  isCoreShared ? upstreamBusy + generatorBusy : Math.max(upstreamBusy, generatorBusy);

/** Whether the upstream or the load generator limited the server. */
export const isBound = ({ cells }: Measured) => median(cells.map(busyOf)) > MOST_BUSY;

/** Below this share of its core, a server with 32 callers was waiting for other programs, so its requests/s aren't meaningful. */
const LEAST_BUSY = 0.8;

/** Whether other programs limited the server. With few callers or a slow upstream, it's idle anyway. */
export function isStarved({ load, cells }: Measured): boolean {
  const { connections = 1, latencyMs = 0 } = LOADS.find(({ name }) => name === load) ?? {};
  return connections > 1 && latencyMs === 0 && median(cells.map(({ serverBusy }) => serverBusy)) < LEAST_BUSY;
}

/** With fewer responses per connection, the requests in flight at the start and end distort the result. Chosen. */
const LEAST_ANSWERS = 8;

function hasFewAnswers({ load, cells }: Measured): boolean {
  const { connections = 1 } = LOADS.find(({ name }) => name === load) ?? {};
  return cells.some(({ requests }) => requests < connections * LEAST_ANSWERS);
}

/** Why rounds are invalid. */
export const faultsOf = (measured: readonly Measured[]) =>
  measured.flatMap(({ work, load, server, warm, cells }) =>
    [...warm, ...cells].flatMap(({ fault }, round) => (fault === null ? [] : [`${server}, ${work} ${load}, cell ${round + 1}: ${fault}`])),
  );

export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
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
  'Stand-in busy',
  'Load generator busy',
  'Note',
];

function noteOf(row: Measured): string {
  if ([...row.warm, ...row.cells].some(({ fault }) => fault !== null)) return 'void';
  if (hasFewAnswers(row)) return 'too few answers: ask for more --seconds';
  if (isBound(row)) return 'bound by the stub';
  return isStarved(row) ? 'short of its core: the machine was busy' : '';
}

/** A table of medians over the rounds, and of medians of the rounds' ratios to the baseline, or to the first server if there is no baseline. */
export function markdownOf(measured: readonly Measured[]): string {
  const rows = measured.map((row) => {
    const { work, load, server, cells } = row;
    const same = measured.filter((other) => other.work === work && other.load === load);
    const yardstick = (same.find((other) => other.server === YARDSTICK) ?? same[0])?.cells ?? [];
    const value = (figure: Figure) => digits(median(cells.map((cell) => cell[figure] ?? Number.NaN)));
    const both = (figure: Figure) => [
      value(figure),
      intervalText(ratioOf(cells, yardstick, figure), cells === yardstick ? undefined : intervalOf(cells, yardstick, figure)),
    ];
    return [
      work,
      load,
      server,
      ...both('requestsPerSecond'),
      ...both('cpuMsPerRequest'),
      ...both('p50Ms'),
      ...both('p99Ms'),
      value('besideP99Ms'),
      value('callsPerRequest'),
      value('rssMb'),
      percent(median(cells.map(({ serverBusy }) => serverBusy))),
      percent(median(cells.map(({ upstreamBusy }) => upstreamBusy))),
      percent(median(cells.map(({ generatorBusy }) => generatorBusy))),
      noteOf(row),
    ];
  });
  return tableOf(HEAD, rows);
}

/** Ratios of mutations with idempotency keys to those without, and of concurrent queries. Empty if they weren't measured. */
export function ledgerOf(measured: readonly Measured[]): string {
  const find = (load: string, work: string, server: string) =>
    measured.find((row) => row.load === load && row.work === work && row.server === server)?.cells ?? [];
  const rows = ['floor', 'graph'].map((server) => {
    const [keyed, unkeyed] = [find('ledger', 'g', server), find('ledger', 'g-unkeyed', server)];
    const besideKeyed = keyed.map(({ besideP99Ms }) => besideP99Ms ?? Number.NaN);
    const alone = find('alone', 'a', server).map(({ p99Ms }) => p99Ms);
    return [
      server,
      digits(ratioOf(keyed, unkeyed, 'requestsPerSecond')),
      digits(ratioOf(keyed, unkeyed, 'besideP99Ms')),
      digits(median(besideKeyed) / median(alone)),
    ];
  });
  if (rows.flat().every((cell) => cell === '-' || cell === 'floor' || cell === 'graph')) return '';
  const p99 = 'p99 of a concurrent query';
  return tableOf(
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
export function shortOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ work, server, cells: [cell] }) =>
    cell ? [work, server, String(cell.answered), digits(cell.callsPerRequest)] : [work, server, 'timed out', '-'],
  );
  return tableOf(['Work', 'Server', 'Correct responses under load', 'Upstream calls per request'], rows);
}

export function startsOf(starts: readonly Start[]): string {
  const seconds = (ms: number | null) => (ms === null ? '-' : `${(ms / 1000).toFixed(2)} s`);
  return tableOf(
    ['Server', 'Ready', 'First response', 'Ready without compile cache', 'First response without compile cache'],
    starts.map(({ server, readyMs, answerMs, coldReadyMs, coldAnswerMs }) => [
      server,
      ...[readyMs, answerMs, coldReadyMs, coldAnswerMs].map(seconds),
    ]),
  );
}
