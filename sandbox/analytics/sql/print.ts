import type {
  AnalyticsAggregate,
  AnalyticsComparison,
  AnalyticsDecimal,
  AnalyticsDimension,
  AnalyticsFilter,
  AnalyticsMeasure,
  AnalyticsQuery,
  AnalyticsRelatedFilter,
  AnalyticsSort,
  AnalyticsTimeRange,
  AnalyticsValue,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
  AnalyticsSortDirection as SortDirection,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity } from '../catalog.ts';
import { entityByName } from '../entities.ts';
import { AGGREGATIONS, BUCKETS, COMPARISONS, createCorrelationSql, RESERVED } from './keywords.ts';

/** The query can't be expressed in SQL, for example because of a relative range. */
const unsupportedInSql = (part: string) => new Error(`SQL can’t express ${part}.`);

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

const NAME = /^[a-z_][a-z0-9_]*$/;

function printName(name: string): string {
  if (!NAME.test(name) || RESERVED.has(name)) throw unsupportedInSql(`the name ${JSON.stringify(name)}`);
  return name;
}

/** The preferred name of each value: the first one, such as `<>` instead of `!=`. */
const invert = <Value>(values: ReadonlyMap<string, Value>): ReadonlyMap<Value, string> =>
  new Map([...values].toReversed().map(([word, value]) => [value, word]));
const AGGREGATION_WORDS = invert(AGGREGATIONS);
const BUCKET_WORDS = invert(BUCKETS);
const COMPARISON_WORDS = invert(COMPARISONS);

