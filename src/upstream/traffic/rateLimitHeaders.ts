import type { UpstreamResponse } from '../transport/transport.ts';

/** A key's quota, from the headers of a response. */
export interface QuotaUpdate {
  /** Calls that a quota window allows. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** Maximum wait that is trusted, in seconds. Not documented upstream. Chosen: an hour. */
const MAX_WAIT_SECONDS = 3_600;
/** Numbers above this are timestamps in Unix seconds. */
const MIN_UNIX_SECONDS = 1e9;

const getHeader = (headers: UpstreamResponse['headers'], name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim() ?? '';
};

const getNumber = (headers: UpstreamResponse['headers'], name: string): number => {
  const text = getHeader(headers, name);
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
};

/** Returns when a response was created, on the upstream's clock: its Date, in Unix milliseconds. Defaults to `now`. */
export const getResponseDate = (headers: UpstreamResponse['headers'], now: number): number => Date.parse(getHeader(headers, 'date')) || now;

/**
 * Returns the milliseconds until a reset. The unit isn't documented: small numbers are seconds from now, and large ones Unix seconds. Null for other numbers.
 */
function parseReset(value: number, now: number): number | null {
  if (value <= MAX_WAIT_SECONDS) return value * 1000;
  const ms = value * 1000 - now;
  return value > MIN_UNIX_SECONDS && Math.abs(ms) <= MAX_WAIT_SECONDS * 1000 ? Math.max(0, ms) : null;
}

/** Parses the RateLimit headers. Null if they are missing or invalid. `now` is in Unix milliseconds, for responses without a Date. */
export function parseQuotaHeaders({ headers }: UpstreamResponse, now: number): QuotaUpdate | null {
  const limit = getNumber(headers, 'ratelimit-limit');
  const remaining = getNumber(headers, 'ratelimit-remaining');
  const resetsInMs = parseReset(getNumber(headers, 'ratelimit-reset'), getResponseDate(headers, now));
  return limit > 0 && remaining >= 0 && resetsInMs !== null ? { limit, remaining: Math.min(remaining, limit), resetsInMs } : null;
}

/** Parses Retry-After, in seconds or as a date, and returns milliseconds. Null if it's missing or more than an hour away. */
export function parseRetryAfter({ headers }: UpstreamResponse, now: number): number | null {
  const text = getHeader(headers, 'retry-after');
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - getResponseDate(headers, now);
  return ms <= MAX_WAIT_SECONDS * 1000 ? Math.max(0, ms) : null;
}

/** Rounds up to whole seconds. Rounds to milliseconds first, so that a floating-point error doesn't add a second. */
export const toSeconds = (ms: number): number => Math.ceil(Math.round(ms) / 1000);
