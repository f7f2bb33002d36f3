import { closeSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StartError, toFileError } from '../../src/lib/startup.ts';
import { isPresent, openOutput } from '../bulk/files.ts';
import { checkOwnDatabase } from './ownFiles.ts';
import { type CheckedRow, MAX_SAMPLE, type RowStatus, type RowStore, type Sample, type StoredRow } from './rowStore.ts';

/** Version of the file. */
const VERSION = '3';

const SCHEMA = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = FILE;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS rows (
    identity TEXT PRIMARY KEY, line INTEGER, content TEXT NOT NULL, sentAt INTEGER, storageId TEXT, input TEXT, status TEXT, result TEXT,
    isChanged INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE occurrences (content TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE found (key TEXT PRIMARY KEY, reference TEXT NOT NULL) STRICT, WITHOUT ROWID;`;

/** Whether SQLite reported an error, such as a full disk. */
export const isDatabaseError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

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
      if (this.remember(name, () => value) !== value) throw this.createMismatchError(name);
  }

  /** Creates the error for a value that the import doesn't have. */
  createMismatchError(name: string): StartError {
    return new StartError(
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
    this.store(name, value);
    return value;
  }

  /** Stores a value, or replaces it. */
  store(name: string, value: string): void {
    this.#get('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, value);
  }

  /** Applies changes together, or none of them if one fails, or if they're only a trial. */
  async transact<Result>(change: () => Result | Promise<Result>, isTrial = false): Promise<Result> {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = await change();
      if (!isTrial) this.#database.exec('COMMIT');
      return result;
    } finally {
      // Some failures, such as a full disk, have already ended the transaction.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
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

  /** Number of references that were looked up. Each took a call, and does again when the file is checked before its rows are sent. */
  countReferences(): number {
    return Number(this.#get<{ readonly count: number }>('SELECT count(*) AS count FROM found')?.count);
  }

  find(identity: string): StoredRow | undefined {
    return this.#get('SELECT * FROM rows WHERE identity = ?', identity);
  }

  forgetLines(): void {
    this.#database.exec('UPDATE rows SET line = NULL, isChanged = 0');
  }

  add({ identity, line, content, status, result }: CheckedRow): void {
    const sql = `INSERT INTO rows (identity, line, content, status, result) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET line = excluded.line,
      isChanged = (sentAt IS NOT NULL AND content <> excluded.content),
      content = iif(sentAt IS NULL, excluded.content, content),
      status = iif(sentAt IS NULL, excluded.status, status),
      result = iif(sentAt IS NULL, excluded.result, result)`;
    this.#get(sql, identity, line, content, status, result);
  }

  removeMissing(): Sample<StoredRow> {
    this.#database.exec('DELETE FROM rows WHERE line IS NULL AND sentAt IS NULL');
    const first = this.#database.prepare('SELECT * FROM rows WHERE line IS NULL LIMIT ?').all(MAX_SAMPLE) as unknown as StoredRow[];
    return { count: this.#count('line IS NULL'), first };
  }

  #count(condition: string): number {
    return Number(this.#get<{ readonly count: number }>(`SELECT count(*) AS count FROM rows WHERE ${condition}`)?.count);
  }

  save(rows: readonly StoredRow[]): Promise<void> {
    return this.transact(() => {
      for (const { identity, sentAt, storageId, input, status, result } of rows)
        this.#get(
          'UPDATE rows SET sentAt = ?, storageId = ?, input = ?, status = ?, result = ? WHERE identity = ?',
          sentAt,
          storageId,
          input,
          status,
          result,
          identity,
        );
    });
  }

  /** Number of rows for which `isOpen` is true. */
  countOpen(): number {
    return this.#count("line IS NOT NULL AND isChanged = 0 AND (status IS NULL OR status IN ('RETRY', 'FAILED') OR input IS NOT NULL)");
  }

  /** Number of rows whose outcome a request with the same key can find out. */
  countUnsettled(): number {
    return this.#count('input IS NOT NULL');
  }

  /** Number of rows by status. Those that haven't been sent have the status null. */
  countByStatus(): ReadonlyMap<RowStatus | null, number> {
    const counts = this.#database.prepare('SELECT status, count(*) AS count FROM rows GROUP BY status').all();
    return new Map(counts.map(({ status, count }) => [status as RowStatus | null, Number(count)]));
  }

  list(): Iterable<StoredRow> {
    return this.#database.prepare('SELECT * FROM rows ORDER BY line NULLS LAST').iterate() as Iterable<unknown> as Iterable<StoredRow>;
  }

  listLastDone(count: number): readonly StoredRow[] {
    const sql = "SELECT * FROM rows WHERE status = 'DONE' ORDER BY sentAt DESC LIMIT ?";
    return this.#database.prepare(sql).all(count) as unknown as StoredRow[];
  }

  close(): void {
    this.#database.close();
  }
}
