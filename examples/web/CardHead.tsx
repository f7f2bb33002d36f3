import { formatStatus } from './formatStatus.ts';
import type { MoneyPartsFragment } from './gql/graphql.ts';
import { formatAmount, isZero } from './money.ts';

interface Totals {
  readonly totalOnce: MoneyPartsFragment | null;
  readonly totalMonthly: MoneyPartsFragment | null;
  readonly totalYearly: MoneyPartsFragment | null;
}

/** The totals of a quote or an order. */
export const Total = ({ record: { totalOnce, totalMonthly, totalYearly } }: { readonly record: Totals }) => (
  <span className="total">
    {formatAmount(totalOnce)}
    {totalMonthly && !isZero(totalMonthly) && <small> + {formatAmount(totalMonthly)} per month</small>}
    {totalYearly && !isZero(totalYearly) && <small> + {formatAmount(totalYearly)} per year</small>}
  </span>
);

/** The status of a record. */
export const Badge = ({ status }: { readonly status: string }) => (
  <span className={`badge ${status.toLowerCase()}`}>{formatStatus(status)}</span>
);

interface CardHeadProps {
  readonly record: Totals & { readonly id: string; readonly referenceNumber: string | null; readonly status: string | null };
}

/** The number, status, and totals of a quote or an order. The heading labels the card. */
export const CardHead = ({ record }: CardHeadProps) => (
  <header>
    <h4 id={record.id}>{record.referenceNumber}</h4>
    {record.status && <Badge status={record.status} />}
    <Total record={record} />
  </header>
);
