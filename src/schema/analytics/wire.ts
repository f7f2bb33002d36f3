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
import type { GivenFilter, GivenMeasure, GivenQuery, GivenTimeRange, GivenValue } from './inputs.ts';
import { entityName, Operator, TimeBucket } from './words.ts';

export type Path = readonly string[];

/** Maximum number of rows of a result. Source: the upstream's limits. */
export const MAX_ROWS = 100;

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
  readonly #paths = new Map<object, Path>();
  readonly #decimals = new Set<object>();

  constructor(given: GivenQuery, path: Path) {
    this.query = this.#query(given, path);
  }

  /** Converts a path within the request, which starts with `query`, to a path in the input. */
  toInputPath([, ...steps]: Path): string[] {
    let at: unknown = this.query;
    let path = this.#paths.get(this.query) ?? [];
    let rest: Path = [];
    for (const step of steps) {
      at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
      const known = typeof at === 'object' && at !== null ? this.#paths.get(at) : undefined;
      if (known && this.#decimals.has(at as object)) return [...known];
      if (known) [path, rest] = [known, []];
      else rest = [...rest, NAMES[step] ?? step];
    }
    return [...path, ...rest];
  }

  #at<Wire extends object>(wire: Wire, path: Path): Wire {
    this.#paths.set(wire, path);
    return wire;
  }

  /** Converts a decimal. It's a single value in the input, so its parts have the same path. */
  #decimal(decimal: string, path: Path): Required<AnalyticsDecimalJson> {
    const wire = this.#at(toUnscaled(decimal), path);
    this.#decimals.add(wire);
    return wire;
  }

  #query({ entity, timezone, timeRange, filter, select, sort, limit }: GivenQuery, path: Path): AnalyticsQueryJson {
    const { aggregate, records } = select;
    const at = [...path, 'select'];
    return this.#at(
      {
        version: 1,
        entity: entityName(entity, [...path, 'entity']),
        semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE' as const,
        timezone: timezone ?? '',
        ...(timeRange && { timeRange: this.#timeRange(timeRange, [...path, 'timeRange']) }),
        ...(filter && { filter: this.#filter(filter, [...path, 'filter']) }),
        ...(aggregate && { aggregate: this.#aggregate(aggregate, [...at, 'aggregate']) }),
        ...(records && { records: this.#at({ fields: this.#at([...records], [...at, 'records']) }, [...at, 'records']) }),
        ...(sort?.length && {
          sort: this.#at(
            sort.map(({ column, direction }, index) =>
              this.#at({ column, ...(direction && { direction: `ANALYTICS_SORT_DIRECTION_${direction}` as const }) }, [
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

  #timeRange({ field, range: { calendar, timestamp, relative } }: GivenTimeRange, path: Path): AnalyticsTimeRangeJson {
    const at = [...path, 'range'];
    return this.#at(
      {
        field,
        ...(calendar && { calendar: this.#at({ ...calendar }, [...at, 'calendar']) }),
        ...(timestamp && {
          timestamp: this.#at({ start: formatInstant(timestamp.from), end: formatInstant(timestamp.to) }, [...at, 'timestamp']),
        }),
        ...(relative && {
          relative: this.#at({ period: `ANALYTICS_RELATIVE_PERIOD_${relative.period}` as const, offset: relative.offset ?? 0 }, [
            ...at,
            'relative',
          ]),
        }),
      },
      path,
    );
  }

  #children(filters: readonly GivenFilter[], path: Path) {
    const children = filters.map((each, index) => this.#filter(each, [...path, String(index)]));
    return this.#at({ children: this.#at(children, path) }, path);
  }

  #filter({ all, any, compare, related }: GivenFilter, path: Path): AnalyticsFilterJson {
    return this.#at(
      {
        ...(all && { all: this.#children(all, [...path, 'all']) }),
        ...(any && { any: this.#children(any, [...path, 'any']) }),
        ...(compare && {
          compare: this.#at(
            {
              field: compare.field,
              operator: Operator.toWire(compare.operator, [...path, 'compare', 'operator']),
              values: (compare.values ?? []).map((value, index) => this.#value(value, [...path, 'compare', 'values', String(index)])),
            },
            [...path, 'compare'],
          ),
        }),
        ...(related && {
          related: this.#at(
            {
              relationship: related.relationship,
              ...(related.filter && { filter: this.#filter(related.filter, [...path, 'related', 'filter']) }),
            },
            [...path, 'related'],
          ),
        }),
      },
      path,
    );
  }

  #value({ decimal, timestamp, ...given }: GivenValue, path: Path): AnalyticsValueJson {
    const plain = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
    return this.#at(
      {
        ...plain,
        ...(decimal && { decimal: this.#decimal(decimal, [...path, 'decimal']) }),
        ...(timestamp && { timestamp: formatInstant(timestamp) }),
      },
      path,
    );
  }

  #aggregate({ measures, dimensions }: NonNullable<GivenQuery['select']['aggregate']>, path: Path): AnalyticsAggregateJson {
    const at = (name: string, index: number) => [...path, name, String(index)];
    return this.#at(
      {
        measures: this.#at(
          measures.map((each, index) => this.#measure(each, at('measures', index))),
          [...path, 'measures'],
        ),
        dimensions: this.#at(
          (dimensions ?? []).map(({ name, field, bucket }, index) => {
            const place = at('dimensions', index);
            return this.#at({ id: name ?? '', field, ...(bucket && { bucket: TimeBucket.toWire(bucket, [...place, 'bucket']) }) }, place);
          }),
          [...path, 'dimensions'],
        ),
      },
      path,
    );
  }

  #measure(given: GivenMeasure, path: Path): AnalyticsMeasureJson {
    const { count, percentile, ratio } = given;
    const condition = (of: { readonly condition?: GivenFilter | null | undefined }, at: Path) =>
      of.condition ? { condition: this.#filter(of.condition, [...at, 'condition']) } : {};
    if (ratio) {
      const { name, numerator, denominator } = ratio;
      return this.#at({ id: name ?? '', aggregation: 'ANALYTICS_AGGREGATION_RATIO', numerator, denominator }, [...path, 'ratio']);
    }
    if (count) {
      const at = [...path, 'count'];
      return this.#at({ id: count.name ?? '', aggregation: 'ANALYTICS_AGGREGATION_COUNT', ...condition(count, at) }, at);
    }
    if (percentile) {
      const at = [...path, 'percentile'];
      const share = this.#decimal(percentile.percentile, [...at, 'percentile']);
      const aggregation = 'ANALYTICS_AGGREGATION_PERCENTILE_DISC';
      return this.#at(
        { id: percentile.name ?? '', aggregation, field: percentile.field, percentile: share, ...condition(percentile, at) },
        at,
      );
    }
    for (const [kind, aggregation] of Object.entries(AGGREGATIONS)) {
      const of = given[kind as keyof typeof AGGREGATIONS];
      if (!of) continue;
      const at = [...path, kind];
      return this.#at({ id: of.name ?? '', aggregation, field: of.field, ...condition(of, at) }, at);
    }
    throw new Error('Unknown kind of measure.');
  }
}

/** Names in the input of members that have another name in the contract. */
const NAMES: Readonly<Record<string, string>> = { id: 'name', start: 'from', end: 'to' };
