// Prints the revenue of this quarter and of the last one by month and currency: `npm run example:revenue`.
import { graphUrl } from '../graphUrl.ts';
import { tellErrors } from './advice.ts';
import { from, type RowOf, UNAVAILABLE } from './analytics.gen.ts';
import { type Graph, GraphError, query } from './client.ts';
import { graphql } from './gql/gql.ts';
import type { RevenueQuery } from './gql/graphql.ts';

const graph: Graph = {
  url: graphUrl(process.env).href,
  key: process.env.API_KEY ?? 'demo-owner',
};

// Both quarters in one document. They are two executions all the same: an order that is placed between them is in one of them only.
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

/** Orders of a quarter, this one or so many before it, by month and currency. */
const revenueOf = (offset: number) =>
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

type Row = RowOf<ReturnType<typeof revenueOf>>;

/** An amount with its digits as they are. No orders of a kind have none; that of orders whose prices are not settled is not known. */
function amountIn(row: Row, column: 'revenue' | 'cancelled'): string {
  if (row[UNAVAILABLE].includes(column)) return 'not known';
  return row[column]?.amount ?? 'none';
}

const lineOf = (month: string, currency: string, orders: string, revenue: string, cancelled: string) =>
  `  ${month.padEnd(7)}  ${currency.padEnd(8)}  ${orders.padStart(6)}  ${revenue.padStart(14)}  ${cancelled.padStart(14)}`;

/** Prints a quarter. Answers whether it was answered. */
function printQuarter(title: string, of: ReturnType<typeof revenueOf>, result: RevenueQuery['now']): boolean {
  console.log(title);
  if (result.__typename === 'AnalyticsQueryError') {
    console.error(`The query was refused. ${result.message}`);
    return false;
  }
  const rows = of.rows(result);
  if (rows.length === 0) console.log('  no orders');
  else console.log(lineOf('month', 'currency', 'orders', 'revenue', 'cancelled'));
  for (const row of rows)
    console.log(lineOf(row.month.slice(0, 7), row.currency, String(row.orders), amountIn(row, 'revenue'), amountIn(row, 'cancelled')));
  if (result.isTruncated) console.log('  There are more months and currencies than are shown.');
  return true;
}

/** Answers whether all went well. */
async function run(): Promise<boolean> {
  const [now, before] = [revenueOf(0), revenueOf(-1)];
  const answer = await query(graph, Revenue, { now: now.input, before: before.input });
  return [printQuarter('This quarter', now, answer.now), printQuarter('Last quarter', before, answer.before)].every(Boolean);
}

const done = await run().catch((error: unknown) => {
  if (!(error instanceof GraphError)) throw error;
  console.error(tellErrors(error.errors));
  return false;
});
process.exitCode = done ? 0 : 1;
