import type { CallResult } from '../sandbox.ts';

type Call = (operation: string, request: unknown) => Promise<CallResult>;

/** A query of a root, with the fields that every query requires. */
export const createQuery = (entity: string, more: object) => ({
  version: 1,
  semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE',
  entity,
  ...more,
});

export const measure = (aggregation: string, field = '', more: object = {}) => ({
  aggregation: `ANALYTICS_AGGREGATION_${aggregation}`,
  ...(field !== '' && { field }),
  ...more,
});

export const dimension = (field: string, bucket?: string) => ({ field, ...(bucket && { bucket: `ANALYTICS_TIME_BUCKET_${bucket}` }) });

export const compare = (field: string, operator: string, ...values: readonly object[]) => ({
  compare: { field, operator: `ANALYTICS_OPERATOR_${operator}`, values },
});

export const related = (relationship: string, filter?: object) => ({ related: { relationship, ...(filter && { filter }) } });
export const all = (...children: readonly object[]) => ({ all: { children } });
export const any = (...children: readonly object[]) => ({ any: { children } });
export const relative = (field: string, period: string, offset = 0) => ({
  field,
  relative: { period: `ANALYTICS_RELATIVE_PERIOD_${period}`, offset },
});
export const calendar = (field: string, startDate: string, endDate: string) => ({ field, calendar: { startDate, endDate } });
export const sortBy = (column: string, direction?: 'ASC' | 'DESC') => ({
  column,
  ...(direction && { direction: `ANALYTICS_SORT_DIRECTION_${direction}` }),
});

interface WireDecimal {
  readonly unscaled?: string;
  readonly scale?: number;
}

/** A decimal in plain notation: `12.50`. */
function formatDecimal({ unscaled = '0', scale = 0 }: WireDecimal): string {
  const digits = unscaled.replace('-', '').padStart(scale + 1, '0');
  const sign = unscaled.startsWith('-') ? '-' : '';
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

interface WireCell {
  readonly status: string;
  readonly decimal?: WireDecimal;
  readonly money?: { readonly amount?: WireDecimal; readonly currency: string };
  readonly [kind: string]: unknown;
}

/** The value of a cell: decimals and amounts as text, null for an empty cell, and UNAVAILABLE for an unknown value. */
function readCell({ status, decimal, money, ...rest }: WireCell): unknown {
  const others = Object.values(rest);
  if (status !== 'ANALYTICS_CELL_STATUS_READY') {
    if (decimal || money || others.length > 0) throw new Error(`A cell that is ${status} must have no value.`);
    return status === 'ANALYTICS_CELL_STATUS_NULL' ? null : 'UNAVAILABLE';
  }
  if (money) return `${formatDecimal(money.amount ?? {})} ${money.currency}`;
  return decimal ? formatDecimal(decimal) : others[0];
}

/** Sends a query. Returns the rows as arrays of plain values, together with the whole result. */
export async function sendQuery(call: Call, query: object) {
  const { status, body } = await call('AnalyticsService/ExecuteQuery', { query });
  if (status !== 200) throw new Error(`The query must succeed, but failed: ${body.message}`);
  const rows = ((body.result.rows ?? []) as { readonly cells: readonly WireCell[] }[]).map(({ cells }) => cells.map(readCell));
  return { rows, ids: ((body.result.columns ?? []) as { readonly id: string }[]).map(({ id }) => id), result: body.result };
}

/** The message of the invalid argument error for a query. */
export async function getQueryError(call: Call, query: object): Promise<string> {
  const { status, body } = await call('AnalyticsService/ExecuteQuery', { query });
  if (status !== 400 || body.code !== 'invalid_argument') throw new Error(`The query must be rejected, but has status ${status}.`);
  return body.message;
}
