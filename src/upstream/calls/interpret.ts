import { UPSTREAM_FAILURES } from '../../failures/errorCodes.ts';
import { ApiError, RateLimitedError, UnauthenticatedError, UpstreamUnavailableError } from '../../failures/failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DriftWatch } from '../traffic/driftWatch.ts';
import type { Quota } from '../traffic/quota.ts';
import { parseQuotaHeaders, parseRetryAfter, type QuotaUpdate, toSeconds } from '../traffic/rateLimitHeaders.ts';
import type { UpstreamResponse } from '../transport/transport.ts';
import type { Call, Exchange, Send } from './call.ts';
import { createResponseFailure, type OnFailure } from './callFailure.ts';
import { decodeResponse, readResponse } from './outcomes.ts';
import { RetryableFailure } from './retry.ts';

export interface InterpretOptions {
  readonly quota: Quota;
  readonly clock: Clock;
  /** Called with the hash of each API key that the upstream rejects as invalid. */
  readonly onInvalidKey: (keyHash: string) => void;
  /** Called for each call to an operation whose response has a `Deprecation` header. */
  readonly onDeprecated?: (operation: string, sunset: string | null) => void;
  /** Compares a sample of the responses with the contract. */
  readonly drift: DriftWatch;
  readonly onFailure?: OnFailure;
}

/** Statuses of a temporary failure. The upstream may have processed the request. */
const TRANSIENT_STATUSES = new Set([502, 503, 504]);

/** Decodes successful responses and throws the errors of the others. Updates the key's quota from the headers of both. */
export function interpret(options: InterpretOptions, next: Exchange): Send {
  const { quota, clock, onDeprecated, onInvalidKey, drift, onFailure } = options;

  function handleRateLimit(call: Call, update: QuotaUpdate | null, retryAfterMs: number | null): RetryableFailure {
    const { keyHash, sentAt, operation } = call;
    // The upstream's queue for analytics queries is full. It is separate from the key's quota, so don't block the key's other calls.
    if (operation.effect === 'EXPENSIVE_READ' && retryAfterMs === null && update?.remaining !== 0)
      throw new UpstreamUnavailableError(undefined, 'has too many queries in its queue.');
    const resetsInMs = update?.remaining === 0 ? update.resetsInMs : null;
    const blockedMs = quota.block(keyHash, sentAt, retryAfterMs ?? resetsInMs);
    quota.update(keyHash, sentAt, update);
    return new RetryableFailure(new RateLimitedError(toSeconds(blockedMs)), false, blockedMs);
  }

  function interpretResponse(response: UpstreamResponse, call: Call): object {
    const { keyHash, operation, sentAt } = call;
    const { status, headers, body } = response;
    if (headers.deprecation !== undefined) onDeprecated?.(operation.name, String(headers.sunset ?? '') || null);
    const now = clock.unixMs();
    const update = parseQuotaHeaders(response, now);
    const { json, error } = readResponse(response, call);
    if (error instanceof UnauthenticatedError) onInvalidKey(keyHash);
    const retryAfterMs = error && parseRetryAfter(response, now);
    if (error instanceof RateLimitedError) throw handleRateLimit(call, update, retryAfterMs);
    quota.update(keyHash, sentAt, update);
    if (!error) {
      call.responseLength = body.length;
      return decodeResponse(json, response, call, (members) => drift.observe(operation, members));
    }
    if (!TRANSIENT_STATUSES.has(status)) throw error;
    if (retryAfterMs !== null) error.extensions.retryAfterSeconds = toSeconds(retryAfterMs);
    throw new RetryableFailure(error, true, retryAfterMs ?? 0);
  }

  function reportFailure(error: unknown, { status }: UpstreamResponse, { operation }: Call): void {
    const failure = error instanceof RetryableFailure ? error.error : error;
    if (failure instanceof ApiError && UPSTREAM_FAILURES.has(failure.code)) onFailure?.(createResponseFailure(operation, status));
  }

  return (call) =>
    next(call).then((response) => {
      try {
        return interpretResponse(response, call);
      } catch (error) {
        reportFailure(error, response, call);
        throw error;
      }
    });
}
