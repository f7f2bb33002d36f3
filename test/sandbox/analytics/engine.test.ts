import { beforeAll, describe, expect, it } from 'vitest';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { PublicAppointmentStatus } from '../../../src/upstream/contract/generated/publicapi/v1/appointments_pb.ts';
import { PublicOrderStatus } from '../../../src/upstream/contract/generated/publicapi/v1/orders_pb.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';
import { all, any, ask, by, compare, measure, queryOf, related, sortBy } from './asking.ts';
import { addRow } from './rows.ts';

const opened = useSandbox();
const { call } = opened;

const { OPEN, FULFILLED, CANCELLED } = PublicOrderStatus;
const at = (text: string) => Date.parse(text) / 1_000;
const wordOf = (status: 'OPEN' | 'CANCELLED') => ({ text: `PUBLIC_ORDER_STATUS_${status}` });

/** Five orders that are told from those of the demo by their numbers. */
const ORDERS = [
  { reference_number: 'small 1', status: OPEN, currency: 'EUR', total_once_minor: 1_000, created_at: at('2026-01-05T10:00:00Z') },
  { reference_number: 'small 2', status: OPEN, currency: 'EUR', total_once_minor: 2_001, created_at: at('2026-01-20T10:00:00Z') },
  { reference_number: 'small 3', status: FULFILLED, currency: 'EUR', total_once_minor: 3_001, created_at: at('2026-02-10T10:00:00Z') },
  { reference_number: 'small 4', status: OPEN, currency: 'USD', total_once_minor: 500, created_at: at('2026-02-11T10:00:00Z') },
  { reference_number: 'small 5', status: CANCELLED, currency: 'JPY', total_once_minor: 700, created_at: at('2026-02-12T10:00:00Z') },
];

/** Four appointments of a customer that has no others. */
const MINUTES = [30, 60, 90, 120];
const CUSTOMER = 'analytics customer';

const ids: string[] = [];

beforeAll(() => {
  const { world } = opened.sandbox;
  for (const [index, order] of ORDERS.entries()) {
    const rest = { quote_id: `small quote ${index}`, customer_id: demoId(`customer ${index === 4 ? 51 : 50}`) };
    const totals = { total_monthly_minor: 100, total_yearly_minor: 0 };
    const cancelled = order.status === CANCELLED ? at('2026-03-01T00:00:00Z') : null;
    ids.push(addRow(world, 'orders', { ...order, ...rest, ...totals, cancelled_at: cancelled }));
  }
  for (const [index, minutes] of MINUTES.entries()) {
    const starts = START + index * 86_400;
    const member = ['', demoId('member owner'), demoId('member planner'), demoId('member planner')][index] ?? '';
    const status = index === 0 ? PublicAppointmentStatus.CANCELLED : PublicAppointmentStatus.SCHEDULED;
    const times = { starts_at: starts, ends_at: starts + minutes * 60, status };
    addRow(world, 'appointments', {
      ...times,
      customer_id: CUSTOMER,
      member_id: member,
      result_code_id: null,
      recorded_at: null,
      recorder_id: null,
    });
  }
});

const SMALL = compare('reference_number', 'CONTAINS', { text: 'small ' });
const COUNT = measure('COUNT');
const orders = (more: object, filter?: object) => ask(call, queryOf('orders', { filter: filter ? all(SMALL, filter) : SMALL, ...more }));
const numbersOf = async (filter: object) =>
  (await orders({ records: { fields: ['reference_number'] }, sort: [sortBy('reference_number')] }, filter)).rows.map(([number]) =>
    String(number).replace('small ', ''),
  );
const OWN = compare('customer_id', 'EQ', { text: CUSTOMER });
const visits = (measures: readonly object[], filter: object = OWN) =>
  ask(call, queryOf('appointments', { filter, aggregate: { measures } }));

