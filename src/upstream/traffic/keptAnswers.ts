import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, msLeftOf, spanOf, systemClock } from '../../lib/clock.ts';

/** Milliseconds for which an answer is kept. Ours: fields of a catalog come with releases of the upstream. */
const KEPT_MS = 5 * 60_000;
/** Answers that are kept. Ours: a catalog has some ten thousand characters. */
const MAX_ENTRIES = 200;

interface Kept {
  readonly keyHash: string;
  readonly answer: object;
  /** By the monotonic clock. */
  readonly since: number;
}

/** Cache of answers that hardly ever change, each of a single API key and operation. No change by anyone ends one. */
export class KeptAnswers {
  readonly #clock: Clock;
  readonly #answers: BoundedCache<Kept>;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#answers = new BoundedCache({ entries: MAX_ENTRIES, ttlMs: KEPT_MS, clock });
  }

  /** The answer of an operation, if it is no older than this. */
  get(keyHash: string, operation: string, maxAgeMs = KEPT_MS): object | undefined {
    const kept = this.#answers.get(`${keyHash} ${operation}`);
    return kept && msLeftOf(spanOf(kept.since, maxAgeMs), this.#clock.monotonicMs()) > 0 ? kept.answer : undefined;
  }

  set(keyHash: string, operation: string, answer: object): void {
    this.#answers.set(`${keyHash} ${operation}`, { keyHash, answer, since: this.#clock.monotonicMs() });
  }

  delete(keyHash: string, operation: string): void {
    this.#answers.delete(`${keyHash} ${operation}`);
  }

  /** The upstream accepts this key no more: what was kept for it goes. */
  forget(keyHash: string): void {
    this.#answers.deleteWhere((kept) => kept.keyHash === keyHash);
  }
}
