import type { UpstreamResponse } from '../upstream/transport/transport.ts';

/** Unit of the RateLimit-Reset header. `UNREADABLE` means a unit that the graph doesn't support: it ignores the header. */
export type ResetUnit = 'SECONDS_LEFT' | 'UNIX_SECONDS' | 'UNREADABLE' | 'ABSENT';

const hasHeader = (headers: UpstreamResponse['headers'], name: string) => headers[name] !== undefined;

const parseNumber = (headers: UpstreamResponse['headers'], name: string): number | null => {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
};

/** Largest value that is treated as seconds from now. The graph uses the same limit. */
const MAX_SECONDS_LEFT = 3_600;
const MIN_UNIX_SECONDS = 1e9;
const MIN_UNIX_MS = 1e11;

function detectUnit(reset: number | null): ResetUnit {
  if (reset === null) return 'ABSENT';
  if (reset <= MAX_SECONDS_LEFT) return 'SECONDS_LEFT';
  return reset >= MIN_UNIX_SECONDS && reset < MIN_UNIX_MS ? 'UNIX_SECONDS' : 'UNREADABLE';
}

/** Other forms of the headers: earlier and later IETF drafts than the contract's, and the non-standard headers that preceded them. */
const OTHER_FORMS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
];

/** Tracks the RateLimit headers of a run: the remaining calls, and the unit of the reset. */
export class RateWatch {
  readonly #otherHeaders = new Set<string>();
  #remaining: number | null = null;
  #unit: ResetUnit = 'ABSENT';
  /** Largest decrease of the remaining calls between two responses. */
  #decrease: number | null = null;

  observe(headers: UpstreamResponse['headers']): void {
    for (const name of OTHER_FORMS) if (hasHeader(headers, name)) this.#otherHeaders.add(name);
    const remaining = parseNumber(headers, 'ratelimit-remaining');
    if (remaining === null) return;
    if (this.#remaining !== null && remaining < this.#remaining)
      this.#decrease = Math.max(this.#decrease ?? 0, this.#remaining - remaining);
    this.#remaining = remaining;
    const reset = parseNumber(headers, 'ratelimit-reset');
    this.#unit = reset === null && hasHeader(headers, 'ratelimit-reset') ? 'UNREADABLE' : detectUnit(reset);
  }

  /** Rate-limit headers in another form, which the graph doesn't read. */
  get otherHeaders(): readonly string[] {
    return [...this.#otherHeaders].sort();
  }

  isBelow(reserve: number): boolean {
    return this.#remaining !== null && this.#remaining <= reserve;
  }

  get unit(): ResetUnit {
    return this.#unit;
  }

  /** Calls that the upstream counts per call. Null if the header hasn't decreased yet. Also more than 1 if the key is used elsewhere at the same time. */
  get decrease(): number | null {
    return this.#decrease;
  }
}
