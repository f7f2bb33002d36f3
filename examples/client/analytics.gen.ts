// Generated from the catalog of analytics by `npm run analytics:types`. Do not edit.

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
  /** Whether it can be compared with the member behind the key. */
  readonly isMember: boolean;
  /** The only texts that it is known to have. */
  readonly words?: readonly string[];
  /** Of an amount: the field that must be a dimension wherever the amount is aggregated. */
  readonly currency?: string;
}

interface Root {
  readonly fields: Readonly<Record<string, Field>>;
  /** The roots that its relationships lead to, by name. */
  readonly relationships: Readonly<Record<string, string>>;
}

type Roots = Readonly<Record<string, Root>>;
type Name<Named> = keyof Named & string;
type FieldOf<R extends Root, F extends Name<R['fields']>> = R['fields'][F];
type WordsOf<F extends Field> = F extends { readonly words: readonly (infer Word extends string)[] } ? Word : string;

/** An amount in major units, as exact text. */
export interface Money {
  readonly amount: string;
  readonly currencyCode: string;
}

/** Values as rows have them: whole numbers are bigints, decimals exact texts, and moments and dates texts of ISO 8601. */
interface Values {
  readonly TEXT: string;
  readonly INTEGER: bigint;
  readonly DECIMAL: string;
  readonly MONEY: Money;
  readonly BOOLEAN: boolean;
  readonly TIMESTAMP: string;
  readonly DATE: string;
}

/** Value of a field in a row. Words that are newer than these types may come, too. */
type ValueOf<F extends Field> = F['type'] extends 'TEXT' ? WordsOf<F> | (string & Record<never, never>) : Values[F['type']];
type NullableValueOf<F extends Field> = ValueOf<F> | (F['isNullable'] extends true ? null : never);

interface Sent {
  readonly INTEGER: number | bigint;
  readonly DECIMAL: string;
  readonly MONEY: never;
  readonly BOOLEAN: boolean;
  readonly TIMESTAMP: string | { readonly nowOffsetSeconds: number };
  readonly DATE: string;
}

/** A value to compare a field with: `nowOffsetSeconds` is so long from now. */
type Operand<F extends Field> =
  | (F['type'] extends keyof Sent ? Sent[F['type']] : WordsOf<F>)
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
/** A condition on rows of one root. */
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

/** Conditions on rows of a root. */
class Conditions<All extends Roots, R extends Name<All>> {
  readonly #roots: All;
  readonly #root: R;

  constructor(roots: All, root: R) {
    this.#roots = roots;
    this.#root = root;
  }

  /** Compares a field with as many values as the operator takes. `NEQ` and `NOT_IN` do not find rows without a value. */
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

