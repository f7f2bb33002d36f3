import type { Logger } from 'pino';
import { limitReports } from '../../lib/limitReports.ts';
import type { CallFailure, OnFailure } from '../../upstream/calls/callMeter.ts';

/** Codes of Node.js, TLS, or undici. Not the error itself, because it can quote a response. */
function getCodes(error: CallFailure['error']): { readonly code?: string; readonly syscall?: string } {
  // A timeout aborts the request, which would be reported as the cause.
  if (!error || error.isTimeout) return {};
  // A name with several addresses has an error for each.
  const cause: unknown = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
  const { code, syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  return { ...(code !== undefined && { code }), ...(syscall !== undefined && { syscall }) };
}

/** Logs why calls to the upstream fail: the first failure of each class, then their number once a minute. */
export function createFailureLog(upstreamUrl: string, logger: Logger): OnFailure {
  const { host } = new URL(upstreamUrl);
  /** Few, because the upstream can only choose the status. */
  const classes = new Map<string, (operation: string) => void>();
  return ({ operation, failure, status, error }) => {
    const fields = { failure, status, ...getCodes(error) };
    const name = JSON.stringify(fields);
    let log = classes.get(name);
    if (!log) {
      log = limitReports((example, count) => logger.warn({ host, operation: example, ...fields, count }, 'upstream calls failed'));
      classes.set(name, log);
    }
    log(operation);
  };
}
