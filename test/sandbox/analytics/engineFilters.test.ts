import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId } from '../sandbox.ts';
import { all, any, compare, createQuery, related, sendQuery, sortBy } from './queryHelpers.ts';
import { COUNT, createEnumValue, OWN, SMALL, useSmallWorld } from './smallWorld.ts';

const { opened, ids, numbersOf, orders, visits } = useSmallWorld();
const { call } = opened;

describe('filter', () => {
  it('supports every operator', spec('4.12.30', '4.12.36'), async () => {
    const compareCreation = (operator: string, timestamp: string) => compare('created_at', operator, { timestamp });
    expect(await numbersOf(compare('currency', 'EQ', { text: 'USD' }))).toEqual(['4']);
    expect(await numbersOf(compare('currency', 'NEQ', { text: 'EUR' }))).toEqual(['4', '5']);
    expect(await numbersOf(compare('currency', 'IN', { text: 'USD' }, { text: 'JPY' }))).toEqual(['4', '5']);
    expect(await numbersOf(compare('currency', 'NOT_IN', { text: 'USD' }, { text: 'JPY' }))).toEqual(['1', '2', '3']);
    expect(await numbersOf(compareCreation('LT', '2026-01-20T10:00:00Z'))).toEqual(['1']);
    expect(await numbersOf(compareCreation('LTE', '2026-01-20T10:00:00Z'))).toEqual(['1', '2']);
    expect(await numbersOf(compareCreation('GT', '2026-01-20T11:00:00+01:00'))).toEqual(['3', '4', '5']);
    expect(await numbersOf(compareCreation('GTE', '2026-01-20T11:00:00+01:00'))).toEqual(['2', '3', '4', '5']);
    expect(await numbersOf(compare('cancelled_at', 'IS_NULL'))).toEqual(['1', '2', '3', '4']);
    expect(await numbersOf(compare('cancelled_at', 'IS_NOT_NULL'))).toEqual(['5']);
    expect(await numbersOf(compare('status', 'EQ', createEnumValue('OPEN')))).toEqual(['1', '2', '4']);
    expect(await numbersOf(compare('reference_number', 'CONTAINS', { text: 'MALL 1' }))).toEqual(['1']);
    expect(await numbersOf(compare('reference_number', 'CONTAINS', { text: 'small_1' }))).toEqual([]);
  });

  it('compares timestamps with fractional seconds, although records have whole seconds', async () => {
    const listByCreation = (operator: string, timestamp: string) => numbersOf(compare('created_at', operator, { timestamp }));
    expect(await listByCreation('EQ', '2026-01-20T10:00:00.000000Z')).toEqual(['2']);
    expect(await listByCreation('EQ', '2026-01-20T10:00:00.000001Z')).toEqual([]);
    expect(await listByCreation('NEQ', '2026-01-20T10:00:00.000001Z')).toEqual(['1', '2', '3', '4', '5']);
    expect(await listByCreation('LT', '2026-01-20T10:00:00.000001Z')).toEqual(['1', '2']);
    expect(await listByCreation('GTE', '2026-01-20T10:00:00.000001Z')).toEqual(['3', '4', '5']);
    expect(await listByCreation('GT', '2026-01-20T09:59:59.999999Z')).toEqual(['2', '3', '4', '5']);
    expect(await listByCreation('LTE', '2026-01-20T09:59:59.999999Z')).toEqual(['1']);
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

  it('matches empty values only with IS_NULL, and never with negated operators', async () => {
    const count = async (filter: object) => (await visits([COUNT], all(OWN, filter))).rows[0]?.[0];
    const planner = { text: demoId('member planner') };
    expect(await count(compare('member_id', 'NEQ', planner))).toBe('1');
    expect(await count(compare('member_id', 'NOT_IN', planner))).toBe('1');
    expect(await count(compare('member_id', 'IS_NULL'))).toBe('1');
    expect(await count(compare('member_id', 'IS_NOT_NULL'))).toBe('3');
  });

  it('supports the member behind the key, and timestamps relative to now', spec('4.12.38', '4.12.39'), async () => {
    const count = async (filter: object) => (await visits([COUNT], all(OWN, filter))).rows[0]?.[0];
    expect(await count(compare('member_id', 'EQ', { currentMember: true }))).toBe('1');
    expect(await count(compare('member_id', 'NEQ', { currentMember: true }))).toBe('2');
    expect(await count(compare('starts_at', 'GT', { nowOffsetSeconds: '86400' }))).toBe('2');
    expect(await count(compare('starts_at', 'GTE', { nowOffsetSeconds: '86400' }))).toBe('3');
    expect(await count(compare('starts_at', 'LT', { nowOffsetSeconds: '0' }))).toBe('0');
  });

  it('supports nested AND and OR groups', spec('4.12.30'), async () => {
    const eur = compare('currency', 'EQ', { text: 'EUR' });
    const open = compare('status', 'EQ', createEnumValue('OPEN'));
    const usd = compare('currency', 'EQ', { text: 'USD' });
    expect(await numbersOf(all(eur, open))).toEqual(['1', '2']);
    expect(await numbersOf(any(usd, all(eur, any(open))))).toEqual(['1', '2', '4']);
  });
});

describe('filter on related records', () => {
  const customers = async (filter: object) => {
    const own = compare('id', 'IN', { text: demoId('customer 50') }, { text: demoId('customer 51') });
    const { rows } = await sendQuery(call, createQuery('customers', { filter: all(own, filter), records: { fields: ['id'] } }));
    return rows.flat();
  };
  const eur = compare('currency', 'EQ', { text: 'EUR' });
  const usd = compare('currency', 'EQ', { text: 'USD' });
  const relateToSmall = (filter: object) => related('orders', all(SMALL, filter));

  it('counts each root once, regardless of the number of related records', spec('4.12.42'), async () => {
    expect(await customers(relateToSmall(eur))).toEqual([demoId('customer 50')]);
  });

  it('requires one record to match a whole filter, but not several filters', spec('4.12.43'), async () => {
    const fulfilled = compare('status', 'EQ', { text: 'PUBLIC_ORDER_STATUS_FULFILLED' });
    expect(await customers(relateToSmall(all(usd, fulfilled)))).toEqual([]);
    expect(await customers(all(relateToSmall(usd), relateToSmall(fulfilled)))).toEqual([demoId('customer 50')]);
  });

  it('supports two relationships, and matches any record without a nested filter', async () => {
    const jpy = compare('currency', 'EQ', { text: 'JPY' });
    expect(await numbersOf(related('customer', relateToSmall(jpy)))).toEqual(['5']);
    expect((await visits([COUNT], all(OWN, related('customer')))).rows).toEqual([['0']]);
  });

  it('supports results, which only some appointments have', async () => {
    const { rows } = await sendQuery(call, createQuery('appointments', { filter: related('result'), aggregate: { measures: [COUNT] } }));
    const results = await sendQuery(call, createQuery('appointment_results', { aggregate: { measures: [COUNT] } }));
    expect(rows).toEqual(results.rows);
    expect(Number(rows[0]?.[0])).toBeGreaterThan(0);
  });
});

describe('records', () => {
  it('return the values of their fields, sorted by ID', spec('4.12.32'), async () => {
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

  it('support both sort directions, with empty cells last and ties broken by the column order', spec('4.12.34'), async () => {
    const sorted = async (...sort: readonly object[]) =>
      (await orders({ records: { fields: ['cancelled_at', 'currency', 'reference_number'] }, sort })).rows.map(([, , number]) =>
        String(number).at(-1),
      );
    expect(await sorted(sortBy('cancelled_at'))).toEqual(['5', '1', '2', '3', '4']);
    expect(await sorted(sortBy('cancelled_at', 'DESC'))).toEqual(['5', '1', '2', '3', '4']);
    expect(await sorted(sortBy('currency', 'DESC'))).toEqual(['4', '5', '1', '2', '3']);
    expect(await sorted(sortBy('currency', 'DESC'), sortBy('reference_number', 'DESC'))).toEqual(['4', '5', '3', '2', '1']);
  });

  it('return booleans', async () => {
    const { rows } = await sendQuery(call, createQuery('problems', { records: { fields: ['manual_solving_disabled'] }, limit: 1 }));
    expect(typeof rows[0]?.[0]).toBe('boolean');
  });
});
