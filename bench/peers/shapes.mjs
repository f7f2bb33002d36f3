// Conversions of upstream values to GraphQL values.

export const toGlobalId = (type, id) => Buffer.from(`${type}:${id}`).toString('base64url');

/** The raw ID of a global or raw ID. Raw IDs have hyphens at fixed positions. */
export function toRawId(type, id) {
  if (/^[\da-f]{8}-/.test(id)) return id;
  return Buffer.from(id, 'base64url')
    .toString()
    .slice(type.length + 1);
}

/** Converts `PUBLIC_QUOTE_STATUS_CONCEPT` to `CONCEPT`. */
export const toStatus = (name) => name.slice(name.indexOf('STATUS_') + 7);

/** An amount in minor units. The upstream omits zeros. */
export const toMoney = (minor, currency) => ({ minorUnits: String(minor ?? 0), currencyCode: currency ?? null });

/** Converts to the currency's major unit. All demo data uses currencies with two decimal places. */
export function toAmount({ minorUnits }) {
  const digits = minorUnits.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const toInstant = (seconds) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`;
