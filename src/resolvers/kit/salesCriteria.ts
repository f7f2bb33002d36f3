import { rankDescendingBy } from '../../schema/paging/anchors.ts';

/** What lists of quotes, orders and invoices can be filtered and sorted by. See `defineCriteria`. */
export const SALES_CRITERIA = {
  times: { createdAt: 'were created', updatedAt: 'were last updated' },
  amounts: { totalOnce: 'one-off total', totalMonthly: 'monthly total', totalYearly: 'yearly total' },
  upstreamOrder: { field: 'CREATED_AT', direction: 'DESC' },
  sortedBy: rankDescendingBy('createdAt'),
} as const;
