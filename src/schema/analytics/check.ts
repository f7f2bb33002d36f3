import type { ValidationIssue } from '../../failures/failures.ts';
import { formatInstant } from '../../lib/instant.ts';
import type { ListCatalogResponse } from '../../upstream/contract/generated/records.ts';
import { columnNames } from './columnNames.ts';
import { Aggregation, TimeBucket, toEntityName } from './enums.ts';
import { checkFilter } from './filterCheck.ts';
import { type EntityOrNone, type FieldOrNone, Findings, getOnlyMember, getValueType } from './findings.ts';
import type { DimensionShape, MeasureShape, QueryShape, TimeRangeShape } from './inputs.ts';
import type { WirePath } from './wireQuery.ts';

/** Aggregations by the fields of the measure input. */
const MEASURES = {
  countDistinct: 'COUNT_DISTINCT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  percentile: 'PERCENTILE_DISC',
} as const;

const NUMERIC = new Set<string | null>(['INTEGER', 'DECIMAL']);

/** Returns the definition of a measure that has a field. Undefined for other measures. */
const getFieldMeasure = ({ countDistinct, sum, avg, min, max, percentile }: MeasureShape) =>
  countDistinct ?? sum ?? avg ?? min ?? max ?? percentile ?? undefined;

/** Returns the type of a measure's values. Null if it isn't known. */
function getOutputType(measure: MeasureShape, getField: (name: string) => FieldOrNone): string | null {
  if (measure.count || measure.countDistinct) return 'INTEGER';
  if (measure.ratio) return 'DECIMAL';
  const of = getFieldMeasure(measure);
  const type = getValueType(of ? getField(of.field) : undefined);
  return measure.avg && type === 'INTEGER' ? 'DECIMAL' : type;
}

/** The aggregate that a measure belongs to. */
interface MeasureContext {
  readonly entity: EntityOrNone;
  readonly dimensions: readonly DimensionShape[];
  /** Measures by the names of their columns. */
  readonly siblings: ReadonlyMap<string, MeasureShape>;
}

const getMeasureName = (measure: MeasureShape): string | null | undefined => measure[getOnlyMember(measure) as keyof MeasureShape]?.name;

function checkSibling(findings: Findings, name: string, { entity, siblings }: MeasureContext, path: WirePath): void {
  const numeric = [...siblings].filter(([, measure]) => !measure.ratio).map(([each]) => each);
  if (!findings.checkName(name, numeric, path, 'another measure of the query that isn’t a ratio')) return;
  const getField = (field: string) => entity?.fields?.find((each) => each.name === field);
  const output = getOutputType(siblings.get(name) ?? {}, getField);
  if (output !== null && !NUMERIC.has(output))
    findings.addIssue(path, 'NOT_ALLOWED', `must be an INTEGER or DECIMAL measure, but ${name} is ${output}.`);
}

function checkMeasuredField(
  findings: Findings,
  name: string,
  aggregation: (typeof MEASURES)[keyof typeof MEASURES],
  dimensions: readonly DimensionShape[],
  entity: EntityOrNone,
  path: WirePath,
): void {
  const field = findings.findField(name, entity, [...path, 'field']);
  if (!field) return;
  const aggregations = (field.aggregations ?? []).map((value) => Aggregation.fromWire(value));
  if (findings.declares('aggregations') && !aggregations.includes(aggregation)) {
    const supported = aggregations.length > 0 ? `supports only ${aggregations.join(', ')}` : 'can’t be aggregated';
    findings.addIssue([...path, 'field'], 'NOT_ALLOWED', `must support ${aggregation}, but ${name} ${supported}.`);
  }
  const { currencyField } = field;
  if (!currencyField || aggregation === 'COUNT_DISTINCT') return;
  if (!dimensions.some((each) => each.field === currencyField && !each.bucket))
    findings.addIssue(
      [...path, 'field'],
      'NOT_ALLOWED',
      `is an amount and requires a dimension of its currency. Add \`{field: "${currencyField}"}\` to \`dimensions\`.`,
    );
}

function checkMeasure(findings: Findings, measure: MeasureShape, context: MeasureContext, path: WirePath): void {
  const { entity, dimensions } = context;
  const { count, ratio, percentile } = measure;
  if (ratio) for (const part of ['numerator', 'denominator'] as const) checkSibling(findings, ratio[part], context, [...path, part]);
  const share = Number(percentile?.percentile ?? 0);
  if (share < 0 || share > 1)
    findings.addIssue(
      [...path, 'percentile'],
      'OUT_OF_RANGE',
      `must be between 0 and 1, but is ${percentile?.percentile}.`,
      share < 0 ? 0 : 1,
    );
  const of = getFieldMeasure(measure);
  const condition = (count ?? of)?.condition;
  if (condition) checkFilter(findings, condition, entity, [...path, 'condition']);
  if (of) checkMeasuredField(findings, of.field, MEASURES[getOnlyMember(measure) as keyof typeof MEASURES], dimensions, entity, path);
}

