import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import { uuid } from '../../../sandbox/kernel/random.ts';
import { useSandbox } from '../../sandbox/sandbox.ts';

const SEED = 1;
const opened = useSandbox({ seed: SEED, sizes: FULL });

const measure = (aggregation: string, more: JsonObject = {}) => ({ aggregation: `ANALYTICS_AGGREGATION_${aggregation}`, ...more });
const COUNT = measure('COUNT');
const compare = (field: string, operator: string, ...values: JsonObject[]) => ({
  compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, values },
});
const related = (relationship: string, filter?: JsonObject) => ({ related: { relationship, ...(filter && { filter }) } });
const of = (entity: string, measures: JsonObject[], dimensions: JsonObject[] = [], more: JsonObject = {}) => ({
  entity,
  aggregate: { measures, dimensions },
  ...more,
});
const CURRENCY = { field: 'currency' };
const calendar = (field: string, startDate: string, endDate: string) => ({
  timezone: 'UTC',
  timeRange: { field, calendar: { startDate, endDate } },
});
const half = { percentile: { unscaled: '5', scale: 1 } };

// biome-ignore lint/suspicious/noExplicitAny: answers are compared, not used
type Cell = any;

/** A cell as the SQL of the table below tells it: numbers without their point. */
function plain({ status, text, integer, decimal, money, boolean, date }: Cell): unknown {
  if (status !== 'ANALYTICS_CELL_STATUS_READY') return status === 'ANALYTICS_CELL_STATUS_NULL' ? null : 'unavailable';
  const number = integer ?? decimal?.unscaled ?? money?.amount.unscaled;
  if (boolean !== undefined) return Number(boolean);
  return text ?? date ?? Number(number ?? 0);
}