function printDecimal({ unscaled, scale }: AnalyticsDecimal): string {
  if (scale < 0) throw unsupportedInSql(`a decimal of scale ${scale}`);
  const sign = unscaled < 0n ? '-' : '';
  const digits = unscaled
    .toString()
    .replace('-', '')
    .padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`;
}

function printValue(value: AnalyticsValue, type: FieldType | undefined): string {
  if (type === FieldType.TEXT && value.text !== undefined) return quote(value.text);
  if (type === FieldType.TEXT && value.currentMember) return 'current_member()';
  if (type === FieldType.INTEGER && value.integer !== undefined) return value.integer.toString();
  if (type === FieldType.DECIMAL && value.decimal) return printDecimal(value.decimal);
  if (type === FieldType.BOOLEAN && value.boolean !== undefined) return value.boolean ? 'TRUE' : 'FALSE';
  if (type === FieldType.TIMESTAMP && value.timestamp !== undefined) return quote(value.timestamp);
  if (type === FieldType.DATE && value.date !== undefined) return quote(value.date);
  throw unsupportedInSql('a value of this kind for the field');
}

function printComparison({ field, operator, values }: AnalyticsComparison, { fields }: CatalogEntity): string {
  const name = printName(field);
  const type = fields.find((each) => each.name === field)?.type;
  if (operator === Operator.IS_NULL) return `${name} IS NULL`;
  if (operator === Operator.IS_NOT_NULL) return `${name} IS NOT NULL`;
  const [first, ...others] = values.map((value) => printValue(value, type));
  if (first === undefined) throw unsupportedInSql('a comparison without a value');
  if (operator === Operator.IN) return `${name} IN (${[first, ...others].join(', ')})`;
  if (operator === Operator.NOT_IN) return `${name} NOT IN (${[first, ...others].join(', ')})`;
  if (others.length > 0) throw unsupportedInSql('a comparison with several values');
  if (operator === Operator.CONTAINS) return `contains(${name}, ${first})`;
  const word = COMPARISON_WORDS.get(operator);
  if (word === undefined) throw unsupportedInSql(`the operator ${operator}`);
  return `${name} ${word} ${first}`;
}

function printRelated({ relationship: name, filter }: AnalyticsRelatedFilter, entity: CatalogEntity): string {
  const relationship = entity.relationships.find((each) => each.name === name);
  const other = relationship && entityByName.get(relationship.entity);
  if (!other) throw unsupportedInSql(`the relationship ${JSON.stringify(name)}`);
  return `EXISTS (SELECT 1 FROM ${other.name} WHERE ${createCorrelationSql(entity, relationship)}${andClause(filter, other)})`;
}

function printFilter({ all, any, compare, related }: AnalyticsFilter, entity: CatalogEntity): string {
  if (compare) return printComparison(compare, entity);
  if (related) return printRelated(related, entity);
  const children = (all ?? any)?.children ?? [];
  if (children.length === 0) throw unsupportedInSql('a group without filters');
  // Parentheses separate a nested group from its parent, so that it's parsed as a group again.
  const texts = children.map((child) => printFilter(child, entity));
  return texts.length === 1 ? texts.join('') : `(${texts.join(all ? ' AND ' : ' OR ')})`;
}

/** Formats the conditions of a filter after other conditions. */
function andClause(filter: AnalyticsFilter | undefined, entity: CatalogEntity): string {
  if (!filter) return '';
  const conditions = filter.all && filter.all.children.length > 1 ? filter.all.children : [filter];
  return conditions.map((condition) => ` AND ${printFilter(condition, entity)}`).join('');
}

function printRange(range: AnalyticsTimeRange | undefined): string {
  if (!range) return '';
  const { field, calendar, timestamp } = range;
  if (calendar) return ` AND svc.calendar_range(${printName(field)}, ${quote(calendar.startDate)}, ${quote(calendar.endDate)})`;
  if (timestamp) return ` AND svc.timestamp_range(${printName(field)}, ${quote(timestamp.start)}, ${quote(timestamp.end)})`;
  throw unsupportedInSql('a relative range');
}

function printDimension({ field, bucket }: AnalyticsDimension): string {
  if (bucket === TimeBucket.UNSPECIFIED) return printName(field);
  const word = BUCKET_WORDS.get(bucket);
  if (word === undefined) throw unsupportedInSql(`the bucket ${bucket}`);
  return `svc.bucket('${word}', ${printName(field)})`;
}

function printMeasure({ aggregation, field, percentile, condition }: AnalyticsMeasure): string {
  if (condition) throw unsupportedInSql('a measure with a condition');
  if (aggregation === Aggregation.COUNT && field === '') return 'count(*)';
  if (aggregation === Aggregation.COUNT_DISTINCT) return `count(DISTINCT ${printName(field)})`;
  if (aggregation === Aggregation.PERCENTILE_DISC && percentile && percentile.unscaled >= 0n)
    return `percentile_disc(${printDecimal(percentile)}) WITHIN GROUP (ORDER BY ${printName(field)})`;
  const word = AGGREGATION_WORDS.get(aggregation);
  if (word === undefined || percentile || aggregation === Aggregation.COUNT || aggregation === Aggregation.PERCENTILE_DISC)
    throw unsupportedInSql(`the aggregation ${aggregation} of ${JSON.stringify(field)}`);
  return `${word}(${printName(field)})`;
}

const printAlias = (expression: string, id: string) => (id === '' ? expression : `${expression} AS ${printName(id)}`);

const listItems = ({ dimensions, measures }: AnalyticsAggregate) => [
  ...dimensions.map((dimension) => printAlias(printDimension(dimension), dimension.id)),
  ...measures.map((measure) => printAlias(printMeasure(measure), measure.id)),
];

const DIRECTIONS: Readonly<Record<SortDirection, string>> = {
  [SortDirection.UNSPECIFIED]: '',
  [SortDirection.ASC]: ' ASC',
  [SortDirection.DESC]: ' DESC',
};

const printSort = ({ column, direction }: AnalyticsSort) => `${printName(column)}${DIRECTIONS[direction]} NULLS LAST`;

const printList = (word: string, parts: readonly string[]) => (parts.length === 0 ? '' : ` ${word} BY ${parts.join(', ')}`);

/**
 * Formats a query as SQL. Parsing the result returns the same query, except that a group with only one filter becomes that filter. Throws for queries that SQL
 * can't express.
 */
export function printSql({ entity: name, timezone, timeRange, filter, aggregate, records, sort, limit }: AnalyticsQuery): string {
  const entity = entityByName.get(name);
  if (!entity) throw unsupportedInSql(`the entity ${JSON.stringify(name)}`);
  const items = aggregate ? listItems(aggregate) : (records?.fields ?? []).map(printName);
  const groups = [...new Set((aggregate?.dimensions ?? []).map(printDimension))];
  const conditions = `svc.timezone(${quote(timezone)})${printRange(timeRange)}${andClause(filter, entity)}`;
  const clauses = `${printList('GROUP', groups)}${printList('ORDER', sort.map(printSort))}`;
  return `SELECT ${items.join(', ')} FROM ${name} WHERE ${conditions}${clauses} LIMIT ${limit}`;
}
