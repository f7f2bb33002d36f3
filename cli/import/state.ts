import { closeSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { isPresent, openOutput } from '../bulk/files.ts';
import { checkOwnDatabase } from './ownFiles.ts';
import type { RowResult, RowStatus, RowStore, StoredRow } from './rowStore.ts';

/** Version of the file. */
const VERSION = '1';

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

/** The rows of an import in a file. Survives a crash: each change is on disk when its method returns. */
export class ImportState implements RowStore {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens the file, or creates it. Only its owner can read it. `:memory:` for a check, which leaves nothing. */
  constructor(path: string) {
    this.#path = path;
    if (path !== ':memory:') closeSync(openOutput(path, isPresent(path) ? 'append' : 'create'));
    try {
      this.#database = new DatabaseSync(path);
      checkOwnDatabase(this.#database, path);
      this.#database.exec(SCHEMA);
    } catch (error) {
      throw toFileError(error, '--out', path);
    }
  }

  /** Executes a statement, which is compiled once, and returns the first row of its result. */
  #get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement.get(...values) as Row | undefined;
  }

  /** Compares what identifies the import with the stored values, or stores them. Throws StartError for the first difference. */
  identify(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries({ version: VERSION, ...values }))
      if (this.remember(name, () => value) !== value)
        throw new StartError(
          `${this.#path} belongs to an import with another ${name}. Repeat that import, or choose another --out for a new one, which sends all rows.`,
        );
  }

  /** Returns a value that was stored. */
  recall(name: string): string | undefined {
    return this.#get<{ readonly value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
  }

  /** Returns a value that was stored, or stores this one. */
  remember(name: string, create: () => string): string {
    const known = this.recall(name);
    if (known !== undefined) return known;
    const value = create();
    this.#get('INSERT INTO meta VALUES (?, ?)', name, value);
    return value;
  }

  /** Applies changes together, or none of them if one fails. */
  async transact<Result>(change: () => Result | Promise<Result>): Promise<Result> {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = await change();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  markChanged(identity: string): void {
    this.#get('UPDATE rows SET isChanged = 1 WHERE identity = ?', identity);
  }

  resetChanged(): void {
    this.#database.exec('UPDATE rows SET isChanged = 0 WHERE isChanged = 1');
  }

  restart(): void {
    this.#database.exec('DELETE FROM occurrences');
  }

  countOccurrence(content: string): number {
    const sql = 'INSERT INTO occurrences VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count';
    return Number(this.#get<{ readonly count: number }>(sql, content)?.count);
  }

  findReference(key: string): string | undefined {
    return this.#get<{ readonly reference: string }>('SELECT reference FROM found WHERE key = ?', key)?.reference;
  }

  addReference(key: string, json: string): void {
    this.#get('INSERT INTO found VALUES (?, ?)', key, json);
  }

  find(identity: string): StoredRow | undefined {
    return this.#get('SELECT * FROM rows WHERE identity = ?', identity);
  }

  add({ identity, line, content, status, result }: Omit<StoredRow, 'sentAt' | 'isChanged'>): void {
    const sql = `INSERT INTO rows (identity, line, content, status, result) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET line = excluded.line,
      status = iif(sentAt IS NULL, excluded.status, status), result = iif(sentAt IS NULL, excluded.result, result)`;
    this.#get(sql, identity, line, content, status, result);
  }

  markSent(identities: readonly string[], now: number): Promise<readonly number[]> {
    const sql = 'UPDATE rows SET sentAt = coalesce(sentAt, ?), status = NULL, result = NULL WHERE identity = ? RETURNING sentAt';
    return this.transact(() => identities.map((identity) => Number(this.#get<{ readonly sentAt: number }>(sql, now, identity)?.sentAt)));
  }

  settle(results: ReadonlyMap<string, RowResult>): Promise<void> {
    return this.transact(() => {
      for (const [identity, { status, result }] of results)
        this.#get('UPDATE rows SET status = ?, result = ? WHERE identity = ?', status, result, identity);
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

  list(): Iterable<StoredRow> {
    return this.#database.prepare('SELECT * FROM rows ORDER BY line').iterate() as Iterable<unknown> as Iterable<StoredRow>;
  }

  close(): void {
    this.#database.close();
  }
}
