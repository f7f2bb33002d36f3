import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { type DatabaseOwner, lacksOwner } from '../../src/lib/databaseOwner.ts';

/** Values bound by name (`:name` in the statement). */
export type Bindings = Record<string, SQLInputValue>;

/** The columns of a row whose integers may take all 64 bits. They are read as bigints, and all other integers as numbers. */
export type Wide<Row> = readonly (keyof Row & string)[];

/** Turns the integers of a row into numbers, but for those of the wide columns. */
function narrow(row: Record<string, unknown>, wide: readonly string[]): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'bigint' || wide.includes(column)) continue;
    if (!Number.isSafeInteger(Number(value)))
      throw new RangeError(`${column} is ${value}, which isn’t a safe integer. Read it as a wide column.`);
    row[column] = Number(value);
  }
}

/** A statement that writes, up to the name of its table. */
const WRITES = /^(\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+)(?=\w+[\s(])/;

/** Writes go to the tables themselves, whatever views of their names stand before them. */
const written = (sql: string) => sql.replace(WRITES, '$1main.');

/** The application ID is arbitrary, but must never change. */
const OWNER: DatabaseOwner = {
  applicationId: 0x57534753,
  tables: { counters: ['name', 'value'], workspaces: ['id'], api_keys: ['id', 'hash', 'member_id'] },
};

/** A SQLite database whose statements are prepared once. Everything is synchronous, so a handler is never interleaved with another. */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Those that read integers as bigints. */
  readonly #wideStatements = new Map<string, StatementSync>();

  /** `data` is a path, `:memory:`, or the bytes of a database, which is copied into memory. */
  constructor(data: string | Uint8Array) {
    this.#database = new DatabaseSync(typeof data === 'string' ? data : ':memory:');
    if (typeof data !== 'string') this.#database.deserialize(data);
    try {
      this.#prepareFile();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Takes the file over, unless another program has written it. */
  #prepareFile(): void {
    this.#database.exec('PRAGMA busy_timeout = 5000;');
    const isUnowned = lacksOwner(this.#database, OWNER);
    // NORMAL may lose the last commits in a power cut, never the file: enough for a sandbox.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
    if (isUnowned) this.#database.exec(`PRAGMA application_id = ${OWNER.applicationId}`);
  }

  /** Runs DDL. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Makes a function of SQL, for this database alone. */
  define(name: string, work: (...values: SQLOutputValue[]) => SQLInputValue): void {
    this.#database.function(name, { varargs: true }, work);
  }

  /** The first row, or undefined. The caller names the row's type: the statement decides it. */
  get<Row>(sql: string, bindings: Bindings = {}, wide: Wide<Row> = []): Row | undefined {
    if (wide.length === 0) return this.#prepare(sql).get(bindings) as Row | undefined;
    const row = this.#prepareWide(sql).get(bindings);
    if (row) narrow(row, wide);
    return row as Row | undefined;
  }

  all<Row>(sql: string, bindings: Bindings = {}, wide: Wide<Row> = []): Row[] {
    if (wide.length === 0) return this.#prepare(sql).all(bindings) as Row[];
    const rows = this.#prepareWide(sql).all(bindings);
    for (const row of rows) narrow(row, wide);
    return rows as Row[];
  }

  /** The rows of a statement that is not kept, since it is seldom asked again: lists of its columns, with all integers as bigints. */
  rows(sql: string, bindings: Bindings = {}): SQLOutputValue[][] {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    // Rows are lists from here on, which the types of Node do not follow.
    return statement.all(bindings) as unknown as SQLOutputValue[][];
  }

  /** The number of rows changed. */
  run(sql: string, bindings: Bindings = {}): number {
    return Number(this.#prepare(sql).run(bindings).changes);
  }

  /** Inserts one row: the columns are the keys of `row`. The SQL of `conflict` says how a row with the same key is dealt with. */
  insert(table: string, row: Bindings, conflict = ''): void {
    const columns = Object.keys(row);
    this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')}) ${conflict}`, row);
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

  /** The bytes of the database, from which another store can be opened. */
  serialize(): Uint8Array {
    return this.#database.serialize();
  }

  close(): void {
    this.#statements.clear();
    this.#wideStatements.clear();
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(written(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #prepareWide(sql: string): StatementSync {
    let statement = this.#wideStatements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      statement.setReadBigInts(true);
      this.#wideStatements.set(sql, statement);
    }
    return statement;
  }
}
