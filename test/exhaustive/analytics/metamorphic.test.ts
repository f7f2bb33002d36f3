import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { CatalogEntity } from '../../../sandbox/analytics/catalog.ts';
import { ENTITIES, entityByName } from '../../../sandbox/analytics/entities.ts';
import { AnalyticsRelativePeriod as Period } from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { Situation } from '../../sandbox/analytics/oracle/filters.ts';
import { toCalendarRange } from '../../sandbox/analytics/oracle/moments.ts';
import { type Draw, PERIODS, QueryGenerator } from '../../sandbox/analytics/oracle/queries.ts';
import { useOracle } from '../../sandbox/analytics/oracle/useOracle.ts';
import { worldArb } from '../../sandbox/analytics/oracle/worlds.ts';
import { fc, SEED, scaleCases } from '../../support/seeded.ts';

const RUNS = scaleCases(30);
const oracle = useOracle();

interface Cell {
  readonly status: string;
  readonly integer?: string;
}
interface Result {
  readonly rows: { readonly cells: Cell[] }[];
  readonly truncated?: boolean;
  readonly normalizedQuery: JsonObject;
}

const getEntity = (name: string): CatalogEntity => {
  const entity = entityByName.get(name);
  if (!entity) throw new Error(`There is no entity ${name}.`);
  return entity;
};
const APPOINTMENTS = getEntity('appointments');
const ORDERS = getEntity('orders');

const measure = (aggregation: string, options: JsonObject = {}): JsonObject => ({
  aggregation: `ANALYTICS_AGGREGATION_${aggregation}`,
  ...options,
});
const COUNT = measure('COUNT');
const CURRENCY = { field: 'currency' };
const PERCENTILE_1 = { percentile: { unscaled: '1', scale: 0 } };

