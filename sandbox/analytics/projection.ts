import {
  type AnalyticsProjection,
  AnalyticsFieldType as FieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogField } from './catalog.ts';
import { type Cell, UNAVAILABLE } from './cells.ts';
import { getCurrencyDigits } from './currencyDigits.ts';
import { requireField } from './invalidQuery.ts';
import { createUnresolvedSql, createUnresolvedWarnings, type QueryResult, type Source } from './queryResult.ts';

type Value = string | bigint | null;

function createCell({ type, scale = 0 }: CatalogField, value: Value, currency: Value, isUnresolved: boolean): Cell {
  if (type !== FieldType.MONEY) return { value, scale };
  return isUnresolved ? UNAVAILABLE : { value, scale: getCurrencyDigits(String(currency)), currency: String(currency) };
}

/** Selects fields of the rows, sorted by ID. */
export function executeProjection(
  { store, entity, compiler, sql, checkTime }: Source,
  { fields: names }: AnalyticsProjection,
): QueryResult {
  const fields = names.map((name) => requireField(entity, name, name));
  const currencies = fields.map(({ currencyField }) =>
    currencyField === undefined ? 'NULL' : requireField(entity, currencyField, currencyField).sql,
  );
  const columns = [...fields.map((field) => field.sql), ...currencies, createUnresolvedSql(entity)];
  const rows = store.rows(`SELECT ${columns.join(', ')} ${sql} ORDER BY row.id`, compiler.bindings) as Value[][];
  checkTime();
  const isAboutMoney = fields.some(({ type }) => type === FieldType.MONEY);
  return {
    columns: fields.map(({ name, type }) => ({ id: name, type, field: name })),
    rows: rows.map((row) => {
      const isUnresolved = row.at(-1) === 1n;
      return fields.map((field, index) => createCell(field, row[index] ?? null, row[fields.length + index] ?? null, isUnresolved));
    }),
    warnings: createUnresolvedWarnings(isAboutMoney ? rows.filter((row) => row.at(-1) === 1n).length : 0),
  };
}
