import type { DescEnum } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { Permission } from '../kernel/permissions.ts';

/** A field of a root. Texts, whole numbers and moments are held as the columns of the sandbox hold them. */
export interface CatalogField {
  readonly name: string;
  readonly description: string;
  readonly type: FieldType;
  /**
   * The value in SQL over `row`, NULL where there is none: a text, a whole number, 0 or 1, Unix seconds, for amounts minor units, and for decimals a
   * whole number of which `scale` digits stand behind the point.
   */
  readonly sql: string;
  readonly isNullable?: true;
  /** Holds the id of a member, so that it can be compared with the one behind the key. */
  readonly isMember?: true;
  /** The only texts that it has. */
  readonly words?: readonly string[];
  /** Digits behind the point of a decimal. */
  readonly scale?: number;
  /** For amounts: the field that names their currency. */
  readonly currencyField?: string;
}

/** A step from a row of one root to rows of another. */
export interface CatalogRelationship {
  readonly name: string;
  /** The root that it leads to. */
  readonly entity: string;
  readonly description: string;
  /** The condition in SQL between `row`, of this root, and `other`, of the one that it leads to. */
  readonly on: string;
}

/** A root: the records that a query counts. */
export interface CatalogEntity {
  readonly name: string;
  readonly description: string;
  readonly table: string;
  /** The rows of the table that belong to it, in SQL over `row`; all of them when absent. */
  readonly where?: string;
  /** The domain that the caller needs full access to. */
  readonly permission: Permission;
  /** The kind of records by which `unresolvedSnapshotTable` knows rows whose amounts are not settled. */
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
/** An id that may be missing: the sandbox keeps an empty text then. */
export const optionalText = (name: string, description: string, more: Partial<CatalogField> = {}) =>
  text(name, description, { sql: `nullif(row.${name}, '')`, isNullable: true, ...more });
export const integer = (name: string, description: string, more: Partial<CatalogField> = {}) =>
  field(name, FieldType.INTEGER, description, more);
export const decimal = (name: string, scale: number, sql: string, description: string) =>
  field(name, FieldType.DECIMAL, description, { scale, sql });
export const flag = (name: string, description: string) => field(name, FieldType.BOOLEAN, description);
export const moment = (name: string, description: string) => field(name, FieldType.TIMESTAMP, description);
export const optionalMoment = (name: string, description: string) => field(name, FieldType.TIMESTAMP, description, { isNullable: true });
/** An amount in the currency of the row. */
export const money = (name: string, description: string) =>
  field(name, FieldType.MONEY, description, { sql: `row.${name}_minor`, currencyField: 'currency' });

/** A word of an enum, as the contract names it. The column holds its number. */
export function word(name: string, { values }: DescEnum, description: string): CatalogField {
  const cases = values.map((value) => `WHEN ${value.number} THEN '${value.name}'`);
  const words = values.filter(({ number }) => number !== 0).map((value) => value.name);
  return text(name, description, { sql: `CASE row.${name} ${cases.join(' ')} END`, words });
}

const EQUALITY = [Operator.EQ, Operator.NEQ, Operator.IN, Operator.NOT_IN];
const ORDER = [Operator.LT, Operator.LTE, Operator.GT, Operator.GTE];
const NULLITY = [Operator.IS_NULL, Operator.IS_NOT_NULL];

/** Operators by type. Assumed: the upstream names a few, and not which type takes which. Amounts cannot be compared, since their currencies differ. */
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

/** The operators that a field can be compared by. */
export function operatorsOf({ type, isNullable }: CatalogField): readonly Operator[] {
  const operators = OPERATORS[type] ?? [];
  return isNullable && operators.length > 0 ? [...operators, ...NULLITY] : operators;
}

/** The aggregations that take a field. */
export const aggregationsOf = ({ type }: CatalogField): readonly Aggregation[] => AGGREGATIONS[type] ?? [];

/** The aggregations that take none. */
export const FIELDLESS: readonly Aggregation[] = [Aggregation.COUNT, Aggregation.RATIO];
