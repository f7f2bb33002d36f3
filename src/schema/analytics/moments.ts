import { GraphQLError } from 'graphql';

const MOMENT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * A moment of RFC 3339, which the upstream may write in any offset, in UTC, as all moments of answers are; null for an empty one. A fraction of a second stays as
 * it is. Fails as a value that does not fit its field when it is no moment.
 */
export function toUtc(moment: string | null | undefined): string | null {
  if (!moment) return null;
  const [, clock = '', fraction = '', offset = ''] = MOMENT.exec(moment) ?? [];
  const milliseconds = Date.parse(clock + offset);
  if (Number.isNaN(milliseconds)) throw new GraphQLError(`DateTime cannot represent ${JSON.stringify(moment).slice(0, 100)}.`);
  return new Date(milliseconds).toISOString().replace('.000Z', `${fraction}Z`);
}
