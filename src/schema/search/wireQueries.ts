import type { Index } from '../../upstream/contract/fields.ts';
import type { AnalyticsQueryJson, AnalyticsValueJson } from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { AnalyticsResult } from '../../upstream/contract/generated/records.ts';
import type { WireIndexes } from '../../upstream/contract/wireIndexes.ts';
import type { IndexCondition } from './conditions.ts';
import { getIndex } from './indexes.ts';
import type { IndexQuery } from './keyset.ts';

/** Returns the upstream's name of a column. */
export function getWireColumn({ root }: Index, column: string, indexes: WireIndexes): string {
  const wire = indexes.require(root).columns.get(column);
  if (!wire) throw new Error(`The upstream has no column ${root}.${column}. Check that before a query is created.`);
  return wire.name;
}

/** Returns the root that a relationship leads to. */
export const getRelatedIndex = ({ relationships }: Index, relationship: string): Index => getIndex(relationships[relationship] ?? '');

/** Converts a condition to the upstream's names. */
export function toWireCondition(condition: IndexCondition, index: Index, indexes: WireIndexes): IndexCondition {
  const { columns, relationships } = indexes.require(index.root);
  const { all, any, compare, related } = condition;
  const convertChildren = (children: readonly IndexCondition[] = []) => ({
    children: children.map((child) => toWireCondition(child, index, indexes)),
  });
  if (all) return { all: convertChildren(all.children) };
  if (any) return { any: convertChildren(any.children) };
  if (compare) {
    const { field = '', values = [], ...rest } = compare;
    const encode = columns.get(field)?.encode;
    const encodeValue = (value: AnalyticsValueJson) => (encode && value.text !== undefined ? { text: String(encode(value.text)) } : value);
    return { compare: { ...rest, field: getWireColumn(index, field, indexes), values: values.map(encodeValue) } };
  }
  const { relationship = '', filter } = related ?? {};
  const inner = filter && toWireCondition(filter, getRelatedIndex(index, relationship), indexes);
  return { related: { relationship: relationships.get(relationship) ?? relationship, ...(inner && { filter: inner }) } };
}

/** The query of a page, in the upstream's names. */
export const toWireQuery = (
  index: Index,
  columns: readonly string[],
  { condition, sort, limit }: IndexQuery,
  indexes: WireIndexes,
): Partial<AnalyticsQueryJson> => ({
  entity: indexes.require(index.root).root,
  ...(condition && { filter: toWireCondition(condition, index, indexes) }),
  records: { fields: columns.map((column) => getWireColumn(index, column, indexes)) },
  sort: sort.map(({ column, direction }) => ({
    column: getWireColumn(index, column, indexes),
    direction: `ANALYTICS_SORT_DIRECTION_${direction}` as const,
  })),
  limit,
});

/** Converts a result to the contract's names: the IDs of its columns, and the values of enums. Other columns are unchanged. */
export function fromWireResult(result: AnalyticsResult, { root }: Index, indexes: WireIndexes): AnalyticsResult {
  const columns = [...indexes.require(root).columns];
  if (columns.every(([column, { name, decode }]) => column === name && !decode)) return result;
  const known = new Map(columns.map(([column, { name, decode }]) => [name, { column, decode }]));
  const sources = result.columns.map(({ id }) => known.get(id));
  return {
    ...result,
    columns: result.columns.map((each, position) => ({ ...each, id: sources[position]?.column ?? each.id })),
    rows: result.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, position) => {
        const decode = sources[position]?.decode;
        return decode && cell.text !== undefined ? { ...cell, text: String(decode(cell.text)) } : cell;
      }),
    })),
  };
}
