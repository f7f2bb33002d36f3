import { CLOCK_STEP_MS, createTimeRange, type TimeRange } from '../lib/clock.ts';

/**
 * State of an idempotency key: the outcome of the mutation that used it.
 * - `IN_FLIGHT`: the claim was written before the request was sent. The outcome is unknown once the lease has expired.
 * - `SUCCEEDED`: the upstream confirmed that the mutation was applied.
 * - `FAILED`: the mutation was certainly not applied. The key can be used again.
 * - `UNKNOWN`: the request was sent, but its response was lost.
 */
export type LedgerState = 'IN_FLIGHT' | 'SUCCEEDED' | 'FAILED' | 'UNKNOWN';

export type SettledState = Exclude<LedgerState, 'IN_FLIGHT'>;

/** States of an attempt's entry until its outcome is recorded. Other processes mark it as unknown once its lease has expired. */
export const OPEN_STATES: readonly LedgerState[] = ['IN_FLIGHT', 'UNKNOWN'];

/** Entry that the ledger passes to its store. Timestamps are Unix milliseconds of the host's clock, and only for display. */
export interface LedgerDraft {
  readonly state: LedgerState;
  /** Random ID of the attempt that wrote the entry. */
  readonly attempt: string;
  /** Name of the upstream operation. Missing in entries of earlier versions. */
  readonly operation?: string;
  /** SHA-256 of the request. */
  readonly fingerprint: string;
  /** The caller that used the idempotency key: its key hash, or the ID of its account. Named as in files of earlier versions. */
  readonly credential: string;
  /** When the first attempt started that may have been sent. */
  readonly startedAt: number;
  /** When the state was last updated. Absent while the mutation is in flight. */
  readonly settledAt?: number;
  /**
   * How long the attempt may run, in milliseconds from the write of this entry. 0 once it has ended. If it takes longer, its process is assumed to have died.
   */
  readonly leaseMs: number;
  /** The upstream's response, once it succeeded. Missing if an operator confirmed that it did. */
  readonly answer?: object;
}

/** A draft as it's stored, as JSON. Both timestamps are Unix milliseconds of the store's clock, and are only compared with that clock. */
export interface LedgerEntry extends LedgerDraft {
  readonly leaseUntil: number;
  readonly expiresAt: number;
}

/** An entry, and the time of the store's clock when it was read. */
export interface Found {
  readonly entry: LedgerEntry;
  readonly now: number;
}

/** An entry with all IDs that it is stored under. */
export interface Stored extends Found {
  readonly ids: readonly string[];
}

/** The attempt and the states that an entry must have to be replaced or deleted. */
export interface Expected {
  readonly attempt: string;
  readonly states: readonly LedgerState[];
}

/**
 * Why a key without an entry can't be claimed. `OLD`: its entry may have expired, or been lost with an earlier store. `EARLY`: it was created by a clock that is
 * ahead, so it could outlive its entry.
 */
export type Refusal = 'OLD' | 'EARLY';

const HOUR_MS = 60 * 60 * 1000;
/** How long an entry is stored at least: a day, as at Stripe and Shopify. */
export const TTL_MS = 24 * HOUR_MS;
/** How long after its creation a key can be claimed. Chosen: the margin to `TTL_MS` is for differences between clocks. */
export const KEY_LIFETIME_MS = 23 * HOUR_MS;
/** By how much the clock that created a key may be ahead. Less than the margin, because an entry written that early also expires earlier. */
const KEY_AHEAD_MS = HOUR_MS / 2;

/** When a key that was created at this time can be claimed, in Unix milliseconds of the store's clock. */
export const createKeyRange = (createdAt: number): TimeRange => createTimeRange(createdAt - KEY_AHEAD_MS, KEY_AHEAD_MS + KEY_LIFETIME_MS);

/**
 * Store of the ledger's entries. Each method is atomic, also across processes, and throws LedgerUnavailableError if it fails. An ID is free if it has no entry,
 * or if its entry has expired or is FAILED. The store sets and compares the timestamps, because the clocks of the hosts that share it may differ. An entry
 * expires `ttlMs` after it was written.
 */
export interface LedgerStore {
  /**
   * Writes the entry under all IDs if all of them are free. Otherwise writes nothing, and returns the entry of the first ID that isn't free. Throws
   * OverloadedError, without writing anything, if too many claims are queued. `keyCreatedAt` is when the key was created, if it's known: if all IDs are free but
   * a key of that age can't be claimed, writes nothing and returns the reason.
   */
  claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number, keyCreatedAt?: number): Promise<Found | Refusal | undefined>;
  /** Returns what `claim` would return, without writing anything. */
  check(ids: readonly string[], keyCreatedAt?: number): Promise<Found | Refusal | undefined>;
  /** Deletes the expected entry, under each of the IDs that has it. Returns whether one has it. */
  remove(ids: readonly string[], expected: Expected): Promise<boolean>;
  /** Replaces the expected entry, and also writes the new one under those of the IDs that are free. Returns whether the expected entry was found. */
  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean>;
  /** Returns the entry of the first ID that isn't free. If all are free, returns an unexpired FAILED entry, or undefined. */
  find(ids: readonly string[]): Promise<Found | undefined>;
  /** Deletes expired entries. */
  sweep(): Promise<void>;
  /** Returns the ID of the store: the same in all processes that share it, and another one after it was replaced. */
  getId(): Promise<string>;
  close(): Promise<void>;
}

