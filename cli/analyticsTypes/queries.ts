// Queries for an analytics catalog. `analytics-types` prints this source after that of conditions.ts, its only import.
import {
  type Aggregation,
  type Bucket,
  type Condition,
  Conditions,
  type Field,
  type FieldOf,
  type FilterInput,
  type Name,
  type NullableValueOf,
  type Period,
  type Root,
  type Roots,
  type ValueOf,
} from './conditions.ts';

/** Columns by name. `isNumber` is set for columns that can be part of a ratio. */
type Columns = Readonly<Record<string, { readonly value: unknown; readonly isNumber: boolean }>>;
type Column<Id extends string, Value, IsNumber extends boolean = false> = Readonly<
  Record<Id, { readonly value: Value; readonly isNumber: IsNumber }>
>;
type NumbersOf<C extends Columns> = { [Id in Name<C>]: C[Id]['isNumber'] extends true ? Id : never }[Name<C>];

/** Key of a row that lists the columns whose value exists but is unavailable. Their value in the row is null, like that of columns without a value. */
export const UNAVAILABLE: unique symbol = Symbol('unavailable');
/** Row of a result, by column name. */
export type Row<C extends Columns> = { readonly [Id in Name<C>]: C[Id]['value'] } & { readonly [UNAVAILABLE]: readonly Name<C>[] };
/** Row type of a query. */
export type RowOf<Q extends { readonly rows: (result: never) => readonly unknown[] }> = ReturnType<Q['rows']>[number];

/** The part of a result that contains its rows: `columns { name valueType } rows { cells { status value } }`. */
interface Result {
  readonly columns: readonly { readonly name: string; readonly valueType?: string | null }[];
  readonly rows: readonly { readonly cells: readonly { readonly status?: string | null; readonly value?: unknown }[] }[];
}

type Range =
  /** Includes both dates. */
  | { readonly calendar: { readonly startDate: string; readonly endDate: string } }
  /** Excludes the end. */
  | { readonly timestamp: { readonly gte: string; readonly lt: string } }
  /** An offset of -1 selects the previous period. */
  | { readonly relative: { readonly period: Period; readonly offset?: number } };

type Measured = { readonly name: string; readonly field: string; readonly condition?: FilterInput };
type MeasureInput =
  | { readonly count: { readonly name: string; readonly condition?: FilterInput } }
  | { readonly countDistinct: Measured }
  | { readonly sum: Measured }
  | { readonly avg: Measured }
  | { readonly min: Measured }
  | { readonly max: Measured }
  | { readonly percentile: Measured & { readonly percentile: string } }
  | { readonly ratio: { readonly name: string; readonly numerator: string; readonly denominator: string } };

/** Members of `MeasureInput` by aggregation. */
const MEMBERS = { COUNT_DISTINCT: 'countDistinct', SUM: 'sum', AVG: 'avg', MIN: 'min', MAX: 'max' } as const;

interface Draft<R extends string> {
  readonly entity: Uppercase<R>;
  readonly timezone?: string;
  readonly timeRange?: { readonly field: string; readonly range: Range };
  readonly filter?: FilterInput;
}

interface Aggregate {
  readonly dimensions: { readonly name: string; readonly field: string; readonly bucket?: Bucket }[];
  readonly measures: MeasureInput[];
}

/** A query in the form of the graph's input type. */
interface QueryInput<R extends string> extends Draft<R> {
  readonly select: { readonly aggregate: Aggregate } | { readonly records: string[] };
  readonly sort?: { readonly column: string; readonly direction: 'ASC' | 'DESC' }[];
  readonly limit?: number;
}

/** A query with its columns. */
class Query<R extends string, C extends Columns> {
  /** The value for the query's input variable. */
  readonly input: QueryInput<R>;

  constructor(input: QueryInput<R>) {
    this.input = input;
  }

  /** Sorts by a column. Call it again to add further sort columns. Rows without a value come last in both directions. */
  sort(column: Name<C>, direction: 'ASC' | 'DESC' = 'ASC'): Query<R, C> {
    return new Query({ ...this.input, sort: [...(this.input.sort ?? []), { column, direction }] });
  }

  /** Maximum number of rows, from 1 to 100. */
  limit(limit: number): Query<R, C> {
    return new Query({ ...this.input, limit });
  }

