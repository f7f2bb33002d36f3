// Generated from the analytics catalog by `workspace-graph analytics-types`. Do not edit.

type ValueType = 'TEXT' | 'INTEGER' | 'DECIMAL' | 'MONEY' | 'BOOLEAN' | 'TIMESTAMP' | 'DATE';
type Operator = 'EQ' | 'NEQ' | 'LT' | 'LTE' | 'GT' | 'GTE' | 'IN' | 'NOT_IN' | 'CONTAINS' | 'IS_NULL' | 'IS_NOT_NULL';
type Aggregation = 'COUNT_DISTINCT' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'PERCENTILE_DISC';
type Bucket = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR';
type Period =
  | 'TODAY'
  | 'THIS_WEEK'
  | 'THIS_MONTH'
  | 'THIS_QUARTER'
  | 'THIS_YEAR'
  | 'LAST_7_DAYS'
  | 'LAST_30_DAYS'
  | 'LAST_90_DAYS'
  | 'LAST_12_MONTHS';

interface Field {
  readonly type: ValueType;
  readonly operators: readonly Operator[];
  readonly aggregations: readonly Aggregation[];
  readonly buckets: readonly Bucket[];
  readonly isNullable: boolean;
  /** Whether it can be compared with the API key's member. */
  readonly isMember: boolean;
  /** Known values. */
  readonly words?: readonly string[];
  /** For amounts: the currency field, which must be a dimension when the amount is aggregated. */
  readonly currency?: string;
}

interface Root {
  readonly fields: Readonly<Record<string, Field>>;
  /** Entities that its relationships lead to, by relationship name. */
  readonly relationships: Readonly<Record<string, string>>;
}

type Roots = Readonly<Record<string, Root>>;
type Name<Named> = keyof Named & string;
type FieldOf<R extends Root, F extends Name<R['fields']>> = R['fields'][F];
type EnumValueOf<F extends Field> = F extends { readonly words: readonly (infer Word extends string)[] } ? Word : string;

/** An amount in major units, as a decimal string. */
export interface Money {
  readonly amount: string;
  readonly currencyCode: string;
}

/** Types of values in rows: integers are bigints, decimals are strings, and timestamps and dates are ISO 8601 strings. */
interface Values {
  readonly TEXT: string;
  readonly INTEGER: bigint;
  readonly DECIMAL: string;
  readonly MONEY: Money;
  readonly BOOLEAN: boolean;
  readonly TIMESTAMP: string;
  readonly DATE: string;
}

/** Value of a field in a row. May contain values that are newer than these types. */
type ValueOf<F extends Field> = F['type'] extends 'TEXT' ? EnumValueOf<F> | (string & Record<never, never>) : Values[F['type']];
type NullableValueOf<F extends Field> = ValueOf<F> | (F['isNullable'] extends true ? null : never);

interface Sent {
  readonly INTEGER: number | bigint;
  readonly DECIMAL: string;
  readonly MONEY: never;
  readonly BOOLEAN: boolean;
  readonly TIMESTAMP: string | { readonly nowOffsetSeconds: number };
  readonly DATE: string;
}

/** A value to compare a field with. `nowOffsetSeconds` is relative to the current time. */
type Operand<F extends Field> =
  | (F['type'] extends keyof Sent ? Sent[F['type']] : EnumValueOf<F>)
  | (F['isMember'] extends true ? { readonly currentMember: true } : never);

type Operands<F extends Field, O> = O extends 'IS_NULL' | 'IS_NOT_NULL'
  ? readonly []
  : O extends 'IN' | 'NOT_IN'
    ? readonly [Operand<F>, ...Operand<F>[]]
    : O extends 'CONTAINS'
      ? readonly [string]
      : readonly [Operand<F>];

type ValueInput =
  | { readonly text: string }
  | { readonly integer: string }
  | { readonly decimal: string }
  | { readonly boolean: boolean }
  | { readonly timestamp: string }
  | { readonly date: string }
  | { readonly currentMember: true }
  | { readonly nowOffsetSeconds: string };

type FilterInput =
  | { readonly all: FilterInput[] }
  | { readonly any: FilterInput[] }
  | { readonly compare: { readonly field: string; readonly operator: Operator; readonly values: ValueInput[] } }
  | { readonly related: { readonly relationship: string; readonly filter?: FilterInput } };

