import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import type { GeneratorValue } from 'fast-check';
import { type CatalogEntity, type CatalogField, listAggregations, listOperators } from '../../../../sandbox/analytics/catalog.ts';
import { ENTITIES, entityByName } from '../../../../sandbox/analytics/entities.ts';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsAggregationSchema,
  AnalyticsOperatorSchema,
  AnalyticsQuerySchema,
  AnalyticsFieldType as FieldType,
  AnalyticsOperator as Operator,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { fc } from '../../../support/seeded.ts';
import { resolveIds } from './ids.ts';
import type { Records } from './rows.ts';
import { isEmpty, isNumber } from './values.ts';
import { timestampArb } from './worlds.ts';

/** Generates values within an arbitrary. */
type Draw = GeneratorValue;

const ZONES = [
  '',
  'UTC',
  'Europe/Amsterdam',
  'America/New_York',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'America/Santiago',
];
const BUCKETS = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'];
const PERIODS = [
  'TODAY',
  'THIS_WEEK',
  'THIS_MONTH',
  'THIS_QUARTER',
  'THIS_YEAR',
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'LAST_90_DAYS',
  'LAST_12_MONTHS',
] as const;

const DAY = 86_400;
const FIVE_YEARS = 1_800 * DAY;

function pick<Thing>(draw: Draw, things: readonly Thing[]): Thing {
  const thing = things[draw(fc.nat, things.length - 1)];
  if (thing === undefined) throw new Error('There is nothing to pick from.');
  return thing;
}

const chance = (draw: Draw, percent: number): boolean => draw(fc.nat, 99) < percent;
const upTo = (draw: Draw, max: number): number => draw(fc.nat, max);
const parseTimestamp = (draw: Draw): number => draw(() => timestampArb);

/** RFC 3339, with or without an offset and fractional seconds. */
function formatRfc3339(draw: Draw, seconds: number): string {
  const fraction = pick(draw, ['', '', '.5', '.000001', '.999999']);
  const shift = pick(draw, [0, 0, 120, -210]);
  const local = new Date((seconds + shift * 60) * 1000).toISOString().slice(0, 19);
  const offset = `${shift < 0 ? '-' : '+'}${String(Math.floor(Math.abs(shift) / 60)).padStart(2, '0')}:${String(Math.abs(shift) % 60).padStart(2, '0')}`;
  return `${local}${fraction}${shift === 0 ? 'Z' : offset}`;
}

const formatDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

const listFields = ({ fields }: CatalogEntity, ...types: FieldType[]) => fields.filter(({ type }) => types.includes(type));

/** Generates queries of the catalog with values that occur in the records. */
export class QueryGenerator {
  readonly #draw: Draw;
  readonly #records: Records;

  constructor(draw: Draw, records: Records) {
    this.#draw = draw;
    this.#records = records;
  }

