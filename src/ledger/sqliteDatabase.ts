import { randomUUID } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type DatabaseOwner, lacksOwner } from '../lib/databaseOwner.ts';
import { StartError } from '../lib/startup.ts';
import { createLostError, type Expected, isExpected, isFree, type LedgerEntry, parseEntry, type Refusal } from './entry.ts';

/** Format version of the file. Files with another version are rejected unchanged. */
const VERSION = 1;
/** The application ID is arbitrary, but must never change. */
const OWNER: DatabaseOwner = { applicationId: 0x5753474c, tables: { entries: ['id', 'expires_at', 'entry'] } };
/** ID of the row that contains when the file was created, and a random ID. Files of earlier versions lack it, or the ID. */
const MARKER = 'marker';
/** How long SQLite may wait for another process within one statement, in milliseconds. Short, because reads wait behind it. */
const BUSY_MS = 20;
/** How long to retry while the file is locked, in milliseconds. Chosen. After that, the caller gets an error, and nothing is sent. */
export const LOCK_TIMEOUT_MS = 2_000;
/** Delay before the next attempt on a locked file, in milliseconds. */
export const LOCK_RETRY_MS = 25;
/** Maximum number of entries that one sweep deletes, so that it locks the file only briefly. */
export const SWEEP_SIZE = 1_000;

/** `SQLITE_BUSY` and `SQLITE_LOCKED`. */
const LOCK_ERROR_CODES = new Set([5, 6]);

/** Whether another process has the file locked, so that a retry may succeed. */
export const isLocked = (error: unknown): boolean => LOCK_ERROR_CODES.has(Number((error as { readonly errcode?: unknown }).errcode) & 0xff);

/** Creates the file, accessible only to this user, because upstream responses are stored in it. */
function createPrivateFile(path: string): void {
  // SQLite creates its other files with the same mode.
  closeSync(openSync(path, 'a', 0o600));
}

