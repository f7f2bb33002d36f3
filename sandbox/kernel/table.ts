import { type DescField, type DescMessage, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { notFound, permissionDenied, type SandboxError } from './errors.ts';
import type { Page, PageRequest, Pager } from './pages.ts';
import type { Bindings, Store, Wide } from './store.ts';

/** Converts `customerId` to `customer_id`. */
type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : '';

type Flat<Shape> = { readonly [Key in keyof Shape]: Shape[Key] };

type SqlValue = string | number | bigint | boolean | undefined;

/** Fields of a message that fit into a column: all except lists, maps and messages. */
type ColumnKeys<Shape> = {
  [Key in keyof Shape & string]: Key extends `$${string}` ? never : Shape[Key] extends SqlValue ? Key : never;
}[keyof Shape & string];

type Names = Readonly<Record<string, string>>;
type ColumnOf<Key extends string, Renamed> = Key extends keyof Renamed ? Renamed[Key] & string : Snake<Key>;

/** Type of a field in a row: 64-bit integers and booleans are numbers, and absent fields are null. */
type Stored<Value, Integer> =
  | (Value extends bigint ? Integer : Value extends boolean ? number : Value extends undefined ? never : Value)
  | (undefined extends Value ? null : never);

/** Columns derived from a record. */
type DerivedColumns<Shape, Left, Renamed, WideColumn> = {
  readonly [Key in Exclude<ColumnKeys<Shape>, Left> as ColumnOf<Key, Renamed>]: Stored<
    Shape[Key],
    ColumnOf<Key, Renamed> extends WideColumn ? bigint : number
  >;
};

type SqlType = 'TEXT' | 'INTEGER' | 'REAL' | 'BLOB';

/** SQL type of a column, with NULL if it's nullable, or the allowed values of a text. */
type ColumnType = SqlType | `${SqlType} NULL` | readonly string[];
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

type ValueOf<Type> = Type extends `${infer NotNull} NULL`
  ? ValueOf<NotNull> | null
  : Type extends 'TEXT'
    ? string
    : Type extends 'BLOB'
      ? Uint8Array
      : Type extends readonly (infer Word)[]
        ? Word
        : number;

/** Columns declared explicitly. */
type DeclaredColumns<Types> = { readonly [Name in keyof Types]: ValueOf<Types[Name]> };

interface Constraints<Column> {
  /** Columns of the primary key. Defaults to `id`. */
  readonly key?: readonly Column[];
  /** Columns with IDs of rows in other tables. */
  readonly references?: { readonly [Name in Column & string]?: { readonly name: string } };
  /** More constraints in SQL, such as UNIQUE and CHECK. */
  readonly constraints?: readonly string[];
  /** Columns of each index in SQL, by index name. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** Whether `one` reports rows that the caller can't see as missing instead of denied. */
  readonly isConcealed?: boolean;
}

/** The workspace in which a record is looked up. Implemented by calls and by the demo data. */
export interface Scope {
  readonly store: Store;
  readonly workspaceId: string;
}

/** A table with its statements. `Seen` are the columns that the record contains, and `Members` the record's fields that they fill. */
export interface Table<Row, Seen = Row, Members = never> {
  readonly name: string;
  readonly ddl: string;
  /** The columns of the record, for a SELECT without the others. */
  readonly recordColumns: string;
  readonly wide: Wide<Row>;
  insert(store: Store, row: Row): void;
  /** Inserts the row, or updates the existing one with the same key. */
  upsert(store: Store, row: Row): void;
  /** Changes columns of the row with this ID. */
  update(store: Store, id: string, changes: Partial<Row>): void;
  /** Converts a row to the plain fields of the record. The caller adds its lists, its messages, and the fields listed in `without`. */
  read(row: Seen): Members;
  /** The first row with these values. */
  find(store: Store, where: Partial<Row>): Row | undefined;
  /** The rows with these values. `order` is SQL. */
  list(store: Store, where: Partial<Row>, order: string): Row[];
  /**
   * A page of the workspace's rows with these values. `order` is SQL and defaults to newest first. Empty strings and zeros don't filter, because requests
   * without a filter contain them.
   */
  page(call: Pager, request: PageRequest, filters: Partial<Row>, order?: string): Page<Row>;
  /** The row with this ID in the workspace. Throws if it's missing or the caller can't see it. The message contains the noun. */
  getOrThrow(scope: Scope, id: string, noun: string): Row;
}

export type RowOf<Made extends { find(...args: never[]): unknown }> = NonNullable<ReturnType<Made['find']>>;

interface Missing {
  /** Name of the table. */
  readonly name: string;
  readonly noun: string;
  readonly id: string;
}

interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** A field of the record, with its column. */
interface Member {
  readonly name: string;
  readonly column: string;
  readonly scalar: ScalarType | undefined;
}

function formatColumn({ name, type }: Column): string {
  if (typeof type !== 'string') return `${name} TEXT NOT NULL CHECK (${name} IN (${type.map((word) => `'${word}'`).join(', ')}))`;
  return type.endsWith(' NULL') ? `${name} ${type.slice(0, -' NULL'.length)}` : `${name} ${type} NOT NULL`;
}

function createDdl(
  name: string,
  columns: readonly Column[],
  { key = ['id'], references = {}, constraints = [], indexes = {} }: Constraints<string>,
) {
  const parts = [
    ...columns.map(formatColumn),
    `PRIMARY KEY (${key.join(', ')})`,
    ...Object.entries(references).map(([column, other]) => `FOREIGN KEY (${column}) REFERENCES ${other?.name} (id)`),
    ...constraints,
  ];
  const made = Object.entries(indexes).map(([index, on]) => `CREATE INDEX IF NOT EXISTS ${index} ON ${name} (${on});`);
  return [`CREATE TABLE IF NOT EXISTS ${name} (\n  ${parts.join(',\n  ')}\n) STRICT;`, ...made].join('\n');
}

function createReader(members: readonly Member[]): (row: object) => Record<string, unknown> {
  return (row) => {
    const values = row as Readonly<Record<string, unknown>>;
    const read: Record<string, unknown> = {};
    // Uses a plain loop, because this runs for every record of every response.
    for (const { name, column, scalar } of members) {
      const value = values[column];
      if (value === null || value === undefined) continue;
      if (scalar === ScalarType.INT64) read[name] = BigInt(value as number | bigint);
      else read[name] = scalar === ScalarType.BOOL ? value === 1 : value;
    }
    return read;
  };
}

interface TableParts {
  readonly columns: readonly Column[];
  readonly members: readonly Member[];
  readonly wide: readonly string[];
  readonly constraints: Constraints<string>;
}

/** Creates the error for a row that wasn't found by ID. If it exists, the caller can't see it. */
export function missingOrDeniedError({ store, workspaceId }: Scope, { name, noun, id }: Missing): SandboxError {
  const row = store.get(`SELECT 1 FROM main.${name} WHERE workspace_id = :workspaceId AND id = :id`, { workspaceId, id });
  return row ? permissionDenied(noun, id) : notFound(noun, id);
}

/** Statements don't depend on the types of columns. `table` and `plainTable` declare them. */
function buildTable(name: string, { columns, members, wide, constraints }: TableParts): Table<object, object, object> {
  const { isConcealed = false } = constraints;
  const values = columns.map((column) => `${column.name} = excluded.${column.name}`);
  const replacing = `ON CONFLICT (${(constraints.key ?? ['id']).join(', ')}) DO UPDATE SET ${values.join(', ')}`;
  // Lists columns explicitly, because the view of a table also returns `rowid`.
  const columnList = columns.map((column) => column.name).join(', ');
  const select = (where: object) => {
    // Uses IS, which also matches null.
    const conditions = Object.keys(where).map((column) => `${column} IS :${column}`);
    return `SELECT ${columnList} FROM ${name} WHERE ${conditions.join(' AND ') || 'TRUE'}`;
  };
  const find = (store: Store, where: object) => store.get<object>(select(where), where as Bindings, wide as Wide<object>);
  return {
    name,
    ddl: createDdl(name, columns, constraints),
    recordColumns: members.map(({ column }) => column).join(', '),
    wide: wide as Wide<object>,
    insert: (store, row) => store.insert(name, row as Bindings),
    upsert: (store, row) => store.insert(name, row as Bindings, replacing),
    update: (store, id, changes) => {
      const assignments = Object.keys(changes).map((column) => `${column} = :${column}`);
      store.run(`UPDATE ${name} SET ${assignments.join(', ')} WHERE id = :id`, { ...(changes as Bindings), id });
    },
    read: createReader(members),
    find,
    list: (store, where, order) => store.all<object>(`${select(where)} ORDER BY ${order}`, where as Bindings, wide as Wide<object>),
    page: (call, request, filters, order = 'created_at DESC, rowid DESC') => {
      const given = Object.entries(filters).filter(([, value]) => value !== '' && value !== 0);
      const where = { workspace_id: call.workspaceId, ...Object.fromEntries(given) };
      return call.page<object>(request, `${select(where)} ORDER BY ${order}`, where, wide as Wide<object>);
    },
    getOrThrow: (scope, id, noun) => {
      const row = find(scope.store, { workspace_id: scope.workspaceId, id });
      if (!row) throw isConcealed ? notFound(noun, id) : missingOrDeniedError(scope, { name, noun, id });
      return row;
    },
  };
}

const toColumns = (types: ColumnTypes): Column[] => Object.entries(types).map(([name, type]) => ({ name, type }));

/** Declares a table that doesn't store a record of the contract. */
export function plainTable<const Types extends ColumnTypes>(
  name: string,
  types: Types,
  constraints: Constraints<keyof Types> = {},
): Table<DeclaredColumns<Types>> {
  const made = buildTable(name, { columns: toColumns(types), members: [], wide: [], constraints: constraints as Constraints<string> });
  return made as unknown as Table<DeclaredColumns<Types>>;
}

const SQL_TYPES: Partial<Record<ScalarType, SqlType>> = {
  [ScalarType.STRING]: 'TEXT',
  [ScalarType.BOOL]: 'INTEGER',
  [ScalarType.INT32]: 'INTEGER',
  [ScalarType.INT64]: 'INTEGER',
  [ScalarType.DOUBLE]: 'REAL',
};

function getColumnType(field: DescField): ColumnType {
  const type = field.fieldKind === 'scalar' ? SQL_TYPES[field.scalar] : 'INTEGER';
  if (!type) throw new Error(`The type of ${field} can’t be stored in a column. Use a string, boolean, int32, int64, double, or enum.`);
  return field.presence === FeatureSet_FieldPresence.EXPLICIT ? `${type} NULL` : type;
}

/** Fields of a record that are stored in columns. */
const listMembers = (record: DescMessage, without: readonly string[], names: Names): (Member & { readonly field: DescField })[] =>
  record.fields
    .filter(({ fieldKind, localName }) => (fieldKind === 'scalar' || fieldKind === 'enum') && !without.includes(localName))
    .map((field) => ({ name: field.localName, column: names[field.localName] ?? field.name, scalar: field.scalar, field }));

interface TableOptions<Key, Also, Left, Renamed, WideColumn, Column> extends Constraints<Column> {
  /** Columns that the record doesn't contain, or whose type differs from the record's. */
  readonly also?: Also;
  /** Plain fields that are computed instead of stored. */
  readonly without?: readonly Left[];
  /** Columns of fields that have another name. */
  readonly names?: Renamed & { readonly [Name in keyof Renamed]: Name extends Key ? string : never };
  /** Columns with 64-bit integers, which are bigints in rows. */
  readonly wide?: readonly WideColumn[];
}

/**
 * Declares a table for a record of the contract. Each plain field becomes a column, so `insert` requires a value for every new field. Lists, maps and messages
 * need their own tables, or JSON columns in `also`.
 */
export function table<
  Desc extends DescMessage,
  const Also extends ColumnTypes = Record<never, never>,
  Left extends ColumnKeys<MessageShape<Desc>> = never,
  const Renamed extends Names = Record<never, never>,
  WideColumn extends ColumnOf<Exclude<ColumnKeys<MessageShape<Desc>>, Left>, Renamed> = never,
  Seen = DerivedColumns<MessageShape<Desc>, Left, Renamed, WideColumn>,
  Row = Flat<Omit<Seen, keyof Also> & DeclaredColumns<Also>>,
>(
  name: string,
  record: Desc,
  options: TableOptions<ColumnKeys<MessageShape<Desc>>, Also, Left, Renamed, WideColumn, keyof NoInfer<Row>> = {},
): Table<Row, Flat<Seen>, Pick<MessageShape<Desc>, Exclude<ColumnKeys<MessageShape<Desc>>, Left> & keyof MessageShape<Desc>>> {
  const { also = {}, without = [], names = {}, wide = [], ...constraints } = options;
  const members = listMembers(record, without, names);
  const recordColumns = members.map(({ column, field }) => ({ name: column, type: getColumnType(field) }));
  const columns = [...recordColumns.filter((column) => !Object.hasOwn(also, column.name)), ...toColumns(also)];
  return buildTable(name, { columns, members, wide, constraints: constraints as Constraints<string> }) as never;
}

/** Reads another record from a row that has its columns. */
export function createRowReader<Desc extends DescMessage>(
  record: Desc,
): (
  row: DerivedColumns<MessageShape<Desc>, never, Record<never, never>, never>,
) => Pick<MessageShape<Desc>, ColumnKeys<MessageShape<Desc>> & keyof MessageShape<Desc>> {
  return createReader(listMembers(record, [], {})) as never;
}
