import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { createLogger } from '../../src/server/telemetry/logger.ts';

let log: Logger | undefined;

/** The log of graphs whose tests don't read it. It's written to a file, which is searched for secrets after the run. */
export function runLog(): Logger {
  log ??= createLogger('debug', pino.destination({ dest: join(tmpdir(), `graphs-${process.pid}.log`), sync: true }));
  return log;
}
