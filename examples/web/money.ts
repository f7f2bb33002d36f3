import type { MoneyPartsFragment } from './gql/graphql.ts';

/** An amount for people; a dash where the graph knows no currency. It is formatted from its text with all its digits, so that none is lost. */
export function amountOf(money: Pick<MoneyPartsFragment, 'amount' | 'currencyCode'> | null): string {
  if (!money) return '—';
  const { amount, currencyCode: currency } = money;
  const digits = amount.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(amount as Intl.StringNumericLiteral);
}
