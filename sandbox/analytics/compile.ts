import type { SQLInputValue } from 'node:sqlite';
import { Temporal } from 'temporal-polyfill';
import {
  type AnalyticsComparison,
  type AnalyticsFilter,
  type AnalyticsRelatedFilter,
  type AnalyticsValue,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import type { CatalogEntity, CatalogField } from './catalog.ts';
import { entityByName } from './entities.ts';
import { requireField, requireRelationship } from './invalidQuery.ts';
import type { Range } from './ranges.ts';
import { type ExactDecimal, floorAndCeiling, parseTimestamp, toSeconds } from './values.ts';

/** SQL operators for comparisons with one value. */
const SYMBOLS: Readonly<Partial<Record<Operator, string>>> = {
  [Operator.EQ]: '=',
  [Operator.NEQ]: '<>',
  [Operator.LT]: '<',
  [Operator.LTE]: '<=',
  [Operator.GT]: '>',
  [Operator.GTE]: '>=',
  [Operator.IN]: 'IN',
  [Operator.NOT_IN]: 'NOT IN',
};

const NEGATIVE: readonly Operator[] = [Operator.NEQ, Operator.NOT_IN];

const MAX_INT64 = 2n ** 63n - 1n;

/** Limits a number to 64 bits, because SQLite compares 64-bit integers and no column contains others. */
const clampInt64 = (value: bigint): bigint => (value > MAX_INT64 ? MAX_INT64 : value < -MAX_INT64 ? -MAX_INT64 : value);

/** Replaces the alias `row` in SQL. */
const withAlias = (sql: string, alias: string): string => sql.replace(/\brow\./g, `${alias}.`);

/** The member and time that a query is evaluated for. */
export interface Viewer {
  readonly workspaceId: string;
  readonly memberId: string;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Compiles a checked query to SQL over `row`, and collects its bindings. Assumed: as in SQL, a field without a value matches no comparison, including negated
 * ones. As in searches, `contains` ignores the case of A to Z.
 */
export class Compiler {
  readonly #viewer: Viewer;
  readonly bindings: Record<string, SQLInputValue>;
  #aliases = 0;

  constructor(viewer: Viewer) {
    this.#viewer = viewer;
    this.bindings = { workspaceId: viewer.workspaceId };
  }

  /** Adds a binding and returns its placeholder. */
  #bind(value: SQLInputValue): string {
    const name = `v${Object.keys(this.bindings).length}`;
    this.bindings[name] = value;
    return `:${name}`;
  }

  /** Condition for the rows of a root in this workspace, with another alias. */
  createOwnershipCondition({ where }: CatalogEntity, alias: string): string {
    return [`${alias}.workspace_id = :workspaceId`, ...(where ? [`(${withAlias(where, alias)})`] : [])].join(' AND ');
  }

  /** Condition for timestamps within a range. */
  createRangeCondition({ sql }: CatalogField, { start, end }: Range): string {
    const [first, last] = [start, end].map((timestamp) => this.#bind(floorAndCeiling(toSeconds(timestamp), 0).ceiling));
    return `${sql} >= ${first} AND ${sql} < ${last}`;
  }

  createFilterCondition(entity: CatalogEntity, filter: AnalyticsFilter, alias = 'row'): string {
    const { all, any, compare, related } = filter;
    const joinConditions = (children: readonly AnalyticsFilter[], word: string) =>
      `(${children.map((child) => this.createFilterCondition(entity, child, alias)).join(` ${word} `)})`;
    if (all) return joinConditions(all.children, 'AND');
    if (any) return joinConditions(any.children, 'OR');
    if (compare) return this.#createComparison(entity, compare, alias);
    if (related) return this.#createExistenceCondition(entity, related, alias);
    throw new Error('The filter must be validated before it is compiled.');
  }

  #createExistenceCondition(entity: CatalogEntity, { relationship: name, filter }: AnalyticsRelatedFilter, alias: string): string {
    const { on, entity: otherName } = requireRelationship(entity, name, name);
    const other = entityByName.get(otherName);
    if (!other) throw new Error(`There must be a root ${otherName}.`);
    this.#aliases += 1;
    const own = `r${this.#aliases}`;
    const link = withAlias(on, alias).replace(/\bother\./g, `${own}.`);
    const conditions = [
      `(${link})`,
      this.createOwnershipCondition(other, own),
      ...(filter ? [this.createFilterCondition(other, filter, own)] : []),
    ];
    return `EXISTS (SELECT 1 FROM ${other.table} AS ${own} WHERE ${conditions.join(' AND ')})`;
  }

  #createComparison(entity: CatalogEntity, { field: name, operator, values }: AnalyticsComparison, alias: string): string {
    const field = requireField(entity, name, name);
    const sql = withAlias(field.sql, alias);
    if (operator === Operator.IS_NULL) return `${sql} IS NULL`;
    if (operator === Operator.IS_NOT_NULL) return `${sql} IS NOT NULL`;
    if (operator === Operator.CONTAINS) return createContainsSql(sql, this.#bind(toAsciiLowerCase(values[0]?.text ?? '')));
    const isNumber = field.type === FieldType.INTEGER || field.type === FieldType.DECIMAL || field.type === FieldType.TIMESTAMP;
    if (isNumber) return this.#numbers(sql, operator, { scale: field.scale ?? 0, values: values.map((value) => this.#number(value)) });
    return this.#createValueComparison(
      sql,
      operator,
      values.map((value) => this.#text(value)),
    );
  }

  /** Compares with values in the column's form. Without values, because the column can't contain them, only the negated operators match. */
  #createValueComparison(sql: string, operator: Operator, values: readonly SQLInputValue[]): string {
    if (values.length === 0) return NEGATIVE.includes(operator) ? `${sql} IS NOT NULL` : 'FALSE';
    const bound = values.map((value) => this.#bind(value)).join(', ');
    return operator === Operator.IN || operator === Operator.NOT_IN
      ? `${sql} ${SYMBOLS[operator]} (${bound})`
      : `${sql} ${SYMBOLS[operator]} ${bound}`;
  }

  /** Compares integers with numbers that may have fractions. */
  #numbers(
    sql: string,
    operator: Operator,
    { scale, values }: { readonly scale: number; readonly values: readonly ExactDecimal[] },
  ): string {
    const bounds = values.map((value) => floorAndCeiling(value, scale));
    if (operator === Operator.LT || operator === Operator.GTE)
      return this.#createValueComparison(
        sql,
        operator,
        bounds.map(({ ceiling }) => clampInt64(ceiling)),
      );
    if (operator === Operator.LTE || operator === Operator.GT)
      return this.#createValueComparison(
        sql,
        operator,
        bounds.map(({ floor }) => clampInt64(floor)),
      );
    const exact = bounds.filter(({ floor, ceiling }) => floor === ceiling && clampInt64(floor) === floor);
    return this.#createValueComparison(
      sql,
      operator,
      exact.map(({ floor }) => floor),
    );
  }

  #number({ integer, decimal, timestamp, nowOffsetSeconds }: AnalyticsValue): ExactDecimal {
    if (integer !== undefined) return { unscaled: integer, scale: 0 };
    if (decimal) return decimal;
    if (nowOffsetSeconds !== undefined) return { unscaled: BigInt(this.#viewer.now) + nowOffsetSeconds, scale: 0 };
    return toSeconds(parseTimestamp(timestamp ?? '') ?? Temporal.Instant.fromEpochMilliseconds(0));
  }

  #text({ text, date, boolean, currentMember }: AnalyticsValue): SQLInputValue {
    if (boolean !== undefined) return Number(boolean);
    return currentMember ? this.#viewer.memberId : (text ?? date ?? '');
  }
}
