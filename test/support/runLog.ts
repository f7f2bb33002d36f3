import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { createLogger } from '../../src/server/logger.ts';

let log: Logger | undefined;

/** The log of all graphs of this process whose test reads none: everything is written down, and searched for secrets at the end of the run. */
export function runLog(): Logger {
  log ??= createLogger('debug', pino.destination({ dest: join(tmpdir(), `graphs-${process.pid}.log`), sync: true }));
  return log;
}
