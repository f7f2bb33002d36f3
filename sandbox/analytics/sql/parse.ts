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
import { InvalidQueryError } from '../invalidQuery.ts';
import { LIMITS } from '../limits.ts';
import { parseConjunction } from './filters.ts';
import { createOutput, parseGroupItem, parseItem } from './output.ts';
import { Reader } from './reader.ts';

function parseEntity(reader: Reader): CatalogEntity {
  const name = reader.expectName('an entity of the catalog');
  const entity = entityByName.get(name.value);
  if (!entity)
    throw reader.createError(
      name,
      `unknown entity ${reader.formatToken(name)}; expected one of ${ENTITIES.map((each) => each.name).join(', ')}`,
    );
  return entity;
}

function parseTimezone(reader: Reader): string {
  const expected = "svc.timezone('Europe/Amsterdam') as the first condition";
  reader.expectWords(['svc'], expected);
  reader.expectSymbol('.', expected);
  reader.expectWords(['timezone'], expected);
  return reader.parseNested(() => {
    const zone = reader.expectText('the name of a time zone as a string');
    if (zone.value === '') throw reader.createError(zone, "the time zone is empty; expected a name such as 'Europe/Amsterdam'");
    return zone.value;
  });
}

function parseRange(reader: Reader, entity: CatalogEntity): AnalyticsTimeRange {
  const first = reader.expectWords(['svc']);
  reader.expectSymbol('.');
  const name = reader.expectName('calendar_range or timestamp_range');
  const isCalendar = name.value === 'calendar_range';
  if (!isCalendar && name.value !== 'timestamp_range')
    throw reader.createError(name, `unknown time range ${reader.formatToken(name)}; expected svc.calendar_range or svc.timestamp_range`);
  return reader.parseNested(() => {
    const fieldName = reader.expectName('a field');
    const { name: field } = reader.expectField(fieldName, entity);
    const expected = isCalendar ? "a date as a string, such as '2026-03-01'" : "a timestamp as a string, such as '2026-03-01T00:00:00Z'";
    reader.expectSymbol(',');
    const start = reader.expectText(expected);
    reader.expectSymbol(',');
    const end = reader.expectText(expected);
    const bounds = isCalendar
      ? { calendar: create(AnalyticsCalendarRangeSchema, { startDate: start.value, endDate: end.value }) }
      : { timestamp: create(AnalyticsTimestampRangeSchema, { start: start.value, end: end.value }) };
    const range = create(AnalyticsTimeRangeSchema, { field, ...bounds });
    if (range.calendar) reader.places.recordPosition(range.calendar, start, { endDate: end });
    if (range.timestamp) reader.places.recordPosition(range.timestamp, start, { end });
    return reader.places.recordPosition(range, first, { field: fieldName });
  });
}

function parseDirection(reader: Reader): SortDirection {
  if (reader.takeWord('asc')) return SortDirection.ASC;
  return reader.takeWord('desc') ? SortDirection.DESC : SortDirection.UNSPECIFIED;
}

function parseSort(reader: Reader): AnalyticsSort {
  const column = reader.expectColumnName();
  if (reader.isSymbol('(') || reader.isSymbol('.')) throw reader.createUnexpectedError('the name of an output column, as given by AS');
  const sort = create(AnalyticsSortSchema, { column: column.value, direction: parseDirection(reader) });
  if (reader.takeWord('nulls')) reader.expectWords(['last'], 'LAST, because empty cells never come first');
  return reader.places.recordPosition(sort, column);
}

function parseLimit(reader: Reader): number {
  reader.expectWords(['limit'], `LIMIT and a number from 1 to ${LIMITS.maxRows}`);
  const expected = `an integer from 1 to ${LIMITS.maxRows}`;
  const { next: token } = reader;
  if (token.kind !== 'number') throw reader.createUnexpectedError(expected);
  const limit = Number(reader.take().value);
  if (token.value.includes('.') || limit < 1 || limit > LIMITS.maxRows)
    throw reader.createError(token, `the limit is ${reader.formatToken(token)}; expected ${expected}`);
  return limit;
}

/** Parses the list after GROUP BY or ORDER BY. Empty without the clause. */
function parseClauseList<Part>(reader: Reader, word: 'group' | 'order', part: () => Part): readonly Part[] {
  if (!reader.takeWord(word)) return [];
  reader.expectWords(['by']);
  return reader.parseList(part);
}

interface Conditions {
  readonly timeRange?: AnalyticsTimeRange;
  readonly filter?: AnalyticsFilter;
}

/** Parses the conditions after svc.timezone. */
function parseConditions(reader: Reader, entity: CatalogEntity): Conditions {
  if (!reader.takeWord('and')) return {};
  if (!reader.isWord('svc')) return { filter: parseConjunction(reader, entity) };
  const timeRange = parseRange(reader, entity);
  return reader.takeWord('and') ? { timeRange, filter: parseConjunction(reader, entity) } : { timeRange };
}

function parseStatement(reader: Reader): AnalyticsQuery {
  const first = reader.expectWords(['select']);
  const items = reader.parseList(() => parseItem(reader));
  reader.expectWords(['from'], 'a comma or FROM');
  const { next: entityName } = reader;
  const entity = parseEntity(reader);
  reader.expectWords(['where'], 'WHERE and svc.timezone');
  const { next: zone } = reader;
  const timezone = parseTimezone(reader);
  const conditions = parseConditions(reader, entity);
  const groups = parseClauseList(reader, 'group', () => parseGroupItem(reader));
  const sort = parseClauseList(reader, 'order', () => parseSort(reader));
  const { next: limitToken } = reader;
  const limit = parseLimit(reader);
  if (reader.next.kind !== 'end') throw reader.createUnexpectedError('the end of the query');
  const query = create(AnalyticsQuerySchema, {
    version: 1,
    entity: entity.name,
    semantics: Semantics.CURRENT_STATE,
    timezone,
    ...conditions,
    ...createOutput(reader, entity, items, groups),
    sort: [...sort],
    limit,
  });
  return reader.places.recordPosition(query, first, { entity: entityName, timezone: zone, limit: limitToken });
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
  const query = parseStatement(reader);
  return {
    query,
    withPosition(error) {
      if (!(error instanceof InvalidQueryError)) return error;
      const token = reader.places.findToken(query, error.path);
      return token === undefined ? error : reader.createErrorAt(token, `${error.path || 'the query'} ${error.reason}`);
    },
  };
}
