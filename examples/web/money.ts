import type { MoneyPartsFragment } from './gql/graphql.ts';

/** An amount for people. It is formatted from its text, so that no digit is lost. */
export function amountOf({ amount, currencyCode }: MoneyPartsFragment): string {
  if (amount === null || currencyCode === null) return '—';
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: currencyCode }).format(amount as Intl.StringNumericLiteral);
}
