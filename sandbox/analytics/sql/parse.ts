import { create } from '@bufbuild/protobuf';
import {
  AnalyticsCalendarRangeSchema,
  type AnalyticsFilter,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  type AnalyticsSort,
  AnalyticsSortSchema,
  type AnalyticsTimeRange,
  AnalyticsTimeRangeSchema,
  AnalyticsTimestampRangeSchema,
  AnalyticsQuerySemantics as Semantics,
  AnalyticsSortDirection as SortDirection,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity } from '../catalog.ts';
import { ENTITIES, entityByName } from '../entities.ts';
import { LIMITS } from '../limits.ts';
import { InvalidQueryError } from '../refusals.ts';
import { conjunctionOf } from './filters.ts';
import { groupOf, itemOf, outputOf } from './output.ts';
import { Reader } from './reader.ts';

function entityOf(reader: Reader): CatalogEntity {
  const name = reader.name('an entity of the catalog');
  const entity = entityByName.get(name.value);
  if (!entity)
    throw reader.error(name, `unknown entity ${reader.shown(name)}; expected one of ${ENTITIES.map((each) => each.name).join(', ')}`);
  return entity;
}

function timezoneOf(reader: Reader): string {
  const expected = "svc.timezone('Europe/Amsterdam') as the first condition";
  reader.words(['svc'], expected);
  reader.symbol('.', expected);
  reader.words(['timezone'], expected);
  return reader.nested(() => {
    const zone = reader.text('the name of a time zone as a string');
    if (zone.value === '') throw reader.error(zone, "the time zone is empty; expected a name such as 'Europe/Amsterdam'");
    return zone.value;
  });
}

function rangeOf(reader: Reader, entity: CatalogEntity): AnalyticsTimeRange {
  const first = reader.words(['svc']);
  reader.symbol('.');
  const name = reader.name('calendar_range or timestamp_range');
  const isCalendar = name.value === 'calendar_range';
  if (!isCalendar && name.value !== 'timestamp_range')
    throw reader.error(name, `unknown time range ${reader.shown(name)}; expected svc.calendar_range or svc.timestamp_range`);
  return reader.nested(() => {
    const fieldName = reader.name('a field');
    const { name: field } = reader.field(fieldName, entity);
    const expected = isCalendar ? "a date as a string, such as '2026-03-01'" : "a timestamp as a string, such as '2026-03-01T00:00:00Z'";
    reader.symbol(',');
    const start = reader.text(expected);
    reader.symbol(',');
    const end = reader.text(expected);
    const bounds = isCalendar
      ? { calendar: create(AnalyticsCalendarRangeSchema, { startDate: start.value, endDate: end.value }) }
      : { timestamp: create(AnalyticsTimestampRangeSchema, { start: start.value, end: end.value }) };
    const range = create(AnalyticsTimeRangeSchema, { field, ...bounds });
    if (range.calendar) reader.places.mark(range.calendar, start, { endDate: end });
    if (range.timestamp) reader.places.mark(range.timestamp, start, { end });
    return reader.places.mark(range, first, { field: fieldName });
  });
}

function directionOf(reader: Reader): SortDirection {
  if (reader.takeWord('asc')) return SortDirection.ASC;
  return reader.takeWord('desc') ? SortDirection.DESC : SortDirection.UNSPECIFIED;
}

function sortOf(reader: Reader): AnalyticsSort {
  const column = reader.columnName();
  if (reader.isSymbol('(') || reader.isSymbol('.')) throw reader.unexpectedError('the name of an output column, as given by AS');
  const sort = create(AnalyticsSortSchema, { column: column.value, direction: directionOf(reader) });
  if (reader.takeWord('nulls')) reader.words(['last'], 'LAST, because empty cells never come first');
  return reader.places.mark(sort, column);
}

function limitOf(reader: Reader): number {
  reader.words(['limit'], `LIMIT and a number from 1 to ${LIMITS.maxRows}`);
  const expected = `an integer from 1 to ${LIMITS.maxRows}`;
  const { next: token } = reader;
  if (token.kind !== 'number') throw reader.unexpectedError(expected);
  const limit = Number(reader.take().value);
  if (token.value.includes('.') || limit < 1 || limit > LIMITS.maxRows)
    throw reader.error(token, `the limit is ${reader.shown(token)}; expected ${expected}`);
  return limit;
}

/** Parses the list after GROUP BY or ORDER BY. Empty without the clause. */
function parseClauseList<Part>(reader: Reader, word: 'group' | 'order', part: () => Part): readonly Part[] {
  if (!reader.takeWord(word)) return [];
  reader.words(['by']);
  return reader.list(part);
}

interface Conditions {
  readonly timeRange?: AnalyticsTimeRange;
  readonly filter?: AnalyticsFilter;
}

/** Parses the conditions after svc.timezone. */
function conditionsOf(reader: Reader, entity: CatalogEntity): Conditions {
  if (!reader.takeWord('and')) return {};
  if (!reader.isWord('svc')) return { filter: conjunctionOf(reader, entity) };
  const timeRange = rangeOf(reader, entity);
  return reader.takeWord('and') ? { timeRange, filter: conjunctionOf(reader, entity) } : { timeRange };
}

function statementOf(reader: Reader): AnalyticsQuery {
  const first = reader.words(['select']);
  const items = reader.list(() => itemOf(reader));
  reader.words(['from'], 'a comma or FROM');
  const { next: entityName } = reader;
  const entity = entityOf(reader);
  reader.words(['where'], 'WHERE and svc.timezone');
  const { next: zone } = reader;
  const timezone = timezoneOf(reader);
  const conditions = conditionsOf(reader, entity);
  const groups = parseClauseList(reader, 'group', () => groupOf(reader));
  const sort = parseClauseList(reader, 'order', () => sortOf(reader));
  const { next: limitToken } = reader;
  const limit = limitOf(reader);
  if (reader.next.kind !== 'end') throw reader.unexpectedError('the end of the query');
  const query = create(AnalyticsQuerySchema, {
    version: 1,
    entity: entity.name,
    semantics: Semantics.CURRENT_STATE,
    timezone,
    ...conditions,
    ...outputOf(reader, entity, items, groups),
    sort: [...sort],
    limit,
  });
  return reader.places.mark(query, first, { entity: entityName, timezone: zone, limit: limitToken });
}

/** The result of parsing. */
export interface ParsedSql {
  readonly query: AnalyticsQuery;
  /** Adds the position in the SQL to an error about a part of the query. Returns other errors unchanged. */
  readonly withPosition: (error: unknown) => unknown;
}

/** Parses SQL to a query. Throws an invalid argument error that starts with the position: `line 1, column 8: …`. */
export function parseSql(sql: string): ParsedSql {
  const reader = new Reader(sql);
  const query = statementOf(reader);
  return {
    query,
    withPosition(error) {
      if (!(error instanceof InvalidQueryError)) return error;
      const token = reader.places.at(query, error.path);
      return token === undefined ? error : reader.errorAt(token, `${error.path || 'the query'} ${error.reason}`);
    },
  };
}