describe('totals', () => {
  it('are counted for each group, exactly, in major units of each currency', async () => {
    const measures = [COUNT, ...['SUM', 'AVG', 'MIN', 'MAX'].map((each) => measure(each, 'total_once'))];
    const { rows, ids: columns } = await orders({ aggregate: { measures, dimensions: [by('currency')] } });
    expect(columns).toEqual(['currency', 'count', 'sum_total_once', 'avg_total_once', 'min_total_once', 'max_total_once']);
    expect(rows).toEqual([
      ['EUR', '3', '60.02 EUR', '20.00666667 EUR', '10.00 EUR', '30.01 EUR'],
      ['JPY', '1', '700 JPY', '700.000000 JPY', '700 JPY', '700 JPY'],
      ['USD', '1', '5.00 USD', '5.00000000 USD', '5.00 USD', '5.00 USD'],
    ]);
  });

  it('of amounts once, a month and a year are kept apart', async () => {
    const measures = ['total_once', 'total_monthly', 'total_yearly'].map((field) => measure('SUM', field));
    const { rows } = await orders({ aggregate: { measures, dimensions: [by('currency')] } });
    expect(rows[0]).toEqual(['EUR', '60.02 EUR', '3.00 EUR', '0.00 EUR']);
  });

  it('of whole numbers and decimals have the digits of their fields, and six more when divided', async () => {
    const measures = ['duration_minutes', 'duration_hours'].flatMap((field) =>
      ['SUM', 'AVG', 'MIN', 'MAX'].map((each) => measure(each, field)),
    );
    expect((await visits(measures)).rows).toEqual([['300', '75.000000', '30', '120', '5.00', '1.25000000', '0.50', '2.00']]);
  });

  it('round halves to even', async () => {
    const { world } = opened.sandbox;
    const customer = { customer_id: 'half', member_id: '' };
    for (let index = 0; index < 128; index += 1)
      addRow(world, 'appointments', { ...customer, starts_at: START, ends_at: START + (index < 3 ? 60 : 0) });
    const one = compare('duration_minutes', 'EQ', { integer: '1' });
    const { rows } = await visits(
      [measure('AVG', 'duration_minutes'), measure('COUNT', '', { condition: one })],
      compare('customer_id', 'EQ', { text: 'half' }),
    );
    // 3 / 128 = 0.0234375: six digits end before the half, after an odd one.
    expect(rows).toEqual([['0.023438', '3']]);
    world.store.run(
      "DELETE FROM appointments WHERE customer_id = 'half' AND rowid IN (SELECT rowid FROM main.appointments WHERE customer_id = 'half' AND ends_at > starts_at LIMIT 2)",
    );
    addRow(world, 'appointments', { ...customer, starts_at: START, ends_at: START });
    addRow(world, 'appointments', { ...customer, starts_at: START, ends_at: START });
    // 1 / 128 = 0.0078125: before the half stands an even one.
    expect((await visits([measure('AVG', 'duration_minutes')], compare('customer_id', 'EQ', { text: 'half' }))).rows).toEqual([
      ['0.007812'],
    ]);
  });

  it('of nothing are empty, and counts of nothing are zero', async () => {
    const nothing = compare('customer_id', 'EQ', { text: 'nobody' });
    const measures = [
      COUNT,
      measure('COUNT_DISTINCT', 'id'),
      ...['SUM', 'AVG', 'MIN', 'MAX'].map((each) => measure(each, 'duration_minutes')),
    ];
    const { rows, result } = await visits(measures, nothing);
    expect(rows).toEqual([['0', '0', null, null, null, null]]);
    expect(result).toMatchObject({ status: 'ANALYTICS_RESULT_STATUS_READY', aggregationComplete: true });
  });

  it('by a dimension have no groups where nothing is, and are then empty', async () => {
    const aggregate = { measures: [COUNT], dimensions: [by('status')] };
    const { rows, result } = await orders({ aggregate }, compare('id', 'EQ', { text: 'none' }));
    expect({ rows, status: result.status }).toEqual({ rows: [], status: 'ANALYTICS_RESULT_STATUS_EMPTY' });
  });

  it('count distinct values, and none that are empty', async () => {
    expect((await visits([COUNT, measure('COUNT_DISTINCT', 'member_id')])).rows).toEqual([['4', '2']]);
  });

  it('group what is empty by itself, behind the others', async () => {
    const aggregate = { measures: [COUNT], dimensions: [by('member_id')] };
    const { rows } = await ask(call, queryOf('appointments', { filter: OWN, aggregate }));
    expect(rows.at(-1)).toEqual([null, '1']);
    expect(rows.slice(0, 2).toSorted()).toEqual(
      [
        [demoId('member owner'), '1'],
        [demoId('member planner'), '2'],
      ].toSorted(),
    );
  });

  it('are refused when 64 bits do not hold them', async () => {
    const { world } = opened.sandbox;
    const huge = { reference_number: 'huge', currency: 'EUR', total_once_minor: Number.MAX_SAFE_INTEGER };
    for (let index = 0; index < 1_025; index += 1) addRow(world, 'orders', { ...huge, quote_id: `huge ${index}` });
    const aggregate = { measures: [measure('SUM', 'total_once')], dimensions: [by('currency')] };
    const query = queryOf('orders', { filter: compare('reference_number', 'EQ', { text: 'huge' }), aggregate });
    expect(await call('AnalyticsService/ExecuteQuery', { query })).toMatchObject({ status: 409, body: { code: 'failed_precondition' } });
    world.store.run("DELETE FROM orders WHERE quote_id = 'huge 1024'");
    expect((await ask(call, query)).rows).toEqual([['EUR', '92233720368547747.84 EUR']]);
  });
});

