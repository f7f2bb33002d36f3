import { describe, expect, it } from 'vitest';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { invalid, notFound } from '../../../sandbox/kernel/errors.ts';

const SQL = `SELECT
  svc.bucket('month', created_at) AS month,
  currency,
  sum(total_once) AS total,
  percentile_disc(0.95) WITHIN GROUP (ORDER BY total_once)
FROM orders
WHERE svc.timezone('Europe/Amsterdam')
  AND svc.calendar_range(created_at, '2026-01-01', '2026-12-31')
  AND status IN ('a', 'b')
  AND (contains(reference_number, '7') OR EXISTS (
    SELECT 1 FROM payments WHERE payments.order_id = orders.id
      AND paid_at > '2026-01-01T00:00:00Z'))
GROUP BY month, currency
ORDER BY total DESC NULLS LAST, month
LIMIT 100`;
const RECORDS = "SELECT id,\n  status FROM orders WHERE svc.timezone('UTC') AND status = 'a' LIMIT 10";

/** What an error of the engine becomes. */
const placed = (message: string, sql = SQL) => (parseSql(sql).placed(invalid(message)) as Error).message;

describe('refusals of a query that was a text', () => {
  it.each([
    ['query', 'line 1, column 1'],
    ['query.entity', 'line 6, column 6'],
    ['query.timezone', 'line 7, column 7'],
    ['query.limit', 'line 15, column 1'],
    ['query.aggregate', 'line 1, column 1'],
    ['query.aggregate.dimensions[0]', 'line 2, column 3'],
    ['query.aggregate.dimensions[0].field', 'line 2, column 23'],
    ['query.aggregate.dimensions[0].bucket', 'line 2, column 3'],
    ['query.aggregate.dimensions[0].id', 'line 2, column 38'],
    ['query.aggregate.dimensions[1].field', 'line 3, column 3'],
    ['query.aggregate.measures[0].field', 'line 4, column 7'],
    ['query.aggregate.measures[0].aggregation', 'line 4, column 3'],
    ['query.aggregate.measures[0].id', 'line 4, column 22'],
    ['query.aggregate.measures[1].percentile', 'line 5, column 19'],
    ['query.aggregate.measures[1].percentile.scale', 'line 5, column 19'],
    ['query.timeRange', 'line 8, column 7'],
    ['query.time_range.field', 'line 8, column 26'],
    ['query.timeRange.calendar', 'line 8, column 38'],
    ['query.time_range.calendar.start_date', 'line 8, column 38'],
    ['query.timeRange.calendar.endDate', 'line 8, column 52'],
    ['query.filter', 'line 9, column 7'],
    ['query.filter.all.children[0].compare.field', 'line 9, column 7'],
    ['query.filter.all.children[0].compare.operator', 'line 9, column 14'],
    ['query.filter.all.children[0].compare.values[1]', 'line 9, column 23'],
    ['query.filter.all.children[0].compare.values[1].text', 'line 9, column 23'],
    ['query.filter.all.children[1].any.children[0].compare.field', 'line 10, column 17'],
    ['query.filter.all.children[1].any.children[0].compare.values[0]', 'line 10, column 35'],
    ['query.filter.all.children[1].any.children[1].related', 'line 10, column 43'],
    ['query.filter.all.children[1].any.children[1].related.relationship', 'line 11, column 19'],
    ['query.filter.all.children[1].any.children[1].related.filter.compare.values[0].timestamp', 'line 12, column 21'],
    ['query.sort[0].column', 'line 14, column 10'],
    ['query.sort[1]', 'line 14, column 33'],
    ['query.nothing.of[5].the.kind', 'line 1, column 1'],
  ])('name the place of %s', (path, place) => {
    expect(placed(`${path}: is wrong.`)).toBe(`${place}: is wrong.`);
  });

  it('name the place of a projected field', () => {
    expect(placed('query.records.fields[1]: is wrong.', RECORDS)).toBe('line 2, column 3: is wrong.');
    expect(placed('query.filter.compare.values: are wrong.', RECORDS)).toBe('line 2, column 52: are wrong.');
  });

  it('stay as they are without a path, and so do other errors', () => {
    expect(placed('The moon is full.')).toBe('The moon is full.');
    const error = notFound('query', 'query.limit: ');
    expect(parseSql(SQL).placed(error)).toBe(error);
  });
});
