import { describe, expect, it } from 'vitest';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { spec } from '../../support/spec.ts';
import { demoId, START } from '../sandbox.ts';
import { compare, createQuery, dimension, measure, related, sendQuery, sortBy } from './queryHelpers.ts';
import { addRow } from './rows.ts';
import { COUNT, createEnumValue, OWN, SMALL, useSmallWorld } from './smallWorld.ts';

const { opened, ids, orders, visits } = useSmallWorld();
const { call } = opened;

describe('aggregates', () => {
  it(
    'returns exact totals per group, in major units of each currency',
    spec('4.12.9', '4.12.31', '4.12.44', '4.12.48', '4.12.90', '4.12.91'),
    async () => {
      const measures = [COUNT, ...['SUM', 'AVG', 'MIN', 'MAX'].map((each) => measure(each, 'total_once'))];
      const { rows, ids: columns } = await orders({ aggregate: { measures, dimensions: [dimension('currency')] } });
      expect(columns).toEqual(['currency', 'count', 'sum_total_once', 'avg_total_once', 'min_total_once', 'max_total_once']);
      expect(rows).toEqual([
        ['EUR', '3', '60.02 EUR', '20.00666667 EUR', '10.00 EUR', '30.01 EUR'],
        ['JPY', '1', '700 JPY', '700.000000 JPY', '700 JPY', '700 JPY'],
        ['USD', '1', '5.00 USD', '5.00000000 USD', '5.00 USD', '5.00 USD'],
      ]);
    },
  );

  it('sums one-off, monthly and yearly amounts separately', spec('4.12.92'), async () => {
    const measures = ['total_once', 'total_monthly', 'total_yearly'].map((field) => measure('SUM', field));
    const { rows } = await orders({ aggregate: { measures, dimensions: [dimension('currency')] } });
    expect(rows[0]).toEqual(['EUR', '60.02 EUR', '3.00 EUR', '0.00 EUR']);
  });

  it('uses the scale of the field, plus six digits for quotients', spec('4.12.46'), async () => {
    const measures = ['duration_minutes', 'duration_hours'].flatMap((field) =>
      ['SUM', 'AVG', 'MIN', 'MAX'].map((each) => measure(each, field)),
    );
    expect((await visits(measures)).rows).toEqual([['300', '75.000000', '30', '120', '5.00', '1.25000000', '0.50', '2.00']]);
  });

  it('rounds half to even', async () => {
    const { world } = opened.sandbox;
    const customer = { customer_id: 'half', member_id: '' };
    for (let index = 0; index < 128; index += 1)
      addRow(world, 'appointments', { ...customer, starts_at: START, ends_at: START + (index < 3 ? 60 : 0) });
    const one = compare('duration_minutes', 'EQ', { integer: '1' });
    const { rows } = await visits(
      [measure('AVG', 'duration_minutes'), measure('COUNT', '', { condition: one })],
      compare('customer_id', 'EQ', { text: 'half' }),
    );
    // 3 / 128 = 0.0234375: the remainder is exactly half, so the odd digit before it is rounded up.
    expect(rows).toEqual([['0.023438', '3']]);
    world.store.run(
      "DELETE FROM appointments WHERE customer_id = 'half' AND rowid IN (SELECT rowid FROM main.appointments WHERE customer_id = 'half' AND ends_at > starts_at LIMIT 2)",
    );
    addRow(world, 'appointments', { ...customer, starts_at: START, ends_at: START });
    addRow(world, 'appointments', { ...customer, starts_at: START, ends_at: START });
    // 1 / 128 = 0.0078125: the remainder is exactly half, so the even digit before it remains.
    expect((await visits([measure('AVG', 'duration_minutes')], compare('customer_id', 'EQ', { text: 'half' }))).rows).toEqual([
      ['0.007812'],
    ]);
  });

  it('returns empty cells for totals of no rows, and zero for counts', spec('4.12.56', '4.12.83', '4.12.84'), async () => {
    const nothing = compare('customer_id', 'EQ', { text: 'absent' });
    const measures = [
      COUNT,
      measure('COUNT_DISTINCT', 'id'),
      ...['SUM', 'AVG', 'MIN', 'MAX'].map((each) => measure(each, 'duration_minutes')),
    ];
    const { rows, result } = await visits(measures, nothing);
    expect(rows).toEqual([['0', '0', null, null, null, null]]);
    expect(result).toMatchObject({ status: 'ANALYTICS_RESULT_STATUS_READY', aggregationComplete: true });
  });

  it('returns no groups without rows, and an empty result if there are none', spec('4.12.85'), async () => {
    const aggregate = { measures: [COUNT], dimensions: [dimension('status')] };
    const { rows, result } = await orders({ aggregate }, compare('id', 'EQ', { text: 'none' }));
    expect({ rows, status: result.status }).toEqual({ rows: [], status: 'ANALYTICS_RESULT_STATUS_EMPTY' });
  });

  it('counts distinct values without empty ones', spec('4.12.45'), async () => {
    expect((await visits([COUNT, measure('COUNT_DISTINCT', 'member_id')])).rows).toEqual([['4', '2']]);
  });

  it('groups empty values separately, after all others', async () => {
    const aggregate = { measures: [COUNT], dimensions: [dimension('member_id')] };
    const { rows } = await sendQuery(call, createQuery('appointments', { filter: OWN, aggregate }));
    expect(rows.at(-1)).toEqual([null, '1']);
    expect(rows.slice(0, 2).toSorted()).toEqual(
      [
        [demoId('member owner'), '1'],
        [demoId('member planner'), '2'],
      ].toSorted(),
    );
  });

  it('rejects totals that exceed 64 bits', async () => {
    const { world } = opened.sandbox;
    const huge = { reference_number: 'huge', currency: 'EUR', total_once_minor: Number.MAX_SAFE_INTEGER };
    for (let index = 0; index < 1_025; index += 1) addRow(world, 'orders', { ...huge, quote_id: `huge ${index}` });
    const aggregate = { measures: [measure('SUM', 'total_once')], dimensions: [dimension('currency')] };
    const query = createQuery('orders', { filter: compare('reference_number', 'EQ', { text: 'huge' }), aggregate });
    expect(await call('AnalyticsService/ExecuteQuery', { query })).toMatchObject({ status: 409, body: { code: 'failed_precondition' } });
    world.store.run("DELETE FROM orders WHERE quote_id = 'huge 1024'");
    expect((await sendQuery(call, query)).rows).toEqual([['EUR', '92233720368547747.84 EUR']]);
    world.store.run("DELETE FROM orders WHERE reference_number = 'huge'");
  });
});

