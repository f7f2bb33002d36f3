import { formatInstant } from '../../lib/instant.ts';
import type {
  AnalyticsAggregateJson,
  AnalyticsDecimalJson,
  AnalyticsFilterJson,
  AnalyticsMeasureJson,
  AnalyticsQueryJson,
  AnalyticsTimeRangeJson,
  AnalyticsValueJson,
} from '../../upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { Operator, TimeBucket, toEntityName } from './enums.ts';
import type { FilterShape, MeasureShape, QueryShape, TimeRangeShape, ValueShape } from './inputs.ts';

export type WirePath = readonly string[];

/** Maximum number of rows of a result. Source: the upstream's limits. */
export const MAX_ROWS = 100;

/** Returns the maximum number of rows of a query's result. An aggregate without dimensions has one. */
export function countRows({ select: { aggregate }, limit }: QueryShape): number {
  if (aggregate && !aggregate.dimensions?.length) return 1;
  return Math.min(Math.max(limit ?? MAX_ROWS, 0), MAX_ROWS);
}

/** Converts a decimal to its digits and its number of decimal places. */
export function toUnscaled(decimal: string): Required<AnalyticsDecimalJson> {
  const [whole = '', fraction = ''] = decimal.split('.');
  const unscaled = `${whole}${fraction}`.replace(/^(-?)0+(?=\d)/, '$1');
  return { unscaled: unscaled === '-0' ? '0' : unscaled, scale: fraction.length };
}

/** Aggregations by the fields of the measure input. */
const AGGREGATIONS = {
  countDistinct: 'ANALYTICS_AGGREGATION_COUNT_DISTINCT',
  sum: 'ANALYTICS_AGGREGATION_SUM',
  avg: 'ANALYTICS_AGGREGATION_AVG',
  min: 'ANALYTICS_AGGREGATION_MIN',
  max: 'ANALYTICS_AGGREGATION_MAX',
} as const;

/**
 * A query in the contract's format, with the input path of each of its objects, because validation issues refer to these paths. Throws ValidationError for
 * `OTHER`, which has no value in the contract.
 */
export class WireQuery {
  readonly query: AnalyticsQueryJson;
  readonly #paths = new Map<object, WirePath>();
  readonly #decimals = new Set<object>();

  constructor(input: QueryShape, path: WirePath) {
    this.query = this.#toQuery(input, path);
  }

  /** Converts a path within the request, which starts with `query`, to a path in the input. */
  toInputPath([, ...steps]: WirePath): string[] {
    let at: unknown = this.query;
    let path = this.#paths.get(this.query) ?? [];
    let rest: WirePath = [];
    for (const step of steps) {
      at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
      const known = typeof at === 'object' && at !== null ? this.#paths.get(at) : undefined;
      if (known && this.#decimals.has(at as object)) return [...known];
      if (known) [path, rest] = [known, []];
      else rest = [...rest, INPUT_NAMES[step] ?? step];
    }
    return [...path, ...rest];
  }

  #recordPath<Wire extends object>(wire: Wire, path: WirePath): Wire {
    this.#paths.set(wire, path);
    return wire;
  }

