import { toJson } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { printSql } from '../../../sandbox/analytics/sql/print.ts';
import { type AnalyticsQuery, AnalyticsQuerySchema } from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { fc, scaleCases } from '../../support/seeded.ts';
import { FORBIDDEN, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { useSandbox } from '../sandbox.ts';
import { sqlQuery } from './sqlQueries.ts';

const opened = useSandbox();

const executeSql = (sql: string) => opened.call('AnalyticsService/ExecuteSQL', { sql });
const executeQuery = (query: AnalyticsQuery) =>
  opened.call('AnalyticsService/ExecuteQuery', { query: toJson(AnalyticsQuerySchema, query, { alwaysEmitImplicit: true }) });

const T = "svc.timezone('UTC')";
const COUNT = `SELECT count(*) FROM orders WHERE ${T} LIMIT 1`;
const ofConditions = (condition: string) => `SELECT count(*) FROM orders WHERE ${T} AND ${condition} LIMIT 1`;

describe('SQL query', () => {
  it('returns the same result as the equivalent typed query', async () => {
    let succeeded = 0;
    await fc.assert(
      fc.asyncProperty(sqlQuery, async (query) => {
        const [bySql, byQuery] = [await executeSql(printSql(query)), await executeQuery(query)];
        expect(bySql.status).toBe(byQuery.status);
        if (byQuery.status !== 200) {
          const [path = '', reason = ''] = byQuery.body.message.replace(/^query\.?/, '').split(/: (.*)/s);
          expect(bySql.body.code).toBe(byQuery.body.code);
          expect(bySql.body.message).toMatch(/^line 1, column \d+: /);
          expect(bySql.body.message.endsWith(`: ${path || 'the query'} ${reason}`)).toBe(true);
          return;
        }
        succeeded += 1;
        expect(bySql.body.result).toEqual(byQuery.body.result);
      }),
      { numRuns: scaleCases(50) },
    );
    expect(succeeded).toBeGreaterThan(25);
  });

  it('returns its normalized SQL, which has the same result', async () => {
    const sql = `select currency, SVC.bucket('year', created_at) AS y, count(*), sum(total_once) from orders
      where svc.timezone('utc') and svc.calendar_range(created_at, '2025-01-01', '2026-12-31') and ((status != 'PUBLIC_ORDER_STATUS_CANCELLED'))
      group by y, currency order by y limit 007`;
    const { status, body } = await executeSql(sql);
    expect({ status, sql: body.normalizedSql }).toEqual({
      status: 200,
      sql:
        "SELECT currency AS currency, svc.bucket('year', created_at) AS y, count(*) AS count, sum(total_once) AS sum_total_once FROM orders " +
        "WHERE svc.timezone('UTC') AND svc.calendar_range(created_at, '2025-01-01', '2026-12-31') AND status <> 'PUBLIC_ORDER_STATUS_CANCELLED' " +
        "GROUP BY currency, svc.bucket('year', created_at) ORDER BY y ASC NULLS LAST LIMIT 7",
    });
    expect(body.result.rows.length).toBeGreaterThan(0);
    expect((await executeSql(body.normalizedSql)).body).toEqual(body);
  });

  it.each([
    [
      'an unknown column',
      `SELECT status, count(*) FROM orders WHERE ${T} GROUP BY status\nORDER BY n LIMIT 1`,
      'line 2, column 10: sort[0].column must',
    ],
    ['an unknown time zone', "SELECT count(*) FROM orders\nWHERE svc.timezone('Mars/Base') LIMIT 1", 'line 2, column 7: timezone must'],
    ['an unknown enum value', ofConditions("\nstatus = 'open'"), 'line 2, column 10: filter.compare.values[0]'],
    ['an unsupported operator', ofConditions("\nstatus > 'open'"), 'line 2, column 8: filter.compare.operator'],
    ['IS NULL on a non-null field', ofConditions('\nid IS NULL'), 'line 2, column 4: filter.compare.operator'],
    ['an invalid timestamp', ofConditions("\ncreated_at > 'yesterday'"), 'line 2, column 14: filter.compare.values[0]'],
    ['the current member for another field', ofConditions('\nstatus = current_member()'), 'line 2, column 10: filter.compare.values[0]'],
    [
      'an invalid date',
      ofConditions("svc.calendar_range(created_at,\n'2026-02-30', '2026-03-01')"),
      'line 2, column 1: time_range.calendar.start_date',
    ],
    [
      'a range without an end',
      ofConditions("svc.calendar_range(created_at, '2026-03-01',\n'2026-02-01')"),
      'line 2, column 1: time_range.calendar.end_date',
    ],
    [
      'a range over a text field',
      ofConditions("svc.calendar_range(\nstatus, '2026-03-01', '2026-03-02')"),
      'line 2, column 1: time_range.field must',
    ],
    [
      'a bucket without a range',
      `SELECT\nsvc.bucket('day', created_at), count(*) FROM orders WHERE ${T} GROUP BY svc.bucket('day', created_at) LIMIT 1`,
      'line 2, column 1: aggregate.dimensions[0]',
    ],
    ['amounts without their currency', `SELECT count(*),\nsum(total_once) FROM orders WHERE ${T} LIMIT 1`, 'line 2, column'],
    [
      'an unsupported aggregation',
      `SELECT count(*),\nsum(status) FROM orders WHERE ${T} LIMIT 1`,
      'line 2, column 1: aggregate.measures[1].aggregation',
    ],
    [
      'a percentile above 1',
      `SELECT percentile_disc(\n1.5) WITHIN GROUP (ORDER BY created_at) FROM orders WHERE ${T} LIMIT 1`,
      'line 2, column 1: aggregate.measures[0].percentile',
    ],
    [
      'two columns with one name',
      `SELECT count(*) AS n, count(DISTINCT id) AS\nn FROM orders WHERE ${T} LIMIT 1`,
      'line 2, column 1: aggregate.measures[1].id',
    ],
    ['a duplicate field', `SELECT id,\nid FROM orders WHERE ${T} LIMIT 1`, 'line 2, column 1: records.fields[1]'],
    ['nine measures', `SELECT ${'count(*),'.repeat(8)}count(*) FROM orders WHERE ${T} LIMIT 1`, 'line 1, column 1: aggregate.measures'],
    [
      'four dimensions',
      `SELECT id, status, currency, quote_id, count(*) FROM orders WHERE ${T} GROUP BY id, status, currency, quote_id LIMIT 1`,
      'line 1, column 1: aggregate.dimensions',
    ],
    ['101 conditions', ofConditions(`${"id = 'x' AND ".repeat(100)}id = 'x'`), 'line 1, column'],
    ['nine levels', ofConditions(`${"(id = 'x' AND (id = 'y' OR ".repeat(4)}(id = 'x' AND id = 'y')${'))'.repeat(4)}`), 'line 1, column'],
    [
      'three relationships',
      `SELECT count(*) FROM customers WHERE ${T} AND EXISTS (SELECT 1 FROM orders WHERE orders.customer_id = customers.id AND EXISTS (SELECT 1 FROM payments WHERE payments.order_id = orders.id AND EXISTS (\nSELECT 1 FROM orders WHERE orders.id = payments.order_id))) LIMIT 1`,
      'line 1, column',
    ],
  ])('reports violations of query rules with their position: %s', async (_what, sql, message) => {
    const { status, body } = await executeSql(sql);
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 400,
      code: 'invalid_argument',
      message: expect.stringMatching(/^line \d+, column \d+: /),
    });
    expect(body.message).toContain(message);
  });

  it('reports unsupported SQL with its position', async () => {
    const { status, body } = await executeSql('SELECT count(*)\nFROM orders;');
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'line 2, column 12: a query is a single statement; expected no semicolon.',
    });
  });

  it('rejects empty text and more than 32 KiB', async () => {
    const longest = COUNT.replace(' LIMIT', `${' '.repeat(32_768 - COUNT.length + 1)}LIMIT`);
    expect(longest).toHaveLength(32_768);
    expect((await executeSql(longest)).status).toBe(200);
    for (const sql of [`${longest} `, '', ' \n ']) expect((await executeSql(sql)).body).toMatchObject({ code: 'invalid_argument' });
    // The limit is in bytes instead of characters.
    const wide = ofConditions(`status = '${'é'.repeat(16_384)}'`);
    expect((await executeSql(wide)).body.message).toContain('sql');
  });

  it('returns results as declared in the catalog', async () => {
    const { body } = await opened.call('AnalyticsService/ListCatalog', {});
    expect(body.sqlSupport.examples.length).toBeGreaterThan(3);
    for (const sql of body.sqlSupport.examples) expect(await executeSql(sql)).toMatchObject({ status: 200 });
    const all = body.sqlSupport.examples.join('\n');
    for (const name of body.sqlSupport.functions) expect(all).toContain(`${name}(`);
  });

  it('returns an error instead of a partial result to members with restricted visibility', async () => {
    const key = makeKey(opened.sandbox.world, { permissions: ['billingAccess:FULL_ACCESS'] });
    expect(summarizeError(await opened.callAs(key, 'AnalyticsService/ExecuteSQL', { sql: COUNT }))).toEqual(FORBIDDEN);
  });
});
