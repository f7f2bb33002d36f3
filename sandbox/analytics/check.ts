import { toJsonString } from '@bufbuild/protobuf';
import { Temporal } from 'temporal-polyfill';
import {
  type AnalyticsCalendarRange,
  type AnalyticsProjection,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  type AnalyticsRelativeRange,
  type AnalyticsTimeRange,
  type AnalyticsTimestampRange,
  AnalyticsFieldType as FieldType,
  AnalyticsQuerySemantics as Semantics,
  AnalyticsSortDirectionSchema as SortDirectionSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { isDate } from '../work/calendar.ts';
import { checkAggregate } from './aggregateCheck.ts';
import type { CatalogEntity } from './catalog.ts';
import { ENTITIES, entityByName } from './entities.ts';
import { getShortEnumName } from './enumNames.ts';
import { FilterCheck } from './filterCheck.ts';
import { assignIds } from './ids.ts';
import { InvalidQueryError, requireField } from './invalidQuery.ts';
import { LIMITS } from './limits.ts';
import { canonicalizeTimeZone, isPeriod } from './ranges.ts';
import { parseTimestamp } from './values.ts';

const VERSION = 1;

const RANGES = ['calendar', 'timestamp', 'relative'] as const;

function requireEntity({ entity: name }: AnalyticsQuery): CatalogEntity {
  const entity = entityByName.get(name);
  if (entity) return entity;
  const names = ENTITIES.map((each) => each.name).join(', ');
  throw new InvalidQueryError('entity', `must be an entity of the catalog, but is ${JSON.stringify(name)}. Valid values: ${names}.`);
}

/** Throws if the end is before the start, or more than five years after it. */
function checkLength(start: Temporal.PlainDateTime, end: Temporal.PlainDateTime, path: string): void {
  if (Temporal.PlainDateTime.compare(end, start) < 0) throw new InvalidQueryError(path, 'must not be before the start.');
  if (Temporal.PlainDateTime.compare(end, start.add({ years: LIMITS.maxTimeRangeYears })) > 0)
    throw new InvalidQueryError(path, `must be at most ${LIMITS.maxTimeRangeYears} years after the start.`);
}

function checkCalendar({ startDate, endDate }: AnalyticsCalendarRange, path: string): void {
  for (const [name, day] of [
    ['start_date', startDate],
    ['end_date', endDate],
  ] as const) {
    if (!isDate(day)) throw new InvalidQueryError(`${path}.${name}`, `must be a calendar date, but is ${JSON.stringify(day)}.`);
  }
  const [start, end] = [Temporal.PlainDate.from(startDate), Temporal.PlainDate.from(endDate)];
  if (Temporal.PlainDate.compare(end, start) < 0) throw new InvalidQueryError(`${path}.end_date`, 'must not be before the start.');
  checkLength(start.toPlainDateTime(), end.add({ days: 1 }).toPlainDateTime(), `${path}.end_date`);
}

function checkTimestamps(range: AnalyticsTimestampRange, path: string): void {
  const [start, end] = (['start', 'end'] as const).map((name) => {
    const timestamp = parseTimestamp(range[name]);
    if (timestamp) return timestamp.toZonedDateTimeISO('UTC').toPlainDateTime();
    const wanted = 'must be an RFC 3339 timestamp with at most six decimals';
    throw new InvalidQueryError(`${path}.${name}`, `${wanted}, but is ${JSON.stringify(range[name])}.`);
  });
  if (start && end) checkLength(start, end, `${path}.end`);
}

function checkRelative({ period, offset }: AnalyticsRelativeRange, path: string): void {
  if (!isPeriod(period)) throw new InvalidQueryError(`${path}.period`, 'must be a period.');
  const most = LIMITS.maxRelativeOffset;
  if (Math.abs(offset) > most) throw new InvalidQueryError(`${path}.offset`, `must be from -${most} to ${most}, but is ${offset}.`);
}

function checkTimeRange(entity: CatalogEntity, range: AnalyticsTimeRange): void {
  const path = 'time_range';
  const field = requireField(entity, range.field, `${path}.field`);
  if (field.type !== FieldType.TIMESTAMP)
    throw new InvalidQueryError(`${path}.field`, `must be a timestamp field, but ${field.name} isn’t one.`);
  const given = RANGES.filter((name) => range[name] !== undefined);
  if (given.length !== 1) throw new InvalidQueryError(path, `must have exactly one of ${RANGES.join(', ')}, but has ${given.length}.`);
  if (range.calendar) checkCalendar(range.calendar, `${path}.calendar`);
  if (range.timestamp) checkTimestamps(range.timestamp, `${path}.timestamp`);
  if (range.relative) checkRelative(range.relative, `${path}.relative`);
}

function checkRecords(entity: CatalogEntity, { fields }: AnalyticsProjection): void {
  const most = LIMITS.maxProjectedFields;
  if (fields.length === 0 || fields.length > most)
    throw new InvalidQueryError('records.fields', `must have 1 to ${most} fields, but has ${fields.length}.`);
  for (const [index, name] of fields.entries()) {
    const path = `records.fields[${index}]`;
    requireField(entity, name, path);
    if (fields.indexOf(name) !== index) throw new InvalidQueryError(path, `must be unique, but ${name} occurs twice.`);
  }
}

function checkSort({ sort, aggregate, records }: AnalyticsQuery): void {
  const ids = aggregate ? Object.values(assignIds(aggregate)).flat() : (records?.fields ?? []);
  for (const [index, { column, direction }] of sort.entries()) {
    const path = `sort[${index}]`;
    if (column === '') throw new InvalidQueryError(`${path}.column`, 'must not be empty.');
    if (!ids.includes(column))
      throw new InvalidQueryError(
        `${path}.column`,
        `must be a column of the result, but is ${JSON.stringify(column)}. Valid values: ${ids.join(', ')}.`,
      );
    if (direction !== 0 && getShortEnumName(SortDirectionSchema, direction) === undefined)
      throw new InvalidQueryError(`${path}.direction`, `must be a sort direction, but is ${direction}.`);
  }
}

function checkSize(query: AnalyticsQuery): void {
  const size = Buffer.byteLength(toJsonString(AnalyticsQuerySchema, query));
  if (size > LIMITS.maxQueryBytes)
    throw new InvalidQueryError('', `must be at most ${LIMITS.maxQueryBytes} bytes as JSON, but has ${size}.`);
}

/** Throws if a query breaks a rule. Runs before the query is executed, and reports the first violation. */
export function checkQuery(query: AnalyticsQuery): void {
  const { version, semantics, timezone, timeRange, filter, aggregate, records, limit } = query;
  checkSize(query);
  if (version !== VERSION) throw new InvalidQueryError('version', `must be ${VERSION}, but is ${version}.`);
  const entity = requireEntity(query);
  if (semantics !== Semantics.CURRENT_STATE) throw new InvalidQueryError('semantics', 'must be ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE.');
  if (timezone !== '' && !canonicalizeTimeZone(timezone))
    throw new InvalidQueryError('timezone', `must be an IANA time zone, but is ${JSON.stringify(timezone)}.`);
  if ((aggregate === undefined) === (records === undefined))
    throw new InvalidQueryError('', 'must have exactly one of aggregate and records.');
  if (timeRange) checkTimeRange(entity, timeRange);
  const filters = new FilterCheck();
  if (filter) filters.check(entity, filter, 'filter');
  if (aggregate) checkAggregate(entity, aggregate, { filters, hasTimeRange: timeRange !== undefined });
  if (records) checkRecords(entity, records);
  checkSort(query);
  if (limit < 0 || limit > LIMITS.maxRows) throw new InvalidQueryError('limit', `must be from 1 to ${LIMITS.maxRows}, but is ${limit}.`);
}
