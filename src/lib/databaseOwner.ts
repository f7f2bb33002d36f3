import type { DatabaseSync } from 'node:sqlite';

/** How a database is recognized as belonging to this program. */
export interface DatabaseOwner {
  /** SQLite's `application_id`: https://www.sqlite.org/pragma.html#pragma_application_id */
  readonly applicationId: number;
  /** Tables and columns that identify files written before application IDs were introduced. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

/** Code of the error for a database of another program. */
export const FOREIGN_DATABASE = 'ERR_FOREIGN_DATABASE';

function queryNames(database: DatabaseSync, sql: string, ...values: string[]): ReadonlySet<unknown> {
  const rows = database.prepare(sql).all(...values);
  return new Set(rows.map(({ name }) => name));
}

/**
 * Whether the database doesn't have the application ID yet, because it's empty or was written before application IDs were introduced. Throws if it belongs to
 * another program. Only reads: call it before the first statement that writes, such as `PRAGMA journal_mode = WAL`.
 */
export function lacksOwner(database: DatabaseSync, { applicationId, tables }: DatabaseOwner): boolean {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as { application_id: number };
  if (id === applicationId) return false;
  const hasTable = ([table, columns]: readonly [string, readonly string[]]) => {
    const names = queryNames(database, 'SELECT name FROM pragma_table_info(?)', table);
    return columns.every((column) => names.has(column));
  };
  const isEmpty = queryNames(database, 'SELECT name FROM sqlite_schema').size === 0;
  if (id === 0 && (isEmpty || Object.entries(tables).every(hasTable))) return true;
  throw Object.assign(new Error('The database belongs to another program.'), { code: FOREIGN_DATABASE });
}
