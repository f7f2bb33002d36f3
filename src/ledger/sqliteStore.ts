import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { LedgerUnavailableError } from '../failures.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { StartError } from '../lib/starting.ts';
import { type Expected, type Found, isExpected, isFree, type LedgerDraft, type LedgerEntry, type LedgerStore } from './entry.ts';

/** The format of the file. A file of another one is not touched. */
const VERSION = 1;
/** How long SQLite may wait for another process inside one statement, in milliseconds. Short, since the whole process waits with it. */
const BUSY_MS = 20;
/** How long a locked file is tried again, in milliseconds. Ours: past it the caller is told, and nothing is sent. */
const PATIENCE_MS = 2_000;
/** Between two tries at a locked file, in milliseconds. */
const PAUSE_MS = 25;
/** Entries that one sweep deletes at a time, so that it does not hold the file for long. */
const SWEEP_SIZE = 1_000;

/** SQLite's words for: another process is writing. */
const LOCKED = new Set([5, 6]);

const isLocked = (error: unknown) => LOCKED.has(Number((error as { readonly errcode?: unknown }).errcode) & 0xff);

/** Makes a folder, and those that it is in. Node's own way never ends where the system says of a folder that it is not there and lets nobody make it. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Makes the file, with its folder, for this user only: answers of the upstream are kept in it. */
function makePrivate(path: string): void {
  makeFolder(dirname(path));
  // SQLite gives the files that it makes beside it the same mode.
  closeSync(openSync(path, 'a', 0o600));
}

/** Makes the tables where there are none. */
function prepare(database: DatabaseSync): void {
  database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== 0 && version !== VERSION) {
    throw new StartError(`The ledger's file is of format ${version}, and this graph reads ${VERSION}. Name another file in LEDGER_URL.`);
  }
  database.exec(`
    CREATE TABLE IF NOT EXISTS entries (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
    PRAGMA user_version = ${VERSION};
    PRAGMA busy_timeout = ${BUSY_MS};
  `);
}

function tryToOpen(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Waits where nothing else is to be done: a ledger is opened before anything is served. */
const pause = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function open(path: string): DatabaseSync {
  if (path !== ':memory:') makePrivate(path);
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return tryToOpen(path);
    } catch (error) {
      // While another process makes the file, SQLite says that it is locked at once: its own timeout does not hold for `journal_mode`.
      if (!isLocked(error) || performance.now() >= until) throw error;
      pause(PAUSE_MS);
    }
  }
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

/**
 * Store of the ledger in a file, which several processes of a host may share. An entry is on the disk before it is confirmed, and outlasts a loss of power.
 */
export class SqliteLedgerStore implements LedgerStore {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #sweep: StatementSync;
  readonly #clock: Clock;
  readonly #expiryTime: ExpiryTime;

  /** Opens the file, and makes it, with its folder, when there is none; `:memory:` keeps it in this process. Fails when it cannot be used. */
  constructor(path: string, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#expiryTime = new ExpiryTime(clock);
    this.#database = open(path);
    this.#get = this.#database.prepare('SELECT entry FROM entries WHERE id = ?');
    this.#put = this.#database.prepare(
      'INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, entry = excluded.entry',
    );
    this.#sweep = this.#database.prepare(
      `DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE expires_at <= ? LIMIT ${SWEEP_SIZE})`,
    );
  }

  claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number): Promise<Found | undefined> {
    return this.#change(() => {
      const now = this.#expiryTime.earliest;
      const taken = ids.map((id) => this.#read(id)).find((found) => !isFree(found, now));
      if (taken) return this.#found(taken);
      const entry = this.#stamped(draft, ttlMs);
      for (const id of ids) this.#write(id, entry);
      return undefined;
    });
  }

  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number): Promise<boolean> {
    return this.#change(() => {
      const now = this.#expiryTime.earliest;
      const entry = this.#stamped(draft, ttlMs);
      const found = new Map(ids.map((id) => [id, this.#read(id)]));
      const isThere = [...found.values()].some((each) => isExpected(each, expected));
      if (!isThere) return false;
      for (const [id, each] of found) if (isExpected(each, expected) || isFree(each, now)) this.#write(id, entry);
      return true;
    });
  }

  async find(ids: readonly string[]): Promise<Found | undefined> {
    return this.#patiently(() => {
      const now = this.#expiryTime.earliest;
      const kept = ids.map((id) => this.#read(id));
      const entry = kept.find((each) => !isFree(each, now)) ?? kept.find((each) => each && each.expiresAt > now);
      return entry && this.#found(entry);
    });
  }

  async sweep(): Promise<void> {
    while ((await this.#patiently(() => this.#sweep.run(this.#expiryTime.earliest))).changes === SWEEP_SIZE);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** Leases go by the wall clock, which all processes of the host share. */
  #found(entry: LedgerEntry): Found {
    return { entry, now: this.#clock.unixMs() };
  }

  #stamped(draft: LedgerDraft, ttlMs: number): LedgerEntry {
    return { ...draft, leaseUntil: this.#clock.unixMs() + draft.leaseMs, expiresAt: this.#expiryTime.latest + ttlMs };
  }

  #read(id: string): LedgerEntry | undefined {
    const row = this.#get.get(id) as { readonly entry: string } | undefined;
    return row && (JSON.parse(row.entry) as LedgerEntry);
  }

  #write(id: string, entry: LedgerEntry): void {
    this.#put.run(id, entry.expiresAt, JSON.stringify(entry));
  }

  #change<Result>(act: () => Result): Promise<Result> {
    return this.#patiently(() => {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        const result = act();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        // Some failures, a full disk for one, have ended it already.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  async #patiently<Result>(act: () => Result): Promise<Result> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (!isLocked(error) || performance.now() >= until) throw new LedgerUnavailableError(error);
        await wait(PAUSE_MS);
      }
    }
  }
}