describe('a percentile', () => {
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
  ])('of %s, of whose digits %i stand behind the point, is %s: a value that is there', async (unscaled, scale, wanted) => {
    expect(await percentile(unscaled, scale)).toBe(wanted);
  });

  it('is also one of amounts and of moments', async () => {
    const median = { percentile: { unscaled: '5', scale: 1 } };
    const measures = [measure('PERCENTILE_DISC', 'total_once', median), measure('PERCENTILE_DISC', 'created_at', median)];
    const { rows, ids: columns } = await orders({ aggregate: { measures, dimensions: [by('currency')] } });
    expect(columns).toEqual(['currency', 'percentile_disc_total_once', 'percentile_disc_created_at']);
    expect(rows[0]).toEqual(['EUR', '20.01 EUR', '2026-01-20T10:00:00Z']);
  });
});

describe('a measure with a condition', () => {
  const open = { condition: compare('status', 'EQ', wordOf('OPEN')) };

  it('is fed by the rows that satisfy it, and the others by all', async () => {
    const measures = [COUNT, measure('COUNT', '', { id: 'open', ...open }), measure('SUM', 'total_once', open)];
    const { rows } = await orders({ aggregate: { measures, dimensions: [by('currency')] } });
    expect(rows).toEqual([
      ['EUR', '3', '2', '30.01 EUR'],
      ['JPY', '1', '0', null],
      ['USD', '1', '1', '5.00 USD'],
    ]);
  });

  it('may ask for related records', async () => {
    const condition = related('customer', compare('id', 'EQ', { text: demoId('customer 50') }));
    expect((await orders({ aggregate: { measures: [COUNT, measure('COUNT', '', { id: 'own', condition })] } })).rows).toEqual([['5', '4']]);
  });
});

