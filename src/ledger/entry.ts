/**
 * What became of the use of an idempotency key.
 * - `IN_FLIGHT`: it was written down, and then sent. Past its lease nobody knows whether.
 * - `SUCCEEDED`: the upstream answered that it is done.
 * - `FAILED`: certainly nothing was done. The key is free again.
 * - `UNKNOWN`: it was sent, and the answer was lost.
 */
export type LedgerState = 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED' | 'UNKNOWN';

/** What is known of one use of an idempotency key. Kept as JSON. Moments are Unix milliseconds. */
export interface LedgerEntry {
  readonly state: LedgerState;
  /** Who wrote it: random, another one for every attempt. */
  readonly attempt: string;
  /** A hash of the request. */
  readonly fingerprint: string;
  /** A hash of the API key that used it. */
  readonly credential: string;
  /** When the first attempt began that may have been sent. */
  readonly startedAt: number;
  /** When it was last heard of; absent while it is in flight. */
  readonly settledAt?: number;
  /** Until when the attempt counts as running. Its process has died when it lasts longer. */
  readonly leaseUntil: number;
  readonly expiresAt: number;
  /** The upstream's answer, once it succeeded. */
  readonly answer?: object;
}

/** The state that an entry must be in to be changed. */
export interface Expected {
  readonly attempt: string;
  readonly states: readonly LedgerState[];
}

/**
 * Where entries are kept. Each method is atomic, also between processes, and fails with LedgerUnavailableError. An id is free when nothing
 * is kept under it, or what is kept has expired or FAILED.
 */
export interface LedgerStore {
  /** Writes the entry under all ids when all are free. Else writes nothing, and answers what is kept under the first that is not. */
  claim(ids: readonly string[], entry: LedgerEntry, now: number): Promise<LedgerEntry | undefined>;
  /** Puts the entry in the place of the expected one, and under those of the ids that are free. Answers whether the expected one was there. */
  move(ids: readonly string[], expected: Expected, entry: LedgerEntry, now: number): Promise<boolean>;
  /** What is kept under the first id that is not free; else what FAILED. */
  find(ids: readonly string[], now: number): Promise<LedgerEntry | undefined>;
  /** Deletes what has expired. */
  sweep(now: number): Promise<void>;
  close(): Promise<void>;
}

/** Whether an id under which this is kept may be claimed. */
export const isFree = (entry: LedgerEntry | undefined, now: number): boolean =>
  entry === undefined || entry.expiresAt <= now || entry.state === 'FAILED';

/** Whether this is the expected entry. */
export const isExpected = (entry: LedgerEntry | undefined, { attempt, states }: Expected): boolean =>
  entry !== undefined && entry.attempt === attempt && states.includes(entry.state);
