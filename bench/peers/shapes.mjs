// How the upstream's values look in the graph.

export const toGlobalId = (type, id) => Buffer.from(`${type}:${id}`).toString('base64url');

/** The upstream's id for one that may be global: those are the upstream's own that hold hyphens at fixed places. */
export function toRawId(type, id) {
  if (/^[\da-f]{8}-/.test(id)) return id;
  return Buffer.from(id, 'base64url')
    .toString()
    .slice(type.length + 1);
}

/** `PUBLIC_QUOTE_STATUS_CONCEPT` is `CONCEPT`. */
export const toStatus = (name) => name.slice(name.indexOf('STATUS_') + 7);

/** An amount in minor units, which the upstream leaves out when it is 0. */
export const toMoney = (minor, currency) => ({ minorUnits: String(minor ?? 0), currencyCode: currency ?? null });

/** In the currency's main unit. All of the demo data is in currencies of two digits. */
export function toAmount({ minorUnits }) {
  const digits = minorUnits.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const toInstant = (seconds) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`;
