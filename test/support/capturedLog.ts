import type { Logger } from 'pino';
import { createLogger } from '../../src/server/telemetry/logger.ts';

export type LogLine = Readonly<Record<string, unknown>>;

export interface CapturedLog {
  readonly logger: Logger;
  readonly lines: LogLine[];
  /** Waits for `count` lines with these messages. */
  waitForLines(count: number, ...messages: readonly string[]): Promise<LogLine[]>;
}

/** A logger whose lines a test can read. */
export function captureLog(level: 'debug' | 'info' | 'warn'): CapturedLog {
  const lines: LogLine[] = [];
  const waiting = new Set<() => void>();
  const write = (line: string) => {
    lines.push(JSON.parse(line));
    for (const check of waiting) check();
  };
  const waitForLines = (count: number, ...messages: readonly string[]) =>
    new Promise<LogLine[]>((resolve) => {
      const check = () => {
        const matching = lines.filter(({ msg }) => messages.includes(String(msg)));
        if (matching.length < count) return;
        waiting.delete(check);
        resolve(matching);
      };
      waiting.add(check);
      check();
    });
  return { logger: createLogger(level, { write }), lines, waitForLines };
}
