import type { IssueCode } from '../../errorCodes.ts';
import type { ValidationIssue } from '../../failures.ts';
import type {
  AnalyticsEntityJson,
  AnalyticsFieldJson,
  ListCatalogResponseJson,
} from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { columnNames } from './columnNames.ts';
import type { GivenComparison, GivenDimension, GivenFilter, GivenMeasure, GivenQuery, GivenTimeRange, GivenValue } from './inputs.ts';
import { nearest } from './nearest.ts';
import { MAX_ROWS, type Path } from './wire.ts';
import { Aggregation, entityMember, entityName, Operator, TimeBucket, ValueType } from './words.ts';

/** The limits of a query. Source: the upstream's list of them. Its catalog may tell lower ones. */
const DOCUMENTED = {
  maxRows: MAX_ROWS,
  maxFilterNodes: 100,
  maxFilterLevels: 8,
  maxRelationshipHops: 2,
  maxMeasures: 8,
  maxDimensions: 3,
  maxProjectedFields: 20,
  maxTimeRangeYears: 5,
  maxRelativeOffset: 24,
} as const;

type Limits = Readonly<Record<keyof typeof DOCUMENTED, number>>;

/** The most issues that are told of a query. Ours: who has read these knows where to look. */
const MAX_ISSUES = 20;

/** Seconds of five years, a leap day in each: a little more than the upstream takes, which knows from when. */
const FIVE_YEARS_S = 5 * 366 * 24 * 60 * 60;

/** The kind of field that a value is for, by the members of the input. */
const KINDS = { text: 'TEXT', integer: 'INTEGER', decimal: 'DECIMAL', boolean: 'BOOLEAN', timestamp: 'TIMESTAMP', date: 'DATE' } as const;

/** Measures by the members of the input. */
const MEASURES = {
  countDistinct: 'COUNT_DISTINCT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  percentile: 'PERCENTILE_DISC',
} as const;

const NUMERIC = new Set<string | null>(['INTEGER', 'DECIMAL']);

/** A field that a measure is made of, or none that is known. */
type FieldOrNone = AnalyticsFieldJson | undefined;

const typeOf = (field: FieldOrNone): string | null => (field ? ValueType.fromWire(field.type) : null);

/** What a measure says of its field; undefined for one without. */
const fieldMeasureOf = ({ countDistinct, sum, avg, min, max, percentile }: GivenMeasure) =>
  countDistinct ?? sum ?? avg ?? min ?? max ?? percentile ?? undefined;

/** The kind of a measure's values; null where it is not known. */
function outputOf(measure: GivenMeasure, fieldOf: (name: string) => FieldOrNone): string | null {
  if (measure.count || measure.countDistinct) return 'INTEGER';
  if (measure.ratio) return 'DECIMAL';
  const of = fieldMeasureOf(measure);
  const type = typeOf(of ? fieldOf(of.field) : undefined);
  return measure.avg && type === 'INTEGER' ? 'DECIMAL' : type;
}

const only = (given: object): string => Object.entries(given).find(([, value]) => value !== null && value !== undefined)?.[0] ?? '';

/** How many values an operator takes: at least, and at most. */
function countsOf(operator: string): readonly [number, number] {
  if (operator === 'IN' || operator === 'NOT_IN') return [1, Number.POSITIVE_INFINITY];
  return operator === 'IS_NULL' || operator === 'IS_NOT_NULL' ? [0, 0] : [1, 1];
}

