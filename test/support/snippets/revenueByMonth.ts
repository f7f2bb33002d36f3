import { from } from '../../../examples/client/analytics.gen.ts';

/** The query in docs/clients/reading.md. It's compiled here and executed by codeBlocks.test.ts. */
const revenue = from('orders')
  .during('created_at', { relative: { period: 'THIS_QUARTER' } })
  .groups()
  .byTime('created_at', 'MONTH', { name: 'month' })
  .by('currency')
  .measure('SUM', 'total_once', { name: 'revenue' })
  .sort('month');

export const revenueInput = revenue.input;