describe('percentile', () => {
  const percentile = async (unscaled: string, scale: number) =>
    (await visits([measure('PERCENTILE_DISC', 'duration_minutes', { percentile: { unscaled, scale } })])).rows[0]?.[0];

  it.each([
    ['0', 0, '30'],
    ['25', 2, '30'],
    ['250000000000000001', 18, '60'],
    ['5', 1, '60'],
    ['51', 2, '90'],
    ['75', 2, '90'],
    ['95', 2, '120'],
    ['1', 0, '120'],
  ])('returns an existing value for %s with %i decimal places: %s', spec('4.12.47'), async (unscaled, scale, wanted) => {
    expect(await percentile(unscaled, scale)).toBe(wanted);
  });

  it('supports amounts and timestamps', async () => {
    const median = { percentile: { unscaled: '5', scale: 1 } };
    const measures = [measure('PERCENTILE_DISC', 'total_once', median), measure('PERCENTILE_DISC', 'created_at', median)];
    const { rows, ids: columns } = await orders({ aggregate: { measures, dimensions: [dimension('currency')] } });
    expect(columns).toEqual(['currency', 'percentile_disc_total_once', 'percentile_disc_created_at']);
    expect(rows[0]).toEqual(['EUR', '20.01 EUR', '2026-01-20T10:00:00Z']);
  });
});

