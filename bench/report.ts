import type { Cell } from './measure.ts';

/** What one server did with one piece of work under one load: a cell for each round. */
export interface Measured {
  readonly work: string;
  readonly load: string;
  readonly server: string;
  readonly cells: readonly Cell[];
}

/** What the others are measured by. */
const YARDSTICK = 'floor';

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The median of what each round's pair makes. */
const ratioOf = (cells: readonly Cell[], others: readonly Cell[], member: keyof Cell) =>
  median(cells.map((cell, round) => cell[member] / (others[round]?.[member] || Number.NaN)));

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

const HEAD = [
  'work',
  'load',
  'server',
  'requests/s',
  'of the floor',
  'CPU ms',
  'of the floor',
  'p50 ms',
  'of the floor',
  'p99 ms',
  'calls',
  'RSS MB',
];

/** A table: medians over the rounds, and medians of the rounds' ratios to the floor, or to the first server where there is no floor. */
export function markdownOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ work, load, server, cells }) => {
    const same = measured.filter((other) => other.work === work && other.load === load);
    const yardstick = (same.find((other) => other.server === YARDSTICK) ?? same[0])?.cells ?? [];
    const value = (member: keyof Cell) => digits(median(cells.map((cell) => cell[member])));
    const ratio = (member: keyof Cell) => digits(ratioOf(cells, yardstick, member));
    return [
      work,
      load,
      server,
      value('requestsPerSecond'),
      ratio('requestsPerSecond'),
      value('cpuMsPerRequest'),
      ratio('cpuMsPerRequest'),
      value('p50Ms'),
      ratio('p50Ms'),
      value('p99Ms'),
      value('callsPerRequest'),
      value('rssMb'),
    ];
  });
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