  query(entity: CatalogEntity = pick(this.#draw, ENTITIES)): JsonObject {
    const draw = this.#draw;
    const timeRange = chance(draw, 40) ? this.range(entity) : undefined;
    const query: JsonObject = {
      version: 1,
      entity: entity.name,
      semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE',
      timezone: pick(draw, ZONES),
      ...(timeRange && { timeRange }),
      ...(chance(draw, 50) && { filter: this.filter(entity) }),
      ...(chance(draw, 70) ? { aggregate: this.aggregate(entity, timeRange !== undefined) } : { records: this.projection(entity) }),
    };
    const limit = pick(draw, [0, 0, 1, 3, 10, 100]);
    return { ...query, ...this.sort(query), ...(limit && { limit }) };
  }

  /** Adds a sort by some of the columns. */
  sort(query: JsonObject): JsonObject {
    const draw = this.#draw;
    const { aggregate, records } = resolveIds(fromJson(AnalyticsQuerySchema, query));
    const ids = records ? records.fields : [...(aggregate?.dimensions ?? []), ...(aggregate?.measures ?? [])].map(({ id }) => id);
    const chosen = ids.filter(() => chance(draw, 25)).slice(0, 3);
    if (chance(draw, 30)) chosen.reverse();
    const direction = () =>
      pick<JsonObject>(draw, [{}, { direction: 'ANALYTICS_SORT_DIRECTION_ASC' }, { direction: 'ANALYTICS_SORT_DIRECTION_DESC' }]);
    return chosen.length > 0 ? { sort: chosen.map((column) => ({ column, ...direction() })) } : {};
  }

  range(entity: CatalogEntity): JsonObject {
    const draw = this.#draw;
    const field = pick(draw, listFields(entity, FieldType.TIMESTAMP)).name;
    const start = parseTimestamp(draw);
    const length = pick(draw, [0, 7 * DAY, 366 * DAY, FIVE_YEARS, FIVE_YEARS]);
    switch (upTo(draw, 2)) {
      case 0:
        return { field, calendar: { startDate: formatDay(start), endDate: formatDay(start + length) } };
      case 1: {
        // At least one second, because fractional seconds add up to less than one.
        const [from, to] = [formatRfc3339(draw, start), formatRfc3339(draw, start + length + 2)];
        return { field, timestamp: { start: from, end: to } };
      }
      default: {
        const period = `ANALYTICS_RELATIVE_PERIOD_${pick(draw, PERIODS)}`;
        const offset = pick(draw, [0, 0, -1, -1, 1, -2, -3, -24, 24]);
        return { field, relative: { period, ...(offset && { offset }) } };
      }
    }
  }

  /** A comparison or a group of them, with a maximum number of levels and relationships. */
  filter(entity: CatalogEntity, levels = 3, hops = 2): JsonObject {
    const draw = this.#draw;
    const kind = levels > 1 ? pick(draw, ['all', 'any', 'compare', 'compare', 'compare', 'related', 'related']) : 'compare';
    if (kind === 'compare' || (kind === 'related' && hops === 0)) return { compare: this.comparison(entity) };
    if (kind !== 'related') {
      const children: JsonValue[] = [this.filter(entity, levels - 1, hops)];
      for (let more = upTo(draw, 2); more > 0; more -= 1) children.push(this.filter(entity, levels - 1, hops));
      return { [kind]: { children } };
    }
    const { name, entity: other } = pick(draw, entity.relationships);
    const target = entityByName.get(other);
    if (!target) throw new Error(`There is no root ${other}.`);
    return { related: { relationship: name, ...(chance(draw, 80) && { filter: this.filter(target, levels - 1, hops - 1) }) } };
  }

  comparison(entity: CatalogEntity): JsonObject {
    const draw = this.#draw;
    const field = pick(
      draw,
      entity.fields.filter((each) => listOperators(each).length > 0),
    );
    const operator = pick(draw, listOperators(field));
    const { name } = AnalyticsOperatorSchema.value[operator] ?? { name: '' };
    return { field: field.name, operator: name, ...this.#values(entity, field, operator) };
  }

  #values(entity: CatalogEntity, field: CatalogField, operator: Operator): JsonObject {
    const draw = this.#draw;
    if (operator === Operator.IS_NULL || operator === Operator.IS_NOT_NULL) return {};
    if (operator === Operator.CONTAINS)
      return { values: [{ text: pick(draw, ['a', 'E', 'OPEN', 'c', '1', '%', '_', '\\', 'ü', "'", '😀']) }] };
    const count = operator === Operator.IN || operator === Operator.NOT_IN ? 1 + upTo(draw, 3) : 1;
    return { values: Array.from({ length: count }, () => this.#value(entity, field)) };
  }

  #value(entity: CatalogEntity, { name, type, enumValues: words, isMember }: CatalogField): JsonObject {
    const draw = this.#draw;
    const rows = this.#records.rows(entity.name);
    const known = rows.map((row) => row[name] ?? null).filter((value) => !isEmpty(value));
    const value = known.length > 0 ? pick(draw, known) : null;
    switch (type) {
      case FieldType.TEXT:
        if (isMember && chance(draw, 50)) return { currentMember: true };
        return { text: words ? pick(draw, words) : value && typeof value === 'object' && 'text' in value ? value.text : 'nothing' };
      case FieldType.INTEGER:
        return {
          integer:
            value && typeof value === 'object' && 'integer' in value && chance(draw, 70) ? String(value.integer) : String(upTo(draw, 90)),
        };
      case FieldType.DECIMAL: {
        const known = value && typeof value === 'object' && 'decimal' in value && chance(draw, 60);
        const scale = known ? upTo(draw, 3) : upTo(draw, 4);
        if (known)
          return { decimal: { unscaled: String(value.decimal.unscaled * 10n ** BigInt(scale)), scale: value.decimal.scale + scale } };
        return { decimal: { unscaled: String(upTo(draw, 500)), scale } };
      }
      case FieldType.BOOLEAN:
        return { boolean: chance(draw, 50) };
      case FieldType.TIMESTAMP: {
        if (chance(draw, 30)) return { nowOffsetSeconds: String(pick(draw, [0, -DAY, DAY, -90 * DAY, -FIVE_YEARS, FIVE_YEARS])) };
        const known = value && typeof value === 'object' && 'moment' in value && chance(draw, 60);
        return { timestamp: formatRfc3339(draw, known ? Number(value.moment / 1_000_000n) : parseTimestamp(draw)) };
      }
      default:
        throw new Error(`No value is drawn for ${name}.`);
    }
  }

  projection(entity: CatalogEntity): JsonObject {
    const fields = entity.fields.map(({ name }) => name).filter(() => chance(this.#draw, 30));
    return { fields: fields.length > 0 ? fields : ['id'] };
  }

  aggregate(entity: CatalogEntity, hasRange: boolean): JsonObject {
    const draw = this.#draw;
    const measures: JsonObject[] = [this.measure(entity)];
    for (let more = upTo(draw, 4); more > 0; more -= 1) measures.push(this.measure(entity));
    const currencies = entity.fields
      .filter(({ name }) => measures.some(({ field }) => field === name))
      .flatMap(({ currencyField }) => currencyField ?? []);
    const dimensions: JsonObject[] = currencies[0] === undefined ? [] : [{ field: currencies[0] }];
    for (let more = upTo(draw, 2); more > 0; more -= 1) dimensions.push(this.dimension(entity, hasRange));
    if (chance(draw, 30)) dimensions.reverse();
    // Sometimes uses an ID that another column would get by default.
    for (const [index, each] of [...dimensions, ...measures].entries())
      if (chance(draw, 15)) each.id = pick(draw, [`x${index}`, index === 1 ? 'count' : `y${index}`]);
    this.#addRatio(entity, { measures, dimensions });
    return { measures, ...(dimensions.length > 0 && { dimensions }) };
  }

  #addRatio(entity: CatalogEntity, { measures, dimensions }: { measures: JsonObject[]; dimensions: JsonObject[] }): void {
    const draw = this.#draw;
    const query = { version: 1, entity: entity.name, aggregate: { measures, dimensions } };
    const resolved = resolveIds(fromJson(AnalyticsQuerySchema, query)).aggregate?.measures ?? [];
    const counts: readonly Aggregation[] = [Aggregation.COUNT, Aggregation.COUNT_DISTINCT];
    const type = (name: string) => entity.fields.find((field) => field.name === name)?.type ?? FieldType.INTEGER;
    const ids = resolved.filter(({ aggregation, field }) => counts.includes(aggregation) || isNumber(type(field))).map(({ id }) => id);
    if (ids.length === 0 || !chance(draw, 40)) return;
    const aggregation = 'ANALYTICS_AGGREGATION_RATIO';
    measures.push({ aggregation, numerator: pick(draw, ids), denominator: pick(draw, ids), ...(chance(draw, 30) && { id: 'share' }) });
  }

  dimension(entity: CatalogEntity, hasRange: boolean): JsonObject {
    const draw = this.#draw;
    const field = pick(
      draw,
      entity.fields.filter(({ type }) => type !== FieldType.MONEY),
    );
    if (field.type !== FieldType.TIMESTAMP || !hasRange || chance(draw, 20)) return { field: field.name };
    return { field: field.name, bucket: `ANALYTICS_TIME_BUCKET_${pick(draw, BUCKETS)}` };
  }

  measure(entity: CatalogEntity): JsonObject {
    const draw = this.#draw;
    const condition = chance(draw, 30) ? { condition: this.filter(entity, 2, 1) } : {};
    if (chance(draw, 25)) return { aggregation: 'ANALYTICS_AGGREGATION_COUNT', ...condition };
    // Text fields only support distinct values, so most measures use other fields.
    const least = chance(draw, 80) ? 1 : 0;
    const field = pick(
      draw,
      entity.fields.filter((each) => listAggregations(each).length > least),
    );
    const aggregation = pick(draw, listAggregations(field));
    const { name } = AnalyticsAggregationSchema.value[aggregation] ?? { name: '' };
    const percentile = pick(draw, [
      [95, 2],
      [5, 1],
      [1, 0],
      [0, 0],
      [3333, 4],
      [500, 3],
    ] as const);
    return {
      aggregation: name,
      field: field.name,
      ...condition,
      ...(aggregation === Aggregation.PERCENTILE_DISC && { percentile: { unscaled: String(percentile[0]), scale: percentile[1] } }),
    };
  }
}

/** Valid queries of the records. */
export const queryArb = (records: Records): fc.Arbitrary<JsonObject> => fc.gen().map((draw) => new QueryGenerator(draw, records).query());
