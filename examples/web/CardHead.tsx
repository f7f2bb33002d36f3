import type { MoneyPartsFragment } from './gql/graphql.ts';
import { amountOf } from './money.ts';
import { statusName } from './statusName.ts';

interface CardHeadProps {
  readonly record: {
    readonly id: string;
    readonly referenceNumber: string | null;
    readonly status: string | null;
    readonly totalOnce: MoneyPartsFragment | null;
    readonly totalMonthly: MoneyPartsFragment | null;
  };
}

/** The number, the status and the totals of a quote or an order. Its heading names the card. */
export function CardHead({ record: { id, referenceNumber, status, totalOnce, totalMonthly } }: CardHeadProps) {
  return (
    <header>
      <h4 id={id}>{referenceNumber}</h4>
      {status && <span className={`badge ${status.toLowerCase()}`}>{statusName(status)}</span>}
      <p className="total">
        {amountOf(totalOnce)}
        {totalMonthly && totalMonthly.minorUnits !== '0' && <small> + {amountOf(totalMonthly)} per month</small>}
      </p>
    </header>
  );
}
