/** Invalid SQL and a part of its error message. `¦` marks the position in the error (spaces after it are ignored). */
export type RefusedSql = readonly [text: string, message: string];

export const T = "svc.timezone('UTC')";
/** A query with these SELECT expressions. */
export const withSelect = (text: string) => `SELECT ${text} FROM orders WHERE ${T} LIMIT 10`;
export const withGroupBy = (text: string, groups: string) => `SELECT ${text} FROM orders WHERE ${T} GROUP BY ${groups} LIMIT 10`;
/** A query with this FROM clause. */
export const withFrom = (text: string) => `SELECT count(*) FROM ${text} WHERE ${T} LIMIT 10`;
/** A query with these conditions. */
export const withWhere = (text: string) => `SELECT count(*) FROM orders WHERE ${text} LIMIT 10`;
export const withCondition = (text: string) => withWhere(`${T} AND ${text}`);
export const withAppointmentCondition = (text: string) => `SELECT count(*) FROM appointments WHERE ${T} AND ${text} LIMIT 10`;
export const withExists = (text: string) => withCondition(`EXISTS (${text})`);
/** A query with these clauses after the conditions. */
export const withEnding = (text: string) => `SELECT status, count(*) FROM orders WHERE ${T} ${text}`;
export const JOINED = 'SELECT 1 FROM payments WHERE payments.order_id = orders.id';

export const withMessage = (texts: readonly string[], message: string): readonly RefusedSql[] => texts.map((text) => [text, message]);
