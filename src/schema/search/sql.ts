import { UnsupportedError } from '../../failures/failures.ts';
import type { Index } from '../../upstream/contract/fields.ts';
import type { AnalyticsValueJson } from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { WireIndexes } from '../../upstream/contract/wireIndexes.ts';
import type { IndexCondition, OperatorName } from './conditions.ts';
import type { IndexQuery } from './keyset.ts';
import { getRelatedIndex, getWireColumn, toWireCondition } from './wireQueries.ts';

const unsupportedInSql = (part: string) =>
  new UnsupportedError(
    `The Workspace API sorts in descending order only in its SQL, which can’t express ${part}. Sort in ascending order.`,
  );

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

function printValue({ text, timestamp, integer, boolean, currentMember }: AnalyticsValueJson): string {
  if (text !== undefined) return quote(text);
  if (timestamp !== undefined) return quote(timestamp);
  if (integer !== undefined) return String(integer);
  if (boolean !== undefined) return boolean ? 'TRUE' : 'FALSE';
  if (currentMember) return 'current_member()';
  throw unsupportedInSql('a value of this kind');
}

const SYMBOLS: Readonly<Partial<Record<OperatorName, string>>> = { EQ: '=', NEQ: '<>', LT: '<', LTE: '<=', GT: '>', GTE: '>=' };

function printComparison({ field = '', operator, values = [] }: NonNullable<IndexCondition['compare']>): string {
  const kind = (operator ?? '').replace('ANALYTICS_OPERATOR_', '') as OperatorName;
  const [first = '', ...others] = values.map(printValue);
  const symbol = SYMBOLS[kind];
  if (symbol) return `${field} ${symbol} ${first}`;
  const list = [first, ...others].join(', ');
  switch (kind) {
    case 'IN':
      return `${field} IN (${list})`;
    case 'NOT_IN':
      return `${field} NOT IN (${list})`;
    case 'CONTAINS':
      return `contains(${field}, ${first})`;
    case 'IS_NULL':
      return `${field} IS NULL`;
    case 'IS_NOT_NULL':
      return `${field} IS NOT NULL`;
    default:
      throw unsupportedInSql(`the operator ${kind}`);
  }
}

/** Returns the column with the ID of the related row. Undefined if the related rows have the ID instead. */
function findReference(index: Index, relationship: string): string | undefined {
  const { entity } = getRelatedIndex(index, relationship).record;
  const members = Object.keys(index.columns).filter((member) => member !== 'id');
  const member =
    members.find((each) => each.toLowerCase() === `${relationship}id`) ??
    members.find((each) => entity !== undefined && index.record.fields[each]?.refers === entity);
  return member && index.columns[member];
}

/**
 * Returns the condition that joins a row to its related rows. The upstream requires exactly the condition of the relationship, but documents only that of
 * payments and orders: `payments.order_id = orders.id`.
 */
function printJoin(index: Index, relationship: string, indexes: WireIndexes): string {
  const other = getRelatedIndex(index, relationship);
  const print = (owner: Index, column: string) => {
    const { root, columns } = indexes.require(owner.root);
    const wire = columns.get(column);
    if (!wire) throw unsupportedInSql(`the relationship ${relationship} of ${index.root} without the column ${owner.root}.${column}`);
    return `${root}.${wire.name}`;
  };
  const reference = findReference(index, relationship);
  if (reference) return `${print(other, 'id')} = ${print(index, reference)}`;
  // Rows of the other root refer to this one, in a column for each of their relationships.
  const back = Object.keys(other.relationships).filter((each) => other.relationships[each] === index.root);
  const references = back.flatMap((each) => findReference(other, each) ?? []);
  if (references.length === 0) throw unsupportedInSql(`the relationship ${relationship} of ${index.root}`);
  const conditions = references.map((column) => `${print(other, column)} = ${print(index, 'id')}`);
  return conditions.length > 1 ? `(${conditions.join(' OR ')})` : conditions.join('');
}

/** Prints a condition in the contract's names. */
function printCondition(condition: IndexCondition, index: Index, indexes: WireIndexes): string {
  const { all, any, compare, related } = condition;
  const group = all ?? any;
  if (group) {
    const texts = (group.children ?? []).map((child) => printCondition(child, index, indexes));
    return texts.length > 1 ? `(${texts.join(all ? ' AND ' : ' OR ')})` : texts.join('');
  }
  if (compare) return printComparison(toWireCondition({ compare }, index, indexes).compare ?? compare);
  const { relationship = '', filter } = related ?? {};
  const other = getRelatedIndex(index, relationship);
  const { root } = indexes.require(other.root);
  return `EXISTS (SELECT 1 FROM ${root} WHERE ${printJoin(index, relationship, indexes)}${printConjunction(filter, other, indexes)})`;
}

/** Prints conditions that follow others. */
function printConjunction(condition: IndexCondition | undefined, index: Index, indexes: WireIndexes): string {
  if (!condition) return '';
  const conditions = condition.all?.children ?? [condition];
  return conditions.map((each) => ` AND ${printCondition(each, index, indexes)}`).join('');
}

/** Prints the query of a page in the upstream's SQL. Throws UnsupportedError for what it can't express. */
export function printSql(index: Index, columns: readonly string[], { condition, sort, limit }: IndexQuery, indexes: WireIndexes): string {
  const print = (column: string) => getWireColumn(index, column, indexes);
  const keys = sort.map(({ column, direction }) => `${print(column)} ${direction} NULLS LAST`);
  // Timestamps are compared with an offset from UTC, so the time zone doesn't affect the result.
  return [
    `SELECT ${columns.map(print).join(', ')}`,
    `FROM ${indexes.require(index.root).root}`,
    `WHERE svc.timezone('UTC')${printConjunction(condition, index, indexes)}`,
    `ORDER BY ${keys.join(', ')}`,
    `LIMIT ${limit}`,
  ].join(' ');
}
