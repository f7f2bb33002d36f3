import type { DescEnum } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { Permission } from '../kernel/permissions.ts';

/** A field of a root. Texts, integers and timestamps are stored as in the sandbox's columns. */
export interface CatalogField {
  readonly name: string;
  readonly description: string;
  readonly type: FieldType;
  /**
   * SQL expression for the value of `row`, or NULL if there is none. Booleans are 0 or 1, timestamps are Unix seconds, and amounts are in minor units. Decimals
   * are integers with `scale` decimal places.
   */
  readonly sql: string;
  readonly isNullable?: true;
  /** Whether it contains a member ID, which can be compared with the member behind the key. */
  readonly isMember?: true;
  /** All possible values of a text. */
  readonly enumValues?: readonly string[];
  /** Number of decimal places. */
  readonly scale?: number;
  /** For amounts: the field with the currency. */
  readonly currencyField?: string;
}

/** A relationship from one root to another. */
export interface CatalogRelationship {
  readonly name: string;
  /** The related root. */
  readonly entity: string;
  readonly description: string;
  /** SQL condition that joins `row` to the related row, `other`. */
  readonly on: string;
}

/** A root: a type of record that queries can count. */
export interface CatalogEntity {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  /** SQL condition for the rows of the table that belong to the root. Defaults to all. */
  readonly where?: string;
  /** The permission that the caller needs: full access to the domain. */
  readonly permission: Permission;
  /** The kind in `unresolvedSnapshotTable` that identifies rows with unresolved amounts. */
  readonly snapshots?: 'order' | 'offer';
  readonly fields: readonly CatalogField[];
  readonly relationships: readonly CatalogRelationship[];
}

const field = (name: string, type: FieldType, description: string, more: Partial<CatalogField> = {}): CatalogField => ({
  name,
  type,
  description,
  sql: `row.${name}`,
  ...more,
});

export const text = (name: string, description: string, more: Partial<CatalogField> = {}) => field(name, FieldType.TEXT, description, more);
/** An optional ID, which the sandbox stores as an empty string if it's missing. */
export const optionalText = (name: string, description: string, more: Partial<CatalogField> = {}) =>
  text(name, description, { sql: `nullif(row.${name}, '')`, isNullable: true, ...more });
export const integer = (name: string, description: string, more: Partial<CatalogField> = {}) =>
  field(name, FieldType.INTEGER, description, more);
export const decimal = (name: string, scale: number, sql: string, description: string) =>
  field(name, FieldType.DECIMAL, description, { scale, sql });
export const flag = (name: string, description: string) => field(name, FieldType.BOOLEAN, description);
export const timestamp = (name: string, description: string) => field(name, FieldType.TIMESTAMP, description);
export const optionalTimestamp = (name: string, description: string) => field(name, FieldType.TIMESTAMP, description, { isNullable: true });
/** An amount in the currency of its row. */
export const money = (name: string, description: string) =>
  field(name, FieldType.MONEY, description, { sql: `row.${name}_minor`, currencyField: 'currency' });

/** An enum value, by its name in the contract. The column contains its number. */
export function enumField(name: string, { values }: DescEnum, description: string): CatalogField {
  const cases = values.map((value) => `WHEN ${value.number} THEN '${value.name}'`);
  const words = values.filter(({ number }) => number !== 0).map((value) => value.name);
  return text(name, description, { sql: `CASE row.${name} ${cases.join(' ')} END`, enumValues: words });
}

const EQUALITY = [Operator.EQ, Operator.NEQ, Operator.IN, Operator.NOT_IN];
const ORDER = [Operator.LT, Operator.LTE, Operator.GT, Operator.GTE];
const NULLITY = [Operator.IS_NULL, Operator.IS_NOT_NULL];

/** Operators by type. Assumed: the upstream documents only some operators, without their types. Amounts can't be compared, because their currencies differ. */
const OPERATORS: Readonly<Partial<Record<FieldType, readonly Operator[]>>> = {
  [FieldType.TEXT]: [...EQUALITY, Operator.CONTAINS],
  [FieldType.INTEGER]: [...EQUALITY, ...ORDER],
  [FieldType.DECIMAL]: [...EQUALITY, ...ORDER],
  [FieldType.BOOLEAN]: [Operator.EQ, Operator.NEQ],
  [FieldType.TIMESTAMP]: [...EQUALITY, ...ORDER],
  [FieldType.DATE]: [...EQUALITY, ...ORDER],
};

const DISTINCT = [Aggregation.COUNT_DISTINCT];
const EXTREMES = [Aggregation.MIN, Aggregation.MAX, Aggregation.PERCENTILE_DISC];
const SUMS = [Aggregation.SUM, Aggregation.AVG];

/** Aggregations by type. Assumed. */
const AGGREGATIONS: Readonly<Partial<Record<FieldType, readonly Aggregation[]>>> = {
  [FieldType.TEXT]: DISTINCT,
  [FieldType.INTEGER]: [...DISTINCT, ...SUMS, ...EXTREMES],
  [FieldType.DECIMAL]: [...DISTINCT, ...SUMS, ...EXTREMES],
  [FieldType.MONEY]: [...SUMS, ...EXTREMES],
  [FieldType.BOOLEAN]: DISTINCT,
  [FieldType.TIMESTAMP]: [...DISTINCT, ...EXTREMES],
  [FieldType.DATE]: [...DISTINCT, ...EXTREMES],
};

/** Operators that can be applied to a field. */
export function listOperators({ type, isNullable }: CatalogField): readonly Operator[] {
  const operators = OPERATORS[type] ?? [];
  return isNullable && operators.length > 0 ? [...operators, ...NULLITY] : operators;
}

/** Aggregations that can be applied to a field. */
export const listAggregations = ({ type }: CatalogField): readonly Aggregation[] => AGGREGATIONS[type] ?? [];

/** Aggregations without a field. */
export const FIELDLESS: readonly Aggregation[] = [Aggregation.COUNT, Aggregation.RATIO];
