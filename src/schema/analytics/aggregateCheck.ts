import { columnNames } from './columnNames.ts';
import { checkFilter } from './filterCheck.ts';
import { type EntityOrNone, type FieldOrNone, type Findings, only, typeOf } from './findings.ts';
import type { GivenDimension, GivenMeasure, GivenQuery } from './inputs.ts';
import type { Path } from './wire.ts';
import { Aggregation, TimeBucket } from './words.ts';

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
const fieldMeasureOf = ({ countDistinct, sum, avg, min, max, percentile }: GivenMeasure) =>
  countDistinct ?? sum ?? avg ?? min ?? max ?? percentile ?? undefined;

/** Returns the type of a measure's values. Null if it isn't known. */
function outputOf(measure: GivenMeasure, fieldOf: (name: string) => FieldOrNone): string | null {
  if (measure.count || measure.countDistinct) return 'INTEGER';
  if (measure.ratio) return 'DECIMAL';
  const of = fieldMeasureOf(measure);
  const type = typeOf(of ? fieldOf(of.field) : undefined);
  return measure.avg && type === 'INTEGER' ? 'DECIMAL' : type;
}

/** The aggregate that a measure belongs to. */
interface Group {
  readonly entity: EntityOrNone;
  readonly dimensions: readonly GivenDimension[];
  /** Measures by the names of their columns. */
  readonly siblings: ReadonlyMap<string, GivenMeasure>;
}

const nameIn = (measure: GivenMeasure): string | null | undefined => measure[only(measure) as keyof GivenMeasure]?.name;

function checkSibling(found: Findings, name: string, { entity, siblings }: Group, path: Path): void {
  const numeric = [...siblings].filter(([, measure]) => !measure.ratio).map(([each]) => each);
  if (!found.oneOf(name, numeric, path, 'another measure of the query that isn’t a ratio')) return;
  const fieldOf = (field: string) => entity?.fields?.find((each) => each.name === field);
  const output = outputOf(siblings.get(name) ?? {}, fieldOf);
  if (output !== null && !NUMERIC.has(output))
    found.tell(path, 'NOT_ALLOWED', `must be an INTEGER or DECIMAL measure, but ${name} is ${output}.`);
}

function checkMeasured(
  found: Findings,
  name: string,
  aggregation: string,
  dimensions: readonly GivenDimension[],
  entity: EntityOrNone,
  path: Path,
): void {
  const field = found.field(name, entity, [...path, 'field']);
  if (!field) return;
  const taken = (field.aggregations ?? []).map((word) => Aggregation.fromWire(word));
  if (found.tells('aggregations') && !taken.includes(aggregation as never)) {
    const supported = taken.length > 0 ? `supports only ${taken.join(', ')}` : 'can’t be aggregated';
    found.tell([...path, 'field'], 'NOT_ALLOWED', `must support ${aggregation}, but ${name} ${supported}.`);
  }
  const { currencyField } = field;
  if (!currencyField || aggregation === 'COUNT_DISTINCT') return;
  if (!dimensions.some((each) => each.field === currencyField && !each.bucket))
    found.tell(
      [...path, 'field'],
      'NOT_ALLOWED',
      `is an amount and requires a dimension of its currency. Add \`{field: "${currencyField}"}\` to \`dimensions\`.`,
    );
}

function checkMeasure(found: Findings, measure: GivenMeasure, group: Group, path: Path): void {
  const { entity, dimensions } = group;
  const { count, ratio, percentile } = measure;
  if (ratio) for (const part of ['numerator', 'denominator'] as const) checkSibling(found, ratio[part], group, [...path, part]);
  const share = Number(percentile?.percentile ?? 0);
  if (share < 0 || share > 1)
    found.tell([...path, 'percentile'], 'OUT_OF_RANGE', `must be between 0 and 1, but is ${percentile?.percentile}.`, share < 0 ? 0 : 1);
  const of = fieldMeasureOf(measure);
  const condition = (count ?? of)?.condition;
  if (condition) checkFilter(found, condition, entity, [...path, 'condition']);
  if (of) checkMeasured(found, of.field, MEASURES[only(measure) as keyof typeof MEASURES], dimensions, entity, path);
}

function checkDimension(
  found: Findings,
  { field: name, bucket }: GivenDimension,
  timeRange: GivenQuery['timeRange'],
  entity: EntityOrNone,
  path: Path,
): void {
  const field = found.field(name, entity, [...path, 'field']);
  if (!bucket) return;
  if (!timeRange) found.tell([...path, 'bucket'], 'NOT_ALLOWED', 'requires a `timeRange`. Add one to the query.');
  const buckets = (field?.buckets ?? []).map((word) => TimeBucket.fromWire(word));
  if (field && found.tells('buckets') && !buckets.includes(bucket))
    found.tell([...path, 'bucket'], 'NOT_ALLOWED', `must be omitted, because ${name} can’t be grouped by ${bucket}.`);
}

/** Reports duplicate column names. */
function checkNames(found: Findings, { measures, dimensions }: NonNullable<GivenQuery['select']['aggregate']>, path: Path): void {
  const seen = new Set<string>();
  const named = [
    ...(dimensions ?? []).map(({ name }, index) => ({ name, at: ['dimensions', String(index)] })),
    ...measures.map((each, index) => ({ name: nameIn(each), at: ['measures', String(index), only(each)] })),
  ];
  for (const { name, at } of named) {
    if (!name) continue;
    if (seen.has(name)) found.tell([...path, ...at, 'name'], 'DUPLICATE', `must be unique, but another column is also named ${name}.`);
    seen.add(name);
  }
}

/** Checks the measures and dimensions of a query. */
export function checkAggregate(found: Findings, { select, timeRange }: GivenQuery, entity: EntityOrNone, path: Path): void {
  const { measures, dimensions } = select.aggregate ?? { measures: [] };
  const { maxMeasures, maxDimensions } = found.limits;
  if (measures.length === 0) found.tell([...path, 'measures'], 'TOO_SHORT', 'must have at least 1 measure.', 1);
  found.atMost(measures.length, maxMeasures, 'measures', [...path, 'measures']);
  found.atMost(dimensions?.length ?? 0, maxDimensions, 'dimensions', [...path, 'dimensions']);
  for (const [index, each] of (dimensions ?? []).entries())
    checkDimension(found, each, timeRange, entity, [...path, 'dimensions', String(index)]);
  const names = columnNames(select).slice(dimensions?.length ?? 0);
  const siblings = new Map(measures.map((each, index) => [names[index] ?? '', each]));
  for (const [index, each] of measures.entries())
    checkMeasure(found, each, { entity, dimensions: dimensions ?? [], siblings }, [...path, 'measures', String(index), only(each)]);
  checkNames(found, select.aggregate ?? { measures: [] }, path);
}
