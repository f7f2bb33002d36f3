import { isJsonObject, type JsonObject } from '../../src/lib/json.ts';
import { all, compare } from '../../src/schema/search/conditions.ts';
import { type CellRow, toCellRows, toRecordMembers } from '../../src/schema/search/indexes.ts';
import { compareIds, type IndexQuery } from '../../src/schema/search/keyset.ts';
import { printSql } from '../../src/schema/search/sql.ts';
import { fromWireResult, toWireQuery } from '../../src/schema/search/wireQueries.ts';
import type { Index } from '../../src/upstream/contract/fields.ts';
import { ExecuteQuery, ExecuteSQL, operations } from '../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import type { SortDirectionSupport } from '../../src/upstream/contract/overlay.ts';
import type { UnreachedReason } from './caller.ts';
import { createIndexCoordinate, type FoundIndex, probeCatalog } from './catalogProbes.ts';
import type { ProbeContext } from './probes.ts';

/** Rows of each index. Chosen: the most that a query returns, so that many rows have equal sort values. */
const MAX_ROWS = 100;

/** Rows to compare with their records. Chosen: enough to notice that every third row lags behind, with few calls. */
const MAX_COMPARED_ROWS = 5;
/** Compared rows that must differ. One row alone may differ because its record changed between the calls. */
const MIN_DIFFERENT_ROWS = 2;

/** Column that every search sorts by. */
const TIME = 'created_at';

/** The rows of a query, or the reason why there are none. */
type Rows = { readonly rows: readonly CellRow[] } | { readonly reason: UnreachedReason };

function toRows(response: JsonObject, index: Index, { caller }: ProbeContext): readonly CellRow[] {
  const { result } = ExecuteQuery.decode(response);
  return result ? toCellRows(fromWireResult(result, index, caller.indexes)) : [];
}

