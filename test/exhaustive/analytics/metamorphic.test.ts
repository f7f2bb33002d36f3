import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { CatalogEntity } from '../../../sandbox/analytics/catalog.ts';
import { ENTITIES, entityByName } from '../../../sandbox/analytics/entities.ts';
import { AnalyticsRelativePeriod as Period } from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import type { Situation } from '../../sandbox/analytics/oracle/filters.ts';
import { calendarOf } from '../../sandbox/analytics/oracle/moments.ts';
import { type Draw, PERIODS, QueryDraw } from '../../sandbox/analytics/oracle/queries.ts';
import { useOracle } from '../../sandbox/analytics/oracle/useOracle.ts';
import { worldArb } from '../../sandbox/analytics/oracle/worlds.ts';
import { cases, fc, SEED } from '../../support/seeded.ts';

const RUNS = cases(30);
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

const rootOf = (name: string): CatalogEntity => {
  const entity = entityByName.get(name);
  if (!entity) throw new Error(`There is no root ${name}.`);
  return entity;
};
const APPOINTMENTS = rootOf('appointments');
const ORDERS = rootOf('orders');

const measure = (aggregation: string, more: JsonObject = {}): JsonObject => ({
  aggregation: `ANALYTICS_AGGREGATION_${aggregation}`,
  ...more,
});
const COUNT = measure('COUNT');
const CURRENCY = { field: 'currency' };
const TO_WHOLE = { percentile: { unscaled: '1', scale: 0 } };

