import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { LedgerUnavailableError, OverloadedError } from '../failures/failures.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { type Expected, type Found, type LedgerDraft, type LedgerEntry, type ListableStore, type Stored, storedEntries } from './entry.ts';
import { type Change, isLocked, LedgerDatabase, PATIENCE_MS, PAUSE_MS, type Result, SWEEP_SIZE } from './sqliteDatabase.ts';
import { DatabaseThread } from './sqliteThread.ts';

/** Changes that one transaction takes. Ours: past it another process would wait for the file for more than some 100 ms, of the 2 s that it has. */
const MAX_GROUP = 1_000;
/**
 * Claims that wait to be written. Ours: ten transactions, which a disk that lives writes within a second or two. Results that wait are not counted: there is no more than
 * one for each request that runs.
 */
const MAX_WAITING = 10_000;

/** A change that waits for its transaction. */
interface Waiting {
  /** The change with its moments, made when it is written. */
  readonly change: () => Change;
  readonly until: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The time of the host as expiry goes by it. A key that is forgotten early may have a second effect, one that is kept for too long has none: so an
 * entry is written by whichever is later of the wall clock and the start of the process with the time since then, and expires by the earlier one. A
 * clock that is set while the process runs ends no key early.
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

/** A database in this thread, for what needs no disk. */
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
 * Store of the ledger in a file, which several processes of a host may share. An entry is on the disk before it is confirmed, and outlasts a loss of
 * power. All changes of one turn of the event loop, and those that come while a transaction is being written, are one transaction: as many are
 * confirmed by one write of the disk. The file belongs to a thread of its own.
 */
export class SqliteLedgerStore implements ListableStore {
  readonly #database: Pick<DatabaseThread, keyof DatabaseThread>;
  readonly #clock: Clock;
  readonly #expiryTime: ExpiryTime;
  readonly #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  /** Opens the file with the first request; `:memory:` keeps the ledger in this process and thread. `program` is that of the thread, unless it is the usual one. */
  constructor(path: string, clock: Clock = systemClock, program?: URL) {
    this.#clock = clock;
    this.#expiryTime = new ExpiryTime(clock);
    this.#database = path === ':memory:' ? inThisThread(new LedgerDatabase(path)) : new DatabaseThread(path, program);
  }

  /** Opens the file, and makes it, with its folder, when there is none. Fails when it cannot be used, with the reason. */
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

  /** Runs a look-up with the time by which entries expire. While the file is locked, retries for `PATIENCE_MS`. */
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

  /** Writes what waits, as far as it can be written in the time that each change has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#database.close();
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new LedgerUnavailableError(new Error('The ledger is closed.'));
  }

  /** Leases go by the wall clock, which all processes of the host share: by its time when the answer is there. */
  #found(json: string): Found {
    return { entry: JSON.parse(json) as LedgerEntry, now: this.#clock.unixMs() };
  }

  /** The draft as it is kept, with the moments of when this is called. */
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

  /** Writes what waits, until nothing does. */
  async #writeAll(): Promise<void> {
    // All others of this turn are to come along.
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