declare const ROOT: unique symbol;
/** A condition on rows of one entity. */
type Filter<R extends string> = FilterInput & { readonly [ROOT]?: R };
type Condition<All extends Roots, R extends Name<All>> = (root: Conditions<All, R>) => Filter<R>;

function toValue(type: ValueType, operand: unknown): ValueInput {
  if (typeof operand === 'object' && operand !== null)
    return 'nowOffsetSeconds' in operand ? { nowOffsetSeconds: String(operand.nowOffsetSeconds) } : { currentMember: true };
  const text = String(operand);
  if (type === 'INTEGER') return { integer: text };
  if (type === 'DECIMAL') return { decimal: text };
  if (type === 'BOOLEAN') return { boolean: operand === true };
  if (type === 'TIMESTAMP') return { timestamp: text };
  return type === 'DATE' ? { date: text } : { text };
}

/** Builds conditions on rows of an entity. */
class Conditions<All extends Roots, R extends Name<All>> {
  readonly #roots: All;
  readonly #root: R;

  constructor(roots: All, root: R) {
    this.#roots = roots;
    this.#root = root;
  }

  /** Compares a field with the values that the operator requires. `NEQ` and `NOT_IN` don't match rows without a value. */
  compare<F extends Name<All[R]['fields']>, O extends FieldOf<All[R], F>['operators'][number]>(
    field: F,
    operator: O,
    ...values: Operands<FieldOf<All[R], F>, O>
  ): Filter<R> {
    const type = this.#roots[this.#root]?.fields[field]?.type ?? 'TEXT';
    return { compare: { field, operator, values: values.map((value) => toValue(type, value)) } };
  }

  all(...filters: readonly [Filter<R>, ...Filter<R>[]]): Filter<R> {
    return { all: [...filters] };
  }

  any(...filters: readonly [Filter<R>, ...Filter<R>[]]): Filter<R> {
    return { any: [...filters] };
  }

