import { LOADS } from './loads.ts';
import type { Cell } from './measure.ts';
import { isCoreShared } from './processes.ts';
import type { Start } from './start.ts';

/** The rounds of a server with a piece of work under a load. */
export interface Measured {
  readonly work: string;
  readonly load: string;
  readonly server: string;
  /** The round before those that count: its answers and calls are checked, too. */
  readonly warm: readonly Cell[];
  /** A cell for each round. */
  readonly cells: readonly Cell[];
}

/** A number that a cell tells. */
export type Figure = 'requestsPerSecond' | 'cpuMsPerRequest' | 'p50Ms' | 'p99Ms' | 'callsPerRequest' | 'rssMb' | 'besideP99Ms';

/** The server that the others are measured by. */
const YARDSTICK = 'floor';
/** Above this share of a core the upstream and the load generator may hold the server up. */
const MOST_BUSY = 0.85;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The median over the rounds of the quotient of those that ran side by side. */
export const ratioOf = (cells: readonly Cell[], others: readonly Cell[], figure: Figure) =>
  median(cells.map((cell, round) => (cell[figure] ?? Number.NaN) / (others[round]?.[figure] || Number.NaN)));

const busyOf = ({ upstreamBusy, generatorBusy }: Cell) =>
  isCoreShared ? upstreamBusy + generatorBusy : Math.max(upstreamBusy, generatorBusy);

/** Whether the server would have done more with a faster upstream and a faster load generator. */
export const isBound = ({ cells }: Measured) => median(cells.map(busyOf)) > MOST_BUSY;

/** Below this share of its core a server under 32 callers waits for other programs, so that its requests/s tell of them. */
const LEAST_BUSY = 0.8;

/** Whether other programs kept the server from its core. Few callers, or a far upstream, leave it idle anyway. */
export function isStarved({ load, cells }: Measured): boolean {
  const { connections = 1, latencyMs = 0 } = LOADS.find(({ name }) => name === load) ?? {};
  return connections > 1 && latencyMs === 0 && median(cells.map(({ serverBusy }) => serverBusy)) < LEAST_BUSY;
}

/** With fewer answers from each connection the requests that are under way at either moment weigh too much. Ours. */
const LEAST_ANSWERS = 8;

function hasFewAnswers({ load, cells }: Measured): boolean {
  const { connections = 1 } = LOADS.find(({ name }) => name === load) ?? {};
  return cells.some(({ requests }) => requests < connections * LEAST_ANSWERS);
}

/** Why rounds are void. */
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

/** A table: medians over the rounds, and medians of the rounds' ratios to the floor, or to the first server where there is no floor. */
export function markdownOf(measured: readonly Measured[]): string {
  const rows = measured.map((row) => {
    const { work, load, server, cells } = row;
    const same = measured.filter((other) => other.work === work && other.load === load);
    const yardstick = (same.find((other) => other.server === YARDSTICK) ?? same[0])?.cells ?? [];
    const value = (figure: Figure) => digits(median(cells.map((cell) => cell[figure] ?? Number.NaN)));
    const both = (figure: Figure) => [value(figure), digits(ratioOf(cells, yardstick, figure))];
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

/** Mutations under idempotency keys beside those without, and a plain query beside either, as ratios; empty where nothing of it was measured. */
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

/** The answers and calls of a run that times nothing. */
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
