import type { Field } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Pool } from './pool.ts';

/** Rows of a page that is walked. Ours: enough to tell pages apart, and few to look at. */
export const WALK_ROWS = 5;

const DAY_S = 24 * 60 * 60;
/** Days before and after today between which lists by time are asked for. Ours. */
const SPAN_DAYS = 365;

/** Values that a required field may be given; none where nothing was found yet. */
function valuesOf(name: string, field: Field, operation: AnyOperation, pool: Pool, nowMs: number): readonly unknown[] {
  if (field.refers !== undefined) return pool.idsOf(field.refers);
  const nowS = Math.floor(nowMs / 1000);
  if (name === operation.page?.fromField) return [String(nowS - SPAN_DAYS * DAY_S)];
  if (name === operation.page?.toField) return [String(nowS + SPAN_DAYS * DAY_S)];
  if (field.unit === 'MOMENT') return [String(nowS)];
  // A weekday, for lists of working hours: tomorrow or, before a weekend, the days after it.
  if (field.pattern?.startsWith('^\\d{4}-')) return [1, 3].map((days) => new Date(nowMs + days * DAY_S * 1000).toISOString().slice(0, 10));
  return pool.textsOf(name);
}

/** All ways to take a value of each list, the first values first. */
const combinations = (lists: readonly (readonly (readonly [string, unknown])[])[]): Record<string, unknown>[] =>
  lists.reduce<Record<string, unknown>[]>(
    (made, values) => values.flatMap(([name, value]) => made.map((one) => ({ ...one, [name]: value }))),
    [{}],
  );

/** Requests by which an operation can be asked with what was found so far; none while an id that it needs is not known. */
export function requestsFor(operation: AnyOperation, pool: Pool, nowMs: number): readonly Record<string, unknown>[] {
  const { fields, exactlyOne } = operation.request;
  const required = Object.entries(fields).filter(([, { required: isRequired }]) => isRequired);
  const lists = required.map(([name, field]) => valuesOf(name, field, operation, pool, nowMs).map((value) => [name, value] as const));
  if (exactlyOne) {
    const options = exactlyOne.flatMap((name) =>
      valuesOf(name, fields[name] as Field, operation, pool, nowMs).map((value) => [name, value] as const),
    );
    lists.push(options);
  }
  const size = fields.pageSize ? { pageSize: Math.min(WALK_ROWS, operation.page?.maxSize || WALK_ROWS) } : {};
  return combinations(lists).map((request) => ({ ...request, ...size }));
}

/** Types of records whose ids an operation needs, and that the pool does not have. */
export const missingIds = ({ request }: AnyOperation, pool: Pool): readonly string[] =>
  Object.values(request.fields).flatMap(({ required, refers }) =>
    required && refers !== undefined && pool.idsOf(refers).length === 0 ? [refers] : [],
  );