  /** Some row that the relationship leads to satisfies the condition, or any does when there is none. */
  related<N extends Name<All[R]['relationships']>>(
    relationship: N,
    condition?: Condition<All, All[R]['relationships'][N] & Name<All>>,
  ): Filter<R> {
    const other = this.#roots[this.#root]?.relationships[relationship] as All[R]['relationships'][N] & Name<All>;
    return { related: { relationship, ...(condition && { filter: condition(new Conditions(this.#roots, other)) }) } };
  }
}

/** Columns by their names. `isNumber` is for those that a ratio can be made of. */
type Columns = Readonly<Record<string, { readonly value: unknown; readonly isNumber: boolean }>>;
type Column<Id extends string, Value, IsNumber extends boolean = false> = Readonly<
  Record<Id, { readonly value: Value; readonly isNumber: IsNumber }>
>;
type NumbersOf<C extends Columns> = { [Id in Name<C>]: C[Id]['isNumber'] extends true ? Id : never }[Name<C>];

/** Key of a row under which stand the columns whose value there is, but is not known. They are null in it, as columns without a value are. */
export const UNAVAILABLE: unique symbol = Symbol('unavailable');
/** Row of a result by the names of its columns. */
export type Row<C extends Columns> = { readonly [Id in Name<C>]: C[Id]['value'] } & { readonly [UNAVAILABLE]: readonly Name<C>[] };
/** Row that a query answers. */
export type RowOf<Q extends { readonly rows: (result: never) => readonly unknown[] }> = ReturnType<Q['rows']>[number];

/** The part of a result that rows are made of: `columns { name valueType } rows { cells { status value } }`. */
interface Result {
  readonly columns: readonly { readonly name: string; readonly valueType?: string | null }[];
  readonly rows: readonly { readonly cells: readonly { readonly status?: string | null; readonly value?: unknown }[] }[];
}

type Range =
  /** Both dates are part of it. */
  | { readonly calendar: { readonly startDate: string; readonly endDate: string } }
  /** The end is no part of it. */
  | { readonly timestamp: { readonly from: string; readonly to: string } }
  /** An offset of -1 is the period before. */
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

/** A query as the graph takes it. */
interface QueryInput<R extends string> extends Draft<R> {
  readonly select: { readonly aggregate: Aggregate } | { readonly records: string[] };
  readonly sort?: { readonly column: string; readonly direction: 'ASC' | 'DESC' }[];
  readonly limit?: number;
}

/** A query whose columns are chosen. */
class Query<R extends string, C extends Columns> {
  /** The variable of the query. */
  readonly input: QueryInput<R>;

  constructor(input: QueryInput<R>) {
    this.input = input;
  }

  /** Sorts by the name of a column; by a further one, when it is called again. Rows without a value come last either way. */
  sort(column: Name<C>, direction: 'ASC' | 'DESC' = 'ASC'): Query<R, C> {
    return new Query({ ...this.input, sort: [...(this.input.sort ?? []), { column, direction }] });
  }

  /** The most rows that are answered, from 1 to 100. */
  limit(limit: number): Query<R, C> {
    return new Query({ ...this.input, limit });
  }

  /** The rows of an answer to this query. */
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

/** Names of the fields that an aggregation takes: amounts only beside the dimension of their currency. */
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
  /** Only rows that satisfy it feed the measure. */
  readonly condition?: Condition<All, R>;
}

/** Column of a measure: counts are whole, averages have more digits than the field, and all others are values of it or their sum. */
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

/** A query that counts: dimensions come before the measures, so that the types know which currencies are told apart. */
class Groups<
  All extends Roots,
  R extends Name<All>,
  /** Whether there is a stretch of time, which buckets need. */
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
    if (all.some((each) => each.name === name))
      throw new Error(`The query has a column ${name} already: give one of the two another name.`);
    const aggregate = { dimensions: [...before.dimensions, ...dimensions], measures: [...before.measures, ...measures] };
    return new Groups<All, R, HasRange, D, Added>(this.#roots, this.#root, this.#draft, aggregate);
  }

  #condition({ condition }: MeasureOptions<All, R>): { readonly condition?: FilterInput } {
    return condition ? { condition: condition(new Conditions(this.#roots, this.#root)) } : {};
  }

  /** Groups by the values of a field. Its column is the field's name. */
  by<F extends Name<All[R]['fields']>, Id extends string = F>(field: F, options: { readonly name?: Id } = {}) {
    type Added = C & Column<Id, NullableValueOf<FieldOf<All[R], F>>>;
    const name = options.name ?? field;
    return this.#with<Dimensions | F, Added>(name, { dimensions: [{ name, field }] });
  }

  /** Groups by stretches of time, shown by their first days. Only after `during`. Its column is field_bucket: created_at_month. */
  byTime<F extends TimedIn<All[R]>, B extends FieldOf<All[R], F>['buckets'][number], Id extends string = `${F}_${Lowercase<B>}`>(
    field: F & (HasRange extends true ? unknown : never),
    bucket: B,
    options: { readonly name?: Id } = {},
  ) {
    type Added = C & Column<Id, string | (FieldOf<All[R], F>['isNullable'] extends true ? null : never)>;
    const name = options.name ?? `${field}_${bucket.toLowerCase()}`;
    return this.#with<Dimensions, Added>(name, { dimensions: [{ name, field, bucket }] });
  }

  /** Counts rows of the root. Its column is count. */
  count<Id extends string = 'count'>(options: MeasureOptions<All, R, Id> = {}) {
    const name = options.name ?? 'count';
    return this.#with<Dimensions, C & Column<Id, bigint, true>>(name, { measures: [{ count: { name, ...this.#condition(options) } }] });
  }

  /**
   * Takes a field: `COUNT_DISTINCT` counts the values that differ, `SUM`, `AVG`, `MIN` and `MAX` are null over no rows. Its column is aggregation_field:
   * sum_total_once.
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

  /** The least value that so large a part of the values does not exceed, such as `0.95`; null over no rows. Its column is percentile_disc_field. */
  percentile<F extends Aggregated<All[R], 'PERCENTILE_DISC', Dimensions>, Id extends string = `percentile_disc_${F}`>(
    field: F,
    percentile: `0.${number}` | '1',
    options: MeasureOptions<All, R, Id> = {},
  ) {
    const name = options.name ?? `percentile_disc_${field}`;
    const measure = { percentile: { name, field, percentile, ...this.#condition(options) } };
    return this.#with<Dimensions, C & Measure<FieldOf<All[R], F>, 'PERCENTILE_DISC', Id>>(name, { measures: [measure] });
  }

  /** Divides a measure by another; null where that is zero or null. Its column is numerator_per_denominator. */
  ratio<N extends NumbersOf<C>, D extends NumbersOf<C>, Id extends string = `${N}_per_${D}`>(
    numerator: N,
    denominator: D,
    options: { readonly name?: Id } = {},
  ) {
    const name = options.name ?? `${numerator}_per_${denominator}`;
    return this.#with<Dimensions, C & Column<Id, string | null>>(name, { measures: [{ ratio: { name, numerator, denominator } }] });
  }
}

/** The rows of a root that a query looks at. */
class Source<All extends Roots, R extends Name<All>, HasRange extends boolean = false> {
  readonly #roots: All;
  readonly #root: R;
  readonly #draft: Draft<R>;

  constructor(roots: All, root: R, draft: Draft<R>) {
    this.#roots = roots;
    this.#root = root;
    this.#draft = draft;
  }

  /** The zone of dates and buckets, such as `Europe/Amsterdam`. That of the workspace unless given. */
  timezone(timezone: string): Source<All, R, HasRange> {
    return new Source(this.#roots, this.#root, { ...this.#draft, timezone });
  }

  /** Only rows of a stretch of time. */
  during(field: TimedIn<All[R]>, range: Range): Source<All, R, true> {
    return new Source(this.#roots, this.#root, { ...this.#draft, timeRange: { field, range } });
  }

  /** Only rows that satisfy a condition; called once. */
  where(condition: Condition<All, R>): Source<All, R, HasRange> {
    return new Source(this.#roots, this.#root, { ...this.#draft, filter: condition(new Conditions(this.#roots, this.#root)) });
  }

  /** Counts and sums. */
  groups(): Groups<All, R, HasRange, never, Record<never, never>> {
    return new Groups(this.#roots, this.#root, this.#draft, { dimensions: [], measures: [] });
  }

  /** The rows themselves, with these fields as columns. */
  records<F extends Name<All[R]['fields']>>(...fields: readonly [F, ...F[]]): Query<R, RecordColumns<All[R], F>> {
    return new Query({ ...this.#draft, select: { records: [...fields] } });
  }
}

/** Begins a query over a root of the catalog. */
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
      /** Id of the customer. */
      id: textField,
      /** Title. */
      title: textField,
      /** Number. */
      reference_number: textField,
      /** Id of the contact. */
      contact_id: textField2,
      /** Id of the status on the journey. */
      journey_status_id: textField2,
      /** Expected to be won or lost at. */
      expected_close_date: timestampField,
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
    },
    relationships: {
      /** The orders of the customer. */
      orders: "orders",
      /** The offers of the customer. */
      offers: "offers",
      /** The workorders of the customer. */
      workorders: "workorders",
      /** The problems of the customer or portfolio. */
      problems: "problems",
      /** The payments of the customer. */
      payments: "payments",
      /** The appointments of the customer. */
      appointments: "appointments",
      /** The appointment_results of the customer. */
      appointment_results: "appointment_results",
    },
  },
  /** Appointments, whatever has become of them. */
  appointments: {
    fields: {
      /** Id of the appointment. */
      id: textField,
      /** State. */
      status: { ...textField, words: ["PUBLIC_APPOINTMENT_STATUS_SCHEDULED", "PUBLIC_APPOINTMENT_STATUS_COMPLETED", "PUBLIC_APPOINTMENT_STATUS_CANCELLED"] },
      /** Where it was made. */
      source: { ...textField, words: ["PUBLIC_APPOINTMENT_SOURCE_LOCAL", "PUBLIC_APPOINTMENT_SOURCE_EXTERNAL"] },
      /** Id of the agenda. */
      agenda_id: textField,
      /** Id of the type. */
      appointment_type_id: textField,
      /** Id of the member who goes there. */
      member_id: textField3,
      /** Id of the customer. */
      customer_id: textField2,
      /** Id of the work order. */
      work_order_id: textField2,
      /** Begins at. */
      starts_at: timestampField2,
      /** Ends at. */
      ends_at: timestampField2,
      /** Length, in whole minutes. */
      duration_minutes: integerField,
      /** Length in hours, in hundredths. */
      duration_hours: decimalField,
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
      /** Cancelled at. */
      cancelled_at: timestampField,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** The work order. */
      workorder: "workorders",
      /** The result, once there is one. */
      result: "appointment_results",
    },
  },
  /** Orders: one for each confirmed quote, and none for each of its work orders. */
  orders: {
    fields: {
      /** Id of the order. */
      id: textField,
      /** Id of the customer. */
      customer_id: textField,
      /** Id of the quote. */
      quote_id: textField,
      /** State. */
      status: { ...textField, words: ["PUBLIC_ORDER_STATUS_OPEN", "PUBLIC_ORDER_STATUS_FULFILLED", "PUBLIC_ORDER_STATUS_CANCELLED"] },
      /** Number. */
      reference_number: textField,
      /** Currency of the amounts. */
      currency: textField,
      /** One-time amount, without VAT. */
      total_once: { ...moneyField, currency: "currency" },
      /** Amount a month, without VAT. */
      total_monthly: { ...moneyField, currency: "currency" },
      /** Amount a year, without VAT. */
      total_yearly: { ...moneyField, currency: "currency" },
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
      /** Cancelled at. */
      cancelled_at: timestampField,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** The quote that became the order. */
      offer: "offers",
      /** The payments of the order. */
      payments: "payments",
    },
  },
  /** Quotes. */
  offers: {
    fields: {
      /** Id of the quote. */
      id: textField,
      /** Id of the customer. */
      customer_id: textField,
      /** State. */
      status: { ...textField, words: ["PUBLIC_QUOTE_STATUS_CONCEPT", "PUBLIC_QUOTE_STATUS_CONFIRMED", "PUBLIC_QUOTE_STATUS_DISCARDED"] },
      /** Number. */
      reference_number: textField,
      /** Country whose prices it has. */
      pricing_country: textField,
      /** Changes so far, and one. */
      version: integerField,
      /** Currency of the amounts. */
      currency: textField,
      /** One-time amount, without VAT. */
      total_once: { ...moneyField, currency: "currency" },
      /** Amount a month, without VAT. */
      total_monthly: { ...moneyField, currency: "currency" },
      /** Amount a year, without VAT. */
      total_yearly: { ...moneyField, currency: "currency" },
      /** Id of the order, once it is confirmed. */
      order_id: textField2,
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** The order. */
      order: "orders",
    },
  },
  /** Work orders. */
  workorders: {
    fields: {
      /** Id of the work order. */
      id: textField,
      /** Id of the customer. */
      customer_id: textField,
      /** Id of the template. */
      work_order_template_id: textField2,
      /** State. */
      status: { ...textField, words: ["PUBLIC_WORK_ORDER_STATUS_OPEN", "PUBLIC_WORK_ORDER_STATUS_COMPLETED", "PUBLIC_WORK_ORDER_STATUS_CANCELLED"] },
      /** Title. */
      title: textField,
      /** Tasks. */
      task_count: integerField,
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
      /** Completed at. */
      completed_at: timestampField,
      /** Cancelled at. */
      cancelled_at: timestampField,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** Its appointments. */
      appointments: "appointments",
    },
  },
  /** Problems. */
  problems: {
    fields: {
      /** Id of the problem. */
      id: textField,
      /** Title. */
      title: textField,
      /** State. */
      status: { ...textField, words: ["PUBLIC_PROBLEM_STATUS_OPEN", "PUBLIC_PROBLEM_STATUS_RESOLVED", "PUBLIC_PROBLEM_STATUS_CLOSED", "PUBLIC_PROBLEM_STATUS_ARCHIVED"] },
      /** Id of the portfolio. */
      portfolio_id: textField,
      /** Id of the customer. */
      customer_id: textField2,
      /** Id of the template. */
      problem_template_id: textField2,
      /** Whether nobody can resolve it by hand. */
      manual_solving_disabled: booleanField,
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
      /** Resolved at. */
      resolved_at: timestampField,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** The portfolio. */
      portfolio: "customers",
    },
  },
  /** Payments, whether or not the money has come. */
  payments: {
    fields: {
      /** Id of the payment. */
      id: textField,
      /** Id of the order. */
      order_id: textField,
      /** Id of the customer. */
      customer_id: textField,
      /** Provider. */
      provider: { ...textField, words: ["PUBLIC_PAYMENT_PROVIDER_MANUAL", "PUBLIC_PAYMENT_PROVIDER_ONLINE", "PUBLIC_PAYMENT_PROVIDER_TERMINAL"] },
      /** State. */
      status: { ...textField, words: ["PUBLIC_PAYMENT_STATUS_OPEN", "PUBLIC_PAYMENT_STATUS_PARTIALLY_PAID", "PUBLIC_PAYMENT_STATUS_PAID", "PUBLIC_PAYMENT_STATUS_FAILED", "PUBLIC_PAYMENT_STATUS_EXPIRED", "PUBLIC_PAYMENT_STATUS_CANCELLED"] },
      /** Currency of the amounts. */
      currency: textField,
      /** Asked for. */
      amount: { ...moneyField, currency: "currency" },
      /** Received. */
      received: { ...moneyField, currency: "currency" },
      /** Made at. */
      created_at: timestampField2,
      /** Last changed at. */
      updated_at: timestampField2,
      /** Paid at. */
      paid_at: timestampField,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** The order. */
      order: "orders",
    },
  },
  /** Results that were recorded of appointments, one at most for each. */
  appointment_results: {
    fields: {
      /** Id of the appointment. */
      id: textField,
      /** Id of the result. */
      result_code_id: textField,
      /** Name of the result. */
      result: textField,
      /** Id of the type of the appointment. */
      appointment_type_id: textField,
      /** Id of the member who went there. */
      member_id: textField3,
      /** Id of the member who recorded it. */
      recorder_id: textField3,
      /** Id of the customer. */
      customer_id: textField2,
      /** The appointment began at. */
      starts_at: timestampField2,
      /** Recorded at. */
      recorded_at: timestampField2,
    },
    relationships: {
      /** The customer. */
      customer: "customers",
      /** The appointment. */
      appointment: "appointments",
    },
  },
} as const satisfies Roots;

/** Begins a query over a root of the catalog. */
export const from = queriesOver(ROOTS);
