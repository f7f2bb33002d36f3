import { create } from '@bufbuild/protobuf';
import {
  AnalyticsAggregation as Aggregation,
  type AnalyticsAggregate,
  AnalyticsAggregateSchema,
  type AnalyticsDecimal,
  AnalyticsDecimalSchema,
  type AnalyticsDimension,
  AnalyticsDimensionSchema,
  type AnalyticsMeasure,
  AnalyticsMeasureSchema,
  type AnalyticsProjection,
  AnalyticsProjectionSchema,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity } from '../catalog.ts';
import { AGGREGATIONS, BUCKETS } from './keywords.ts';
import type { Reader } from './reader.ts';
import type { Token } from './tokens.ts';
import { parseDigits } from './values.ts';

/** A field, or the time bucket that it falls into. */
export interface Key {
  readonly kind: 'key';
  readonly token: Token;
  readonly field: Token;
  readonly bucket: TimeBucket;
}

interface Measure {
  readonly kind: 'measure';
  readonly token: Token;
  readonly aggregation: Aggregation;
  readonly field?: Token;
  readonly percentile?: AnalyticsDecimal;
}

/** A SELECT expression. Its field is looked up later, because the root comes after it. */
export interface Item {
  readonly expression: Key | Measure;
  readonly alias: Token | undefined;
}

function parseBucket(reader: Reader, token: Token): Key {
  reader.expectSymbol('.');
  reader.expectWords(['bucket'], "svc.bucket('month', field)");
  return reader.parseNested(() => {
    const word = reader.expectText('the name of a bucket as a string');
    const bucket = BUCKETS.get(word.value);
    if (bucket === undefined)
      throw reader.createError(word, `unknown bucket ${reader.formatToken(word)}; expected one of ${[...BUCKETS.keys()].join(', ')}`);
    reader.expectSymbol(',');
    return { kind: 'key', token, field: reader.expectName('a field'), bucket };
  });
}

function parseKey(reader: Reader, token: Token): Key {
  if (token.value === 'svc' && reader.isSymbol('.')) return parseBucket(reader, token);
  if (reader.isSymbol('.')) throw reader.createUnexpectedError('the field without the name of its entity');
  return { kind: 'key', token, field: token, bucket: TimeBucket.UNSPECIFIED };
}

function parseCount(reader: Reader, token: Token): Measure {
  return reader.parseNested(() => {
    if (reader.takeSymbol('*')) return { kind: 'measure', token, aggregation: Aggregation.COUNT };
    reader.expectWords(['distinct'], '* or DISTINCT and a field');
    return { kind: 'measure', token, aggregation: Aggregation.COUNT_DISTINCT, field: reader.expectName('a field') };
  });
}

function parsePercentile(reader: Reader, token: Token): Measure {
  const percentile = reader.parseNested(() => {
    if (reader.next.kind !== 'number') throw reader.createUnexpectedError('a number from 0 to 1');
    const number = reader.take();
    return reader.places.recordPosition(create(AnalyticsDecimalSchema, parseDigits(reader, number)), number);
  });
  reader.expectWords(['within', 'group'], 'WITHIN GROUP (ORDER BY field)');
  const field = reader.parseNested(() => {
    reader.expectWords(['order', 'by']);
    return reader.expectName('a field');
  });
  return { kind: 'measure', token, aggregation: Aggregation.PERCENTILE_DISC, field, percentile };
}

function parseMeasure(reader: Reader, token: Token): Measure {
  const aggregation = AGGREGATIONS.get(token.value);
  if (aggregation === undefined)
    throw reader.createError(
      token,
      `unknown aggregate ${reader.formatToken(token)}; expected one of ${[...AGGREGATIONS.keys()].join(', ')}, or svc.bucket`,
    );
  if (aggregation === Aggregation.COUNT) return parseCount(reader, token);
  if (aggregation === Aggregation.PERCENTILE_DISC) return parsePercentile(reader, token);
  return { kind: 'measure', token, aggregation, field: reader.parseNested(() => reader.expectName('a field')) };
}

/** Parses a SELECT expression with its name. */
export function parseItem(reader: Reader): Item {
  const token = reader.expectName('a field, an aggregate, or svc.bucket');
  const expression = reader.isSymbol('(') ? parseMeasure(reader, token) : parseKey(reader, token);
  return { expression, alias: reader.takeWord('as') ? reader.expectColumnName() : undefined };
}

/** Parses a GROUP BY expression. */
export const parseGroupItem = (reader: Reader): Key =>
  parseKey(reader, reader.expectName('a dimension as written after SELECT, or its name'));

