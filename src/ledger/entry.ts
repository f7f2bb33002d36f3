import { CLOCK_STEP_MS } from '../lib/clock.ts';

/**
 * State of an idempotency key: the fate of the mutation that used it.
 * - `IN_FLIGHT`: it was written down, and then sent. Past its lease nobody knows whether.
 * - `SUCCEEDED`: the upstream answered that it is done.
 * - `FAILED`: certainly nothing was done. The key is free again.
 * - `UNKNOWN`: it was sent, and the answer was lost.
 */
export type LedgerState = 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED' | 'UNKNOWN';

export type SettledState = Exclude<LedgerState, 'IN_FLIGHT'>;

/** Facts of a use of an idempotency key, as the ledger hands them to its store. Moments are Unix milliseconds of the host, for people. */
export interface LedgerDraft {
  readonly state: LedgerState;
  /** Id of the attempt that wrote it: random. */
  readonly attempt: string;
  /** Name of the upstream operation. Missing in entries of earlier versions, and in entries that equal requests share. */
  readonly operation?: string;
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
  /** The upstream's response, once it succeeded. Missing if an operator confirmed that it did. */
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

/** An entry with all IDs that it is stored under. */
export interface Stored extends Found {
  readonly ids: readonly string[];
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

/** A store whose entries operators can list. */
export interface ListableStore extends LedgerStore {
  /** All entries without an outcome: those that are UNKNOWN or IN_FLIGHT, including running ones, in no particular order. */
  unsettled(): Promise<readonly Stored[]>;
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

/** The entry of an attempt that has ended. */
export function settled(
  { attempt, operation, fingerprint, credential, startedAt }: LedgerDraft,
  state: SettledState,
  settledAt: number,
): LedgerDraft {
  return { state, attempt, ...(operation && { operation }), fingerprint, credential, startedAt, settledAt, leaseMs: 0 };
}

/** Reads rows of a store. Entries that are stored under several IDs are returned once. */
export function storedEntries(rows: Iterable<readonly [id: string, json: string]>, now: number): Stored[] {
  const entries = new Map<string, { readonly ids: string[]; readonly entry: LedgerEntry; readonly now: number }>();
  for (const [id, json] of rows) {
    const entry = JSON.parse(json) as LedgerEntry;
    const known = entries.get(entry.attempt);
    if (known) known.ids.push(id);
    else entries.set(entry.attempt, { ids: [id], entry, now });
  }
  return [...entries.values()];
}
