import type { MoneyPartsFragment } from './gql/graphql.ts';

/** Whether an amount is known to be zero. */
export const isZero = (money: MoneyPartsFragment | null): boolean => money?.minorUnits === '0';

/** Formats an amount for people. A dash if the currency is unknown. Formats the decimal string, so that no digits are lost. */
export function formatAmount(money: Pick<MoneyPartsFragment, 'amount' | 'currencyCode'> | null): string {
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
