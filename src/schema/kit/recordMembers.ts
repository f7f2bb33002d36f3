import type { GraphQLResolveInfo } from 'graphql';
import { UpstreamInvalidError } from '../../failures/failures.ts';
import { toDateTime } from '../../lib/dateTime.ts';
import { withArticle } from './globalIds.ts';
import { OWNER } from './parts.ts';

/** The members of a record whose value is always of a kind. */
export type KeysOf<RecordShape, Value> = {
  [Key in keyof RecordShape]-?: RecordShape[Key] extends Value ? Key : never;
}[keyof RecordShape] &
  string;

/** Same, or that may be absent. */
export type OptionalKeysOf<RecordShape, Value> = KeysOf<RecordShape, Value | undefined>;

/** A member of a record's id. Fails when the upstream has left it out. */
export function readIdMember<RecordShape extends object>(
  record: RecordShape,
  member: keyof RecordShape,
  { parentType }: GraphQLResolveInfo,
) {
  const value: unknown = record[member];
  if (typeof value === 'string' && value !== '') return value;
  throw new UpstreamInvalidError(`${withArticle(parentType.name)} has no ${member === OWNER ? 'owner' : String(member)}`);
}

/** A moment of the wire, in Unix seconds, as RFC 3339; null for what is absent or no time. */
export function toTimestamp(unixSeconds: string | undefined): string | null {
  const seconds = unixSeconds === undefined ? 0 : Number(unixSeconds);
  return seconds === 0 ? null : toDateTime(seconds);
}

/**
 * Pieces of stock, for fields of type Int: the wire has 64 bits for them. A figure of more than 32 bits, or text that is no whole number, does
 * not fit Int and fails its field, which is nullable so that the rest of the record is answered.
 */
export const toQuantity = (figure: string): number => (/^-?\d+$/.test(figure) ? Number(figure) : Number.NaN);

/** A version as clients compare it and send it back. Null if the record has none, which is '0' on the wire. */
export const toVersion = (version: string): string | null => (version === '' || version === '0' ? null : version);
