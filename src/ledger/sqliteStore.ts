import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { LedgerUnavailableError, OverloadedError } from '../failures/failures.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Expected, type Found, type LedgerDraft, type LedgerEntry, type ListableStore, type Stored, storedEntries } from './entry.ts';
import { type Change, isLocked, LedgerDatabase, PATIENCE_MS, PAUSE_MS, type Result, SWEEP_SIZE } from './sqliteDatabase.ts';
import { DatabaseThread } from './sqliteThread.ts';

/** Maximum number of changes in one transaction. Chosen: more would lock the file for longer than about 100 ms, of the 2 s that another process waits. */
const MAX_GROUP = 1_000;
/**
 * Maximum number of queued claims. Chosen: ten transactions, which a healthy disk writes within a second or two. Queued results don't count, because each
 * running request has at most one.
 */
const MAX_WAITING = 10_000;

/** A change that is queued for a transaction. */
interface Waiting {
  /** Creates the change with the timestamps of when it's written. */
  readonly change: () => Change;
  readonly until: number;
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

  get earliest(): number {
    return Math.min(this.#clock.unixMs(), this.#startedAt + this.#clock.monotonicMs());
  }

  get latest(): number {
    return Math.max(this.#clock.unixMs(), this.#startedAt + this.#clock.monotonicMs());
  }
}

/** Runs the database in this thread. For `:memory:`, which needs no disk. */
function inThisThread(database: LedgerDatabase): Pick<DatabaseThread, keyof DatabaseThread> {
  return {
    open: async () => {},
    write: async (now, changes) => database.write(now, changes),
    find: async (now, ids) => database.find(now, ids),
    unsettled: async (now) => database.unsettled(now),
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
  readonly #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /** The file is opened with the first request. `:memory:` stores the ledger in this process and thread. `program` replaces the program of the thread. */
  constructor(path: string, clock: Clock = systemClock, program?: URL) {
    this.#clock = clock;
    this.#expiryTime = new ExpiryTime(clock);
    this.#database = path === ':memory:' ? inThisThread(new LedgerDatabase(path)) : new DatabaseThread(path, program);
  }

  /** Opens the file. Creates it and its directory if they don't exist. Throws if the file can't be used. */
  open(): Promise<void> {
    return this.#database.open();
  }

  async claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number): Promise<Found | undefined> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new OverloadedError(`${MAX_WAITING} other mutations are waiting for the idempotency store.`);
    const stamped = this.#stamped(draft, ttlMs);
    const found = await this.#write<string | null>(() => ({ kind: 'claim', ids, ...stamped() }));
    return found === null ? undefined : this.#found(found);
  }

  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean> {
    const stamped = this.#stamped(draft, ttlMs);
    return this.#write(() => ({ kind: 'move', ids, expected, ...stamped() }));
  }

  async find(ids: readonly string[]): Promise<Found | undefined> {
    const found = await this.#read((now) => this.#database.find(now, ids));
    return found === null ? undefined : this.#found(found);
  }

  async unsettled(): Promise<readonly Stored[]> {
    const rows = await this.#read((now) => this.#database.unsettled(now));
    return storedEntries(rows, this.#clock.unixMs());
  }

  /** Runs a lookup with the time by which entries expire. Retries for `PATIENCE_MS` while the file is locked. */
  async #read<Value>(lookUp: (now: number) => Promise<Value>): Promise<Value> {
    this.#refuseWhenClosed();
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await lookUp(this.#expiryTime.earliest);
      } catch (error) {
        if (!isLocked(error) || performance.now() >= until) throw new LedgerUnavailableError(error);
        await wait(PAUSE_MS);
      }
    }
  }

  async sweep(): Promise<void> {
    while ((await this.#write<number>(() => ({ kind: 'sweep' }))) === SWEEP_SIZE);
  }

  /** Writes the queued changes, each within its deadline, and closes the database. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#database.close();
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new LedgerUnavailableError(new Error('The ledger is closed.'));
  }

  /** Leases are compared with the wall clock, which all processes of the host share, as of when the response has arrived. */
  #found(json: string): Found {
    return { entry: JSON.parse(json) as LedgerEntry, now: this.#clock.unixMs() };
  }

  /** Serializes a draft. The returned function adds the timestamps of when it's called. */
  #stamped(draft: LedgerDraft, ttlMs: number): () => { readonly entry: string; readonly expiresAt: number } {
    const json = JSON.stringify(draft);
    return () => {
      const leaseUntil = this.#clock.unixMs() + draft.leaseMs;
      const expiresAt = this.#expiryTime.latest + ttlMs;
      return { entry: `{"leaseUntil":${leaseUntil},"expiresAt":${expiresAt},${json.slice(1)}`, expiresAt };
    };
  }

  async #write<Value>(change: () => Change): Promise<Value> {
    this.#refuseWhenClosed();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ change, until: performance.now() + PATIENCE_MS, resolve, reject });
    this.#writing ??= this.#writeAll();
    return (await promise) as Value;
  }

  /** Writes batches until the queue is empty. */
  async #writeAll(): Promise<void> {
    // Lets the other changes of this turn of the event loop join the batch.
    await nextTurn();
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, MAX_GROUP));
    this.#writing = undefined;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const changes = group.map(({ change }) => change());
      const results = await this.#database.write(this.#expiryTime.earliest, changes);
      for (const [index, each] of group.entries()) settle(each, results[index]);
    } catch (error) {
      const now = isLocked(error) ? performance.now() : Number.POSITIVE_INFINITY;
      for (const { reject } of group.filter(({ until }) => until <= now)) reject(new LedgerUnavailableError(error));
      const patient = group.filter(({ until }) => until > now);
      if (patient.length === 0) return;
      this.#waiting.unshift(...patient);
      await wait(PAUSE_MS);
    }
  }
}

function settle({ resolve, reject }: Waiting, result: Result | undefined): void {
  if (result && 'value' in result) resolve(result.value);
  else reject(new LedgerUnavailableError(result && Object.assign(new Error(result.failure.message), result.failure)));
}
