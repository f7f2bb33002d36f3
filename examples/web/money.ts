import type { MoneyPartsFragment } from './gql/graphql.ts';

/** An amount for people. It is formatted from its text, so that no digit is lost. */
export function amountOf({ amount, currency }: MoneyPartsFragment): string {
  if (amount === null || currency === null) return '—';
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral);
}