  /** Converts a result of this query to typed rows. */
  rows({ columns, rows }: Result): Row<C>[] {
    return rows.map(({ cells }) => {
      const unknown = columns.filter((_, index) => cells[index]?.status === 'UNAVAILABLE').map(({ name }) => name);
      const values = columns.map(({ name, valueType }, index) => {
        const value = cells[index]?.value ?? null;
        return [name, valueType === 'INTEGER' && value !== null ? BigInt(String(value)) : value];
      });
      return { ...Object.fromEntries(values), [UNAVAILABLE]: unknown } as Row<C>;
    });
  }
}

/** Fields that an aggregation accepts. Amounts require their currency as a dimension. */
type Aggregated<R extends Root, A extends Aggregation, Dimensions extends string> = {
  [F in Name<R['fields']>]: A extends R['fields'][F]['aggregations'][number]
    ? R['fields'][F] extends { readonly currency: infer Currency }
      ? Currency extends Dimensions
        ? F
        : never
      : F
    : never;
}[Name<R['fields']>];

interface MeasureOptions<All extends Roots, R extends Name<All>, Id extends string = string> {
  readonly name?: Id;
  /** Only rows that satisfy the condition are aggregated. */
  readonly condition?: Condition<All, R>;
}

/** Column of a measure. Counts are integers, averages can have more digits than the field, and other measures have the field's type. */
type Measure<F extends Field, A extends Aggregation, Id extends string> = A extends 'COUNT_DISTINCT'
  ? Column<Id, bigint, true>
  : F['type'] extends 'INTEGER' | 'DECIMAL'
    ? Column<Id, (A extends 'AVG' ? string : ValueOf<F>) | null, true>
    : Column<Id, ValueOf<F> | null>;

type RecordColumns<R extends Root, F extends Name<R['fields']>> = {
  readonly [Each in F]: { readonly value: NullableValueOf<FieldOf<R, Each>>; readonly isNumber: false };
};

type TimedIn<R extends Root> = {
  [F in Name<R['fields']>]: R['fields'][F]['type'] extends 'TIMESTAMP' | 'DATE' ? F : never;
}[Name<R['fields']>];

/** An aggregate query. Add dimensions before measures, so that the types know whether amounts are grouped by currency. */
class Groups<
  All extends Roots,
  R extends Name<All>,
  /** Whether the query has a time range, which buckets require. */
  HasRange extends boolean,
  /** The fields that are dimensions without a bucket. */
  Dimensions extends string,
  C extends Columns,
