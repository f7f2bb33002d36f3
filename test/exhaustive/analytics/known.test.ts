import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { useSandbox } from '../../sandbox/sandbox.ts';

const SEED = 1;
const opened = useSandbox({ seed: SEED, sizes: FULL });

const measure = (aggregation: string, options: JsonObject = {}) => ({ aggregation: `ANALYTICS_AGGREGATION_${aggregation}`, ...options });
const COUNT = measure('COUNT');
const compare = (field: string, operator: string, ...values: JsonObject[]) => ({
  compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, values },
});
const related = (relationship: string, filter?: JsonObject) => ({ related: { relationship, ...(filter && { filter }) } });
const createQuery = (entity: string, measures: JsonObject[], dimensions: JsonObject[] = [], options: JsonObject = {}) => ({
  entity,
  aggregate: { measures, dimensions },
  ...options,
});
const CURRENCY = { field: 'currency' };
const calendar = (field: string, startDate: string, endDate: string) => ({
  timezone: 'UTC',
  timeRange: { field, calendar: { startDate, endDate } },
});
const MEDIAN = { percentile: { unscaled: '5', scale: 1 } };

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
type Cell = any;

/** A result cell in the form that SQLite returns: decimals and amounts are their unscaled integers. */
function toSqlValue({ status, text, integer, decimal, money, boolean, date }: Cell): unknown {
  if (status !== 'ANALYTICS_CELL_STATUS_READY') return status === 'ANALYTICS_CELL_STATUS_NULL' ? null : 'unavailable';
  const number = integer ?? decimal?.unscaled ?? money?.amount.unscaled;
  if (boolean !== undefined) return Number(boolean);
  return text ?? date ?? Number(number ?? 0);
}

