import type { UpstreamResponse } from '../transport/transport.ts';

/** News of the quota of a key, from the headers of an answer. */
export interface QuotaUpdate {
  /** Calls that a quota window allows. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** The longest wait that is believed, in seconds. Source: none; the upstream does not document its windows. Ours: an hour. */
const MAX_WAIT_SECONDS = 3_600;
/** Numbers above this are moments in Unix seconds. */
const FIRST_MOMENT = 1e9;

const textOf = (headers: UpstreamResponse['headers'], name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
};

const numberOf = (headers: UpstreamResponse['headers'], name: string): number => {
  const text = textOf(headers, name);
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
};

/** When a response was created, by the upstream's clock: its Date, in Unix milliseconds. Defaults to `now`. */
export const madeAt = (headers: UpstreamResponse['headers'], now: number): number => Date.parse(textOf(headers, 'date')) || now;

/** Milliseconds from now to a reset. Its unit is not documented: small numbers are seconds from now, large ones Unix seconds; others are null. */
function untilReset(value: number, now: number): number | null {
  if (value <= MAX_WAIT_SECONDS) return value * 1000;
  const ms = value * 1000 - now;
  return value > FIRST_MOMENT && Math.abs(ms) <= MAX_WAIT_SECONDS * 1000 ? Math.max(0, ms) : null;
}

/** Reads the RateLimit headers; null when they are not there, or cannot be understood. `now` is in Unix milliseconds, for answers without a Date. */
export function parseQuotaHeaders({ headers }: UpstreamResponse, now: number): QuotaUpdate | null {
  const limit = numberOf(headers, 'ratelimit-limit');
  const remaining = numberOf(headers, 'ratelimit-remaining');
  const resetsInMs = untilReset(numberOf(headers, 'ratelimit-reset'), madeAt(headers, now));
  return limit > 0 && remaining >= 0 && resetsInMs !== null ? { limit, remaining: Math.min(remaining, limit), resetsInMs } : null;
}

/** How long Retry-After says to wait, in milliseconds: seconds, or a date. Null without one, or with one more than an hour away. */
export function retryAfterOf({ headers }: UpstreamResponse, now: number): number | null {
  const text = textOf(headers, 'retry-after');
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - madeAt(headers, now);
  return ms <= MAX_WAIT_SECONDS * 1000 ? Math.max(0, ms) : null;
}

/** Rounds up to whole seconds. Rounds to milliseconds first, so that a floating-point error doesn't add a second. */
export const toSeconds = (ms: number): number => Math.ceil(Math.round(ms) / 1000);
