// Fields, values and conditions of queries. `analytics-types` prints this source, followed by that of queries.ts and the catalog.

export type ValueType = 'TEXT' | 'INTEGER' | 'DECIMAL' | 'MONEY' | 'BOOLEAN' | 'TIMESTAMP' | 'DATE';
type Operator = 'EQ' | 'NEQ' | 'LT' | 'LTE' | 'GT' | 'GTE' | 'IN' | 'NOT_IN' | 'CONTAINS' | 'IS_NULL' | 'IS_NOT_NULL';
export type Aggregation = 'COUNT_DISTINCT' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'PERCENTILE_DISC';
export type Bucket = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR';
export type Period =
  | 'TODAY'
  | 'THIS_WEEK'
  | 'THIS_MONTH'
  | 'THIS_QUARTER'
  | 'THIS_YEAR'
  | 'LAST_7_DAYS'
  | 'LAST_30_DAYS'
  | 'LAST_90_DAYS'
  | 'LAST_12_MONTHS';

export interface Field {
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

export interface Root {
  readonly fields: Readonly<Record<string, Field>>;
  /** Entities that its relationships lead to, by relationship name. */
  readonly relationships: Readonly<Record<string, string>>;
}

export type Roots = Readonly<Record<string, Root>>;
export type Name<Named> = keyof Named & string;
export type FieldOf<R extends Root, F extends Name<R['fields']>> = R['fields'][F];
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
export type ValueOf<F extends Field> = F['type'] extends 'TEXT' ? EnumValueOf<F> | (string & Record<never, never>) : Values[F['type']];
export type NullableValueOf<F extends Field> = ValueOf<F> | (F['isNullable'] extends true ? null : never);

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

export type FilterInput =
  | { readonly all: FilterInput[] }
  | { readonly any: FilterInput[] }
  | { readonly compare: { readonly field: string; readonly operator: Operator; readonly values: ValueInput[] } }
  | { readonly related: { readonly relationship: string; readonly filter?: FilterInput } };

declare const ROOT: unique symbol;
/** A condition on rows of one entity. */
type Filter<R extends string> = FilterInput & { readonly [ROOT]?: R };
export type Condition<All extends Roots, R extends Name<All>> = (root: Conditions<All, R>) => Filter<R>;

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
export class Conditions<All extends Roots, R extends Name<All>> {
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