async function rowsOf(query: JsonObject): Promise<Result> {
  const base = { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE' };
  const { status, body } = await oracle.ask({ ...base, ...query });
  if (status !== 200) throw new Error(`${status}: ${body.message}`);
  return { rows: [], ...body.result };
}

const cellsOf = async (query: JsonObject): Promise<Cell[][]> => (await rowsOf(query)).rows.map(({ cells }) => cells);
const idsOf = async (entity: CatalogEntity, filter: JsonObject): Promise<unknown[]> =>
  (await cellsOf({ entity: entity.name, filter, records: { fields: ['id'] } })).flat();
const texts = (things: readonly unknown[]) => things.map((thing) => JSON.stringify(thing)).sort();
const sum = (cells: readonly (Cell | undefined)[]) => cells.reduce((total, cell) => total + BigInt(cell?.integer ?? 0), 0n);

/** Three ids that a field may hold, among them some that its rows do. */
function idsFor({ name }: CatalogEntity, field: string, pick: Draw): JsonObject[] {
  const kind = { id: name[0], customer_id: 'c', order_id: 'o', quote_id: 'q' }[field] ?? 'x';
  return [pick(fc.nat, 5), pick(fc.nat, 9), pick(fc.nat, 12)].map((index) => ({ text: `${kind}${index}` }));
}

/** Checks a law for random queries over a random world. */
async function always(
  law: (draw: QueryDraw, entity: CatalogEntity, pick: Draw, situation: Situation) => () => Promise<void>,
): Promise<void> {
  const [world] = fc.sample(worldArb, { numRuns: 1, seed: SEED + 100 });
  if (!world) throw new Error('There must be a world.');
  const situation = oracle.enter(world);
  const laws = fc.gen().map((pick) => law(new QueryDraw(pick, situation.records), pick(fc.constantFrom, ...ENTITIES), pick, situation));
  await fc.assert(
    fc.asyncProperty(laws, (holds) => holds()),
    { numRuns: RUNS, seed: SEED },
  );
}

/** A range of a query, which has one. */
const withRange = (draw: QueryDraw, entity: CatalogEntity): JsonObject => ({ entity: entity.name, timeRange: draw.range(entity) });

describe('queries of analytics', () => {
  it('count as many rows as their groups have together', () =>
    always((draw, entity) => {
      const query = { ...withRange(draw, entity), filter: draw.filter(entity) };
      const dimensions = [draw.dimension(entity, true), draw.dimension(entity, true)];
      return async () => {
        const [whole, groups] = [
          await cellsOf({ ...query, aggregate: { measures: [COUNT] } }),
          await cellsOf({ ...query, aggregate: { measures: [COUNT], dimensions } }),
        ];
        expect(sum(groups.map((cells) => cells.at(-1)))).toBe(sum(whole.flat()));
      };
    }));

  it('count a row once, however many rows a relationship leads to', () =>
    always((draw, entity, pick) => {
      const { name, entity: other } = pick(fc.constantFrom, ...entity.relationships);
      const filter = { related: { relationship: name, filter: draw.filter(rootOf(other), 2, 1) } };
      return async () => {
        const measures = [COUNT, measure('COUNT_DISTINCT', { field: 'id' })];
        const [count, distinct] = (await cellsOf({ entity: entity.name, filter, aggregate: { measures } })).flat();
        expect(count).toEqual(distinct);
      };
    }));

  it('return the rows that match both filters for AND, and either for OR', () =>
    always((draw, entity) => {
      const children = [draw.filter(entity), draw.filter(entity)] as const;
      return async () => {
        const [one, other] = [new Set(texts(await idsOf(entity, children[0]))), new Set(texts(await idsOf(entity, children[1])))];
        expect(texts(await idsOf(entity, { all: { children: [...children] } }))).toEqual([...one].filter((id) => other.has(id)).sort());
        expect(texts(await idsOf(entity, { any: { children: [...children] } }))).toEqual([...new Set([...one, ...other])].sort());
      };
    }));

  it('measure the same by a condition as by a filter', () =>
    always((draw, entity) => {
      const [filter, condition] = [draw.filter(entity), draw.filter(entity, 2, 1)];
      const count = {
        entity: entity.name,
        filter,
        aggregate: { measures: [{ ...COUNT, condition }, measure('COUNT_DISTINCT', { field: 'id', condition })] },
      };
      const filtered = { all: { children: [filter, condition] } };
      return async () => {
        const measures = [COUNT, measure('COUNT_DISTINCT', { field: 'id' })];
        expect(await cellsOf(count)).toEqual(await cellsOf({ ...count, filter: filtered, aggregate: { measures } }));
      };
    }));

  it('add up over buckets to the sum over their range', () =>
    always((draw, _, pick) => {
      const timeRange = draw.range(APPOINTMENTS);
      const bucket = `ANALYTICS_TIME_BUCKET_${pick(fc.constantFrom, 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR')}`;
      const query = { entity: 'appointments', timeRange, timezone: pick(fc.constantFrom, '', 'Pacific/Apia', 'America/Santiago') };
      const measures = [measure('SUM', { field: 'duration_minutes' })];
      return async () => {
        const buckets = await cellsOf({ ...query, aggregate: { measures, dimensions: [{ field: String(timeRange.field), bucket }] } });
        expect(sum(buckets.map((cells) => cells.at(-1)))).toBe(sum((await cellsOf({ ...query, aggregate: { measures } })).flat()));
      };
    }));

  it('return the maximum as the last percentile, and the minimum as the first', () =>
    always((draw) => {
      const query = { ...withRange(draw, ORDERS), filter: draw.filter(ORDERS) };
      const field = { field: 'total_once' };
      const least = { percentile: { unscaled: '0', scale: 0 } };
      const measures = [
        measure('MAX', field),
        measure('PERCENTILE_DISC', { ...field, ...TO_WHOLE }),
        measure('MIN', field),
        measure('PERCENTILE_DISC', { ...field, ...least }),
      ];
      return async () => {
        for (const [, greatest, last, smallest, first] of await cellsOf({ ...query, aggregate: { measures, dimensions: [CURRENCY] } }))
          expect([last, first]).toEqual([greatest, smallest]);
      };
    }));

  it('find with IN what any EQ finds, and with NOT_IN what all NEQ leave', () =>
    always((_, entity, pick) => {
      const field = pick(fc.constantFrom, ...entity.fields.filter(({ name }) => name.endsWith('_id') || name === 'id')).name;
      const rows = idsFor(entity, field, pick);
      const compare = (operator: string, values: JsonObject[]) => ({
        compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, values },
      });
      return async () => {
        const [eq, neq] = [rows.map((value) => compare('EQ', [value])), rows.map((value) => compare('NEQ', [value]))];
        expect(await idsOf(entity, compare('IN', rows))).toEqual(await idsOf(entity, { any: { children: eq } }));
        expect(await idsOf(entity, compare('NOT_IN', rows))).toEqual(await idsOf(entity, { all: { children: neq } }));
      };
    }));

  it('return the first rows of the same result if limited', () =>
    always((draw, entity, pick) => {
      const { limit: _, ...query } = draw.query(entity);
      const limit = 1 + pick(fc.nat, 9);
      return async () => {
        const whole = await cellsOf(query);
        const { rows, truncated = false } = await rowsOf({ ...query, limit });
        expect([rows.map(({ cells }) => cells), truncated]).toEqual([whole.slice(0, limit), whole.length > limit]);
      };
    }));

  it('are only put in order by a sort', () =>
    always((draw, entity) => {
      const { limit: _, sort: __, ...query } = draw.query(entity);
      const sorted = { ...query, ...draw.sort(query) };
      return async () => {
        expect(texts(await cellsOf(sorted))).toEqual(texts(await cellsOf(query)));
      };
    }));

  it('answer a relative range as the calendar range of the same days', () =>
    always((draw, entity, pick, { now, zone }) => {
      const { field } = draw.range(entity);
      const name = pick(fc.constantFrom<(typeof PERIODS)[number][]>, ...PERIODS);
      const offset = pick(fc.integer, { min: -24, max: 24 });
      const relative = { period: `ANALYTICS_RELATIVE_PERIOD_${name}`, offset };
      const calendar = calendarOf(Period[name], offset, zone, now);
      const asked = { entity: entity.name, records: { fields: ['id'] } };
      return async () => {
        const by = async (form: JsonObject) => {
          const { body } = await oracle.ask({
            version: 1,
            semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE',
            ...asked,
            timeRange: { field: String(field), ...form },
          });
          return { rows: body.result.rows, range: body.result.resolvedTimeRange };
        };
        expect(await by({ relative })).toEqual(await by({ calendar }));
      };
    }));

  it('answer the same when their normalized form is asked', () =>
    always((draw, entity) => {
      const query = draw.query(entity);
      return async () => {
        const { normalizedQuery, rows } = await rowsOf(query);
        const again = await rowsOf(normalizedQuery);
        expect([again.rows, again.normalizedQuery]).toEqual([rows, normalizedQuery]);
      };
    }));
});