async function executeQuery(query: JsonObject): Promise<Result> {
  const base = { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE' };
  const { status, body } = await oracle.ask({ ...base, ...query });
  if (status !== 200) throw new Error(`${status}: ${body.message}`);
  return { rows: [], ...body.result };
}

const queryCells = async (query: JsonObject): Promise<Cell[][]> => (await executeQuery(query)).rows.map(({ cells }) => cells);
const queryIds = async (entity: CatalogEntity, filter: JsonObject): Promise<unknown[]> =>
  (await queryCells({ entity: entity.name, filter, records: { fields: ['id'] } })).flat();
const sortedJson = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();
const sum = (cells: readonly (Cell | undefined)[]) => cells.reduce((total, cell) => total + BigInt(cell?.integer ?? 0), 0n);

/** Three IDs for a field. Some of them occur in its rows. */
function drawIds({ name }: CatalogEntity, field: string, pick: Draw): JsonObject[] {
  const kind = { id: name[0], customer_id: 'c', order_id: 'o', quote_id: 'q' }[field] ?? 'x';
  return [pick(fc.nat, 5), pick(fc.nat, 9), pick(fc.nat, 12)].map((index) => ({ text: `${kind}${index}` }));
}

/** Checks a property of random queries in a random world. */
async function checkProperty(
  property: (draw: QueryGenerator, entity: CatalogEntity, pick: Draw, situation: Situation) => () => Promise<void>,
): Promise<void> {
  const [world] = fc.sample(worldArb, { numRuns: 1, seed: SEED + 100 });
  if (!world) throw new Error('There must be a world.');
  const situation = oracle.enter(world);
  const properties = fc
    .gen()
    .map((pick) => property(new QueryGenerator(pick, situation.records), pick(fc.constantFrom, ...ENTITIES), pick, situation));
  await fc.assert(
    fc.asyncProperty(properties, (check) => check()),
    { numRuns: RUNS, seed: SEED },
  );
}

/** A query with a random time range. */
const drawRangeQuery = (draw: QueryGenerator, entity: CatalogEntity): JsonObject => ({
  entity: entity.name,
  timeRange: draw.range(entity),
});

describe('analytics queries', () => {
  it('return group counts that add up to the total count', () =>
    checkProperty((draw, entity) => {
      const query = { ...drawRangeQuery(draw, entity), filter: draw.filter(entity) };
      const dimensions = [draw.dimension(entity, true), draw.dimension(entity, true)];
      return async () => {
        const [whole, groups] = [
          await queryCells({ ...query, aggregate: { measures: [COUNT] } }),
          await queryCells({ ...query, aggregate: { measures: [COUNT], dimensions } }),
        ];
        expect(sum(groups.map((cells) => cells.at(-1)))).toBe(sum(whole.flat()));
      };
    }));

  it('count each row once if a relationship has many rows', () =>
    checkProperty((draw, entity, pick) => {
      const { name, entity: other } = pick(fc.constantFrom, ...entity.relationships);
      const filter = { related: { relationship: name, filter: draw.filter(getEntity(other), 2, 1) } };
      return async () => {
        const measures = [COUNT, measure('COUNT_DISTINCT', { field: 'id' })];
        const [count, distinct] = (await queryCells({ entity: entity.name, filter, aggregate: { measures } })).flat();
        expect(count).toEqual(distinct);
      };
    }));

  it('return the intersection of two filters for AND and their union for OR', () =>
    checkProperty((draw, entity) => {
      const children = [draw.filter(entity), draw.filter(entity)] as const;
      return async () => {
        const [one, other] = [
          new Set(sortedJson(await queryIds(entity, children[0]))),
          new Set(sortedJson(await queryIds(entity, children[1]))),
        ];
        expect(sortedJson(await queryIds(entity, { all: { children: [...children] } }))).toEqual(
          [...one].filter((id) => other.has(id)).sort(),
        );
        expect(sortedJson(await queryIds(entity, { any: { children: [...children] } }))).toEqual([...new Set([...one, ...other])].sort());
      };
    }));

  it('return the same measures for a condition as for a filter', () =>
    checkProperty((draw, entity) => {
      const [filter, condition] = [draw.filter(entity), draw.filter(entity, 2, 1)];
      const count = {
        entity: entity.name,
        filter,
        aggregate: { measures: [{ ...COUNT, condition }, measure('COUNT_DISTINCT', { field: 'id', condition })] },
      };
      const filtered = { all: { children: [filter, condition] } };
      return async () => {
        const measures = [COUNT, measure('COUNT_DISTINCT', { field: 'id' })];
        expect(await queryCells(count)).toEqual(await queryCells({ ...count, filter: filtered, aggregate: { measures } }));
      };
    }));

  it('return bucket sums that add up to the sum of the range', () =>
    checkProperty((draw, _, pick) => {
      const timeRange = draw.range(APPOINTMENTS);
      const bucket = `ANALYTICS_TIME_BUCKET_${pick(fc.constantFrom, 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR')}`;
      const query = { entity: 'appointments', timeRange, timezone: pick(fc.constantFrom, '', 'Pacific/Apia', 'America/Santiago') };
      const measures = [measure('SUM', { field: 'duration_minutes' })];
      return async () => {
        const buckets = await queryCells({ ...query, aggregate: { measures, dimensions: [{ field: String(timeRange.field), bucket }] } });
        expect(sum(buckets.map((cells) => cells.at(-1)))).toBe(sum((await queryCells({ ...query, aggregate: { measures } })).flat()));
      };
    }));

  it('return the maximum for percentile 1 and the minimum for percentile 0', () =>
    checkProperty((draw) => {
      const query = { ...drawRangeQuery(draw, ORDERS), filter: draw.filter(ORDERS) };
      const field = { field: 'total_once' };
      const lowest = { percentile: { unscaled: '0', scale: 0 } };
      const measures = [
        measure('MAX', field),
        measure('PERCENTILE_DISC', { ...field, ...PERCENTILE_1 }),
        measure('MIN', field),
        measure('PERCENTILE_DISC', { ...field, ...lowest }),
      ];
      return async () => {
        for (const [, greatest, last, smallest, first] of await queryCells({ ...query, aggregate: { measures, dimensions: [CURRENCY] } }))
          expect([last, first]).toEqual([greatest, smallest]);
      };
    }));

  it('match the same rows with IN as with any EQ, and with NOT_IN as with all NEQ', () =>
    checkProperty((_, entity, pick) => {
      const field = pick(fc.constantFrom, ...entity.fields.filter(({ name }) => name.endsWith('_id') || name === 'id')).name;
      const rows = drawIds(entity, field, pick);
      const compare = (operator: string, values: JsonObject[]) => ({
        compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, values },
      });
      return async () => {
        const [eq, neq] = [rows.map((value) => compare('EQ', [value])), rows.map((value) => compare('NEQ', [value]))];
        expect(await queryIds(entity, compare('IN', rows))).toEqual(await queryIds(entity, { any: { children: eq } }));
        expect(await queryIds(entity, compare('NOT_IN', rows))).toEqual(await queryIds(entity, { all: { children: neq } }));
      };
    }));

  it('return the first rows of the same result if limited', () =>
    checkProperty((draw, entity, pick) => {
      const { limit: _, ...query } = draw.query(entity);
      const limit = 1 + pick(fc.nat, 9);
      return async () => {
        const whole = await queryCells(query);
        const { rows, truncated = false } = await executeQuery({ ...query, limit });
        expect([rows.map(({ cells }) => cells), truncated]).toEqual([whole.slice(0, limit), whole.length > limit]);
      };
    }));

  it('return the same rows with and without a sort order', () =>
    checkProperty((draw, entity) => {
      const { limit: _, sort: __, ...query } = draw.query(entity);
      const sorted = { ...query, ...draw.sort(query) };
      return async () => {
        expect(sortedJson(await queryCells(sorted))).toEqual(sortedJson(await queryCells(query)));
      };
    }));

  it('return the same result for a relative range as for its calendar range', () =>
    checkProperty((draw, entity, pick, { now, zone }) => {
      const { field } = draw.range(entity);
      const name = pick(fc.constantFrom<(typeof PERIODS)[number][]>, ...PERIODS);
      const offset = pick(fc.integer, { min: -24, max: 24 });
      const relative = { period: `ANALYTICS_RELATIVE_PERIOD_${name}`, offset };
      const calendar = toCalendarRange(Period[name], offset, zone, now);
      const query = { entity: entity.name, records: { fields: ['id'] } };
      return async () => {
        const sortBy = async (form: JsonObject) => {
          const { body } = await oracle.ask({
            version: 1,
            semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE',
            ...query,
            timeRange: { field: String(field), ...form },
          });
          return { rows: body.result.rows, range: body.result.resolvedTimeRange };
        };
        expect(await sortBy({ relative })).toEqual(await sortBy({ calendar }));
      };
    }));

  it('return the same result for their normalized form', () =>
    checkProperty((draw, entity) => {
      const query = draw.query(entity);
      return async () => {
        const { normalizedQuery, rows } = await executeQuery(query);
        const normalized = await executeQuery(normalizedQuery);
        expect([normalized.rows, normalized.normalizedQuery]).toEqual([rows, normalizedQuery]);
      };
    }));
});
