import { columnNames } from './columnNames.ts';
import { Aggregation, TimeBucket } from './enums.ts';
import { checkFilter } from './filterCheck.ts';
import { type EntityOrNone, type FieldOrNone, type Findings, getOnlyMember, getValueType } from './findings.ts';
import type { DimensionShape, MeasureShape, QueryShape } from './inputs.ts';
import type { Path } from './wireQuery.ts';

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

function checkSibling(findings: Findings, name: string, { entity, siblings }: MeasureContext, path: Path): void {
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
  aggregation: string,
  dimensions: readonly DimensionShape[],
  entity: EntityOrNone,
  path: Path,
): void {
  const field = findings.findField(name, entity, [...path, 'field']);
  if (!field) return;
  const aggregations = (field.aggregations ?? []).map((value) => Aggregation.fromWire(value));
  if (findings.declares('aggregations') && !aggregations.includes(aggregation as never)) {
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

function checkMeasure(findings: Findings, measure: MeasureShape, context: MeasureContext, path: Path): void {
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
  path: Path,
): void {
  const field = findings.findField(name, entity, [...path, 'field']);
  if (!bucket) return;
  if (!timeRange) findings.addIssue([...path, 'bucket'], 'NOT_ALLOWED', 'requires a `timeRange`. Add one to the query.');
  const buckets = (field?.buckets ?? []).map((value) => TimeBucket.fromWire(value));
  if (field && findings.declares('buckets') && !buckets.includes(bucket))
    findings.addIssue([...path, 'bucket'], 'NOT_ALLOWED', `must be omitted, because ${name} can’t be grouped by ${bucket}.`);
}

/** Reports duplicate column names. */
function checkNames(findings: Findings, { measures, dimensions }: NonNullable<QueryShape['select']['aggregate']>, path: Path): void {
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
export function checkAggregate(findings: Findings, { select, timeRange }: QueryShape, entity: EntityOrNone, path: Path): void {
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