describe('conditional measure', () => {
  const open = { condition: compare('status', 'EQ', createEnumValue('OPEN')) };

  it('includes only matching rows, without affecting other measures', spec('4.12.54'), async () => {
    const measures = [COUNT, measure('COUNT', '', { id: 'open', ...open }), measure('SUM', 'total_once', open)];
    const { rows } = await orders({ aggregate: { measures, dimensions: [dimension('currency')] } });
    expect(rows).toEqual([
      ['EUR', '3', '2', '30.01 EUR'],
      ['JPY', '1', '0', null],
      ['USD', '1', '1', '5.00 USD'],
    ]);
  });

  it('accepts conditions on related records', spec('4.12.55'), async () => {
    const condition = related('customer', compare('id', 'EQ', { text: demoId('customer 50') }));
    expect((await orders({ aggregate: { measures: [COUNT, measure('COUNT', '', { id: 'own', condition })] } })).rows).toEqual([['5', '4']]);
  });
});

describe('ratio measure', () => {
  const ratio = (numerator: string, denominator: string) => measure('RATIO', '', { numerator, denominator });
  const cancelled = measure('COUNT', '', { id: 'cancelled', condition: compare('status', 'EQ', createEnumValue('CANCELLED')) });

  it('divides two other measures, which it references by explicit or derived IDs', spec('4.12.49', '4.12.53'), async () => {
    const { rows, ids: columns } = await orders({ aggregate: { measures: [COUNT, cancelled, ratio('cancelled', 'count')] } });
    expect(columns).toEqual(['count', 'cancelled', 'cancelled_per_count']);
    expect(rows).toEqual([['5', '1', '0.200000']]);
  });

  it('returns an empty cell for a zero denominator or an empty operand', spec('4.12.52'), async () => {
    const never = { condition: compare('duration_minutes', 'GT', { integer: '1000' }) };
    const measures = [
      COUNT,
      measure('COUNT', '', { id: 'none', ...never }),
      measure('SUM', 'duration_minutes', { id: 'empty', ...never }),
      ratio('count', 'none'),
      ratio('count', 'empty'),
      ratio('empty', 'count'),
      ratio('none', 'count'),
    ];
    expect((await visits(measures)).rows).toEqual([['4', '0', null, null, null, null, '0.000000']]);
  });

  it('has six more decimal places than the operand with the larger scale', async () => {
    const measures = [measure('SUM', 'duration_hours'), COUNT, ratio('sum_duration_hours', 'count'), ratio('count', 'sum_duration_hours')];
    expect((await visits(measures)).rows).toEqual([['5.00', '4', '1.25000000', '0.80000000']]);
  });
});

describe('column IDs', () => {
  it('default to names derived from the column, numbered if they repeat', spec('4.12.60', '4.12.61', '4.12.62', '4.12.64'), async () => {
    const measures = [
      COUNT,
      COUNT,
      measure('COUNT', '', { id: 'count_2' }),
      measure('COUNT_DISTINCT', 'status'),
      measure('COUNT', '', { id: 'status' }),
    ];
    const dimensions = [dimension('status'), { ...dimension('created_at', 'MONTH') }, dimension('created_at')];
    const timeRange = { field: 'created_at', calendar: { startDate: '2026-01-01', endDate: '2026-01-31' } };
    const { ids: columns, result } = await orders({ timeRange, aggregate: { measures, dimensions } });
    expect(columns).toEqual([
      'status_2',
      'created_at_month',
      'created_at',
      'count',
      'count_3',
      'count_2',
      'count_distinct_status',
      'status',
    ]);
    expect(result.normalizedQuery.aggregate.measures.map(({ id }: { id: string }) => id)).toEqual(columns.slice(3));
    expect(result.normalizedQuery.aggregate.dimensions.map(({ id }: { id: string }) => id)).toEqual(columns.slice(0, 3));
  });

  it('can be used for sorting', async () => {
    const aggregate = { measures: [COUNT], dimensions: [dimension('currency')] };
    expect(
      (await orders({ aggregate, sort: [sortBy('count', 'DESC'), sortBy('currency', 'DESC')] })).rows.map(([currency]) => currency),
    ).toEqual(['EUR', 'USD', 'JPY']);
  });
});

