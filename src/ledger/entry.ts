import { CLOCK_STEP_MS } from '../lib/clock.ts';

/**
 * State of an idempotency key: the fate of the mutation that used it.
 * - `IN_FLIGHT`: it was written down, and then sent. Past its lease nobody knows whether.
 * - `SUCCEEDED`: the upstream answered that it is done.
 * - `FAILED`: certainly nothing was done. The key is free again.
 * - `UNKNOWN`: it was sent, and the answer was lost.
 */
export type LedgerState = 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED' | 'UNKNOWN';

/** Facts of a use of an idempotency key, as the ledger hands them to its store. Moments are Unix milliseconds of the host, for people. */
export interface LedgerDraft {
  readonly state: LedgerState;
  /** Id of the attempt that wrote it: random. */
  readonly attempt: string;
  /** A hash of the request. */
  readonly fingerprint: string;
  /** Key hash of the API key that used it. Kept under the name that files of earlier versions have for it. */
  readonly credential: string;
  /** When the first attempt began that may have been sent. */
  readonly startedAt: number;
  /** When it was last heard of; absent while it is in flight. */
  readonly settledAt?: number;
  /** How long the attempt may run, in milliseconds from when this is written; 0 when it has ended. Its process has died when it lasts longer. */
  readonly leaseMs: number;
  /** The upstream's answer, once it succeeded. */
  readonly answer?: object;
  /** Whether an equal request was sent under another key. Only in entries that equal requests share. */
  readonly isContested?: boolean;
}

/** The same, as it is kept: as JSON, with moments in Unix milliseconds of the store's clock, the only one by which they are compared. */
export interface LedgerEntry extends LedgerDraft {
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

/** An entry, and what the store's clock said when it was read. */
export interface Found {
  readonly entry: LedgerEntry;
  readonly now: number;
}

/** The state that an entry must be in to be changed. */
export interface Expected {
  readonly attempt: string;
  readonly states: readonly LedgerState[];
}

/**
 * Where entries are kept. Each method is atomic, also between processes, and fails with LedgerUnavailableError. An id is free when nothing
 * is kept under it, or what is kept has expired or FAILED. Moments are the store's business: the clocks of those who share it may differ. An entry
 * expires `ttlMs` after it was written.
 */
export interface LedgerStore {
  /**
   * Writes the entry under all ids when all are free. Else writes nothing, and answers what is kept under the first that is not. Fails with
   * OverloadedError, and has written nothing, when too many wait.
   */
  claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number): Promise<Found | undefined>;
  /** Puts the entry in the place of the expected one, and under those of the ids that are free. Answers whether the expected one was there. */
  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean>;
  /** The entry under the first id that is not free; else an entry that FAILED. */
  find(ids: readonly string[]): Promise<Found | undefined>;
  /** Deletes what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Whether an id under which this is kept may be claimed. */
export const isFree = (entry: LedgerEntry | undefined, now: number): boolean =>
  entry === undefined || entry.expiresAt <= now || entry.state === 'FAILED';

/**
 * Whether an attempt may still run. A lease that ends later than it lasts was written by a clock that stood ahead (one that was set back since, or of
 * another host): it says nothing, and would block the key for as long as the clocks differ.
 */
export const isRunning = ({ entry: { state, leaseUntil, leaseMs = Number.POSITIVE_INFINITY }, now }: Found): boolean =>
  // Entries of earlier versions do not tell how long the lease lasts.
  state === 'IN_FLIGHT' && leaseUntil > now && leaseUntil <= now + leaseMs + CLOCK_STEP_MS;

/** Whether this is the expected entry. */
export const isExpected = (entry: LedgerEntry | undefined, { attempt, states }: Expected): boolean =>
  entry !== undefined && entry.attempt === attempt && states.includes(entry.state);