> extends Query<R, C> {
  readonly #roots: All;
  readonly #root: R;
  readonly #draft: Draft<R>;
  readonly #aggregate: Aggregate;

  constructor(roots: All, root: R, draft: Draft<R>, aggregate: Aggregate) {
    super({ ...draft, select: { aggregate } });
    this.#roots = roots;
    this.#root = root;
    this.#draft = draft;
    this.#aggregate = aggregate;
  }

  #with<D extends string, Added extends Columns>(name: string, { dimensions = [], measures = [] }: Partial<Aggregate>) {
    const before = this.#aggregate;
    const all = [...before.dimensions, ...before.measures.flatMap((measure): { name: string }[] => Object.values(measure))];
    if (all.some((each) => each.name === name)) throw new Error(`The query already has a column ${name}. Rename one of them.`);
    const aggregate = { dimensions: [...before.dimensions, ...dimensions], measures: [...before.measures, ...measures] };
    return new Groups<All, R, HasRange, D, Added>(this.#roots, this.#root, this.#draft, aggregate);
  }

  #condition({ condition }: MeasureOptions<All, R>): { readonly condition?: FilterInput } {
    return condition ? { condition: condition(new Conditions(this.#roots, this.#root)) } : {};
  }

  /** Groups by the values of a field. The column is named after the field. */
  by<F extends Name<All[R]['fields']>, Id extends string = F>(field: F, options: { readonly name?: Id } = {}) {
    type Added = C & Column<Id, NullableValueOf<FieldOf<All[R], F>>>;
    const name = options.name ?? field;
    return this.#with<Dimensions | F, Added>(name, { dimensions: [{ name, field }] });
  }

  /** Groups by time buckets, which are represented by their first day. Requires `during`. The column is named field_bucket, such as created_at_month. */
  byTime<F extends TimedIn<All[R]>, B extends FieldOf<All[R], F>['buckets'][number], Id extends string = `${F}_${Lowercase<B>}`>(
    field: F & (HasRange extends true ? unknown : never),
    bucket: B,
    options: { readonly name?: Id } = {},
  ) {
    type Added = C & Column<Id, string | (FieldOf<All[R], F>['isNullable'] extends true ? null : never)>;
    const name = options.name ?? `${field}_${bucket.toLowerCase()}`;
    return this.#with<Dimensions, Added>(name, { dimensions: [{ name, field, bucket }] });
  }

  /** Counts rows. The column is named count. */
  count<Id extends string = 'count'>(options: MeasureOptions<All, R, Id> = {}) {
    const name = options.name ?? 'count';
    return this.#with<Dimensions, C & Column<Id, bigint, true>>(name, { measures: [{ count: { name, ...this.#condition(options) } }] });
  }

  /**
   * Aggregates a field. `COUNT_DISTINCT` counts distinct values; `SUM`, `AVG`, `MIN` and `MAX` are null if there are no rows. The column is named
   * aggregation_field, such as sum_total_once.
   */
  measure<A extends keyof typeof MEMBERS, F extends Aggregated<All[R], A, Dimensions>, Id extends string = `${Lowercase<A>}_${F}`>(
    aggregation: A,
    field: F,
    options: MeasureOptions<All, R, Id> = {},
  ) {
    const name = options.name ?? `${aggregation.toLowerCase()}_${field}`;
    const measured: Measured = { name, field, ...this.#condition(options) };
    const measure = { [MEMBERS[aggregation]]: measured } as MeasureInput;
    return this.#with<Dimensions, C & Measure<FieldOf<All[R], F>, A, Id>>(name, { measures: [measure] });
  }

  /** The smallest value that is at or above the given share of values, such as `0.95`. Null if there are no rows. The column is named percentile_disc_field. */
  percentile<F extends Aggregated<All[R], 'PERCENTILE_DISC', Dimensions>, Id extends string = `percentile_disc_${F}`>(
    field: F,
    percentile: `0.${number}` | '1',
    options: MeasureOptions<All, R, Id> = {},
  ) {
    const name = options.name ?? `percentile_disc_${field}`;
    const measure = { percentile: { name, field, percentile, ...this.#condition(options) } };
    return this.#with<Dimensions, C & Measure<FieldOf<All[R], F>, 'PERCENTILE_DISC', Id>>(name, { measures: [measure] });
  }

  /** Divides one measure by another. Null if the denominator is zero or null. The column is named numerator_per_denominator. */
  ratio<N extends NumbersOf<C>, D extends NumbersOf<C>, Id extends string = `${N}_per_${D}`>(
    numerator: N,
    denominator: D,
    options: { readonly name?: Id } = {},
  ) {
    const name = options.name ?? `${numerator}_per_${denominator}`;
    return this.#with<Dimensions, C & Column<Id, string | null>>(name, { measures: [{ ratio: { name, numerator, denominator } }] });
  }
}

/** The rows of an entity that a query reads. */
class Source<All extends Roots, R extends Name<All>, HasRange extends boolean = false> {
  readonly #roots: All;
  readonly #root: R;
  readonly #draft: Draft<R>;

  constructor(roots: All, root: R, draft: Draft<R>) {
    this.#roots = roots;
    this.#root = root;
    this.#draft = draft;
  }

  /** Time zone of dates and buckets, such as `Europe/Amsterdam`. Defaults to the workspace's time zone. */
  timezone(timezone: string): Source<All, R, HasRange> {
    return new Source(this.#roots, this.#root, { ...this.#draft, timezone });
  }

  /** Only rows in a time range. */
  during(field: TimedIn<All[R]>, range: Range): Source<All, R, true> {
    return new Source(this.#roots, this.#root, { ...this.#draft, timeRange: { field, range } });
  }

  /** Only rows that satisfy a condition. Call it once; a second call replaces the first. */
  where(condition: Condition<All, R>): Source<All, R, HasRange> {
    return new Source(this.#roots, this.#root, { ...this.#draft, filter: condition(new Conditions(this.#roots, this.#root)) });
  }

  /** Starts an aggregate query. */
  groups(): Groups<All, R, HasRange, never, Record<never, never>> {
    return new Groups(this.#roots, this.#root, this.#draft, { dimensions: [], measures: [] });
  }

  /** Returns rows without aggregation, with these fields as columns. */
  records<F extends Name<All[R]['fields']>>(...fields: readonly [F, ...F[]]): Query<R, RecordColumns<All[R], F>> {
    return new Query({ ...this.#draft, select: { records: [...fields] } });
  }
}

/** Starts a query over an entity of the catalog. */
export function queriesOver<All extends Roots>(roots: All): <R extends Name<All>>(root: R) => Source<All, R> {
  return (root) => new Source(roots, root, { entity: root.toUpperCase() as Uppercase<typeof root> });
}