  /** Matches if at least one related row satisfies the condition, or if there is any related row when no condition is passed. */
  related<N extends Name<All[R]['relationships']>>(
    relationship: N,
    condition?: Condition<All, All[R]['relationships'][N] & Name<All>>,
  ): Filter<R> {
    const other = this.#roots[this.#root]?.relationships[relationship] as All[R]['relationships'][N] & Name<All>;
    return { related: { relationship, ...(condition && { filter: condition(new Conditions(this.#roots, other)) }) } };
  }
}

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
function queriesOver<All extends Roots>(roots: All): <R extends Name<All>>(root: R) => Source<All, R> {
  return (root) => new Source(roots, root, { entity: root.toUpperCase() as Uppercase<typeof root> });
}

const textField = { type: "TEXT", operators: ["EQ", "NEQ", "IN", "NOT_IN", "CONTAINS"], aggregations: ["COUNT_DISTINCT"], buckets: [], isNullable: false, isMember: false } as const;
const textField2 = { type: "TEXT", operators: ["EQ", "NEQ", "IN", "NOT_IN", "CONTAINS", "IS_NULL", "IS_NOT_NULL"], aggregations: ["COUNT_DISTINCT"], buckets: [], isNullable: true, isMember: false } as const;
const timestampField = { type: "TIMESTAMP", operators: ["EQ", "NEQ", "IN", "NOT_IN", "LT", "LTE", "GT", "GTE", "IS_NULL", "IS_NOT_NULL"], aggregations: ["COUNT_DISTINCT", "MIN", "MAX", "PERCENTILE_DISC"], buckets: ["DAY", "WEEK", "MONTH", "QUARTER", "YEAR"], isNullable: true, isMember: false } as const;
const timestampField2 = { type: "TIMESTAMP", operators: ["EQ", "NEQ", "IN", "NOT_IN", "LT", "LTE", "GT", "GTE"], aggregations: ["COUNT_DISTINCT", "MIN", "MAX", "PERCENTILE_DISC"], buckets: ["DAY", "WEEK", "MONTH", "QUARTER", "YEAR"], isNullable: false, isMember: false } as const;
const textField3 = { type: "TEXT", operators: ["EQ", "NEQ", "IN", "NOT_IN", "CONTAINS", "IS_NULL", "IS_NOT_NULL"], aggregations: ["COUNT_DISTINCT"], buckets: [], isNullable: true, isMember: true } as const;
const integerField = { type: "INTEGER", operators: ["EQ", "NEQ", "IN", "NOT_IN", "LT", "LTE", "GT", "GTE"], aggregations: ["COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX", "PERCENTILE_DISC"], buckets: [], isNullable: false, isMember: false } as const;
const decimalField = { type: "DECIMAL", operators: ["EQ", "NEQ", "IN", "NOT_IN", "LT", "LTE", "GT", "GTE"], aggregations: ["COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX", "PERCENTILE_DISC"], buckets: [], isNullable: false, isMember: false } as const;
const moneyField = { type: "MONEY", operators: [], aggregations: ["SUM", "AVG", "MIN", "MAX", "PERCENTILE_DISC"], buckets: [], isNullable: false, isMember: false } as const;
const booleanField = { type: "BOOLEAN", operators: ["EQ", "NEQ"], aggregations: ["COUNT_DISTINCT"], buckets: [], isNullable: false, isMember: false } as const;

const ROOTS = {
  /** Customers and portfolios. */
  customers: {
    fields: {
      /** ID of the customer. */
      id: textField,
      /** Title of the record. */
      title: textField,
      /** Human-readable number of the record. */
      reference_number: textField,
      /** ID of the contact. */
      contact_id: textField2,
      /** ID of the journey status. */
      journey_status_id: textField2,
      /** When the customer is expected to be won or lost. */
      expected_close_date: timestampField,
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
    },
    relationships: {
      /** The customer’s orders. */
      orders: "orders",
      /** The customer’s offers. */
      offers: "offers",
      /** The customer’s workorders. */
      workorders: "workorders",
      /** Problems of the customer or portfolio. */
      problems: "problems",
      /** The customer’s payments. */
      payments: "payments",
      /** The customer’s appointments. */
      appointments: "appointments",
      /** The customer’s appointment_results. */
      appointment_results: "appointment_results",
    },
  },
  /** Appointments with any status. */
  appointments: {
    fields: {
      /** ID of the appointment. */
      id: textField,
      /** Status of the record. */
      status: { ...textField, words: ["SCHEDULED", "COMPLETED", "CANCELLED"] },
      /** Where the appointment was created. */
      source: { ...textField, words: ["LOCAL", "EXTERNAL"] },
      /** ID of the agenda. */
      agenda_id: textField,
      /** ID of the appointment type. */
      appointment_type_id: textField,
      /** ID of the assigned member. */
      member_id: textField3,
      /** ID of the customer. */
      customer_id: textField2,
      /** ID of the work order. */
      work_order_id: textField2,
      /** When the appointment starts. */
      starts_at: timestampField2,
      /** When the appointment ends. */
      ends_at: timestampField2,
      /** Duration in whole minutes. */
      duration_minutes: integerField,
      /** Duration in hours, with two decimal places. */
      duration_hours: decimalField,
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
      /** When the record was canceled. */
      cancelled_at: timestampField,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Work order of the appointment. */
      workorder: "workorders",
      /** Result of the appointment, if one was recorded. */
      result: "appointment_results",
    },
  },
  /** Orders. Each confirmed quote has one order, and its work orders have none of their own. */
  orders: {
    fields: {
      /** ID of the order. */
      id: textField,
      /** ID of the customer. */
      customer_id: textField,
      /** ID of the quote. */
      quote_id: textField,
      /** Status of the record. */
      status: { ...textField, words: ["OPEN", "FULFILLED", "CANCELLED"] },
      /** Human-readable number of the record. */
      reference_number: textField,
      /** Currency of the amounts. */
      currency: textField,
      /** One-off total, excluding VAT. */
      total_once: { ...moneyField, currency: "currency" },
      /** Monthly total, excluding VAT. */
      total_monthly: { ...moneyField, currency: "currency" },
      /** Yearly total, excluding VAT. */
      total_yearly: { ...moneyField, currency: "currency" },
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
      /** When the record was canceled. */
      cancelled_at: timestampField,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Quote that became the order. */
      offer: "offers",
      /** Payments of the order. */
      payments: "payments",
    },
  },
  /** Quotes. */
  offers: {
    fields: {
      /** ID of the quote. */
      id: textField,
      /** ID of the customer. */
      customer_id: textField,
      /** Status of the record. */
      status: { ...textField, words: ["CONCEPT", "CONFIRMED", "DISCARDED"] },
      /** Human-readable number of the record. */
      reference_number: textField,
      /** Country whose prices apply. */
      pricing_country: textField,
      /** Number of updates so far, plus one. */
      version: integerField,
      /** Currency of the amounts. */
      currency: textField,
      /** One-off total, excluding VAT. */
      total_once: { ...moneyField, currency: "currency" },
      /** Monthly total, excluding VAT. */
      total_monthly: { ...moneyField, currency: "currency" },
      /** Yearly total, excluding VAT. */
      total_yearly: { ...moneyField, currency: "currency" },
      /** ID of the order, if the quote is confirmed. */
      order_id: textField2,
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Order of the record. */
      order: "orders",
    },
  },
  /** Work orders. */
  workorders: {
    fields: {
      /** ID of the work order. */
      id: textField,
      /** ID of the customer. */
      customer_id: textField,
      /** ID of the template. */
      work_order_template_id: textField2,
      /** Status of the record. */
      status: { ...textField, words: ["OPEN", "COMPLETED", "CANCELLED"] },
      /** Title of the record. */
      title: textField,
      /** Number of tasks. */
      task_count: integerField,
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
      /** When the work order was completed. */
      completed_at: timestampField,
      /** When the record was canceled. */
      cancelled_at: timestampField,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Appointments of the work order. */
      appointments: "appointments",
    },
  },
  /** Problems. */
  problems: {
    fields: {
      /** ID of the problem. */
      id: textField,
      /** Title of the record. */
      title: textField,
      /** Status of the record. */
      status: { ...textField, words: ["OPEN", "RESOLVED", "CLOSED", "ARCHIVED"] },
      /** ID of the portfolio. */
      portfolio_id: textField,
      /** ID of the customer. */
      customer_id: textField2,
      /** ID of the template. */
      problem_template_id: textField2,
      /** Whether the problem can’t be resolved manually. */
      manual_solving_disabled: booleanField,
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
      /** When the problem was resolved. */
      resolved_at: timestampField,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Portfolio of the problem. */
      portfolio: "customers",
    },
  },
  /** Payments with any status, whether received or not. */
  payments: {
    fields: {
      /** ID of the payment. */
      id: textField,
      /** ID of the order. */
      order_id: textField,
      /** ID of the customer. */
      customer_id: textField,
      /** Payment provider. */
      provider: { ...textField, words: ["MANUAL", "ONLINE", "TERMINAL"] },
      /** Status of the record. */
      status: { ...textField, words: ["OPEN", "PARTIALLY_PAID", "PAID", "FAILED", "EXPIRED", "CANCELLED"] },
      /** Currency of the amounts. */
      currency: textField,
      /** Requested amount. */
      amount: { ...moneyField, currency: "currency" },
      /** Received amount. */
      received: { ...moneyField, currency: "currency" },
      /** When the record was created. */
      created_at: timestampField2,
      /** When the record was last updated. */
      updated_at: timestampField2,
      /** When the payment was paid. */
      paid_at: timestampField,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Order of the record. */
      order: "orders",
    },
  },
  /** Recorded results of appointments. Each appointment has at most one. */
  appointment_results: {
    fields: {
      /** ID of the appointment. */
      id: textField,
      /** ID of the result. */
      result_code_id: textField,
      /** Name of the result. */
      result: textField,
      /** ID of the appointment type. */
      appointment_type_id: textField,
      /** ID of the member of the appointment. */
      member_id: textField3,
      /** ID of the member who recorded it. */
      recorder_id: textField3,
      /** ID of the customer. */
      customer_id: textField2,
      /** When the appointment started. */
      starts_at: timestampField2,
      /** When the result was recorded. */
      recorded_at: timestampField2,
    },
    relationships: {
      /** Customer of the record. */
      customer: "customers",
      /** Appointment of the result. */
      appointment: "appointments",
    },
  },
} as const satisfies Roots;

/** Starts a query over an entity of the catalog. */
export const from = queriesOver(ROOTS);
