import type { Clock } from '../../src/lib/clock.ts';
import { type Pacer, WINDOW_SECONDS } from './pacer.ts';

/** Standard error of the process, or a replacement in tests. */
export interface ProgressOutput {
  readonly isTTY: boolean;
  readonly write: (text: string) => void;
}

export type ProgressForm = 'text' | 'json';

/** Interval between updates in milliseconds: on a terminal, where they replace each other, and elsewhere. */
const TERMINAL_INTERVAL_MS = 200;
const LOG_INTERVAL_MS = 10_000;

const BYTES_PER_MB = 1024 ** 2;

const number = new Intl.NumberFormat('en');

/** Formats a duration: `41s`, `3m05s`, `2h10m`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  if (hours > 0) return `${hours}h${pad(minutes)}m`;
  return minutes > 0 ? `${minutes}m${pad(rest)}s` : `${rest}s`;
}

/** Progress as an object of `--progress json`. */
interface ProgressReport {
  readonly rows: number;
  readonly expected: number;
  readonly rowsPerSecond: number;
  readonly calls: number;
  readonly retries: number;
  readonly secondsLeft: number;
  /** Memory of the process, in bytes. */
  readonly rss: number;
}

interface ProgressOptions {
  readonly pacer: Pacer;
  readonly output: ProgressOutput;
  readonly form: ProgressForm;
  readonly clock: Clock;
  readonly expected: number;
  /** Average number of calls for a row. */
  readonly callsPerRow: number;
  /** Rows that an earlier run has written. */
  readonly written: number;
}

/** Reports the progress of an export at intervals. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #started: number;
  #reported: number;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#started = options.clock.monotonicMs();
    this.#reported = this.#started;
  }

  update(rows: number, isLast = false): void {
    const { clock, output, form } = this.#options;
    const now = clock.monotonicMs();
    const intervalMs = output.isTTY && form === 'text' ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
    if (!isLast && now - this.#reported < intervalMs) return;
    this.#reported = now;
    const report = this.#measure(rows, now);
    output.write(form === 'json' ? `${JSON.stringify(report)}\n` : this.#format(report, isLast));
  }

  #measure(rows: number, now: number): ProgressReport {
    const { expected, written, pacer, callsPerRow } = this.#options;
    const rowsPerSecond = ((rows - written) / Math.max(1, now - this.#started)) * 1_000;
    const left = Math.max(0, expected - rows);
    const { callsPerWindow } = pacer;
    const byQuota = callsPerWindow === null ? 0 : ((left * callsPerRow) / callsPerWindow) * WINDOW_SECONDS;
    const byRate = rowsPerSecond > 0 ? left / rowsPerSecond : 0;
    return {
      rows,
      expected,
      rowsPerSecond: Math.round(rowsPerSecond),
      calls: pacer.calls,
      retries: pacer.retries,
      secondsLeft: Math.round(Math.max(byRate, byQuota)),
      rss: process.memoryUsage.rss(),
    };
  }

  #format({ rows, expected, rowsPerSecond, calls, secondsLeft, rss }: ProgressReport, isLast: boolean): string {
    const percent = expected === 0 ? 100 : Math.floor((rows / expected) * 100);
    const parts = [
      `${number.format(rows)} of ${number.format(expected)} rows (${percent}%)`,
      `${number.format(rowsPerSecond)} rows/s`,
      `${number.format(calls)} calls`,
      `${formatDuration(secondsLeft)} left`,
      `${Math.round(rss / BYTES_PER_MB)} MB`,
    ];
    const line = parts.join(', ');
    if (!this.#options.output.isTTY) return `${line}\n`;
    // Replaces the previous line.
    return `\r${line}\x1B[K${isLast ? '\n' : ''}`;
  }
}
