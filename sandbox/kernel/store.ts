import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { type DatabaseOwner, lacksOwner } from '../../src/lib/databaseOwner.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** Values bound by name, such as `:name` in the statement. */
export type Bindings = Record<string, SQLInputValue>;

/** Columns with 64-bit integers. They're read as bigints, and all other integers as numbers. */
export type Wide<Row> = readonly (keyof Row & string)[];

/** Converts the integers of a row to numbers, except in the wide columns. */
function narrowIntegers(row: Record<string, unknown>, wide: readonly string[]): void {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== 'bigint' || wide.includes(column)) continue;
    if (!Number.isSafeInteger(Number(value)))
      throw new RangeError(`${column} is ${value}, which isn’t a safe integer. Read it as a wide column.`);
    row[column] = Number(value);
  }
}

/** A statement that writes, up to the name of its table. */
const WRITE_STATEMENT = /^(\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+)(?=\w+[\s(])/;

/** Makes statements write to the tables themselves instead of the views with the same names. */
const targetMainSchema = (sql: string) => sql.replace(WRITE_STATEMENT, '$1main.');

/** The application ID is arbitrary, but must never change. */
const OWNER: DatabaseOwner = {
  applicationId: 0x57534753,
  tables: { counters: ['name', 'value'], workspaces: ['id'], api_keys: ['id', 'hash', 'member_id'] },
};

/** A SQLite database that prepares each statement only once. All methods are synchronous, so handlers never interleave. */
export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Statements that read integers as bigints. */
  readonly #wideStatements = new Map<string, StatementSync>();

  /** `data` is a path, `:memory:`, or the snapshot of another store. */
  constructor(data: string | Snapshot) {
    this.#database = typeof data === 'string' ? new DatabaseSync(data) : data();
    try {
      this.#prepareFile();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Marks the file as the sandbox's. Throws if another program has created it. */
  #prepareFile(): void {
    this.#database.exec('PRAGMA busy_timeout = 5000;');
    const isUnowned = lacksOwner(this.#database, OWNER);
    // NORMAL can lose the last commits in a power failure, but doesn't corrupt the file. That's enough for a sandbox.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
    if (isUnowned) this.#database.exec(`PRAGMA application_id = ${OWNER.applicationId}`);
  }

  /** Executes DDL. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Defines a SQL function for this database. */
  defineFunction(name: string, work: (...values: SQLOutputValue[]) => SQLInputValue): void {
    this.#database.function(name, { varargs: true }, work);
  }

  /** The first row, or undefined. Callers specify the row's type, because it depends on the statement. */
  get<Row>(sql: string, bindings: Bindings = {}, wide: Wide<Row> = []): Row | undefined {
    if (wide.length === 0) return this.#prepare(sql).get(bindings) as Row | undefined;
    const row = this.#prepareWide(sql).get(bindings);
    if (row) narrowIntegers(row, wide);
    return row as Row | undefined;
  }

  all<Row>(sql: string, bindings: Bindings = {}, wide: Wide<Row> = []): Row[] {
    if (wide.length === 0) return this.#prepare(sql).all(bindings) as Row[];
    const rows = this.#prepareWide(sql).all(bindings);
    for (const row of rows) narrowIntegers(row, wide);
    return rows as Row[];
  }

  /** The rows as arrays of their columns, with all integers as bigints. The statement isn't cached, because it's rarely reused. */
  rows(sql: string, bindings: Bindings = {}): SQLOutputValue[][] {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    // Rows are arrays from here on, which Node's types don't reflect.
    return statement.all(bindings) as unknown as SQLOutputValue[][];
  }

  /** The number of rows changed. */
  run(sql: string, bindings: Bindings = {}): number {
    return Number(this.#prepare(sql).run(bindings).changes);
  }

  /** Inserts one row, whose keys are the columns. `conflict` is the SQL clause for an existing row with the same key. */
  insert(table: string, row: Bindings, conflict = ''): void {
    const columns = Object.keys(row);
    this.run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')}) ${conflict}`, row);
  }

  /** Runs `work` in a transaction: all of its changes are committed, or none. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite already rolls back after some failures, such as a full disk. A second rollback would throw and hide the first error.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** The content of the database, from which other stores can start. */
  takeSnapshot(): Snapshot {
    return takeSnapshot(this.#database);
  }

  close(): void {
    this.#statements.clear();
    this.#wideStatements.clear();
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(targetMainSchema(sql));
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
