import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { LedgerUnavailableError, OverloadedError } from '../failures/failures.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { toFileError } from '../lib/startup.ts';
import {
  createKeyRange,
  type Expected,
  type Found,
  type LedgerDraft,
  type LedgerEntry,
  type ListableStore,
  parseRows,
  type Refusal,
  type Stored,
} from './entry.ts';
import { DEFAULT_LEDGER_URL, getLedgerPath, isRedisUrl } from './ledgerUrl.ts';
import {
  type DatabaseResult,
  type EntryChange,
  isLocked,
  LedgerDatabase,
  LOCK_RETRY_MS,
  LOCK_TIMEOUT_MS,
  type StoredDraft,
  SWEEP_SIZE,
} from './sqliteDatabase.ts';
import { DatabaseThread } from './sqliteThread.ts';

/** Maximum number of changes in one transaction. Chosen: more would lock the file for longer than about 100 ms, of the 2 s that another process waits. */
const MAX_BATCH = 1_000;
/**
 * Queue length at which claims are rejected. Chosen: ten transactions, which a healthy disk writes within a second or two. Results are never rejected,
 * because each running request has at most one.
 */
const MAX_QUEUE = 10_000;

/** A change that is queued for a transaction. */
interface QueuedChange {
  /** Creates the change with the timestamps of when it's written. */
  readonly createChange: () => EntryChange;
  readonly deadline: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The host's time for expiry. If a key expired early, a mutation could be applied twice. If it expires late, nothing is lost. So entries are written with the
 * later of two times, and expire by the earlier one: the wall clock, and the start of the process plus the time since then. Setting the clock while the process
 * runs can't make a key expire early.
 */
class ExpiryTime {
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.unixMs() - clock.monotonicMs();
  }

  /** The age of keys is compared with this time, which is between the other two. */
  get elapsed(): number {
    return this.#startedAt + this.#clock.monotonicMs();
  }