/** Executes a typed query. Ascending keys have no direction, because the upstream doesn't document one. */
async function query(index: Index, columns: readonly string[], request: IndexQuery, context: ProbeContext): Promise<Rows> {
  const { sort = [], ...rest } = toWireQuery(index, columns, request, context.caller.indexes);
  const keys = sort.map(({ direction, ...key }) => (direction === 'ANALYTICS_SORT_DIRECTION_DESC' ? { ...key, direction } : key));
  const base = { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE', timezone: '' };
  const result = await context.caller.send(ExecuteQuery, { query: { ...base, ...rest, sort: keys } });
  return 'response' in result ? { rows: toRows(result.response, index, context) } : { reason: result.reason };
}

const sortBy = (...columns: readonly string[]): IndexQuery['sort'] => columns.map((column) => ({ column, direction: 'ASC' }));

/** The operation that gets a record by ID, with the member of its response that contains the record. */
function findGet({ record }: Index): readonly [AnyOperation, string] | undefined {
  const get = operations.find(
    ({ effect, page, request, response }) =>
      effect === 'READ' &&
      !page &&
      Object.keys(request.fields).join() === 'id' &&
      Object.values(response.fields).some(({ message, list }) => message === record && !list),
  );
  const [member] = Object.entries(get?.response.fields ?? {}).find(([, { message }]) => message === record) ?? [];
  return get && member !== undefined ? [get, member] : undefined;
}

/** A value for comparisons: proto-JSON can omit defaults, and write 64-bit integers as numbers or text. */
const toComparable = (value: unknown): string =>
  value === undefined || value === null || value === false || /_UNSPECIFIED$/.test(String(value)) || String(value) === '0'
    ? ''
    : String(value);

/** Compares rows with their records. Reports the columns that differ in several of them. Fields of records that drift are reported elsewhere. */
async function probeEquality(
  { index, columns }: FoundIndex,
  rows: readonly CellRow[],
  { caller, evidence, findings }: ProbeContext,
): Promise<void> {
  const get = findGet(index);
  if (!get) return;
  const [operation, member] = get;
  const known = Object.fromEntries(Object.entries(index.columns).filter(([, column]) => columns.includes(column)));
  const samples = rows.flatMap((row) => {
    const { members, missing } = toRecordMembers(index, known, row);
    return missing.length === 0 ? [{ id: row.id, members }] : [];
  });
  const different = new Map(Object.keys(known).flatMap((each) => (evidence.isConfirmed(index.record, each) ? [[each, 0]] : [])));
  let compared = 0;
  for (const { id, members } of samples.slice(0, MAX_COMPARED_ROWS)) {
    const result = await caller.send(operation, { id });
    const record = 'response' in result ? result.response[member] : undefined;
    if (!isJsonObject(record)) continue;
    compared += 1;
    for (const [each, count] of different) if (toComparable(record[each]) !== toComparable(members[each])) different.set(each, count + 1);
  }
  for (const [each, count] of different)
    if (count >= Math.min(MIN_DIFFERENT_ROWS, Math.max(1, compared)))
      findings.addDrift(
        createIndexCoordinate(index.root, index.columns[each] ?? ''),
        'INDEX_ROW',
        `differs from ${index.record.name}.${each} in ${count} of ${compared} rows`,
      );
}

/** Checks that rows with equal values are sorted by ID, by code points. */
function checkIdOrder(index: Index, rows: readonly CellRow[], group: string | undefined, { findings }: ProbeContext): void {
  const isOrdered = rows.every((row, position) => {
    const previous = rows[position - 1];
    return !previous || (group !== undefined && previous.getValue(group) !== row.getValue(group)) || compareIds(previous.id, row.id) < 0;
  });
  if (!isOrdered)
    findings.addDrift(
      createIndexCoordinate(index.root, 'id'),
      'ID_ORDER',
      'rows with equal sort values aren’t sorted by code points of their IDs, so that pages of searches fail',
    );
}

/** Checks that a row is found by its timestamp. */
async function probeTimestamp(index: Index, row: CellRow, context: ProbeContext): Promise<void> {
  const timestamp = row.getValue(TIME);
  if (timestamp === null) return;
  const condition = all(compare(TIME, 'EQ', { timestamp }), compare('id', 'EQ', { text: row.id }));
  const found = await query(index, ['id'], { condition, sort: sortBy('id'), limit: 1 }, context);
  if ('rows' in found && found.rows.length === 0)
    context.findings.addDrift(
      createIndexCoordinate(index.root, TIME),
      'TIMESTAMP_EQ',
      'a row isn’t found by the timestamp that it has, so that pages of searches have gaps',
    );
}

const toMs = (row: CellRow) => Date.parse(row.getValue(TIME) ?? '');

/** Whether rows are sorted by descending time. `latestMs` is the time of another row, which can't be the earliest. */
const isDescending = (rows: readonly CellRow[], latestMs: number) =>
  rows.length > 1 &&
  toMs(rows[0] as CellRow) >= latestMs &&
  rows.every((row, position) => position === 0 || toMs(rows[position - 1] as CellRow) >= toMs(row));

/** An index with rows of different times. */
interface SortableIndex {
  readonly index: Index;
  readonly latestMs: number;
}

/** Finds out how queries can be sorted in descending order: as declared by the overlay, or else in SQL. */
async function probeDirection({ index, latestMs }: SortableIndex, context: ProbeContext): Promise<void> {
  const { caller, findings } = context;
  const declared = caller.sortDirection;
  if (declared === 'ASCENDING') return;
  const columns = ['id', TIME];
  const sort = columns.toReversed().map((column) => ({ column, direction: 'DESC' as const }));
  const request = { condition: undefined, sort, limit: 5 };
  const report = (detail: string, support: SortDirectionSupport) => {
    findings.addDrift(ExecuteQuery.name, 'SORT_DIRECTION', detail);
    findings.sortDirection = support;
  };
  if (declared === 'TYPED') {
    const typed = await query(index, columns, request, context);
    if ('reason' in typed ? typed.reason !== 'REFUSED' : isDescending(typed.rows, latestMs)) return;
  }
  const result = await caller.send(ExecuteSQL, { sql: printSql(index, columns, request, caller.indexes) });
  const isSorted = 'response' in result && isDescending(toRows(result.response, index, context), latestMs);
  if (isSorted && declared === 'TYPED') report('typed queries aren’t sorted in descending order, but SQL is', 'SQL');
  else if (!isSorted && ('response' in result || result.reason === 'REFUSED'))
    report('neither typed queries nor SQL are sorted in descending order', 'ASCENDING');
}

/** Probes the rows of an index. Returns it if it has rows of different times. */
async function probeRows(found: FoundIndex, context: ProbeContext): Promise<SortableIndex | null> {
  const { index, columns } = found;
  const group = columns.find((column) => column === 'status');
  const sort = sortBy(...(group === undefined ? [] : [group]), 'id');
  const result = await query(index, columns, { condition: undefined, sort, limit: MAX_ROWS }, context);
  const coordinate = createIndexCoordinate(index.root);
  if ('reason' in result) {
    if (result.reason === 'REFUSED') context.findings.addDrift(coordinate, 'INDEX_QUERY', 'rejects the query of a search');
    else context.findings.addUnreached(coordinate, result.reason);
    return null;
  }
  const { rows } = result;
  const [first] = rows;
  if (!first) {
    context.findings.addUnreached(coordinate, 'NO_DATA');
    return null;
  }
  context.findings.addConfirmed(coordinate);
  if (first.getValue(TIME)?.includes('.')) context.findings.addFact(`timestamps of ${index.root}`, 'with fractions of seconds');
  checkIdOrder(index, rows, group, context);
  await probeEquality(found, rows, context);
  await probeTimestamp(index, first, context);
  const times = rows.map(toMs);
  const latestMs = Math.max(...times);
  return Math.min(...times) < latestMs ? { index, latestMs } : null;
}

/** Probes what searches need of the analytics catalog and of analytics queries. */
export async function probeIndexes(context: ProbeContext): Promise<void> {
  let sortable: SortableIndex | null = null;
  for (const found of probeCatalog(context)) sortable = (await probeRows(found, context)) ?? sortable;
  if (sortable) await probeDirection(sortable, context);
}
