import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';
import { calendar, compare, createQuery, dimension, measure, sendQuery, sortBy } from './queryHelpers.ts';
import { addRow } from './rows.ts';

const opened = useSandbox();
const { call } = opened;

const execute = (sql: string) => call('AnalyticsService/ExecuteSQL', { sql });

const SQL = `SELECT svc.bucket('month', created_at), currency, count(*), sum(total_once) AS revenue
FROM orders
WHERE svc.timezone('Europe/Amsterdam') AND svc.calendar_range(created_at, '2025-01-01', '2025-12-31') AND status <> 'PUBLIC_ORDER_STATUS_CANCELLED'
GROUP BY svc.bucket('month', created_at), currency
ORDER BY revenue DESC NULLS LAST
LIMIT 5`;

const QUERY = createQuery('orders', {
  timezone: 'Europe/Amsterdam',
  timeRange: calendar('created_at', '2025-01-01', '2025-12-31'),
  filter: compare('status', 'NEQ', { text: 'PUBLIC_ORDER_STATUS_CANCELLED' }),
  aggregate: {
    measures: [measure('COUNT'), measure('SUM', 'total_once', { id: 'revenue' })],
    dimensions: [dimension('created_at', 'MONTH'), dimension('currency')],
  },
  sort: [sortBy('revenue', 'DESC')],
  limit: 5,
});

describe('SQL query', () => {
  it('returns the same result as the typed query, and so does the normalized SQL', spec('4.12.7', '4.12.77'), async () => {
    const { body } = await execute(SQL);
    expect(body.result).toEqual((await sendQuery(call, QUERY)).result);
    expect(body.result.rows).toHaveLength(5);
    const again = (await execute(body.normalizedSql)).body;
    expect(again).toEqual(body);
  });

  it('supports records of the member behind the key', spec('4.12.80'), async () => {
    const id = addRow(opened.sandbox.world, 'appointments', { member_id: demoId('member owner') });
    const { body } = await execute(
      "SELECT id, member_id FROM appointments WHERE svc.timezone('UTC') AND member_id = current_member() LIMIT 100",
    );
    expect(body.result.rows).toMatchObject([{ cells: [{ text: id }, { text: demoId('member owner') }] }]);
  });

  it.each([
    ['an unknown field', "SELECT count(*) FROM orders WHERE svc.timezone('UTC') AND color = 'red' LIMIT 5", /^line 1, column \d+: /],
    [
      'an amount without its currency',
      "SELECT sum(total_once)\nFROM orders\nWHERE svc.timezone('UTC') LIMIT 5",
      /^line 1, column 12: .*currency/,
    ],
    ['a limit of 101', "SELECT count(*) FROM orders WHERE svc.timezone('UTC')\nLIMIT 101", /^line 2, column \d+: /],
    ['no limit', "SELECT count(*) FROM orders WHERE svc.timezone('UTC')", /^line 1, column \d+: /],
    ['an invalid time zone', "SELECT count(*) FROM orders WHERE svc.timezone('Mars/Olympus') LIMIT 5", /^line 1, column \d+: /],
    [
      'buckets without a time range',
      "SELECT svc.bucket('day', created_at), count(*) FROM orders WHERE svc.timezone('UTC') GROUP BY svc.bucket('day', created_at) LIMIT 5",
      /^line 1, column \d+: .*time_range/,
    ],
    ['another statement', 'DELETE FROM orders', /^line 1, column 1: /],
  ])('returns an error with its position for %s', spec('4.12.78'), async (_name, sql, message) => {
    const { status, body } = await execute(sql);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_argument' });
    expect(body.message).toMatch(message);
  });

  it('accepts up to 32 KiB', spec('8.13'), async () => {
    const sql = "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 5";
    expect((await execute(sql.padEnd(32_768))).status).toBe(200);
    expect((await execute(sql.padEnd(32_769))).status).toBe(400);
  });
});

describe('query', () => {
  it('changes no table except the usage', spec('4.12.20'), async () => {
    const { store } = opened.sandbox.world;
    const tables = store.all<{ name: string }>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT IN ('usage', 'rate_limits')",
    );
    const rows = () => tables.map(({ name }) => [name, store.rows(`SELECT * FROM main.${name}`)]);
    const before = rows();
    await execute(SQL);
    await sendQuery(call, QUERY);
    expect(rows()).toEqual(before);
  });
});
