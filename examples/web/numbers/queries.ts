import { from } from '../../client/analytics.gen.ts';

/** Amounts of a year's orders, without canceled ones. Grouped by currency, because sums of different currencies are meaningless. */
export const REVENUE = from('orders')
  .during('created_at', { relative: { period: 'LAST_12_MONTHS' } })
  .where((order) => order.compare('status', 'NEQ', 'CANCELLED'))
  .groups()
  .byTime('created_at', 'MONTH', { name: 'month' })
  .by('currency')
  .measure('SUM', 'total_once', { name: 'revenue' })
  .sort('month')
  .sort('currency');

export const WORK_ORDERS = from('workorders').groups().by('status').count().sort('count', 'DESC');

export const RESULTS = from('appointment_results').groups().by('result').count().sort('count', 'DESC');