async function answerTo(query: JsonObject): Promise<unknown[][]> {
  const { status, body } = await opened.call('AnalyticsService/ExecuteQuery', {
    query: { version: 1, semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE', ...query },
  });
  if (status !== 200) throw new Error(`${status}: ${body.message}`);
  return (body.result.rows ?? []).map(({ cells }: { cells: Cell[] }) => cells.map(plain));
}

/** The workspace of every statement is `:w`; the owner is `:m`. */
const KNOWN: readonly (readonly [name: string, query: JsonObject, sql: string])[] = [
  ['all orders', of('orders', [COUNT]), 'SELECT count(*) FROM main.orders WHERE workspace_id = :w'],
  [
    'orders that are open',
    of('orders', [COUNT], [], { filter: compare('status', 'EQ', { text: 'PUBLIC_ORDER_STATUS_OPEN' }) }),
    'SELECT count(*) FROM main.orders WHERE workspace_id = :w AND status = 1',
  ],
  [
    'amounts of orders of a year, by currency',
    of('orders', [measure('SUM', { field: 'total_once' })], [CURRENCY], calendar('created_at', '2025-03-01', '2026-02-28')),
    `SELECT currency, CASE WHEN max(id IN (SELECT record_id FROM main.unresolved_snapshots WHERE kind = 'order')) THEN 'unavailable' ELSE sum(total_once_minor) END
     FROM main.orders WHERE workspace_id = :w AND created_at >= unixepoch('2025-03-01') AND created_at < unixepoch('2026-03-01') GROUP BY currency ORDER BY currency`,
  ],
  [
    'amounts of all orders, of which some are not settled',
    of('orders', [measure('SUM', { field: 'total_once' })], [CURRENCY]),
    `SELECT currency, CASE WHEN max(id IN (SELECT record_id FROM main.unresolved_snapshots WHERE kind = 'order')) THEN 'unavailable' ELSE sum(total_once_minor) END
     FROM main.orders WHERE workspace_id = :w GROUP BY currency ORDER BY currency`,
  ],
  [
    'the greatest payment, by currency',
    of('payments', [measure('MAX', { field: 'amount' })], [CURRENCY]),
    'SELECT currency, max(amount_minor) FROM main.payments WHERE workspace_id = :w GROUP BY currency ORDER BY currency',
  ],
  [
    'quotes by month',
    of(
      'offers',
      [COUNT],
      [{ field: 'created_at', bucket: 'ANALYTICS_TIME_BUCKET_MONTH' }],
      calendar('created_at', '2024-01-01', '2026-12-31'),
    ),
    `SELECT strftime('%Y-%m-01', created_at, 'unixepoch'), count(*) FROM main.quotes
     WHERE workspace_id = :w AND created_at >= unixepoch('2024-01-01') AND created_at < unixepoch('2027-01-01') GROUP BY 1 ORDER BY 1`,
  ],
  [
    'versions of quotes on average, to six digits',
    of('offers', [measure('AVG', { field: 'version' })]),
    'SELECT CAST(round(1e6 * sum(version) / count(*)) AS INTEGER) FROM main.quotes WHERE workspace_id = :w',
  ],
  [
    'customers with an order',
    of('customers', [COUNT], [], { filter: related('orders') }),
    'SELECT count(DISTINCT orders.customer_id) FROM main.orders JOIN main.customers ON customers.id = customer_id WHERE orders.workspace_id = :w',
  ],
  [
    'customers with an order that somebody has paid for',
    of('customers', [COUNT], [], { filter: related('orders', related('payments', compare('paid_at', 'IS_NOT_NULL'))) }),
    `SELECT count(DISTINCT orders.customer_id) FROM main.orders JOIN main.payments ON order_id = orders.id
     WHERE orders.workspace_id = :w AND paid_at IS NOT NULL`,
  ],
  [
    'the share of orders that are cancelled',
    of('orders', [
      measure('COUNT', { id: 'cancelled', condition: compare('cancelled_at', 'IS_NOT_NULL') }),
      COUNT,
      measure('RATIO', { numerator: 'cancelled', denominator: 'count' }),
    ]),
    'SELECT count(cancelled_at), count(*), CAST(round(1e6 * count(cancelled_at) / count(*)) AS INTEGER) FROM main.orders WHERE workspace_id = :w',
  ],
  [
    'problems by whether they can be solved by hand',
    of('problems', [COUNT], [{ field: 'manual_solving_disabled' }]),
    'SELECT manual_solving_disabled, count(*) FROM main.problems WHERE workspace_id = :w GROUP BY 1 ORDER BY 1',
  ],
  [
    'appointments of the owner',
    of('appointments', [COUNT], [], { filter: compare('member_id', 'EQ', { currentMember: true }) }),
    'SELECT count(*) FROM main.appointments WHERE workspace_id = :w AND member_id = :m',
  ],
  [
    'the middle length of appointments, by type',
    of('appointments', [measure('PERCENTILE_DISC', { field: 'duration_minutes', ...half })], [{ field: 'appointment_type_id' }]),
    `SELECT appointment_type_id, min(minutes) FROM (
       SELECT appointment_type_id, (ends_at - starts_at) / 60 AS minutes,
         row_number() OVER (PARTITION BY appointment_type_id ORDER BY ends_at - starts_at) AS place, count(*) OVER (PARTITION BY appointment_type_id) AS n
       FROM main.appointments WHERE workspace_id = :w) WHERE 2 * place >= n GROUP BY 1 ORDER BY 1`,
  ],
  [
    'tasks of work orders',
    of('workorders', [measure('SUM', { field: 'task_count' }), COUNT]),
    `SELECT (SELECT count(*) FROM main.work_order_tasks JOIN main.work_orders ON work_orders.id = work_order_id WHERE workspace_id = :w), count(*)
     FROM main.work_orders WHERE workspace_id = :w`,
  ],
];

describe('over the demo data, a query', () => {
  it.for(KNOWN)('counts %s', async ([, query, sql]) => {
    const { store } = opened.sandbox.world;
    const named = { w: uuid(SEED, 'demo workspace'), m: uuid(SEED, 'demo member owner') };
    const bindings = Object.fromEntries(Object.entries(named).filter(([name]) => sql.includes(`:${name}`)));
    const rows = store.all<Readonly<Record<string, unknown>>>(sql, bindings).map((row) => Object.values(row));
    expect(rows.length).toBeGreaterThan(0);
    expect(await answerTo(query)).toEqual(rows);
  });

  it('counts and adds up the orders of a customer as their list does', async () => {
    const customerId = uuid(SEED, 'demo customer 0');
    const { body } = await opened.call('Order/ListOrders', { customerId, pageSize: 100 });
    const total = body.orders.reduce((sum: number, order: { totalOnceMinor?: string }) => sum + Number(order.totalOnceMinor ?? 0), 0);
    const filter = compare('customer_id', 'EQ', { text: customerId });
    expect(await answerTo(of('orders', [COUNT, measure('SUM', { field: 'total_once' })], [CURRENCY], { filter }))).toEqual([
      ['EUR', body.orders.length, total],
    ]);
    expect(body.orders.length).toBeGreaterThan(0);
  });
});
