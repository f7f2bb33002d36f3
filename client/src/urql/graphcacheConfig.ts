import { type Exchange, mapExchange } from '@urql/core';
import { createPossibleTypes, FAILURES, type PossibleTypes } from '../core/possibleTypes.ts';
import { CONNECTIONS } from '../generated/connections.gen.ts';
import { PAYLOAD_TYPES } from '../generated/payloadTypes.gen.ts';
import { VALUE_TYPES } from '../generated/valueTypes.gen.ts';

/** The name of error types that are newer than this package. */
const UNKNOWN = 'UnknownError';

const KNOWN_FAILURES = [...FAILURES, UNKNOWN];

/** Options for Graphcache’s `cacheExchange`. */
export interface GraphcacheConfig<Resolver> {
  readonly keys: Record<string, () => null>;
  readonly possibleTypes: PossibleTypes;
  readonly resolvers: Record<string, Record<string, Resolver>>;
  readonly logger: (severity: 'debug' | 'error' | 'warn', message: string) => void;
}

/**
 * Logs all warnings except missing fields. Without a schema, Graphcache expects the fields of all fragments when it writes, including those of other types. The
 * schema would take 200 kB, and a mutation would never return an error type that it doesn’t define.
 */
const logger: GraphcacheConfig<never>['logger'] = (severity, message) => {
  if (severity !== 'debug' && !message.startsWith('Invalid undefined: ')) console[severity](message);
};

const createKeys = () => Object.fromEntries([...VALUE_TYPES, ...PAYLOAD_TYPES, ...KNOWN_FAILURES].map((name) => [name, () => null]));

/**
 * Creates the options for Graphcache’s `cacheExchange`: objects without an ID have no key, and fragments match all types. Pages of lists are merged by the
 * resolver, such as `relayPagination({ mergeMode: 'outwards' })`. Without one, each page is a list of its own. Merge your own options into it.
 */
export function graphcacheConfig<Resolver = never>(resolver?: Resolver): GraphcacheConfig<Resolver> {
  const resolvers: Record<string, Record<string, Resolver>> = {};
  if (resolver)
    for (const [type, fields] of Object.entries(CONNECTIONS))
      resolvers[type] = Object.fromEntries(Object.keys(fields).map((field) => [field, resolver]));
  return { keys: createKeys(), possibleTypes: createPossibleTypes(KNOWN_FAILURES), resolvers, logger };
}

const isNewer = (member: unknown): member is object =>
  typeof member === 'object' &&
  member !== null &&
  '__typename' in member &&
  String(member.__typename).endsWith('Error') &&
  !FAILURES.includes(String(member.__typename));

/**
 * Renames error types that are newer than this package to `UnknownError`, because Graphcache would drop the fields of an unknown type. Place it directly after
 * the cache.
 */
export const newerFailuresExchange: Exchange = mapExchange({
  onResult(result) {
    if (result.operation.kind !== 'mutation' || !result.data) return;
    const members = Object.entries(result.data as Readonly<Record<string, unknown>>);
    if (!members.some(([, member]) => isNewer(member))) return;
    const data = members.map(([name, member]) => [name, isNewer(member) ? { ...member, __typename: UNKNOWN } : member]);
    return { ...result, data: Object.fromEntries(data) };
  },
});
