import type { MessageField } from '../../src/upstream/contract/fields.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import type { Pool } from './pool.ts';

/** Page size of the walk. Chosen: enough rows to distinguish pages, and few to process. */
export const WALK_ROWS = 5;

const DAY_S = 24 * 60 * 60;
/** Days before and after today in requests for lists with a time range. Chosen. */
const SPAN_DAYS = 365;

/** Known values for a required field. Empty if none has been found yet. */
function listValues(name: string, field: MessageField, operation: AnyOperation, pool: Pool, nowMs: number): readonly unknown[] {
  if (field.refers !== undefined) return pool.getIds(field.refers);
  const nowS = Math.floor(nowMs / 1000);
  if (name === operation.page?.fromField) return [String(nowS - SPAN_DAYS * DAY_S)];
  if (name === operation.page?.toField) return [String(nowS + SPAN_DAYS * DAY_S)];
  if (field.unit === 'MOMENT') return [String(nowS)];
  // A weekday, for lists of working hours: of tomorrow and three days from now, at most one is on a weekend.
  if (field.pattern?.startsWith('^\\d{4}-')) return [1, 3].map((days) => new Date(nowMs + days * DAY_S * 1000).toISOString().slice(0, 10));
  return pool.getTexts(name);
}

/** All combinations of one value from each list, the first values first. */
const combine = (lists: readonly (readonly (readonly [string, unknown])[])[]): Record<string, unknown>[] =>
  lists.reduce<Record<string, unknown>[]>(
    (combined, values) => values.flatMap(([name, value]) => combined.map((one) => ({ ...one, [name]: value }))),
    [{}],
  );

/** Requests that can be sent for an operation with the values found so far. Empty if a required ID is unknown. */
export function createRequests(operation: AnyOperation, pool: Pool, nowMs: number): readonly Record<string, unknown>[] {
  const { fields, exactlyOne } = operation.request;
  const required = Object.entries(fields).filter(([, { required: isRequired }]) => isRequired);
  const lists = required.map(([name, field]) => listValues(name, field, operation, pool, nowMs).map((value) => [name, value] as const));
  if (exactlyOne) {
    const options = exactlyOne.flatMap((name) =>
      listValues(name, fields[name] as MessageField, operation, pool, nowMs).map((value) => [name, value] as const),
    );
    lists.push(options);
  }
  const size = fields.pageSize ? { pageSize: Math.min(WALK_ROWS, operation.page?.maxSize || WALK_ROWS) } : {};
  return combine(lists).map((request) => ({ ...request, ...size }));
}

/** Types of records whose IDs an operation requires and the pool doesn't contain. */
export const listMissingTypes = ({ request }: AnyOperation, pool: Pool): readonly string[] =>
  Object.values(request.fields).flatMap(({ required, refers }) =>
    required && refers !== undefined && pool.getIds(refers).length === 0 ? [refers] : [],
  );
