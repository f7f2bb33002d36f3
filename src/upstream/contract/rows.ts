import { UpstreamInvalidError } from '../../failures/failures.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Operation } from './operation.ts';

/** A row of the list in a response. */
export type ListRow<Response> = { [Key in keyof Response]: Response[Key] extends readonly (infer Item)[] ? Item : never }[keyof Response] &
  object;

/**
 * Returns the rows of a response, and whether there are more. `isTruncated`: whether rows are omitted that no page contains. Undefined if the response has no flag
 * for it. Throws UpstreamInvalidError if the response has no valid list, or has another page than requested.
 */
export function getRows<Response>(
  operation: Operation<never, Response>,
  response: Response,
  requested: { readonly page?: number; readonly pageSize?: number } = {},
) {
  const { items: name = '', cutField } = operation.page ?? {};
  const body = response as Record<string, unknown>;
  const rows = body[name];
  if (!Array.isArray(rows)) throw new UpstreamInvalidError(`${name} isn’t a list`);
  if (!rows.every(isJsonObject)) throw new UpstreamInvalidError(`${name} has an entry that isn’t an object`);
  // An upstream that doesn't know `page` would always return the first page, and pages of another size would omit or repeat rows.
  for (const member of ['page', 'pageSize'] as const) {
    const returned = body[member];
    if (requested[member] === undefined || typeof returned !== 'number' || returned === 0 || returned === requested[member]) continue;
    throw new UpstreamInvalidError(`${member} ${requested[member]} was requested, but ${member} ${returned} was returned`);
  }
  return {
    rows: rows as ListRow<Response>[],
    hasMore: body.hasMore === true,
    isTruncated: cutField === undefined ? undefined : body[cutField] === true,
  };
}