/** The day that comes so many years after one, as Unix milliseconds. */
function yearsAfter(from: number, years: number): number {
  const date = new Date(from);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Looks for what a query breaks of the documented rules, and of what the catalog says where that is known. */
class Check {
  readonly issues: ValidationIssue[] = [];
  readonly #catalog: ListCatalogResponseJson | null;
  readonly #limits: Limits;

  constructor(catalog: ListCatalogResponseJson | null) {
    this.#catalog = catalog;
    const told = catalog?.limits ?? {};
    this.#limits = Object.fromEntries(
      Object.entries(DOCUMENTED).map(([name, limit]) => [name, told[name as keyof typeof DOCUMENTED] || limit]),
    ) as unknown as Limits;
  }

  query(query: GivenQuery, path: Path): void {
    const entity = this.#entity(entityName(query.entity), [...path, 'entity']);
    const { maxRows } = this.#limits;
    if (query.limit !== null && query.limit !== undefined && (query.limit < 1 || query.limit > maxRows))
      this.#tell([...path, 'limit'], 'OUT_OF_RANGE', `must be from 1 to ${maxRows}, but is ${query.limit}.`, query.limit < 1 ? 1 : maxRows);
    if (query.timeRange) this.#timeRange(query.timeRange, entity, [...path, 'timeRange']);
    if (query.filter) this.#condition(query.filter, entity, [...path, 'filter']);
    const { aggregate, records } = query.select;
    const at = [...path, 'select'];
    if (aggregate) this.#aggregate(query, entity, [...at, 'aggregate']);
    if (records) this.#records(records, entity, [...at, 'records']);
    const columns = columnNames(query.select);
    for (const [index, { column }] of (query.sort ?? []).entries())
      this.#oneOf(column, columns, [...path, 'sort', String(index), 'column'], 'a column of the result');
  }

  #tell(path: Path, code: IssueCode, message: string, limit: number | null = null): void {
    if (this.issues.length < MAX_ISSUES) this.issues.push({ path, code, limit, message });
  }

  #atMost(count: number, limit: number, things: string, path: Path): void {
    if (count > limit) this.#tell(path, 'TOO_LONG', `must have at most ${limit} ${things}, but has ${count}.`, limit);
  }

  /** Whether a name is one of these; tells the one that was meant where it is not. */
  #oneOf(name: string, names: readonly string[], path: Path, thing: string): boolean {
    if (names.includes(name)) return true;
    const meant = nearest(name, names);
    const shown = JSON.stringify(name.slice(0, 100));
    const all = names.length > 30 ? '' : `: it must be one of ${names.join(', ')}`;
    this.#tell(path, 'UNKNOWN_NAME', meant ? `is not ${thing}: ${shown}; did you mean ${meant}?` : `is not ${thing}: ${shown}${all}.`);
    return false;
  }

  #entity(name: string, path: Path): AnalyticsEntityJson | undefined {
    const entities = this.#catalog?.entities;
    if (!entities?.length) return undefined;
    const names = entities.map((each) => entityMember(each.name)).filter((member) => member !== 'OTHER');
    this.#oneOf(entityMember(name), names, path, 'in the catalog of this key');
    return entities.find((each) => each.name === name);
  }

  #field(name: string, entity: AnalyticsEntityJson | undefined, path: Path): FieldOrNone {
    if (!entity) return undefined;
    const fields = entity.fields ?? [];
    this.#oneOf(
      name,
      fields.map((each) => each.name ?? ''),
      path,
      `a field of ${entity.name}`,
    );
    return fields.find((each) => each.name === name);
  }

  #timeRange({ field: name, range }: GivenTimeRange, entity: AnalyticsEntityJson | undefined, path: Path): void {
    const type = typeOf(this.#field(name, entity, [...path, 'field']));
    if (type !== null && type !== 'TIMESTAMP' && type !== 'DATE')
      this.#tell([...path, 'field'], 'NOT_ALLOWED', `must be of kind TIMESTAMP or DATE, but ${name} is ${type}.`);
    const at = [...path, 'range'];
    if (range.calendar) {
      const [start, end] = [range.calendar.startDate, range.calendar.endDate].map((day) => Date.parse(day)) as [number, number];
      this.#span(start, end + DAY_MS, 'the first day', [...at, 'calendar', 'endDate']);
    }
    if (range.timestamp) {
      const [from, to] = [range.timestamp.from, range.timestamp.to].map((seconds) => Number(seconds) * 1000) as [number, number];
      this.#span(from, to, '`from`', [...at, 'timestamp', 'to']);
    }
    const offset = range.relative?.offset ?? 0;
    const { maxRelativeOffset: most } = this.#limits;
    if (Math.abs(offset) > most)
      this.#tell(
        [...at, 'relative', 'offset'],
        'OUT_OF_RANGE',
        `must be from ${-most} to ${most}, but is ${offset}.`,
        Math.sign(offset) * most,
      );
  }

  #span(from: number, to: number, start: string, path: Path): void {
    const { maxTimeRangeYears: years } = this.#limits;
    if (to <= from) this.#tell(path, 'OUT_OF_RANGE', `must be after ${start}.`);
    else if (to > yearsAfter(from, years)) this.#tell(path, 'OUT_OF_RANGE', `must be at most ${years} years after ${start}.`, years);
  }

  /** A whole filter: that of the query, or the condition of a measure. */
  #condition(filter: GivenFilter, entity: AnalyticsEntityJson | undefined, path: Path): void {
    const { maxFilterNodes, maxFilterLevels } = this.#limits;
    const { nodes, levels } = sizeOf(filter);
    this.#atMost(levels, maxFilterLevels, 'levels of conditions', path);
    this.#atMost(nodes, maxFilterNodes, 'conditions', path);
    if (levels <= maxFilterLevels && nodes <= maxFilterNodes) this.#filter(filter, entity, path, 0);
  }

  #filter({ all, any, compare, related }: GivenFilter, entity: AnalyticsEntityJson | undefined, path: Path, hops: number): void {
    for (const [name, children] of Object.entries({ all, any })) {
      if (children?.length === 0) this.#tell([...path, name], 'TOO_SHORT', 'must have at least 1 condition.', 1);
      for (const [index, child] of (children ?? []).entries()) this.#filter(child, entity, [...path, name, String(index)], hops);
    }
    if (compare) this.#compare(compare, entity, [...path, 'compare']);
    if (!related) return;
    const { maxRelationshipHops: most } = this.#limits;
    const at = [...path, 'related'];
    if (hops === most) this.#tell(at, 'TOO_LONG', `must have at most ${most} relationships within each other.`, most);
    const other = this.#related(related.relationship, entity, [...at, 'relationship']);
    if (related.filter && hops < most) this.#filter(related.filter, other, [...at, 'filter'], hops + 1);
  }

  #related(name: string, entity: AnalyticsEntityJson | undefined, path: Path): AnalyticsEntityJson | undefined {
    if (!entity) return undefined;
    const relationships = entity.relationships ?? [];
    const names = relationships.map((each) => each.name ?? '');
    this.#oneOf(name, names, path, `a relationship of ${entity.name}`);
    const target = relationships.find((each) => each.name === name)?.entity;
    return this.#catalog?.entities?.find((each) => each.name === target);
  }

  #compare({ field: name, operator, values }: GivenComparison, entity: AnalyticsEntityJson | undefined, path: Path): void {
    const field = this.#field(name, entity, [...path, 'field']);
    const operators = (field?.operators ?? []).map((word) => Operator.fromWire(word));
    if (field && !operators.includes(operator)) {
      const taken = operators.length > 0 ? `it takes ${operators.join(', ')}` : 'it cannot be compared';
      this.#tell([...path, 'operator'], 'NOT_ALLOWED', `must be one that ${name} takes, but is ${operator}: ${taken}.`);
    }
    const [least, most] = countsOf(operator);
    const count = values?.length ?? 0;
    if (count < least) this.#tell([...path, 'values'], 'TOO_SHORT', `must have at least 1 value for ${operator}.`, 1);
    if (count > most) this.#tell([...path, 'values'], 'TOO_LONG', `must have at most ${most} for ${operator}, but has ${count}.`, most);
    for (const [index, value] of (values ?? []).entries()) this.#value(value, operator, field, [...path, 'values', String(index)]);
  }

  #value(value: GivenValue, operator: string, field: FieldOrNone, path: Path): void {
    const kind = only(value);
    const at = [...path, kind];
    if (kind === 'currentMember') {
      if (!value.currentMember) this.#tell(at, 'NOT_ALLOWED', 'must be true: leave it out to compare with something else.');
      else if (field && !field.supportsCurrentMember) this.#tell(at, 'NOT_ALLOWED', `must be left out: ${field.name} names no members.`);
      return;
    }
    const type = typeOf(field);
    if (kind === 'nowOffsetSeconds') {
      if (type !== null && type !== 'TIMESTAMP')
        this.#tell(at, 'NOT_ALLOWED', `is for fields of kind TIMESTAMP, but ${field?.name} is ${type}.`);
      if (Math.abs(Number(value.nowOffsetSeconds)) > FIVE_YEARS_S)
        this.#tell(at, 'OUT_OF_RANGE', 'must be within five years.', FIVE_YEARS_S);
      return;
    }
    const fits = KINDS[kind as keyof typeof KINDS];
    if (type !== null && fits !== type) this.#tell(at, 'NOT_ALLOWED', `must be ${withKind(type)}: ${field?.name} is of kind ${type}.`);
    else this.#word(value.text, operator, field, at);
  }

  /** A text that no row has, of a field that has certain ones: a comparison with it finds nothing, and nobody would see why. */
  #word(text: string | null | undefined, operator: string, field: FieldOrNone, path: Path): void {
    const words = field?.words ?? [];
    if (typeof text !== 'string' || words.length === 0 || operator === 'CONTAINS' || words.includes(text)) return;
    const suffixed = words.find((word) => word.endsWith(`_${text.toUpperCase()}`));
    if (suffixed) this.#tell(path, 'UNKNOWN_NAME', `is no word of ${field?.name}: ${JSON.stringify(text)}; did you mean ${suffixed}?`);
    else this.#oneOf(text, words, path, `a word of ${field?.name}`);
  }

  #records(records: readonly string[], entity: AnalyticsEntityJson | undefined, path: Path): void {
    if (records.length === 0) this.#tell(path, 'TOO_SHORT', 'must have at least 1 field.', 1);
    this.#atMost(records.length, this.#limits.maxProjectedFields, 'fields', path);
    for (const [index, name] of records.entries()) this.#field(name, entity, [...path, String(index)]);
  }

  #aggregate({ select, timeRange }: GivenQuery, entity: AnalyticsEntityJson | undefined, path: Path): void {
    const { measures, dimensions } = select.aggregate ?? { measures: [] };
    const { maxMeasures, maxDimensions } = this.#limits;
    if (measures.length === 0) this.#tell([...path, 'measures'], 'TOO_SHORT', 'must have at least 1 measure.', 1);
    this.#atMost(measures.length, maxMeasures, 'measures', [...path, 'measures']);
    this.#atMost(dimensions?.length ?? 0, maxDimensions, 'dimensions', [...path, 'dimensions']);
    for (const [index, each] of (dimensions ?? []).entries())
      this.#dimension(each, timeRange, entity, [...path, 'dimensions', String(index)]);
    const names = columnNames(select).slice(dimensions?.length ?? 0);
    const siblings = new Map(measures.map((each, index) => [names[index] ?? '', each]));
    for (const [index, each] of measures.entries())
      this.#measure(each, { entity, dimensions: dimensions ?? [], siblings }, [...path, 'measures', String(index), only(each)]);
    this.#distinct(select.aggregate ?? { measures: [] }, path);
  }

  /** Names that are given twice. */
  #distinct({ measures, dimensions }: NonNullable<GivenQuery['select']['aggregate']>, path: Path): void {
    const seen = new Set<string>();
    const named = [
      ...(dimensions ?? []).map(({ name }, index) => ({ name, at: ['dimensions', String(index)] })),
      ...measures.map((each, index) => ({ name: nameIn(each), at: ['measures', String(index), only(each)] })),
    ];
    for (const { name, at } of named) {
      if (!name) continue;
      if (seen.has(name))
        this.#tell([...path, ...at, 'name'], 'DUPLICATE', `must be the name of one column only, but ${name} is given twice.`);
      seen.add(name);
    }
  }

  #dimension(
    { field: name, bucket }: GivenDimension,
    timeRange: GivenQuery['timeRange'],
    entity: AnalyticsEntityJson | undefined,
    path: Path,
  ): void {
    const field = this.#field(name, entity, [...path, 'field']);
    if (!bucket) return;
    if (!timeRange) this.#tell([...path, 'bucket'], 'NOT_ALLOWED', 'must be left out without a `timeRange`: give the query one.');
    const buckets = (field?.buckets ?? []).map((word) => TimeBucket.fromWire(word));
    if (field && !buckets.includes(bucket))
      this.#tell([...path, 'bucket'], 'NOT_ALLOWED', `must be left out: ${name} is not grouped by ${bucket}.`);
  }

  #measure(measure: GivenMeasure, group: Group, path: Path): void {
    const { entity, dimensions } = group;
    const { count, ratio, percentile } = measure;
    if (ratio) for (const part of ['numerator', 'denominator'] as const) this.#sibling(ratio[part], group, [...path, part]);
    const share = Number(percentile?.percentile ?? 0);
    if (share < 0 || share > 1)
      this.#tell([...path, 'percentile'], 'OUT_OF_RANGE', `must be from 0 to 1, but is ${percentile?.percentile}.`, share < 0 ? 0 : 1);
    const of = fieldMeasureOf(measure);
    const condition = (count ?? of)?.condition;
    if (condition) this.#condition(condition, entity, [...path, 'condition']);
    if (of) this.#measured(of.field, MEASURES[only(measure) as keyof typeof MEASURES], dimensions, entity, path);
  }

  #measured(
    name: string,
    aggregation: string,
    dimensions: readonly GivenDimension[],
    entity: AnalyticsEntityJson | undefined,
    path: Path,
  ): void {
    const field = this.#field(name, entity, [...path, 'field']);
    if (!field) return;
    const taken = (field.aggregations ?? []).map((word) => Aggregation.fromWire(word));
    if (!taken.includes(aggregation as never)) {
      const told = taken.length > 0 ? `it takes ${taken.join(', ')}` : 'it cannot be measured';
      this.#tell([...path, 'field'], 'NOT_ALLOWED', `must take ${aggregation}, but ${name} does not: ${told}.`);
    }
    const { currencyField } = field;
    if (!currencyField || aggregation === 'COUNT_DISTINCT') return;
    if (!dimensions.some((each) => each.field === currencyField && !each.bucket))
      this.#tell(
        [...path, 'field'],
        'NOT_ALLOWED',
        `is an amount, which takes a dimension of its currency: add \`{field: "${currencyField}"}\` to \`dimensions\`.`,
      );
  }

  #sibling(name: string, { entity, siblings }: Group, path: Path): void {
    const numeric = [...siblings].filter(([, measure]) => !measure.ratio).map(([each]) => each);
    if (!this.#oneOf(name, numeric, path, 'a measure beside it that is no ratio')) return;
    const fieldOf = (field: string) => entity?.fields?.find((each) => each.name === field);
    const output = outputOf(siblings.get(name) ?? {}, fieldOf);
    if (output !== null && !NUMERIC.has(output))
      this.#tell(path, 'NOT_ALLOWED', `must be a measure of kind INTEGER or DECIMAL, but ${name} is ${output}.`);
  }
}

