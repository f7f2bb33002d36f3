import type { UpstreamResponse } from '../upstream/transport/transport.ts';

/** Unit of the RateLimit-Reset header. `UNREADABLE` stands for a unit that the graph does not understand: it then goes without the header. */
export type ResetUnit = 'SECONDS_LEFT' | 'UNIX_SECONDS' | 'UNREADABLE' | 'ABSENT';

const isThere = (headers: UpstreamResponse['headers'], name: string) => headers[name] !== undefined;

const numberOf = (headers: UpstreamResponse['headers'], name: string): number | null => {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
};

/** The longest wait that is taken for seconds from now; the graph's own bound. */
const MAX_SECONDS_LEFT = 3_600;
const FIRST_MOMENT = 1e9;
const FIRST_MILLISECOND = 1e11;

function unitOf(reset: number | null): ResetUnit {
  if (reset === null) return 'ABSENT';
  if (reset <= MAX_SECONDS_LEFT) return 'SECONDS_LEFT';
  return reset >= FIRST_MOMENT && reset < FIRST_MILLISECOND ? 'UNIX_SECONDS' : 'UNREADABLE';
}

/** Other forms of the headers: of drafts of the IETF before and after the contract's, and of services that came before those. */
const OTHER_FORMS = [
  'ratelimit',
  'ratelimit-policy',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
];

/** Watches the RateLimit headers of a run: how much is left, and in which units they tell. */
export class RateWatch {
  readonly #others = new Set<string>();
  #remaining: number | null = null;
  #unit: ResetUnit = 'ABSENT';
  /** Most that a call took off the remaining ones. */
  #step: number | null = null;

  see(headers: UpstreamResponse['headers']): void {
    for (const name of OTHER_FORMS) if (isThere(headers, name)) this.#others.add(name);
    const remaining = numberOf(headers, 'ratelimit-remaining');
    if (remaining === null) return;
    if (this.#remaining !== null && remaining < this.#remaining) this.#step = Math.max(this.#step ?? 0, this.#remaining - remaining);
    this.#remaining = remaining;
    const reset = numberOf(headers, 'ratelimit-reset');
    this.#unit = reset === null && isThere(headers, 'ratelimit-reset') ? 'UNREADABLE' : unitOf(reset);
  }

  /** Headers of the limit that came in another form, which the graph does not read. */
  get others(): readonly string[] {
    return [...this.#others].sort();
  }

  isBelow(reserve: number): boolean {
    return this.#remaining !== null && this.#remaining <= reserve;
  }

  get unit(): ResetUnit {
    return this.#unit;
  }

  /** Calls that the header counts for one call: null where it has not fallen yet. More than 1 also when others use the key meanwhile. */
  get step(): number | null {
    return this.#step;
  }
}