interface Dimension {
  readonly key: Key;
  readonly alias: Token | undefined;
}

const formatExpression = ({ field, bucket }: Key) => `${field.value} ${bucket}`;

/** Checks that GROUP BY lists the dimensions, by expression or by name. A field takes precedence over a dimension of the same name. */
function checkGroups(reader: Reader, { fields }: CatalogEntity, dimensions: readonly Dimension[], groups: readonly Key[]): void {
  const byExpression = Map.groupBy(dimensions, ({ key }) => formatExpression(key));
  const byName = Map.groupBy(dimensions, ({ alias }) => alias?.value);
  const grouped = new Set<Dimension>();
  for (const group of groups) {
    const isName = group.bucket === TimeBucket.UNSPECIFIED && !fields.some(({ name }) => name === group.field.value);
    const meant = (isName ? byName.get(group.field.value) : byExpression.get(formatExpression(group))) ?? [];
    if (meant.length === 0)
      throw reader.createError(group.token, 'this is in GROUP BY but not selected; expected a dimension as written after SELECT');
    if (meant.every((dimension) => grouped.has(dimension)))
      throw reader.createError(group.token, 'this is already in GROUP BY; expected each dimension once');
    for (const dimension of meant) grouped.add(dimension);
  }
  const missing = dimensions.find((dimension) => !grouped.has(dimension));
  if (missing) throw reader.createError(missing.key.token, 'this is neither aggregated nor in GROUP BY; expected it after GROUP BY too');
}

function createDimension(reader: Reader, entity: CatalogEntity, { key, alias }: Dimension): AnalyticsDimension {
  const { name: field } = reader.expectField(key.field, entity);
  const dimension = create(AnalyticsDimensionSchema, { id: alias?.value ?? '', field, bucket: key.bucket });
  return reader.places.recordPosition(dimension, key.token, { field: key.field, ...(alias && { id: alias }) });
}

function createMeasure(reader: Reader, entity: CatalogEntity, measure: Measure, alias: Token | undefined): AnalyticsMeasure {
  const { token, aggregation, field, percentile } = measure;
  const message = create(AnalyticsMeasureSchema, {
    id: alias?.value ?? '',
    aggregation,
    field: field ? reader.expectField(field, entity).name : '',
    ...(percentile && { percentile }),
  });
  return reader.places.recordPosition(message, token, { ...(field && { field }), ...(alias && { id: alias }) });
}

function createAggregate(reader: Reader, entity: CatalogEntity, items: readonly Item[], groups: readonly Key[]): AnalyticsAggregate {
  const dimensions: Dimension[] = [];
  const messages: AnalyticsDimension[] = [];
  const measures: AnalyticsMeasure[] = [];
  for (const { expression, alias } of items) {
    if (expression.kind === 'measure') {
      measures.push(createMeasure(reader, entity, expression, alias));
      continue;
    }
    if (measures.length > 0)
      throw reader.createError(expression.token, 'a dimension follows a measure; expected dimensions first, as in the result');
    const dimension = { key: expression, alias };
    messages.push(createDimension(reader, entity, dimension));
    dimensions.push(dimension);
  }
  checkGroups(reader, entity, dimensions, groups);
  return create(AnalyticsAggregateSchema, { dimensions: messages, measures });
}

function createProjection(reader: Reader, entity: CatalogEntity, items: readonly Item[]): AnalyticsProjection {
  const parts: Record<string, Token> = {};
  const fields = items.map(({ expression, alias }, index) => {
    const { token, field } = expression;
    if (!field || token !== field)
      throw reader.createError(token, 'records are not grouped; expected a field, or an aggregate and GROUP BY');
    if (alias) throw reader.createError(alias, 'fields of records can’t be renamed; expected no AS');
    parts[`fields.${index}`] = field;
    return reader.expectField(field, entity).name;
  });
  const [first] = items;
  const projection = create(AnalyticsProjectionSchema, { fields });
  return first ? reader.places.recordPosition(projection, first.expression.token, parts) : projection;
}

/** Builds the output of a query, once its root is known. */
export function createOutput(reader: Reader, entity: CatalogEntity, items: readonly Item[], groups: readonly Key[]) {
  const [group] = groups;
  if (items.some(({ expression }) => expression.kind === 'measure')) return { aggregate: createAggregate(reader, entity, items, groups) };
  if (group) throw reader.createError(group.token, 'groups require an aggregate; expected one such as count(*) after SELECT');
  return { records: createProjection(reader, entity, items) };
}