/** What a measure stands beside. */
interface Group {
  readonly entity: AnalyticsEntityJson | undefined;
  readonly dimensions: readonly GivenDimension[];
  /** Measures by the names of their columns. */
  readonly siblings: ReadonlyMap<string, GivenMeasure>;
}

const nameIn = (measure: GivenMeasure): string | null | undefined => measure[only(measure) as keyof GivenMeasure]?.name;

/** The member of the input for values of a kind, in words. */
function withKind(type: string): string {
  const member = Object.entries(KINDS).find(([, kind]) => kind === type)?.[0];
  return member ? `a value of \`${member}\`` : 'left out';
}

/** Conditions of a filter, and how many lie within each other. A list of work and no recursion: a filter may nest deeper than the stack. */
function sizeOf(filter: GivenFilter): { nodes: number; levels: number } {
  let nodes = 0;
  let levels = 0;
  const open: [GivenFilter, number][] = [[filter, 1]];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const [{ all, any, related }, level] = entry;
    nodes += 1;
    levels = Math.max(levels, level);
    for (const child of [...(all ?? []), ...(any ?? []), ...(related?.filter ? [related.filter] : [])]) open.push([child, level + 1]);
  }
  return { nodes, levels };
}

/** Everything that a query breaks of the rules that are known: those that are documented, and those of the catalog unless that is null. */
export function issuesOf(query: GivenQuery, catalog: ListCatalogResponseJson | null, path: Path): ValidationIssue[] {
  const check = new Check(catalog);
  check.query(query, path);
  return check.issues;
}
