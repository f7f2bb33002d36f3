import type { GraphQLResolveInfo } from 'graphql';
import { UpstreamInvalidError } from '../../failures/failures.ts';
import { toDateTime } from '../../lib/dateTime.ts';
import { withArticle } from './globalIds.ts';
import { OWNER } from './parts.ts';

/** Members of a record whose value always has the type. */
export type KeysOf<RecordShape, Value> = {
  [Key in keyof RecordShape]-?: RecordShape[Key] extends Value ? Key : never;
}[keyof RecordShape] &
  string;

/** Members of a record whose value has the type or is undefined. */
export type OptionalKeysOf<RecordShape, Value> = KeysOf<RecordShape, Value | undefined>;

/** Reads a member of a record's ID. Throws UpstreamInvalidError if it's missing. */
export function readIdMember<RecordShape extends object>(
  record: RecordShape,
  member: keyof RecordShape,
  { parentType }: GraphQLResolveInfo,
) {
  const value: unknown = record[member];
  if (typeof value === 'string' && value !== '') return value;
  throw new UpstreamInvalidError(`${withArticle(parentType.name)} has no ${member === OWNER ? 'owner' : String(member)}`);
}

/** Converts a Unix timestamp in seconds to RFC 3339. Null if it's absent or 0. */
export function toTimestamp(unixSeconds: string | undefined): string | null {
  const seconds = unixSeconds === undefined ? 0 : Number(unixSeconds);
  return seconds === 0 ? null : toDateTime(seconds);
}

/**
 * Converts a number of stock units for an Int field. The upstream has 64 bits for it. A number beyond 32 bits, or a string that isn't an integer, fails its
 * field, which is nullable so that the rest of the record is returned.
 */
export const toQuantity = (value: string): number => (/^-?\d+$/.test(value) ? Number(value) : Number.NaN);

/** Converts a version to the opaque string that clients send back. Null if the record has none, which is '0' upstream. */
export const toVersion = (version: string): string | null => (version === '' || version === '0' ? null : version);
