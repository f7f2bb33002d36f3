import { UpstreamInvalidError } from '../../failures/failures.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Operation } from './operation.ts';

/** A row of the list in an answer. */
export type Row<Response> = { [Key in keyof Response]: Response[Key] extends readonly (infer Item)[] ? Item : never }[keyof Response] &
  object;

/**
 * The rows and the end mark of one answer. `isCut`: rows were left out that no page shows, where the answer has a flag for it. Fails when the
 * answer has no list where the contract promises one.
 */
export function rowsOf<Response>(
  operation: Operation<never, Response>,
  answer: Response,
  asked: { readonly page?: number; readonly pageSize?: number } = {},
) {
  const { items: name = '', cutField } = operation.page ?? {};
  const body = answer as Record<string, unknown>;
  const rows = body[name];
  if (!Array.isArray(rows)) throw new UpstreamInvalidError(`${name} isn’t a list`);
  if (!rows.every(isJsonObject)) throw new UpstreamInvalidError(`${name} has an entry that isn’t an object`);
  // An upstream that does not know `page` would answer the first one for ever, and pages of another size would leave rows out or repeat them.
  for (const member of ['page', 'pageSize'] as const) {
    const returned = body[member];
    if (asked[member] === undefined || typeof returned !== 'number' || returned === 0 || returned === asked[member]) continue;
    throw new UpstreamInvalidError(`${member} ${asked[member]} was requested, but ${member} ${returned} was returned`);
  }
  return {
    rows: rows as Row<Response>[],
    hasMore: body.hasMore === true,
    isCut: cutField === undefined ? undefined : body[cutField] === true,
  };
}