describe('normalized query', () => {
  it('contains defaults, and retains relative ranges', spec('4.12.41', '4.12.69'), async () => {
    const recent = compare('created_at', 'GTE', { nowOffsetSeconds: '-31536000' });
    const timeRange = { field: 'created_at', relative: { period: 'ANALYTICS_RELATIVE_PERIOD_LAST_90_DAYS', offset: 0 } };
    const { result } = await orders(
      { timeRange, aggregate: { measures: [COUNT], dimensions: [dimension('status')] }, sort: [sortBy('count')] },
      recent,
    );
    expect(result.normalizedQuery).toMatchObject({
      timezone: 'Europe/Amsterdam',
      limit: 100,
      timeRange: { field: 'created_at', relative: { period: 'ANALYTICS_RELATIVE_PERIOD_LAST_90_DAYS' } },
      filter: { all: { children: [SMALL, recent] } },
      sort: [sortBy('count', 'ASC')],
      aggregate: { measures: [{ id: 'count' }], dimensions: [{ id: 'status' }] },
    });
    expect(result.timezone).toBe('Europe/Amsterdam');
  });

  it('returns the same result', async () => {
    const measures = [
      COUNT,
      measure('COUNT', '', { condition: compare('status', 'EQ', createEnumValue('OPEN')) }),
      measure('RATIO', '', { numerator: 'count_2', denominator: 'count' }),
    ];
    const first = await orders({ timezone: 'europe/amsterdam', aggregate: { measures, dimensions: [dimension('currency')] } });
    const again = await sendQuery(call, first.result.normalizedQuery);
    expect(again.result).toEqual(first.result);
    expect(first.result.normalizedQuery.timezone).toBe('Europe/Amsterdam');
  });
});

describe('result', () => {
  it('returns rows up to the limit, after counting all of them', spec('4.12.35', '4.12.88', '4.12.89'), async () => {
    const aggregate = { measures: [COUNT, measure('SUM', 'total_once')], dimensions: [dimension('currency')] };
    const { rows, result } = await orders({ aggregate, limit: 1 });
    expect(rows).toEqual([['EUR', '3', '60.02 EUR']]);
    expect(result).toMatchObject({
      truncated: true,
      aggregationComplete: true,
      warnings: ['There are more rows than the limit of 1.'],
    });
    const { result: whole } = await orders({ aggregate, limit: 3 });
    // A false value can be omitted.
    expect(whole.truncated ?? false).toBe(false);
  });

  it('contains 100 rows by default', spec('8.14'), async () => {
    const { rows, result } = await sendQuery(call, createQuery('offers', { records: { fields: ['id'] } }));
    expect({ rows: rows.length, truncated: result.truncated }).toEqual({ rows: 100, truncated: true });
  });

  it('applies only the filters of the query, at the time of the query', spec('4.12.74', '4.12.76', '4.12.93', '4.12.94'), async () => {
    const { world } = opened.sandbox;
    const { rows, result } = await sendQuery(call, createQuery('orders', { aggregate: { measures: [COUNT] } }));
    const stored = world.store.get<{ count: number }>('SELECT count(*) AS count FROM orders WHERE workspace_id = :id', {
      id: demoId('workspace'),
    });
    expect(rows).toEqual([[String(stored?.count)]]);
    expect(result.generatedAt).toBe('2026-03-02T09:00:00Z');
    addRow(world, 'orders', { quote_id: 'one more', reference_number: 'one more' });
    expect((await sendQuery(call, createQuery('orders', { aggregate: { measures: [COUNT] } }))).rows).toEqual([
      [String(Number(stored?.count) + 1)],
    ]);
  });

  it('uses the requested time zone', spec('4.12.94'), async () => {
    const timeRange = { field: 'created_at', calendar: { startDate: '2026-01-05', endDate: '2026-01-05' } };
    const { result } = await orders({ timezone: 'Asia/Kathmandu', timeRange, aggregate: { measures: [COUNT] } });
    expect(result).toMatchObject({
      timezone: 'Asia/Kathmandu',
      resolvedTimeRange: { start: '2026-01-04T18:15:00Z', end: '2026-01-05T18:15:00Z' },
    });
  });

  it('fails if it exceeds 256 KiB, without truncation', spec('7.35', '8.23'), async () => {
    const { world } = opened.sandbox;
    for (let index = 0; index < 80; index += 1)
      addRow(world, 'customers', { title: `large ${'x'.repeat(4_000)}`, reference_number: `large ${index}` });
    const query = createQuery('customers', { filter: compare('title', 'CONTAINS', { text: 'large xxx' }), records: { fields: ['title'] } });
    const response = await call('AnalyticsService/ExecuteQuery', { query });
    expect(response).toMatchObject({ status: 409, body: { code: 'failed_precondition' } });
    expect(response.body.result).toBeUndefined();
    expect((await sendQuery(call, { ...query, limit: 50 })).rows).toHaveLength(50);
  });

  it('counts orders and work orders separately', spec('4.12.13'), async () => {
    const { store } = opened.sandbox.world;
    const stored = store.get<{ count: number }>('SELECT count(*) AS count FROM work_orders WHERE workspace_id = :id', {
      id: demoId('workspace'),
    });
    const { rows } = await sendQuery(call, createQuery('workorders', { aggregate: { measures: [COUNT] } }));
    expect(rows).toEqual([[String(stored?.count)]]);
  });
});