/** A store whose entries operators can list. */
export interface ListableStore extends LedgerStore {
  /** All entries without an outcome: those that are UNKNOWN or IN_FLIGHT, including running ones, in no particular order. */
  unsettled(): Promise<readonly Stored[]>;
}

/** Whether an ID with this entry can be claimed. */
export const isFree = (entry: LedgerEntry | undefined, now: number): boolean =>
  entry === undefined || entry.expiresAt <= now || entry.state === 'FAILED';

/**
 * Whether an attempt may still be running. A lease that ends later than its duration from now was written by a clock that was ahead (one that was set back
 * since, or that of another host). It's ignored, because it would block the key for as long as the clocks differ.
 */
export const isRunning = ({ entry: { state, leaseUntil, leaseMs = Number.POSITIVE_INFINITY }, now }: Found): boolean =>
  // Entries of earlier versions don't include the duration of the lease.
  state === 'IN_FLIGHT' && leaseUntil > now && leaseUntil <= now + leaseMs + CLOCK_STEP_MS;

/** Whether an entry is the expected one. */
export const isExpected = (entry: LedgerEntry | undefined, { attempt, states }: Expected): boolean =>
  entry !== undefined && entry.attempt === attempt && states.includes(entry.state);

/** What is wrong with a store. `LOST`: it lacks entries that it had, so no claim is safe. `MALFORMED`: an entry can't be read. */
type Defect = 'LOST' | 'MALFORMED';

/** Errors cross threads with a member of this name, as those of SQLite do. */
const createDefectError = (errcode: Defect, message: string): Error => Object.assign(new Error(message), { errcode });

export const createLostError = (what: string): Error =>
  createDefectError('LOST', `${what} Mutations with an idempotency key are rejected until the graph is restarted.`);

export const createMalformedError = (id: string): Error =>
  createDefectError('MALFORMED', `The ledger’s entry with the ID ${id} is malformed.`);

/** What is wrong with the store according to the error of one of its methods. Undefined if the store is only unavailable. */
export const getDefect = (error: unknown): Defect | undefined => {
  const { errcode } = ((error as Error).cause ?? {}) as { readonly errcode?: unknown };
  return errcode === 'LOST' || errcode === 'MALFORMED' ? errcode : undefined;
};

const STATES: ReadonlySet<unknown> = new Set<LedgerState>(['IN_FLIGHT', 'SUCCEEDED', 'FAILED', 'UNKNOWN']);
/** The latest timestamp of a `Date`. */
const MAX_TIMESTAMP = 8_640_000_000_000_000;

const isString = (value: unknown) => typeof value === 'string';
const isTimestamp = (value: unknown) => typeof value === 'number' && Math.abs(value) <= MAX_TIMESTAMP;

/** Whether parsed JSON has the members of an entry that every version has written. */
function isEntry(value: unknown): value is LedgerEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<LedgerEntry>;
  const { state, attempt, fingerprint, credential, startedAt, leaseUntil, expiresAt, settledAt = 0 } = entry;
  const hasTimestamps = [startedAt, leaseUntil, expiresAt, settledAt].every(isTimestamp);
  return (
    STATES.has(state) && [attempt, fingerprint, credential].every(isString) && hasTimestamps && typeof (entry.answer ?? {}) === 'object'
  );
}

/** Parses the JSON of an entry that is stored under this ID. */
export function parseEntry(json: string, id: string): LedgerEntry {
  try {
    const entry: unknown = JSON.parse(json);
    if (isEntry(entry)) return entry;
  } catch {
    // Reported below.
  }
  throw createMalformedError(id);
}

/** Creates the entry of an attempt that has ended. */
export function createSettledDraft(
  { attempt, operation, fingerprint, credential, startedAt }: LedgerDraft,
  state: SettledState,
  settledAt: number,
): LedgerDraft {
  return { state, attempt, ...(operation && { operation }), fingerprint, credential, startedAt, settledAt, leaseMs: 0 };
}

/** Reads rows of a store. Entries that are stored under several IDs are returned once. */
export function parseRows(rows: Iterable<readonly [id: string, json: string]>, now: number): Stored[] {
  const entries = new Map<string, { readonly ids: string[]; readonly entry: LedgerEntry; readonly now: number }>();
  for (const [id, json] of rows) {
    const entry = parseEntry(json, id);
    const known = entries.get(entry.attempt);
    if (known) known.ids.push(id);
    else entries.set(entry.attempt, { ids: [id], entry, now });
  }
  return [...entries.values()];
}
