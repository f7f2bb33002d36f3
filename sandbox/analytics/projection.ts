import {
  type AnalyticsProjection,
  type AnalyticsQuery,
  AnalyticsFieldType as FieldType,
  AnalyticsSortDirection as SortDirection,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity, CatalogField } from './catalog.ts';
import { type Cell, UNAVAILABLE } from './cells.ts';
import { createThousandthsSql, getCurrencyDigits } from './currencyDigits.ts';
import { requireField } from './invalidQuery.ts';
import { createUnresolvedSql, createUnresolvedWarnings, type QueryResult, type Source, type Value } from './queryResult.ts';

function createCell({ type, scale = 0 }: CatalogField, value: Value, currency: Value, isUnresolved: boolean): Cell {
  if (type !== FieldType.MONEY) return { value, scale };
  return isUnresolved ? UNAVAILABLE : { value, scale: getCurrencyDigits(String(currency)), currency: String(currency) };
}

const createCurrencySql = (entity: CatalogEntity, { currencyField: name }: CatalogField): string =>
  name === undefined ? 'NULL' : requireField(entity, name, name).sql;

/** SQL for a value that sorts like the field's cells. Doesn't overflow 64 bits, because amounts are safe integers. */
function createSortSql(entity: CatalogEntity, field: CatalogField): string {
  if (field.type !== FieldType.MONEY) return field.sql;
  return `CASE WHEN NOT ${createUnresolvedSql(entity)} THEN ${createThousandthsSql(field.sql, createCurrencySql(entity, field))} END`;
}

/** ORDER BY for the requested sort. All columns break ties, then the ID, which is also the default. */
function createOrder(entity: CatalogEntity, fields: readonly CatalogField[], { sort }: AnalyticsQuery): string {
  const id = requireField(entity, 'id', 'id');
  const requested = sort.map(({ column, direction }) => ({
    field: requireField(entity, column, column),
    isDescending: direction === SortDirection.DESC,
  }));
  const ties = [...(sort.length > 0 ? fields : []), id].map((field) => ({ field, isDescending: false }));
  const names = new Set<string>();
  const terms: string[] = [];
  for (const { field, isDescending } of [...requested, ...ties]) {
    // IDs are unique. Terms without an effect would keep SQLite from reading the rows from an index in this order.
    if (names.has(field.name) || names.has(id.name)) continue;
    names.add(field.name);
    const canBeNull = field.isNullable || field.type === FieldType.MONEY;
    terms.push(`${createSortSql(entity, field)} ${isDescending ? 'DESC' : canBeNull ? 'ASC NULLS LAST' : 'ASC'}`);
  }
  return terms.join(', ');
}

/** Selects fields of the first rows, and one row more than the limit if there are more. */
export function executeProjection(
  { store, entity, compiler, sql, query, checkTime }: Source,
  { fields: names }: AnalyticsProjection,
): QueryResult {
  const fields = names.map((name) => requireField(entity, name, name));
  const isAboutMoney = fields.some(({ type }) => type === FieldType.MONEY);
  const columns = [
    ...fields.map((field) => field.sql),
    ...fields.map((field) => createCurrencySql(entity, field)),
    isAboutMoney ? createUnresolvedSql(entity) : 'FALSE',
  ];
  const statement = `SELECT ${columns.join(', ')} ${sql} ORDER BY ${createOrder(entity, fields, query)} LIMIT ${query.limit + 1}`;
  const rows = store.rows(statement, compiler.bindings) as Value[][];
  checkTime();
  return {
    columns: fields.map(({ name, type }) => ({ id: name, type, field: name })),
    rows: rows.map((row) => {
      const isUnresolved = row.at(-1) === 1n;
      return fields.map((field, index) => createCell(field, row[index] ?? null, row[fields.length + index] ?? null, isUnresolved));
    }),
    warnings: createUnresolvedWarnings(rows.slice(0, query.limit).filter((row) => row.at(-1) === 1n).length),
  };
}
