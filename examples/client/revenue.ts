// Prints the revenue of this quarter and of the last one by month and currency: `node examples/client/revenue.ts`.
import { graphUrl } from '../graphUrl.ts';
import { describeErrors } from './advice.ts';
import { from, type RowOf, UNAVAILABLE } from './analytics.gen.ts';
import { type Graph, GraphError, query } from './client.ts';
import { graphql } from './gql/gql.ts';
import type { RevenueQuery } from './gql/graphql.ts';

const graph: Graph = {
  url: graphUrl(process.env).href,
  key: process.env.API_KEY ?? 'demo-owner',
};

// Both quarters in one document. They are still executed separately, so an order that is created in between is in only one of them.
const Revenue = graphql(`
  query Revenue($now: AnalyticsQueryInput!, $before: AnalyticsQueryInput!) {
    now: analyticsQuery(query: $now) {
      ...RevenueResult
    }
    before: analyticsQuery(query: $before) {
      ...RevenueResult
    }
  }

  fragment RevenueResult on AnalyticsQueryResult {
    __typename
    ... on AnalyticsResult {
      columns {
        name
        valueType
      }
      rows {
        cells {
          status
          value
        }
      }
      isTruncated
      timezone
    }
    ... on AnalyticsQueryError {
      message
    }
  }
`);

const CANCELLED = 'CANCELLED';

/** Orders by month and currency, of the current quarter plus an offset in quarters. */
const createRevenueQuery = (offset: number) =>
  from('orders')
    .during('created_at', { relative: { period: 'THIS_QUARTER', offset } })
    .groups()
    .byTime('created_at', 'MONTH', { name: 'month' })
    .by('currency')
    .count({ name: 'orders' })
    .measure('SUM', 'total_once', { name: 'revenue', condition: (order) => order.compare('status', 'NEQ', CANCELLED) })
    .measure('SUM', 'total_once', { name: 'cancelled', condition: (order) => order.compare('status', 'EQ', CANCELLED) })
    .sort('month')
    .sort('currency');

type Row = RowOf<ReturnType<typeof createRevenueQuery>>;

/** An amount with its original digits. Empty if there are no such orders, and unknown if the prices of some aren't final. */
function formatAmount(row: Row, column: 'revenue' | 'cancelled'): string {
  if (row[UNAVAILABLE].includes(column)) return 'not known';
  return row[column]?.amount ?? 'none';
}

const formatLine = (month: string, currency: string, orders: string, revenue: string, cancelled: string) =>
  `  ${month.padEnd(7)}  ${currency.padEnd(8)}  ${orders.padStart(6)}  ${revenue.padStart(14)}  ${cancelled.padStart(14)}`;

/** Prints a quarter. Returns whether the query succeeded. */
function printQuarter(title: string, revenueQuery: ReturnType<typeof createRevenueQuery>, result: RevenueQuery['now']): boolean {
  console.log(title);
  if (result.__typename === 'AnalyticsQueryError') {
    console.error(`The query was rejected. ${result.message}`);
    return false;
  }
  const rows = revenueQuery.rows(result);
  if (rows.length === 0) console.log('  no orders');
  else console.log(formatLine('month', 'currency', 'orders', 'revenue', 'canceled'));
  for (const row of rows)
    console.log(
      formatLine(row.month.slice(0, 7), row.currency, String(row.orders), formatAmount(row, 'revenue'), formatAmount(row, 'cancelled')),
    );
  if (result.isTruncated) console.log('  The result is truncated: there are more months and currencies.');
  return true;
}

/** Returns whether everything succeeded. */
async function run(): Promise<boolean> {
  const [now, before] = [createRevenueQuery(0), createRevenueQuery(-1)];
  const data = await query(graph, Revenue, { now: now.input, before: before.input });
  return [printQuarter('This quarter', now, data.now), printQuarter('Last quarter', before, data.before)].every(Boolean);
}

const done = await run().catch((error: unknown) => {
  if (!(error instanceof GraphError)) throw error;
  console.error(describeErrors(error.errors));
  return false;
});
process.exitCode = done ? 0 : 1;
