import { describe, expect, it } from 'vitest';
import { InvalidQueryError } from '../../../sandbox/analytics/invalidQuery.ts';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { invalidArgument } from '../../../sandbox/kernel/errors.ts';

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

/** The error with its position, for an error of the engine at a path. */
const locateError = (path: string, sql = SQL) => parseSql(sql).withPosition(new InvalidQueryError(path, 'must be right.'));

describe('error of a query from SQL', () => {
  it.each([
    ['', 'line 1, column 1'],
    ['entity', 'line 6, column 6'],
    ['timezone', 'line 7, column 7'],
    ['limit', 'line 15, column 1'],
    ['aggregate', 'line 1, column 1'],
    ['aggregate.dimensions[0]', 'line 2, column 3'],
    ['aggregate.dimensions[0].field', 'line 2, column 23'],
    ['aggregate.dimensions[0].bucket', 'line 2, column 3'],
    ['aggregate.dimensions[0].id', 'line 2, column 38'],
    ['aggregate.dimensions[1].field', 'line 3, column 3'],
    ['aggregate.measures[0].field', 'line 4, column 7'],
    ['aggregate.measures[0].aggregation', 'line 4, column 3'],
    ['aggregate.measures[0].id', 'line 4, column 22'],
    ['aggregate.measures[1].percentile', 'line 5, column 19'],
    ['aggregate.measures[1].percentile.scale', 'line 5, column 19'],
    ['timeRange', 'line 8, column 7'],
    ['time_range.field', 'line 8, column 26'],
    ['timeRange.calendar', 'line 8, column 38'],
    ['time_range.calendar.start_date', 'line 8, column 38'],
    ['timeRange.calendar.endDate', 'line 8, column 52'],
    ['filter', 'line 9, column 7'],
    ['filter.all.children[0].compare.field', 'line 9, column 7'],
    ['filter.all.children[0].compare.operator', 'line 9, column 14'],
    ['filter.all.children[0].compare.values[1]', 'line 9, column 23'],
    ['filter.all.children[0].compare.values[1].text', 'line 9, column 23'],
    ['filter.all.children[1].any.children[0].compare.field', 'line 10, column 17'],
    ['filter.all.children[1].any.children[0].compare.values[0]', 'line 10, column 35'],
    ['filter.all.children[1].any.children[1].related', 'line 10, column 43'],
    ['filter.all.children[1].any.children[1].related.relationship', 'line 11, column 19'],
    ['filter.all.children[1].any.children[1].related.filter.compare.values[0].timestamp', 'line 12, column 21'],
    ['sort[0].column', 'line 14, column 10'],
    ['sort[1]', 'line 14, column 33'],
    ['nothing.of[5].the.kind', 'line 1, column 1'],
  ])('contains the position of %s', (path, place) => {
    expect(locateError(path)).toMatchObject({ code: 'invalid_argument', message: `${place}: ${path || 'the query'} must be right.` });
  });

  it('contains the position of a selected field', () => {
    expect(locateError('records.fields[1]', RECORDS)).toMatchObject({ message: 'line 2, column 3: records.fields[1] must be right.' });
    expect(locateError('filter.compare.values', RECORDS)).toMatchObject({
      message: 'line 2, column 52: filter.compare.values must be right.',
    });
  });

  it('doesn’t change if it isn’t about the query', () => {
    const error = invalidArgument('query.limit: is wrong.');
    expect(parseSql(SQL).withPosition(error)).toBe(error);
  });
});