  get earliest(): number {
    return Math.min(this.#clock.unixMs(), this.elapsed);
  }

  get latest(): number {
    return Math.max(this.#clock.unixMs(), this.elapsed);
  }
}

/** Runs the database in this thread. For `:memory:`, which needs no disk. */
function runInThisThread(database: LedgerDatabase): Pick<DatabaseThread, keyof DatabaseThread> {
  return {
    open: async () => {},
    write: async (now, changes) => database.write(now, changes),
    find: async (now, ids) => database.find(now, ids),
    unsettled: async (now) => database.unsettled(now),
    getId: async () => database.id,
    close: async () => database.close(),
  };
}

/**
 * Stores the ledger in a file, which several processes of a host can share. An entry is on disk before it's confirmed, and survives a power failure. All
 * changes of one turn of the event loop, and those that arrive while a transaction is being written, form one transaction, so that a single disk write confirms
 * them. The file is accessed by a separate thread.
 */
export class SqliteLedgerStore implements ListableStore {
  readonly #database: Pick<DatabaseThread, keyof DatabaseThread>;
  readonly #clock: Clock;
  readonly #expiryTime: ExpiryTime;
  readonly #queue: QueuedChange[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /** The file is opened with the first request. `:memory:` stores the ledger in this process and thread. `program` replaces the program of the thread. */
  constructor(path: string, clock: Clock = systemClock, program?: URL) {
    this.#clock = clock;
    this.#expiryTime = new ExpiryTime(clock);
    this.#database =
      path === ':memory:'
        ? runInThisThread(new LedgerDatabase(path, this.#expiryTime.elapsed))
        : new DatabaseThread(path, () => this.#expiryTime.elapsed, program);
  }

  /** Opens the file, and creates it if it doesn't exist. Throws if the file can't be used. */
  open(): Promise<void> {
    return this.#database.open();
  }

  async claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number, keyCreatedAt?: number): Promise<Found | Refusal | undefined> {
    if (this.#queue.length >= MAX_QUEUE) throw new OverloadedError(`${MAX_QUEUE} other mutations are waiting for the idempotency store.`);
    const addTimestamps = this.#serialize(draft, ttlMs);
    return this.#claimOrCheck(() => ({ kind: 'claim', ids, ...addTimestamps(), ...this.#addAge(keyCreatedAt) }));
  }

  check(ids: readonly string[], keyCreatedAt?: number): Promise<Found | Refusal | undefined> {
    return this.#claimOrCheck(() => ({ kind: 'check', ids, ...this.#addAge(keyCreatedAt) }));
  }

  async #claimOrCheck(createChange: () => EntryChange): Promise<Found | Refusal | undefined> {
    const found = await this.#enqueue<string | null>(createChange);
    if (found === 'OLD' || found === 'EARLY') return found;
    return found === null ? undefined : this.#parseFound(found);
  }

  remove(ids: readonly string[], expected: Expected): Promise<boolean> {
    return this.#enqueue(() => ({ kind: 'remove', ids, expected }));
  }

  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean> {
    const addTimestamps = this.#serialize(draft, ttlMs);
    return this.#enqueue(() => ({ kind: 'move', ids, expected, ...addTimestamps() }));
  }

  async find(ids: readonly string[]): Promise<Found | undefined> {
    const found = await this.#read((now) => this.#database.find(now, ids));
    return found === null ? undefined : this.#parseFound(found);
  }

  async unsettled(): Promise<readonly Stored[]> {
    const rows = await this.#read((now) => this.#database.unsettled(now));
    return parseRows(rows, this.#clock.unixMs());
  }

  /** Runs a lookup with the time by which entries expire. Retries for `LOCK_TIMEOUT_MS` while the file is locked. */
  async #read<Value>(lookUp: (now: number) => Promise<Value>): Promise<Value> {
    this.#throwIfClosed();
    const until = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        return await lookUp(this.#expiryTime.earliest);
      } catch (error) {
        if (!isLocked(error) || performance.now() >= until) throw new LedgerUnavailableError(error);
        await wait(LOCK_RETRY_MS);
      }
    }
  }

  getId(): Promise<string> {
    return this.#read(() => this.#database.getId());
  }

  async sweep(): Promise<void> {
    while ((await this.#enqueue<number>(() => ({ kind: 'sweep' }))) === SWEEP_SIZE);
  }

  /** Writes the queued changes, each within its deadline, and closes the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#database.close();
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new LedgerUnavailableError(new Error('The ledger is closed.'));
  }

  /** When a key was created, and why one of that age can't be claimed now. */
  #addAge(keyCreatedAt: number | undefined) {
    return { keyCreatedAt, refusal: keyCreatedAt === undefined ? undefined : this.#refuse(keyCreatedAt) };
  }

  #refuse(keyCreatedAt: number): Refusal | undefined {
    const { from, until } = createKeyRange(keyCreatedAt);
    const { elapsed } = this.#expiryTime;
    if (elapsed < from) return 'EARLY';
    return elapsed < until ? undefined : 'OLD';
  }

  /** Leases are compared with the wall clock, which all processes of the host share, as of when the response has arrived. */
  #parseFound(json: string): Found {
    return { entry: JSON.parse(json) as LedgerEntry, now: this.#clock.unixMs() };
  }

  /** Serializes a draft. The returned function adds the timestamps of when it's called. */
  #serialize(draft: LedgerDraft, ttlMs: number): () => StoredDraft {
    const json = JSON.stringify(draft);
    return () => {
      const leaseUntil = this.#clock.unixMs() + draft.leaseMs;
      const expiresAt = this.#expiryTime.latest + ttlMs;
      return { entry: `{"leaseUntil":${leaseUntil},"expiresAt":${expiresAt},${json.slice(1)}`, expiresAt };
    };
  }

  async #enqueue<Value>(createChange: () => EntryChange): Promise<Value> {
    this.#throwIfClosed();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#queue.push({ createChange, deadline: performance.now() + LOCK_TIMEOUT_MS, resolve, reject });
    this.#writing ??= this.#writeQueue();
    return (await promise) as Value;
  }

  /** Writes batches until the queue is empty. */
  async #writeQueue(): Promise<void> {
    // Lets the other changes of this turn of the event loop join the batch.
    await nextTurn();
    while (this.#queue.length > 0) await this.#writeBatch(this.#queue.splice(0, MAX_BATCH));
    this.#writing = undefined;
  }

  async #writeBatch(batch: readonly QueuedChange[]): Promise<void> {
    try {
      const changes = batch.map(({ createChange }) => createChange());
      const results = await this.#database.write(this.#expiryTime.earliest, changes);
      for (const [index, each] of batch.entries()) settle(each, results[index]);
    } catch (error) {
      const now = isLocked(error) ? performance.now() : Number.POSITIVE_INFINITY;
      for (const { reject } of batch.filter(({ deadline }) => deadline <= now)) reject(new LedgerUnavailableError(error));
      const retried = batch.filter(({ deadline }) => deadline > now);
      if (retried.length === 0) return;
      this.#queue.unshift(...retried);
      await wait(LOCK_RETRY_MS);
    }
  }
}

function settle({ resolve, reject }: QueuedChange, result: DatabaseResult | undefined): void {
  if (result && 'value' in result) resolve(result.value);
  else reject(new LedgerUnavailableError(result && Object.assign(new Error(result.failure.message), result.failure)));
}

/**
 * Creates a directory with its parents, accessible only to this user. Not `mkdirSync` with `recursive`, which never returns if the system reports a directory as missing but doesn't allow
 * creating it.
 */
function createDirectory(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Creates the folder of the ledger at this URL, if it's a file. */
export function createLedgerFolder(url: string): void {
  if (!isRedisUrl(url)) createDirectory(dirname(getLedgerPath(url)));
}

/**
 * Opens the ledger at a `file:` URL, and creates the file if it doesn't exist. `file::memory:` stores it in this process. Throws StartError if the file can't be
 * used, or if its folder doesn't exist: only the default folder is created, because a mistyped path would start with an empty ledger.
 */
export async function openLedgerFile(url: string): Promise<SqliteLedgerStore> {
  const path = getLedgerPath(url);
  try {
    if (url === DEFAULT_LEDGER_URL) createLedgerFolder(url);
    const store = new SqliteLedgerStore(path);
    await store.open();
    return store;
  } catch (error) {
    throw toFileError(error, 'LEDGER_URL', path);
  }
}
