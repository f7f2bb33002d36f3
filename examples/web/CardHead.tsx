import { formatStatus } from './formatStatus.ts';
import type { MoneyPartsFragment } from './gql/graphql.ts';
import { formatAmount } from './money.ts';

interface CardHeadProps {
  readonly record: {
    readonly id: string;
    readonly referenceNumber: string | null;
    readonly status: string | null;
    readonly totalOnce: MoneyPartsFragment | null;
    readonly totalMonthly: MoneyPartsFragment | null;
  };
}

/** The number, status, and totals of a quote or an order. The heading labels the card. */
export function CardHead({ record: { id, referenceNumber, status, totalOnce, totalMonthly } }: CardHeadProps) {
  return (
    <header>
      <h4 id={id}>{referenceNumber}</h4>
      {status && <span className={`badge ${status.toLowerCase()}`}>{formatStatus(status)}</span>}
      <p className="total">
        {formatAmount(totalOnce)}
        {totalMonthly && totalMonthly.minorUnits !== '0' && <small> + {formatAmount(totalMonthly)} per month</small>}
      </p>
    </header>
  );
}
