import { closeSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { isPresent, openOutput } from '../bulk/files.ts';
import type { ReferenceStore } from './references.ts';
import type { IdentifiedRow } from './rows.ts';

/** Version of the file. */
const VERSION = '1';

/** What happened to a row. `result` is JSON. Null while that isn't known. */
export interface RowResult {
  readonly status: RowStatus;
  readonly result: string;
}

/**
 * - `DONE`, `REPLAYED`, `RECONCILED`, `UNCHANGED`: the effect of its mutation.
 * - `OUTCOME_UNKNOWN`: the mutation may have been applied.
 * - `RETRY`: it wasn't applied, but can be sent again.
 * - `FAILED`: it was rejected. `INVALID`: it wasn't sent, because its check failed.
 */
export type RowStatus = 'DONE' | 'REPLAYED' | 'RECONCILED' | 'UNCHANGED' | 'OUTCOME_UNKNOWN' | 'RETRY' | 'FAILED' | 'INVALID';

/** A row of the state. */
export interface StoredRow {
  readonly identity: string;
  readonly line: number;
  readonly content: string;
  /** When it was sent first, in Unix milliseconds. */
  readonly sentAt: number | null;
  readonly status: RowStatus | null;
  readonly result: string | null;
  /** 1 if the file has other content under its key now. */
  readonly isChanged: number;
}

const SCHEMA = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = FILE;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS rows (
    identity TEXT PRIMARY KEY, line INTEGER NOT NULL, content TEXT NOT NULL, sentAt INTEGER, status TEXT, result TEXT,
    isChanged INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE occurrences (content TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE found (key TEXT PRIMARY KEY, reference TEXT NOT NULL) STRICT, WITHOUT ROWID;`;

/**
 * Whether a row can be sent: it has no result, or one that a request with the same key can change. While the graph knows the key, that searches for the record
 * again, and never applies the mutation.
 */
export const isOpen = ({ status, result }: StoredRow): boolean =>
  status === null || status === 'RETRY' || (status === 'OUTCOME_UNKNOWN' && JSON.parse(result ?? '{}').code === 'OUTCOME_UNKNOWN');

/** The rows of an import, and what is known about each. Survives a crash: each change is on disk when its method returns. */
export class ImportState implements ReferenceStore {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #find: StatementSync;
  readonly #count: StatementSync;
  readonly #add: StatementSync;
  readonly #findReference: StatementSync;
  readonly #addReference: StatementSync;

  /** Opens the file, or creates it. Only its owner can read it. `:memory:` for a check, which leaves nothing. */
  constructor(path: string) {
    this.#path = path;
    if (path !== ':memory:') closeSync(openOutput(path, isPresent(path) ? 'append' : 'create'));
    try {
      this.#database = new DatabaseSync(path);
      this.#database.exec(SCHEMA);
    } catch (error) {
      throw toFileError(error, '--out', path);
    }
    this.#find = this.#database.prepare('SELECT * FROM rows WHERE identity = ?');
    this.#findReference = this.#database.prepare('SELECT reference FROM found WHERE key = ?');
    this.#addReference = this.#database.prepare('INSERT INTO found VALUES (?, ?)');
    this.#add = this.#database.prepare(
      `INSERT INTO rows (identity, line, content, status, result) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET line = excluded.line,
        status = iif(sentAt IS NULL, excluded.status, status), result = iif(sentAt IS NULL, excluded.result, result)`,
    );
    this.#count = this.#database.prepare(
      'INSERT INTO occurrences VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count',
    );
  }

  /** Compares what identifies the import with the stored values, or stores them. Throws StartError for the first difference. */
  identify(values: Readonly<Record<string, string>>): void {
    const all = { version: VERSION, ...values };
    const stored = this.#database.prepare('SELECT name, value FROM meta').all() as { readonly name: string; readonly value: string }[];
    const known = new Map(stored.map(({ name, value }) => [name, value]));
    const insert = this.#database.prepare('INSERT INTO meta VALUES (?, ?)');
    for (const [name, value] of Object.entries(all)) {
      const before = known.get(name);
      if (before === undefined) insert.run(name, value);
      else if (before !== value)
        throw new StartError(
          `${this.#path} belongs to an import with another ${name}. Repeat that import, or choose another --out for a new one, which sends all rows.`,
        );
    }
  }

  has(name: string): boolean {
    return this.#database.prepare('SELECT 1 FROM meta WHERE name = ?').get(name) !== undefined;
  }

  /** Returns a stored value, or stores this one. */
  remember(name: string, create: () => string): string {
    const known = this.#database.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { readonly value: string } | undefined;
    if (known) return known.value;
    const value = create();
    this.#database.prepare('INSERT INTO meta VALUES (?, ?)').run(name, value);
    return value;
  }

  transact<Result>(change: () => Result): Result {
    this.begin();
    try {
      const result = change();
      this.commit();
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Begins a transaction. */
  begin(): void {
    this.#database.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#database.exec('COMMIT');
  }

  rollBack(): void {
    this.#database.exec('ROLLBACK');
  }

  /** Stores that the file has other content for a row. */
  markChanged(identity: string): void {
    this.#database.prepare('UPDATE rows SET isChanged = 1 WHERE identity = ?').run(identity);
  }

  /** Forgets which rows are changed. */
  resetChanged(): void {
    this.#database.exec('UPDATE rows SET isChanged = 0 WHERE isChanged = 1');
  }

  /** Starts to read the file from the start. */
  restart(): void {
    this.#database.exec('DELETE FROM occurrences');
  }

  /** How many rows with this content were read since `restart`, including this one. */
  countOccurrence(content: string): number {
    return Number((this.#count.get(content) as { readonly count: number }).count);
  }

  findReference(key: string): string | undefined {
    return (this.#findReference.get(key) as { readonly reference: string } | undefined)?.reference;
  }

  addReference(key: string, json: string): void {
    this.#addReference.run(key, json);
  }

  find(identity: string): StoredRow | undefined {
    return this.#find.get(identity) as StoredRow | undefined;
  }

  /** Adds a row, or changes its line. An invalid row has a result. One that wasn't sent can become valid, because its references are created. */
  add({ identity, line, content, problems }: IdentifiedRow): void {
    const isInvalid = problems.length > 0;
    const result = isInvalid ? JSON.stringify({ problems: problems.map(({ column, message }) => ({ column, message })) }) : null;
    this.#add.run(identity, line, content, isInvalid ? 'INVALID' : null, result);
  }

  /** Stores when rows are sent, unless they were sent before, and returns that time for each. */
  markSent(identities: readonly string[], now: number): readonly number[] {
    const mark = this.#database.prepare(
      'UPDATE rows SET sentAt = coalesce(sentAt, ?), status = NULL, result = NULL WHERE identity = ? RETURNING sentAt',
    );
    return this.transact(() => identities.map((identity) => Number((mark.get(now, identity) as { readonly sentAt: number }).sentAt)));
  }

  settle(results: ReadonlyMap<string, RowResult>): void {
    const update = this.#database.prepare('UPDATE rows SET status = ?, result = ? WHERE identity = ?');
    this.transact(() => {
      for (const [identity, { status, result }] of results) update.run(status, result, identity);
    });
  }

  /** Forgets the results of rows that weren't applied, so that they're sent again. */
  retryFailed(): void {
    this.#database.exec("UPDATE rows SET status = NULL, result = NULL, sentAt = NULL WHERE status IN ('FAILED', 'INVALID')");
  }

  /** Number of rows by status. Those that haven't been sent have the status null. */
  countByStatus(): ReadonlyMap<RowStatus | null, number> {
    const counts = this.#database.prepare('SELECT status, count(*) AS count FROM rows GROUP BY status').all();
    return new Map(counts.map(({ status, count }) => [status as RowStatus | null, Number(count)]));
  }

  /** All rows, in the order of the file. */
  list(): Iterable<StoredRow> {
    return this.#database.prepare('SELECT * FROM rows ORDER BY line').iterate() as Iterable<unknown> as Iterable<StoredRow>;
  }

  close(): void {
    this.#database.close();
  }
}
