interface Money {
  amount: string;
  currencyCode: string;
}

/** An amount in the language of the browser. `—` for null, which is an amount that couldn't be read. */
export const formatMoney = (money: Money | null): string =>
  money
    ? new Intl.NumberFormat(undefined, { style: 'currency', currency: money.currencyCode }).format(
        money.amount as Intl.StringNumericLiteral,
      )
    : '—';

/** Whether an amount is known to be zero. */
export const isZero = (money: Money | null): boolean => money !== null && Number(money.amount) === 0;

/** A timestamp in the browser's language and time zone. `—` for null. */
export const formatTime = (timestamp: string | null): string =>
  timestamp ? new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(timestamp)) : '—';

/** A fraction, such as `0.21`, as a percentage. */
export const formatRate = (fraction: string): string =>
  new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 }).format(Number(fraction));