async function executeQuery(query: JsonObject): Promise<unknown[][]> {
  const { status, body } = await opened.call('AnalyticsService/ExecuteQuery', {
    query: { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE', ...query },
  });
  if (status !== 200) throw new Error(`${status}: ${body.message}`);
  return (body.result.rows ?? []).map(({ cells }: { cells: Cell[] }) => cells.map(toSqlValue));
}

/** Named queries with equivalent SQL. `:w` is the workspace, and `:m` the owner's member ID. */
const QUERIES: readonly (readonly [name: string, query: JsonObject, sql: string])[] = [
  ['all orders', createQuery('orders', [COUNT]), 'SELECT count(*) FROM main.orders WHERE workspace_id = :w'],
  [
    'open orders',
    createQuery('orders', [COUNT], [], { filter: compare('status', 'EQ', { text: 'PUBLIC_ORDER_STATUS_OPEN' }) }),
    'SELECT count(*) FROM main.orders WHERE workspace_id = :w AND status = 1',
  ],
  [
    'order totals of a year, by currency',
    createQuery('orders', [measure('SUM', { field: 'total_once' })], [CURRENCY], calendar('created_at', '2025-03-01', '2026-02-28')),
    `SELECT currency, CASE WHEN max(id IN (SELECT record_id FROM main.unresolved_snapshots WHERE kind = 'order')) THEN 'unavailable' ELSE sum(total_once_minor) END
     FROM main.orders WHERE workspace_id = :w AND created_at >= unixepoch('2025-03-01') AND created_at < unixepoch('2026-03-01') GROUP BY currency ORDER BY currency`,
  ],
  [
    'totals of all orders, some of which are unresolved',
    createQuery('orders', [measure('SUM', { field: 'total_once' })], [CURRENCY]),
    `SELECT currency, CASE WHEN max(id IN (SELECT record_id FROM main.unresolved_snapshots WHERE kind = 'order')) THEN 'unavailable' ELSE sum(total_once_minor) END
     FROM main.orders WHERE workspace_id = :w GROUP BY currency ORDER BY currency`,
  ],
  [
    'largest payment, by currency',
    createQuery('payments', [measure('MAX', { field: 'amount' })], [CURRENCY]),
    'SELECT currency, max(amount_minor) FROM main.payments WHERE workspace_id = :w GROUP BY currency ORDER BY currency',
  ],
  [
    'quotes by month',
    createQuery(
      'offers',
      [COUNT],
      [{ field: 'created_at', bucket: 'ANALYTICS_TIME_BUCKET_MONTH' }],
      calendar('created_at', '2024-01-01', '2026-12-31'),
    ),
    `SELECT strftime('%Y-%m-01', created_at, 'unixepoch'), count(*) FROM main.quotes
     WHERE workspace_id = :w AND created_at >= unixepoch('2024-01-01') AND created_at < unixepoch('2027-01-01') GROUP BY 1 ORDER BY 1`,
  ],
  [
    'average version of quotes, with six decimal places',
    createQuery('offers', [measure('AVG', { field: 'version' })]),
    'SELECT CAST(round(1e6 * sum(version) / count(*)) AS INTEGER) FROM main.quotes WHERE workspace_id = :w',
  ],
  [
    'customers with an order',
    createQuery('customers', [COUNT], [], { filter: related('orders') }),
    'SELECT count(DISTINCT orders.customer_id) FROM main.orders JOIN main.customers ON customers.id = customer_id WHERE orders.workspace_id = :w',
  ],
  [
    'customers with a paid order',
    createQuery('customers', [COUNT], [], { filter: related('orders', related('payments', compare('paid_at', 'IS_NOT_NULL'))) }),
    `SELECT count(DISTINCT orders.customer_id) FROM main.orders JOIN main.payments ON order_id = orders.id
     WHERE orders.workspace_id = :w AND paid_at IS NOT NULL`,
  ],
  [
    'share of canceled orders',
    createQuery('orders', [
      measure('COUNT', { id: 'cancelled', condition: compare('cancelled_at', 'IS_NOT_NULL') }),
      COUNT,
      measure('RATIO', { numerator: 'cancelled', denominator: 'count' }),
    ]),
    'SELECT count(cancelled_at), count(*), CAST(round(1e6 * count(cancelled_at) / count(*)) AS INTEGER) FROM main.orders WHERE workspace_id = :w',
  ],
  [
    'problems by whether they can be solved manually',
    createQuery('problems', [COUNT], [{ field: 'manual_solving_disabled' }]),
    'SELECT manual_solving_disabled, count(*) FROM main.problems WHERE workspace_id = :w GROUP BY 1 ORDER BY 1',
  ],
  [
    'appointments of the owner',
    createQuery('appointments', [COUNT], [], { filter: compare('member_id', 'EQ', { currentMember: true }) }),
    'SELECT count(*) FROM main.appointments WHERE workspace_id = :w AND member_id = :m',
  ],
  [
    'median duration of appointments, by type',
    createQuery('appointments', [measure('PERCENTILE_DISC', { field: 'duration_minutes', ...MEDIAN })], [{ field: 'appointment_type_id' }]),
    `SELECT appointment_type_id, min(minutes) FROM (
       SELECT appointment_type_id, (ends_at - starts_at) / 60 AS minutes,
         row_number() OVER (PARTITION BY appointment_type_id ORDER BY ends_at - starts_at) AS place, count(*) OVER (PARTITION BY appointment_type_id) AS n
       FROM main.appointments WHERE workspace_id = :w) WHERE 2 * place >= n GROUP BY 1 ORDER BY 1`,
  ],
  [
    'tasks of work orders',
    createQuery('workorders', [measure('SUM', { field: 'task_count' }), COUNT]),
    `SELECT (SELECT count(*) FROM main.work_order_tasks JOIN main.work_orders ON work_orders.id = work_order_id WHERE workspace_id = :w), count(*)
     FROM main.work_orders WHERE workspace_id = :w`,
  ],
];

describe('analytics query on the demo data', () => {
  it.for(QUERIES)('returns the same rows as equivalent SQL: %s', async ([, query, sql]) => {
    const { store } = opened.sandbox.world;
    const parameters = { w: createUuid(SEED, 'demo workspace'), m: createUuid(SEED, 'demo member owner') };
    const bindings = Object.fromEntries(Object.entries(parameters).filter(([name]) => sql.includes(`:${name}`)));
    const rows = store.all<Readonly<Record<string, unknown>>>(sql, bindings).map((row) => Object.values(row));
    expect(rows.length).toBeGreaterThan(0);
    expect(await executeQuery(query)).toEqual(rows);
  });

  it('returns the count and total of a customer’s order list', async () => {
    const customerId = createUuid(SEED, 'demo customer 0');
    const { body } = await opened.call('Order/ListOrders', { customerId, pageSize: 100 });
    const total = body.orders.reduce((sum: number, order: { totalOnceMinor?: string }) => sum + Number(order.totalOnceMinor ?? 0), 0);
    const filter = compare('customer_id', 'EQ', { text: customerId });
    expect(await executeQuery(createQuery('orders', [COUNT, measure('SUM', { field: 'total_once' })], [CURRENCY], { filter }))).toEqual([
      ['EUR', body.orders.length, total],
    ]);
    expect(body.orders.length).toBeGreaterThan(0);
  });
});