  /** Converts a decimal. It's a single value in the input, so its parts have the same path. */
  #toDecimal(decimal: string, path: WirePath): Required<AnalyticsDecimalJson> {
    const wire = this.#recordPath(toUnscaled(decimal), path);
    this.#decimals.add(wire);
    return wire;
  }

  #toQuery({ entity, timezone, timeRange, filter, select, sort, limit }: QueryShape, path: WirePath): AnalyticsQueryJson {
    const { aggregate, records } = select;
    const at = [...path, 'select'];
    return this.#recordPath(
      {
        version: 1,
        entity: toEntityName(entity, [...path, 'entity']),
        semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE' as const,
        timezone: timezone ?? '',
        ...(timeRange && { timeRange: this.#toTimeRange(timeRange, [...path, 'timeRange']) }),
        ...(filter && { filter: this.#toFilter(filter, [...path, 'filter']) }),
        ...(aggregate && { aggregate: this.#toAggregate(aggregate, [...at, 'aggregate']) }),
        ...(records && { records: this.#recordPath({ fields: this.#recordPath([...records], [...at, 'records']) }, [...at, 'records']) }),
        ...(sort?.length && {
          sort: this.#recordPath(
            sort.map(({ column, direction }, index) =>
              this.#recordPath({ column, ...(direction && { direction: `ANALYTICS_SORT_DIRECTION_${direction}` as const }) }, [
                ...path,
                'sort',
                String(index),
              ]),
            ),
            [...path, 'sort'],
          ),
        }),
        limit: limit ?? MAX_ROWS,
      },
      path,
    );
  }

  #toTimeRange({ field, range: { calendar, timestamp, relative } }: TimeRangeShape, path: WirePath): AnalyticsTimeRangeJson {
    const at = [...path, 'range'];
    return this.#recordPath(
      {
        field,
        ...(calendar && { calendar: this.#recordPath({ ...calendar }, [...at, 'calendar']) }),
        ...(timestamp && {
          timestamp: this.#recordPath({ start: formatInstant(timestamp.gte), end: formatInstant(timestamp.lt) }, [...at, 'timestamp']),
        }),
        ...(relative && {
          relative: this.#recordPath({ period: `ANALYTICS_RELATIVE_PERIOD_${relative.period}` as const, offset: relative.offset ?? 0 }, [
            ...at,
            'relative',
          ]),
        }),
      },
      path,
    );
  }

  #toChildren(filters: readonly FilterShape[], path: WirePath) {
    const children = filters.map((each, index) => this.#toFilter(each, [...path, String(index)]));
    return this.#recordPath({ children: this.#recordPath(children, path) }, path);
  }

  #toFilter({ all, any, compare, related }: FilterShape, path: WirePath): AnalyticsFilterJson {
    return this.#recordPath(
      {
        ...(all && { all: this.#toChildren(all, [...path, 'all']) }),
        ...(any && { any: this.#toChildren(any, [...path, 'any']) }),
        ...(compare && {
          compare: this.#recordPath(
            {
              field: compare.field,
              operator: Operator.toWire(compare.operator, [...path, 'compare', 'operator']),
              values: (compare.values ?? []).map((value, index) => this.#toValue(value, [...path, 'compare', 'values', String(index)])),
            },
            [...path, 'compare'],
          ),
        }),
        ...(related && {
          related: this.#recordPath(
            {
              relationship: related.relationship,
              ...(related.filter && { filter: this.#toFilter(related.filter, [...path, 'related', 'filter']) }),
            },
            [...path, 'related'],
          ),
        }),
      },
      path,
    );
  }

  #toValue({ decimal, timestamp, ...input }: ValueShape, path: WirePath): AnalyticsValueJson {
    const plain = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
    return this.#recordPath(
      {
        ...plain,
        ...(decimal && { decimal: this.#toDecimal(decimal, [...path, 'decimal']) }),
        ...(timestamp && { timestamp: formatInstant(timestamp) }),
      },
      path,
    );
  }

  #toAggregate({ measures, dimensions }: NonNullable<QueryShape['select']['aggregate']>, path: WirePath): AnalyticsAggregateJson {
    const createPath = (name: string, index: number) => [...path, name, String(index)];
    return this.#recordPath(
      {
        measures: this.#recordPath(
          measures.map((each, index) => this.#toMeasure(each, createPath('measures', index))),
          [...path, 'measures'],
        ),
        dimensions: this.#recordPath(
          (dimensions ?? []).map(({ name, field, bucket }, index) => {
            const dimensionPath = createPath('dimensions', index);
            return this.#recordPath(
              { id: name ?? '', field, ...(bucket && { bucket: TimeBucket.toWire(bucket, [...dimensionPath, 'bucket']) }) },
              dimensionPath,
            );
          }),
          [...path, 'dimensions'],
        ),
      },
      path,
    );
  }

  #toMeasure(input: MeasureShape, path: WirePath): AnalyticsMeasureJson {
    const { count, percentile, ratio } = input;
    const condition = (of: { readonly condition?: FilterShape | null | undefined }, at: WirePath) =>
      of.condition ? { condition: this.#toFilter(of.condition, [...at, 'condition']) } : {};
    if (ratio) {
      const { name, numerator, denominator } = ratio;
      return this.#recordPath({ id: name ?? '', aggregation: 'ANALYTICS_AGGREGATION_RATIO', numerator, denominator }, [...path, 'ratio']);
    }
    if (count) {
      const at = [...path, 'count'];
      return this.#recordPath({ id: count.name ?? '', aggregation: 'ANALYTICS_AGGREGATION_COUNT', ...condition(count, at) }, at);
    }
    if (percentile) {
      const at = [...path, 'percentile'];
      const share = this.#toDecimal(percentile.percentile, [...at, 'percentile']);
      const aggregation = 'ANALYTICS_AGGREGATION_PERCENTILE_DISC';
      return this.#recordPath(
        { id: percentile.name ?? '', aggregation, field: percentile.field, percentile: share, ...condition(percentile, at) },
        at,
      );
    }
    for (const [kind, aggregation] of Object.entries(AGGREGATIONS)) {
      const of = input[kind as keyof typeof AGGREGATIONS];
      if (!of) continue;
      const at = [...path, kind];
      return this.#recordPath({ id: of.name ?? '', aggregation, field: of.field, ...condition(of, at) }, at);
    }
    throw new Error('Unknown kind of measure.');
  }
}

/** Names in the input of members that have another name in the contract. */
const INPUT_NAMES: Readonly<Record<string, string>> = { id: 'name', start: 'gte', end: 'lt' };
