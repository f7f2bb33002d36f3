import type { ValidationIssue } from '../../failures/failures.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { checkAggregate } from './aggregateCheck.ts';
import { columnNames } from './columnNames.ts';
import { toEntityName } from './enums.ts';
import { checkFilter } from './filterCheck.ts';
import { type EntityOrNone, Findings, getValueType } from './findings.ts';
import type { QueryShape, TimeRangeShape } from './inputs.ts';
import type { Path } from './wireQuery.ts';

/** Adds years to a Unix timestamp in milliseconds. */
function addYears(from: number, years: number): number {
  const date = new Date(from);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Checks the order and the length of a range. `lastMs`: milliseconds of the last day, if the range includes that day. */
function checkRange(findings: Findings, from: number, to: number, start: string, path: Path, lastMs = 0): void {
  const { maxTimeRangeYears: years } = findings.limits;
  if (to < from) findings.addIssue(path, 'OUT_OF_RANGE', `must not be before ${start}.`);
  else if (to + lastMs > addYears(from, years))
    findings.addIssue(path, 'OUT_OF_RANGE', `must be at most ${years} years after ${start}.`, years);
}

function checkTimeRange(findings: Findings, { field: name, range }: TimeRangeShape, entity: EntityOrNone, path: Path): void {
  const type = getValueType(findings.findField(name, entity, [...path, 'field']));
  if (type !== null && type !== 'TIMESTAMP' && type !== 'DATE')
    findings.addIssue([...path, 'field'], 'NOT_ALLOWED', `must be a TIMESTAMP or DATE field, but ${name} is ${type}.`);
  const at = [...path, 'range'];
  if (range.calendar) {
    const [start, end] = [range.calendar.startDate, range.calendar.endDate].map((day) => Date.parse(day)) as [number, number];
    checkRange(findings, start, end, '`startDate`', [...at, 'calendar', 'endDate'], DAY_MS);
  }
  if (range.timestamp) {
    const { gte, lt } = range.timestamp;
    for (const [name, instant] of Object.entries({ gte, lt })) findings.checkPrecision(instant, [...at, 'timestamp', name]);
    checkRange(findings, Date.parse(formatInstant(gte)), Date.parse(formatInstant(lt)), '`gte`', [...at, 'timestamp', 'lt']);
  }
  const offset = range.relative?.offset ?? 0;
  const { maxRelativeOffset: max } = findings.limits;
  if (Math.abs(offset) > max)
    findings.addIssue(
      [...at, 'relative', 'offset'],
      'OUT_OF_RANGE',
      `must be between ${-max} and ${max}, but is ${offset}.`,
      Math.sign(offset) * max,
    );
}

function checkRecords(findings: Findings, records: readonly string[], entity: EntityOrNone, path: Path): void {
  if (records.length === 0) findings.addIssue(path, 'TOO_SHORT', 'must have at least 1 field.', 1);
  if (!findings.checkMax(records.length, findings.limits.maxProjectedFields, 'fields', path)) return;
  for (const [index, name] of records.entries()) findings.findField(name, entity, [...path, String(index)]);
}

function checkQuery(findings: Findings, query: QueryShape, path: Path): void {
  const at = [...path, 'entity'];
  const entity = findings.findEntity(toEntityName(query.entity, at), at);
  const { maxRows } = findings.limits;
  if (query.limit !== null && query.limit !== undefined && (query.limit < 1 || query.limit > maxRows))
    findings.addIssue(
      [...path, 'limit'],
      'OUT_OF_RANGE',
      `must be between 1 and ${maxRows}, but is ${query.limit}.`,
      query.limit < 1 ? 1 : maxRows,
    );
  if (query.timeRange) checkTimeRange(findings, query.timeRange, entity, [...path, 'timeRange']);
  if (query.filter) checkFilter(findings, query.filter, entity, [...path, 'filter']);
  const { aggregate, records } = query.select;
  if (aggregate) checkAggregate(findings, query, entity, [...path, 'select', 'aggregate']);
  if (records) checkRecords(findings, records, entity, [...path, 'select', 'records']);
  const columns = columnNames(query.select);
  for (const [index, { column }] of (query.sort ?? []).entries())
    findings.checkName(column, columns, [...path, 'sort', String(index), 'column'], 'a column of the result');
}

/** Returns all violations of known rules: the documented ones, and those of the catalog, if any. */
export function findIssues(query: QueryShape, catalog: ListCatalogResponse | null, path: Path): ValidationIssue[] {
  const findings = new Findings(catalog);
  checkQuery(findings, query, path);
  return findings.issues;
}
