import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Values bound by name (`:name` in the statement). */
export type Bindings = Record<string, SQLInputValue>;

/** A SQLite database whose statements are prepared once. Everything is synchronous, so a handler is never interleaved with another. */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** `file` is a path, or `:memory:`. */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    // NORMAL may lose the last commits in a power cut, never the file: enough for a sandbox.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;');
  }

  /** Runs DDL. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** The first row, or undefined. The caller names the row's type: the statement decides it. */
  get<Row>(sql: string, bindings: Bindings = {}): Row | undefined {
    return this.#prepare(sql).get(bindings) as Row | undefined;
  }

  all<Row>(sql: string, bindings: Bindings = {}): Row[] {
    return this.#prepare(sql).all(bindings) as Row[];
  }

  /** The number of rows changed. */
  run(sql: string, bindings: Bindings = {}): number {
    return Number(this.#prepare(sql).run(bindings).changes);
  }

  /** Inserts one row: the columns are the keys of `row`. */
  insert(table: string, row: Bindings): void {
    const columns = Object.keys(row);
    this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`, row);
  }

  /** All of `work`, or nothing of it. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has already rolled back after some failures, such as a full disk; saying so again would hide the first error.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
