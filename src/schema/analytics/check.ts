import type { ValidationIssue } from '../../failures/failures.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { checkAggregate } from './aggregateCheck.ts';
import { columnNames } from './columnNames.ts';
import { checkFilter } from './filterCheck.ts';
import { type EntityOrNone, Findings, typeOf } from './findings.ts';
import type { GivenQuery, GivenTimeRange } from './inputs.ts';
import type { Path } from './wire.ts';
import { entityName } from './words.ts';

/** Adds years to a Unix timestamp in milliseconds. */
function yearsAfter(from: number, years: number): number {
  const date = new Date(from);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** `lastMs` is the length of the last day, if `to` is a day that the range includes. */
function checkSpan(found: Findings, from: number, to: number, start: string, path: Path, lastMs = 0): void {
  const { maxTimeRangeYears: years } = found.limits;
  if (to < from) found.tell(path, 'OUT_OF_RANGE', `must not be before ${start}.`);
  else if (to + lastMs > yearsAfter(from, years)) found.tell(path, 'OUT_OF_RANGE', `must be at most ${years} years after ${start}.`, years);
}

function checkTimeRange(found: Findings, { field: name, range }: GivenTimeRange, entity: EntityOrNone, path: Path): void {
  const type = typeOf(found.field(name, entity, [...path, 'field']));
  if (type !== null && type !== 'TIMESTAMP' && type !== 'DATE')
    found.tell([...path, 'field'], 'NOT_ALLOWED', `must be a TIMESTAMP or DATE field, but ${name} is ${type}.`);
  const at = [...path, 'range'];
  if (range.calendar) {
    const [start, end] = [range.calendar.startDate, range.calendar.endDate].map((day) => Date.parse(day)) as [number, number];
    checkSpan(found, start, end, '`startDate`', [...at, 'calendar', 'endDate'], DAY_MS);
  }
  if (range.timestamp) {
    const { from, to } = range.timestamp;
    for (const [name, instant] of Object.entries({ from, to })) found.checkPrecision(instant, [...at, 'timestamp', name]);
    checkSpan(found, Date.parse(formatInstant(from)), Date.parse(formatInstant(to)), '`from`', [...at, 'timestamp', 'to']);
  }
  const offset = range.relative?.offset ?? 0;
  const { maxRelativeOffset: most } = found.limits;
  if (Math.abs(offset) > most)
    found.tell(
      [...at, 'relative', 'offset'],
      'OUT_OF_RANGE',
      `must be between ${-most} and ${most}, but is ${offset}.`,
      Math.sign(offset) * most,
    );
}

function checkRecords(found: Findings, records: readonly string[], entity: EntityOrNone, path: Path): void {
  if (records.length === 0) found.tell(path, 'TOO_SHORT', 'must have at least 1 field.', 1);
  found.atMost(records.length, found.limits.maxProjectedFields, 'fields', path);
  for (const [index, name] of records.entries()) found.field(name, entity, [...path, String(index)]);
}

function checkQuery(found: Findings, query: GivenQuery, path: Path): void {
  const at = [...path, 'entity'];
  const entity = found.entity(entityName(query.entity, at), at);
  const { maxRows } = found.limits;
  if (query.limit !== null && query.limit !== undefined && (query.limit < 1 || query.limit > maxRows))
    found.tell(
      [...path, 'limit'],
      'OUT_OF_RANGE',
      `must be between 1 and ${maxRows}, but is ${query.limit}.`,
      query.limit < 1 ? 1 : maxRows,
    );
  if (query.timeRange) checkTimeRange(found, query.timeRange, entity, [...path, 'timeRange']);
  if (query.filter) checkFilter(found, query.filter, entity, [...path, 'filter']);
  const { aggregate, records } = query.select;
  if (aggregate) checkAggregate(found, query, entity, [...path, 'select', 'aggregate']);
  if (records) checkRecords(found, records, entity, [...path, 'select', 'records']);
  const columns = columnNames(query.select);
  for (const [index, { column }] of (query.sort ?? []).entries())
    found.oneOf(column, columns, [...path, 'sort', String(index), 'column'], 'a column of the result');
}

/** Returns all violations of known rules: the documented ones, and those of the catalog, if any. */
export function issuesOf(query: GivenQuery, catalog: ListCatalogResponse | null, path: Path): ValidationIssue[] {
  const found = new Findings(catalog);
  checkQuery(found, query, path);
  return found.issues;
}
