import {
  AnalyticsAggregation as Aggregation,
  AnalyticsOperator as Operator,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { CatalogEntity, CatalogRelationship } from '../catalog.ts';

/** Aggregations that SQL can express, by function name. */
export const AGGREGATIONS: ReadonlyMap<string, Aggregation> = new Map([
  ['count', Aggregation.COUNT],
  ['sum', Aggregation.SUM],
  ['avg', Aggregation.AVG],
  ['min', Aggregation.MIN],
  ['max', Aggregation.MAX],
  ['percentile_disc', Aggregation.PERCENTILE_DISC],
]);

/** Operators with a single value. */
export const COMPARISONS: ReadonlyMap<string, Operator> = new Map([
  ['=', Operator.EQ],
  ['<>', Operator.NEQ],
  ['!=', Operator.NEQ],
  ['<', Operator.LT],
  ['<=', Operator.LTE],
  ['>', Operator.GT],
  ['>=', Operator.GTE],
]);

/** Buckets, by the first argument of `svc.bucket`. */
export const BUCKETS: ReadonlyMap<string, TimeBucket> = new Map([
  ['day', TimeBucket.DAY],
  ['week', TimeBucket.WEEK],
  ['month', TimeBucket.MONTH],
  ['quarter', TimeBucket.QUARTER],
  ['year', TimeBucket.YEAR],
]);

/** The join condition of a relationship in SQL: `payments.order_id = orders.id`. It's the only difference between relationships of the same two roots. */
export function createCorrelationSql({ name }: CatalogEntity, { entity, on }: CatalogRelationship): string {
  const condition = on.replaceAll('other.', `${entity}.`).replaceAll('row.', `${name}.`);
  return condition.includes(' OR ') ? `(${condition})` : condition;
}

/**
 * Keywords that PostgreSQL 18 doesn't accept as column names: reserved ones, and names of types and functions. They're rejected as names, so that all accepted
 * SQL is also valid in PostgreSQL.
 */
export const RESERVED: ReadonlySet<string> = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column concurrently
  constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default deferrable
  desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull
  join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary
  references returning right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user
  using variadic verbose when where window with`.split(/\s+/),
);

/** SQL features that aren't supported, by the keyword that identifies them. */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'table aliases': ['as'],
    'common table expressions': ['with', 'recursive'],
    'table expressions': ['lateral', 'only', 'tablesample', 'table', 'values'],
    joins: ['join', 'inner', 'left', 'right', 'full', 'outer', 'cross', 'natural', 'on', 'using'],
    'set operations': ['union', 'intersect', 'except'],
    'conditions on groups': ['having'],
    offsets: ['offset', 'fetch'],
    'conditional measures': ['filter'],
    'window functions': ['over', 'window', 'partition'],
    'uses of DISTINCT other than count(DISTINCT field)': ['distinct'],
    'patterns other than contains(field, string)': ['like', 'ilike', 'similar'],
    'ranges other than >= with <=': ['between'],
    'negations other than NOT IN and IS NOT NULL': ['not'],
    'OR conditions outside parentheses': ['or'],
    expressions: ['case', 'coalesce', 'nullif', 'array', 'row', 'any', 'all', 'some'],
    casts: ['cast', 'timestamp', 'timestamptz', 'date', 'time', 'interval'],
    collations: ['collate'],
    'functions of the current time': ['now', 'current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp'],
    subqueries: ['select'],
    locks: ['for'],
    'data changes': ['insert', 'update', 'delete', 'merge', 'truncate', 'copy', 'into', 'returning'],
    'schema changes': ['create', 'drop', 'alter', 'grant', 'revoke'],
    commands: ['explain', 'set', 'show', 'call', 'do', 'execute', 'prepare', 'begin', 'commit', 'rollback', 'vacuum', 'analyze', 'declare'],
  }).flatMap(([feature, words]) => words.map((word) => [word, feature])),
);