/** Creates the tables if they don't exist, after checking that the file is a ledger. */
function prepare(database: DatabaseSync, createdAt: number): void {
  database.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
  const isUnowned = lacksOwner(database, OWNER);
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== 0 && version !== VERSION) {
    throw new StartError(
      `The ledger file has format version ${version}, but this version of the graph requires ${VERSION}. Set LEDGER_URL to another file.`,
    );
  }
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // Not WITHOUT ROWID, as in files of earlier versions: IDs are hashes, so entries would be written to random pages, which takes twice the CPU time.
  if (isUnowned)
    database.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS entries (id TEXT PRIMARY KEY NOT NULL, expires_at INTEGER NOT NULL, entry TEXT NOT NULL) STRICT;
      CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at);
      INSERT OR IGNORE INTO entries VALUES ('${MARKER}', ${Number.MAX_SAFE_INTEGER}, '{"createdAt":${createdAt},"id":"${randomUUID()}"}');
      PRAGMA user_version = ${VERSION};
      PRAGMA application_id = ${OWNER.applicationId};
      COMMIT;
    `);
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
}

function tryToOpen(path: string, createdAt: number): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    prepare(database, createdAt);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Device and inode of a file. Empty if it doesn't exist. */
function identifyFile(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

/** Identifies the files of a ledger. SQLite's other files exist for as long as a connection does. `:memory:` has none. */
const identifyFiles = (path: string): readonly string[] =>
  path === ':memory:' ? [] : ['', '-wal', '-shm'].map((suffix) => identifyFile(path + suffix));

/** Blocks the thread, which has nothing else to do before the file is open. */
const sleepSync = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function open(path: string, createdAt: number): DatabaseSync {
  if (path !== ':memory:') createPrivateFile(path);
  const until = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return tryToOpen(path, createdAt);
    } catch (error) {
      // While another process creates the file, SQLite reports it as locked immediately, because `busy_timeout` doesn't apply to `journal_mode`.
      if (!isLocked(error) || performance.now() >= until) throw error;
      sleepSync(LOCK_RETRY_MS);
    }
  }
}

/** A draft as it's stored. */
export interface StoredDraft {
  /** JSON of a `LedgerEntry`. */
  readonly entry: string;
  readonly expiresAt: number;
}

interface EntryWrite extends StoredDraft {
  readonly ids: readonly string[];
}

interface ClaimOptions {
  readonly keyCreatedAt?: number | undefined;
  /** Why a key of that age can't be claimed at this time. */
  readonly refusal?: Refusal | undefined;
}

/** A change to the entries: a write method of `LedgerStore`, with timestamps of the store's clock. */
export type EntryChange =
  | ({ readonly kind: 'claim' } & ClaimOptions & EntryWrite)
  | ({ readonly kind: 'check'; readonly ids: readonly string[] } & ClaimOptions)
  | ({ readonly kind: 'move'; readonly expected: Expected } & EntryWrite)
  | { readonly kind: 'remove'; readonly ids: readonly string[]; readonly expected: Expected }
  | { readonly kind: 'sweep' };

/** A failure in the form that crosses threads, where errors lose their codes. */
export interface Failure {
  readonly message: string;
  readonly errcode: unknown;
}

export const toFailure = (error: unknown): Failure => {
  const { message, errcode } = error as { readonly message: string; readonly errcode?: unknown };
  return { message, errcode };
};

/**
 * Result of a change. For a claim or a check, JSON of the conflicting entry, the reason of a refusal, or null. For a move or a removal, whether the expected entry was found.
 * For a sweep, the number of deleted entries.
 */
export type DatabaseResult = { readonly value: string | boolean | number | null } | { readonly failure: Failure };

/** ID and JSON of an entry. */
export type StoredRow = readonly [id: string, json: string];

/** The entry of an ID, if it has one. */
interface ReadEntry {
  readonly id: string;
  readonly stored?: { readonly json: string; readonly entry: LedgerEntry };
}

/** The entries in an SQLite database. Writes return once they're on disk, and block the thread until then. */
export class LedgerDatabase {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #sweep: StatementSync;
  readonly #unsettled: StatementSync;
  readonly #path: string;
  readonly #files: readonly string[];
  readonly #createdAt: number;
  /** Identifies the file: its random ID, and its inode, because a file that was restored from a backup has another one. */
  readonly id: string;
  /** Whether a file was deleted or replaced: this process and others may no longer see each other's entries. */
  #isLost: boolean;

  /**
   * Opens the file, and creates it if it doesn't exist. `:memory:` stores the entries in this process. Throws if the file can't be used. `known`
   * identifies the file that this process has used so far. `createdAt` is the time of a file that is created.
   */
  constructor(path: string, createdAt = 0, known?: string) {
    this.#path = path;
    this.#database = open(path, createdAt);
    this.#get = this.#database.prepare('SELECT entry FROM entries WHERE id = ?');
    this.#put = this.#database.prepare(
      'INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at, entry = excluded.entry',
    );
    this.#delete = this.#database.prepare('DELETE FROM entries WHERE id = ?');
    this.#sweep = this.#database.prepare(
      `DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE expires_at <= ? LIMIT ${SWEEP_SIZE})`,
    );
    this.#unsettled = this.#database.prepare(
      "SELECT id, entry FROM entries WHERE expires_at > ? AND json_valid(entry) AND json_extract(entry, '$.state') IN ('UNKNOWN', 'IN_FLIGHT')",
    );
    // This first read creates SQLite's other files.
    const marker = this.#get.get(MARKER) as { readonly entry: string } | undefined;
    this.#createdAt = marker ? (JSON.parse(marker.entry) as { readonly createdAt: number }).createdAt : 0;
    this.#files = identifyFiles(path);
    const [, inode = ''] = this.identity.split(':');
    this.id = `${marker?.entry ?? ''} ${inode}`;
    this.#isLost = known !== undefined && known !== this.identity;
  }

  /** ID and JSON of each entry that is UNKNOWN or IN_FLIGHT. Reads all entries. */
  unsettled(now: number): StoredRow[] {
    return (this.#unsettled.all(now) as { id: string; entry: string }[]).map(({ id, entry }) => [id, entry]);
  }

  /**
   * Applies the changes in order and in one transaction, so each sees the previous ones. If one change fails, the others are still applied. Throws if none was
   * applied.
   */
  write(now: number, changes: readonly EntryChange[]): DatabaseResult[] {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const results = this.#applyAll(changes, now);
      this.#database.exec('COMMIT');
      return results;
    } catch (error) {
      // Some failures, such as a full disk, have already ended the transaction.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** JSON of the entry that `LedgerStore.find` returns. Null if there is none. */
  find(now: number, ids: readonly string[]): string | null {
    const stored = this.#read(ids).flatMap((each) => each.stored ?? []);
    const found = stored.find(({ entry }) => !isFree(entry, now)) ?? stored.find(({ entry }) => entry.expiresAt > now);
    return found?.json ?? null;
  }

  close(): void {
    this.#database.close();
  }

  /** Identifies the file while it's open. */
  get identity(): string {
    return this.#files[0] ?? '';
  }

  /** Changes rarely fail, so they only get a savepoint each after one of them has failed. */
  #applyAll(changes: readonly EntryChange[], now: number): DatabaseResult[] {
    if (changes.some(({ kind }) => kind === 'claim' || kind === 'check'))
      this.#isLost ||= identifyFiles(this.#path).some((id, index) => id !== this.#files[index]);
    const applyAll = () => changes.map((change): DatabaseResult => ({ value: this.#apply(change, now) }));
    return this.#tryInSavepoint(applyAll, () =>
      changes.map((change) =>
        this.#tryInSavepoint<DatabaseResult>(
          () => ({ value: this.#apply(change, now) }),
          (error) => ({ failure: toFailure(error) }),
        ),
      ),
    );
  }

  /** Returns the result of `apply`. If it fails, undoes its changes and returns the result of `recover`. */
  #tryInSavepoint<Applied>(apply: () => Applied, recover: (error: unknown) => Applied): Applied {
    this.#database.exec('SAVEPOINT change');
    try {
      const applied = apply();
      this.#database.exec('RELEASE change');
      return applied;
    } catch (error) {
      // If the transaction has ended, the other changes are rolled back too.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO change; RELEASE change');
      return recover(error);
    }
  }

  #apply(change: EntryChange, now: number): string | boolean | number | null {
    if (change.kind === 'sweep') return Number(this.#sweep.run(now).changes);
    const { kind, ids } = change;
    const isClaim = kind === 'claim' || kind === 'check';
    if (isClaim && this.#isLost) throw createLostError(`The ledger file ${this.#path}, or its -wal or -shm file, was deleted or replaced.`);
    const found = this.#read(ids);
    if (isClaim) {
      const taken = found.find(({ stored }) => !isFree(stored?.entry, now));
      if (taken?.stored) return taken.stored.json;
      const { keyCreatedAt = this.#createdAt, refusal } = change;
      if (refusal || keyCreatedAt < this.#createdAt) return refusal ?? 'OLD';
      if (kind === 'claim') for (const id of ids) this.#put.run(id, change.expiresAt, change.entry);
      return null;
    }
    const { expected } = change;
    if (!found.some(({ stored }) => isExpected(stored?.entry, expected))) return false;
    for (const { id, stored } of found) {
      const isIt = isExpected(stored?.entry, expected);
      if (kind === 'remove' && isIt) this.#delete.run(id);
      if (kind === 'move' && (isIt || isFree(stored?.entry, now))) this.#put.run(id, change.expiresAt, change.entry);
    }
    return true;
  }

  #read(ids: readonly string[]): ReadEntry[] {
    let last: ReadEntry['stored'];
    return ids.map((id) => {
      const json = (this.#get.get(id) as { readonly entry: string } | undefined)?.entry;
      if (json === undefined) return { id };
      // The IDs of a mutation usually have the same entry.
      if (json !== last?.json) last = { json, entry: parseEntry(json, id) };
      return { id, stored: last };
    });
  }
}