describe('a ratio', () => {
  const ratio = (numerator: string, denominator: string) => measure('RATIO', '', { numerator, denominator });
  const cancelled = measure('COUNT', '', { id: 'cancelled', condition: compare('status', 'EQ', wordOf('CANCELLED')) });

  it('divides two measures beside it, by ids that are given or made', async () => {
    const { rows, ids: columns } = await orders({ aggregate: { measures: [COUNT, cancelled, ratio('cancelled', 'count')] } });
    expect(columns).toEqual(['count', 'cancelled', 'cancelled_per_count']);
    expect(rows).toEqual([['5', '1', '0.200000']]);
  });

  it('is empty over zero, over nothing, and of nothing', async () => {
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

  it('of decimals has six digits more than the longer one', async () => {
    const measures = [measure('SUM', 'duration_hours'), COUNT, ratio('sum_duration_hours', 'count'), ratio('count', 'sum_duration_hours')];
    expect((await visits(measures)).rows).toEqual([['5.00', '4', '1.25000000', '0.80000000']]);
  });
});

describe('a filter', () => {
  it('compares by every operator', async () => {
    const created = (operator: string, timestamp: string) => compare('created_at', operator, { timestamp });
    expect(await numbersOf(compare('currency', 'EQ', { text: 'USD' }))).toEqual(['4']);
    expect(await numbersOf(compare('currency', 'NEQ', { text: 'EUR' }))).toEqual(['4', '5']);
    expect(await numbersOf(compare('currency', 'IN', { text: 'USD' }, { text: 'JPY' }))).toEqual(['4', '5']);
    expect(await numbersOf(compare('currency', 'NOT_IN', { text: 'USD' }, { text: 'JPY' }))).toEqual(['1', '2', '3']);
    expect(await numbersOf(created('LT', '2026-01-20T10:00:00Z'))).toEqual(['1']);
    expect(await numbersOf(created('LTE', '2026-01-20T10:00:00Z'))).toEqual(['1', '2']);
    expect(await numbersOf(created('GT', '2026-01-20T11:00:00+01:00'))).toEqual(['3', '4', '5']);
    expect(await numbersOf(created('GTE', '2026-01-20T11:00:00+01:00'))).toEqual(['2', '3', '4', '5']);
    expect(await numbersOf(compare('cancelled_at', 'IS_NULL'))).toEqual(['1', '2', '3', '4']);
    expect(await numbersOf(compare('cancelled_at', 'IS_NOT_NULL'))).toEqual(['5']);
    expect(await numbersOf(compare('status', 'EQ', wordOf('OPEN')))).toEqual(['1', '2', '4']);
    expect(await numbersOf(compare('reference_number', 'CONTAINS', { text: 'MALL 1' }))).toEqual(['1']);
    expect(await numbersOf(compare('reference_number', 'CONTAINS', { text: 'small_1' }))).toEqual([]);
  });

  it('compares moments with fractions of a second, of which the records have none', async () => {
    const created = (operator: string, timestamp: string) => numbersOf(compare('created_at', operator, { timestamp }));
    expect(await created('EQ', '2026-01-20T10:00:00.000000Z')).toEqual(['2']);
    expect(await created('EQ', '2026-01-20T10:00:00.000001Z')).toEqual([]);
    expect(await created('NEQ', '2026-01-20T10:00:00.000001Z')).toEqual(['1', '2', '3', '4', '5']);
    expect(await created('LT', '2026-01-20T10:00:00.000001Z')).toEqual(['1', '2']);
    expect(await created('GTE', '2026-01-20T10:00:00.000001Z')).toEqual(['3', '4', '5']);
    expect(await created('GT', '2026-01-20T09:59:59.999999Z')).toEqual(['2', '3', '4', '5']);
    expect(await created('LTE', '2026-01-20T09:59:59.999999Z')).toEqual(['1']);
  });

  it('compares decimals of any scale', async () => {
    const hours = async (operator: string, unscaled: string, scale: number) =>
      (await visits([COUNT], all(OWN, compare('duration_hours', operator, { decimal: { unscaled, scale } })))).rows[0]?.[0];
    expect(await hours('EQ', '15', 1)).toBe('1');
    expect(await hours('EQ', '1500000', 6)).toBe('1');
    expect(await hours('EQ', '1500001', 6)).toBe('0');
    expect(await hours('GT', '1499999', 6)).toBe('2');
    expect(await hours('GT', '1500000', 6)).toBe('1');
    expect(await hours('LT', '9223372036854775807', 0)).toBe('4');
    expect(await hours('GTE', '-9223372036854775807', 0)).toBe('4');
  });

  it('finds what is empty by no comparison but IS_NULL, also not by the negative ones', async () => {
    const count = async (filter: object) => (await visits([COUNT], all(OWN, filter))).rows[0]?.[0];
    const planner = { text: demoId('member planner') };
    expect(await count(compare('member_id', 'NEQ', planner))).toBe('1');
    expect(await count(compare('member_id', 'NOT_IN', planner))).toBe('1');
    expect(await count(compare('member_id', 'IS_NULL'))).toBe('1');
    expect(await count(compare('member_id', 'IS_NOT_NULL'))).toBe('3');
  });

  it('takes the member behind the key, and moments from now', async () => {
    const count = async (filter: object) => (await visits([COUNT], all(OWN, filter))).rows[0]?.[0];
    expect(await count(compare('member_id', 'EQ', { currentMember: true }))).toBe('1');
    expect(await count(compare('member_id', 'NEQ', { currentMember: true }))).toBe('2');
    expect(await count(compare('starts_at', 'GT', { nowOffsetSeconds: '86400' }))).toBe('2');
    expect(await count(compare('starts_at', 'GTE', { nowOffsetSeconds: '86400' }))).toBe('3');
    expect(await count(compare('starts_at', 'LT', { nowOffsetSeconds: '0' }))).toBe('0');
  });

  it('joins by all and by any, within each other', async () => {
    const eur = compare('currency', 'EQ', { text: 'EUR' });
    const open = compare('status', 'EQ', wordOf('OPEN'));
    const usd = compare('currency', 'EQ', { text: 'USD' });
    expect(await numbersOf(all(eur, open))).toEqual(['1', '2']);
    expect(await numbersOf(any(usd, all(eur, any(open))))).toEqual(['1', '2', '4']);
  });
});

describe('a filter over related records', () => {
  const customers = async (filter: object) => {
    const own = compare('id', 'IN', { text: demoId('customer 50') }, { text: demoId('customer 51') });
    const { rows } = await ask(call, queryOf('customers', { filter: all(own, filter), records: { fields: ['id'] } }));
    return rows.flat();
  };
  const eur = compare('currency', 'EQ', { text: 'EUR' });
  const usd = compare('currency', 'EQ', { text: 'USD' });
  const small = (filter: object) => related('orders', all(SMALL, filter));

  it('counts each root once, however many records it leads to', async () => {
    expect(await customers(small(eur))).toEqual([demoId('customer 50')]);
  });

  it('is satisfied by one record within a filter, and by different ones in several', async () => {
    const fulfilled = compare('status', 'EQ', { text: 'PUBLIC_ORDER_STATUS_FULFILLED' });
    expect(await customers(small(all(usd, fulfilled)))).toEqual([]);
    expect(await customers(all(small(usd), small(fulfilled)))).toEqual([demoId('customer 50')]);
  });

  it('leads over two relationships, and without a filter asks for any record', async () => {
    const jpy = compare('currency', 'EQ', { text: 'JPY' });
    expect(await numbersOf(related('customer', small(jpy)))).toEqual(['5']);
    expect((await visits([COUNT], all(OWN, related('customer')))).rows).toEqual([['0']]);
  });

  it('leads to results, which only some appointments have', async () => {
    const { rows } = await ask(call, queryOf('appointments', { filter: related('result'), aggregate: { measures: [COUNT] } }));
    const results = await ask(call, queryOf('appointment_results', { aggregate: { measures: [COUNT] } }));
    expect(rows).toEqual(results.rows);
    expect(Number(rows[0]?.[0])).toBeGreaterThan(0);
  });
});

describe('ids', () => {
  it('are made of the rest, and numbered when they would be the same', async () => {
    const measures = [
      COUNT,
      COUNT,
      measure('COUNT', '', { id: 'count_2' }),
      measure('COUNT_DISTINCT', 'status'),
      measure('COUNT', '', { id: 'status' }),
    ];
    const dimensions = [by('status'), { ...by('created_at', 'MONTH') }, by('created_at')];
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

  it('can be sorted by', async () => {
    const aggregate = { measures: [COUNT], dimensions: [by('currency')] };
    expect(
      (await orders({ aggregate, sort: [sortBy('count', 'DESC'), sortBy('currency', 'DESC')] })).rows.map(([currency]) => currency),
    ).toEqual(['EUR', 'USD', 'JPY']);
  });
});

describe('the normalized query', () => {
  it('has what was left out, and keeps what is relative', async () => {
    const recent = compare('created_at', 'GTE', { nowOffsetSeconds: '-31536000' });
    const timeRange = { field: 'created_at', relative: { period: 'ANALYTICS_RELATIVE_PERIOD_LAST_90_DAYS', offset: 0 } };
    const { result } = await orders(
      { timeRange, aggregate: { measures: [COUNT], dimensions: [by('status')] }, sort: [sortBy('count')] },
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

  it('is answered alike', async () => {
    const measures = [
      COUNT,
      measure('COUNT', '', { condition: compare('status', 'EQ', wordOf('OPEN')) }),
      measure('RATIO', '', { numerator: 'count_2', denominator: 'count' }),
    ];
    const first = await orders({ timezone: 'europe/amsterdam', aggregate: { measures, dimensions: [by('currency')] } });
    const again = await ask(call, first.result.normalizedQuery);
    expect(again.result).toEqual(first.result);
    expect(first.result.normalizedQuery.timezone).toBe('Europe/Amsterdam');
  });
});

describe('records', () => {
  it('come by their ids, with the values of their fields', async () => {
    const fields = ['id', 'status', 'total_once', 'currency', 'created_at', 'cancelled_at'];
    const { rows } = await orders({ records: { fields } });
    expect(rows.map(([id]) => id)).toEqual(ids.toSorted());
    expect(rows.find(([id]) => id === ids[4])).toEqual([
      ids[4],
      'PUBLIC_ORDER_STATUS_CANCELLED',
      '700 JPY',
      'JPY',
      '2026-02-12T10:00:00Z',
      '2026-03-01T00:00:00Z',
    ]);
    expect(rows.find(([id]) => id === ids[3])?.[5]).toBeNull();
  });

  it('are sorted either way, with empty cells behind, and ties in the order of the columns', async () => {
    const sorted = async (...sort: readonly object[]) =>
      (await orders({ records: { fields: ['cancelled_at', 'currency', 'reference_number'] }, sort })).rows.map(([, , number]) =>
        String(number).at(-1),
      );
    expect(await sorted(sortBy('cancelled_at'))).toEqual(['5', '1', '2', '3', '4']);
    expect(await sorted(sortBy('cancelled_at', 'DESC'))).toEqual(['5', '1', '2', '3', '4']);
    expect(await sorted(sortBy('currency', 'DESC'))).toEqual(['4', '5', '1', '2', '3']);
    expect(await sorted(sortBy('currency', 'DESC'), sortBy('reference_number', 'DESC'))).toEqual(['4', '5', '3', '2', '1']);
  });

  it('show flags', async () => {
    const { rows } = await ask(call, queryOf('problems', { records: { fields: ['manual_solving_disabled'] }, limit: 1 }));
    expect(typeof rows[0]?.[0]).toBe('boolean');
  });
});

describe('an answer', () => {
  it('is cut at the limit, after everything was counted', async () => {
    const aggregate = { measures: [COUNT, measure('SUM', 'total_once')], dimensions: [by('currency')] };
    const { rows, result } = await orders({ aggregate, limit: 1 });
    expect(rows).toEqual([['EUR', '3', '60.02 EUR']]);
    expect(result).toMatchObject({
      truncated: true,
      aggregationComplete: true,
      warnings: ['There are 3 rows, of which the first 1 are shown.'],
    });
    expect((await orders({ aggregate, limit: 3 })).result).toMatchObject({ truncated: false });
  });

  it('has 100 rows when no limit is given', async () => {
    const { rows, result } = await ask(call, queryOf('offers', { records: { fields: ['id'] } }));
    expect({ rows: rows.length, truncated: result.truncated }).toEqual({ rows: 100, truncated: true });
  });

  it('is of the moment of the query, without other filters than its own', async () => {
    const { world } = opened.sandbox;
    const { rows, result } = await ask(call, queryOf('orders', { aggregate: { measures: [COUNT] } }));
    const stored = world.store.get<{ count: number }>('SELECT count(*) AS count FROM orders WHERE workspace_id = :id', {
      id: demoId('workspace'),
    });
    expect(rows).toEqual([[String(stored?.count)]]);
    expect(result.generatedAt).toBe('2026-03-02T09:00:00Z');
    addRow(world, 'orders', { quote_id: 'one more', reference_number: 'one more' });
    expect((await ask(call, queryOf('orders', { aggregate: { measures: [COUNT] } }))).rows).toEqual([[String(Number(stored?.count) + 1)]]);
  });

  it('is of the time zone that is asked for', async () => {
    const timeRange = { field: 'created_at', calendar: { startDate: '2026-01-05', endDate: '2026-01-05' } };
    const { result } = await orders({ timezone: 'Asia/Kathmandu', timeRange, aggregate: { measures: [COUNT] } });
    expect(result).toMatchObject({
      timezone: 'Asia/Kathmandu',
      resolvedTimeRange: { start: '2026-01-04T18:15:00Z', end: '2026-01-05T18:15:00Z' },
    });
  });

  it('is refused as a whole when it is larger than 256 KiB', async () => {
    const { world } = opened.sandbox;
    for (let index = 0; index < 80; index += 1)
      addRow(world, 'customers', { title: `large ${'x'.repeat(4_000)}`, reference_number: `large ${index}` });
    const query = queryOf('customers', { filter: compare('title', 'CONTAINS', { text: 'large xxx' }), records: { fields: ['title'] } });
    const answer = await call('AnalyticsService/ExecuteQuery', { query });
    expect(answer).toMatchObject({ status: 409, body: { code: 'failed_precondition' } });
    expect(answer.body.result).toBeUndefined();
    expect((await ask(call, { ...query, limit: 50 })).rows).toHaveLength(50);
  });

  it('orders and work orders are counted each by themselves', async () => {
    const { store } = opened.sandbox.world;
    const stored = store.get<{ count: number }>('SELECT count(*) AS count FROM work_orders WHERE workspace_id = :id', {
      id: demoId('workspace'),
    });
    const { rows } = await ask(call, queryOf('workorders', { aggregate: { measures: [COUNT] } }));
    expect(rows).toEqual([[String(stored?.count)]]);
  });
});

describe('amounts that are not settled', () => {
  const totals = {
    measures: [COUNT, measure('SUM', 'total_once'), measure('MAX', 'total_once', { condition: compare('status', 'EQ', wordOf('OPEN')) })],
    dimensions: [by('currency')],
  };

  it('make the measures that they feed unavailable, and no others', async () => {
    const { store } = opened.sandbox.world;
    const record = { kind: 'order' as const, record_id: ids[2] ?? '' };
    unresolvedSnapshotTable.insert(store, { workspace_id: demoId('workspace'), ...record });
    const { rows, result } = await orders({ aggregate: totals });
    expect(rows).toEqual([
      ['EUR', '3', 'UNAVAILABLE', '20.01 EUR'],
      ['JPY', '1', '700 JPY', null],
      ['USD', '1', '5.00 USD', '5.00 USD'],
    ]);
    expect(result.warnings).toEqual(['The amounts of 1 record are not settled: cells that need them are unavailable.']);
    const { rows: shown } = await orders({ records: { fields: ['reference_number', 'total_once'] }, sort: [sortBy('reference_number')] });
    expect(shown.slice(1, 4)).toEqual([
      ['small 2', '20.01 EUR'],
      ['small 3', 'UNAVAILABLE'],
      ['small 4', '5.00 USD'],
    ]);
    expect((await orders({ aggregate: totals, sort: [sortBy('sum_total_once', 'DESC')] })).rows.at(-1)?.[0]).toBe('EUR');
    store.run('DELETE FROM unresolved_snapshots WHERE record_id = :id', { id: record.record_id });
  });

  it('are some of the demo, among orders and among quotes', async () => {
    for (const entity of ['orders', 'offers']) {
      const { rows } = await ask(
        call,
        queryOf(entity, { aggregate: { measures: [measure('SUM', 'total_once')], dimensions: [by('status'), by('currency')] } }),
      );
      expect(rows.some((row) => row.at(-1) === 'UNAVAILABLE')).toBe(true);
      expect(rows.some((row) => row.at(-1) !== 'UNAVAILABLE')).toBe(true);
    }
  });
});