describe('unresolved amounts', () => {
  const totals = {
    measures: [
      COUNT,
      measure('SUM', 'total_once'),
      measure('MAX', 'total_once', { condition: compare('status', 'EQ', createEnumValue('OPEN')) }),
    ],
    dimensions: [dimension('currency')],
  };

  it('turn only the measures that use them unavailable', spec('4.12.83', '4.12.87'), async () => {
    const { store } = opened.sandbox.world;
    const record = { kind: 'order' as const, record_id: ids[2] ?? '' };
    unresolvedSnapshotTable.insert(store, { workspace_id: demoId('workspace'), ...record });
    const { rows, result } = await orders({ aggregate: totals });
    expect(rows).toEqual([
      ['EUR', '3', 'UNAVAILABLE', '20.01 EUR'],
      ['JPY', '1', '700 JPY', null],
      ['USD', '1', '5.00 USD', '5.00 USD'],
    ]);
    expect(result.warnings).toEqual(['The amounts of 1 record aren’t settled. Cells that need them are unavailable.']);
    const { rows: sorted } = await orders({ records: { fields: ['reference_number', 'total_once'] }, sort: [sortBy('reference_number')] });
    expect(sorted.slice(1, 4)).toEqual([
      ['small 2', '20.01 EUR'],
      ['small 3', 'UNAVAILABLE'],
      ['small 4', '5.00 USD'],
    ]);
    expect((await orders({ aggregate: totals, sort: [sortBy('sum_total_once', 'DESC')] })).rows.at(-1)?.[0]).toBe('EUR');
    store.run('DELETE FROM unresolved_snapshots WHERE record_id = :id', { id: record.record_id });
  });

  it('occur in demo orders and quotes', async () => {
    for (const entity of ['orders', 'offers']) {
      const { rows } = await sendQuery(
        call,
        createQuery(entity, {
          aggregate: { measures: [measure('SUM', 'total_once')], dimensions: [dimension('status'), dimension('currency')] },
        }),
      );
      expect(rows.some((row) => row.at(-1) === 'UNAVAILABLE')).toBe(true);
      expect(rows.some((row) => row.at(-1) !== 'UNAVAILABLE')).toBe(true);
    }
  });
});