function checkDimension(
  findings: Findings,
  { field: name, bucket }: DimensionShape,
  timeRange: QueryShape['timeRange'],
  entity: EntityOrNone,
  path: WirePath,
): void {
  const field = findings.findField(name, entity, [...path, 'field']);
  if (!bucket) return;
  if (!timeRange) findings.addIssue([...path, 'bucket'], 'NOT_ALLOWED', 'requires a `timeRange`. Add one to the query.');
  const buckets = (field?.buckets ?? []).map((value) => TimeBucket.fromWire(value));
  if (field && findings.declares('buckets') && !buckets.includes(bucket))
    findings.addIssue([...path, 'bucket'], 'NOT_ALLOWED', `must be omitted, because ${name} can’t be grouped by ${bucket}.`);
}

/** Reports duplicate column names. */
function checkNames(findings: Findings, { measures, dimensions }: NonNullable<QueryShape['select']['aggregate']>, path: WirePath): void {
  const seen = new Set<string>();
  const named = [
    ...(dimensions ?? []).map(({ name }, index) => ({ name, at: ['dimensions', String(index)] })),
    ...measures.map((each, index) => ({ name: getMeasureName(each), at: ['measures', String(index), getOnlyMember(each)] })),
  ];
  for (const { name, at } of named) {
    if (!name) continue;
    if (seen.has(name))
      findings.addIssue([...path, ...at, 'name'], 'DUPLICATE', `must be unique, but another column is also named ${name}.`);
    seen.add(name);
  }
}

/** Checks the measures and dimensions of a query. */
export function checkAggregate(findings: Findings, { select, timeRange }: QueryShape, entity: EntityOrNone, path: WirePath): void {
  const { measures, dimensions } = select.aggregate ?? { measures: [] };
  const { maxMeasures, maxDimensions } = findings.limits;
  if (measures.length === 0) findings.addIssue([...path, 'measures'], 'TOO_SHORT', 'must have at least 1 measure.', 1);
  const hasFewMeasures = findings.checkMax(measures.length, maxMeasures, 'measures', [...path, 'measures']);
  const hasFewDimensions = findings.checkMax(dimensions?.length ?? 0, maxDimensions, 'dimensions', [...path, 'dimensions']);
  // Each measure is compared with the others.
  if (!hasFewMeasures || !hasFewDimensions) return;
  for (const [index, each] of (dimensions ?? []).entries())
    checkDimension(findings, each, timeRange, entity, [...path, 'dimensions', String(index)]);
  const names = columnNames(select).slice(dimensions?.length ?? 0);
  const siblings = new Map(measures.map((each, index) => [names[index] ?? '', each]));
  for (const [index, each] of measures.entries())
    checkMeasure(findings, each, { entity, dimensions: dimensions ?? [], siblings }, [
      ...path,
      'measures',
      String(index),
      getOnlyMember(each),
    ]);
  checkNames(findings, select.aggregate ?? { measures: [] }, path);
}

/** Adds years to a Unix timestamp in milliseconds. */
function addYears(from: number, years: number): number {
  const date = new Date(from);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Checks the order and the length of a range. `lastMs`: milliseconds of the last day, if the range includes that day. */
function checkRange(findings: Findings, from: number, to: number, start: string, path: WirePath, lastMs = 0): void {
  const { maxTimeRangeYears: years } = findings.limits;
  if (to < from) findings.addIssue(path, 'OUT_OF_RANGE', `must not be before ${start}.`);
  else if (to + lastMs > addYears(from, years))
    findings.addIssue(path, 'OUT_OF_RANGE', `must be at most ${years} years after ${start}.`, years);
}

function checkTimeRange(findings: Findings, { field: name, range }: TimeRangeShape, entity: EntityOrNone, path: WirePath): void {
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

function checkRecords(findings: Findings, records: readonly string[], entity: EntityOrNone, path: WirePath): void {
  if (records.length === 0) findings.addIssue(path, 'TOO_SHORT', 'must have at least 1 field.', 1);
  if (!findings.checkMax(records.length, findings.limits.maxProjectedFields, 'fields', path)) return;
  for (const [index, name] of records.entries()) findings.findField(name, entity, [...path, String(index)]);
}

function checkQuery(findings: Findings, query: QueryShape, path: WirePath): void {
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
export function findIssues(query: QueryShape, catalog: ListCatalogResponse | null, path: WirePath): ValidationIssue[] {
  const findings = new Findings(catalog);
  checkQuery(findings, query, path);
  return findings.issues;
}
