import { ApolloClient, type FieldPolicy, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import connections from '../connections.gen.ts';
import possibleTypes from '../possibleTypes.gen.ts';

/**
 * A connection whose pages are joined; other arguments than those of paging make another list. A list that the key may not read stays
 * null: Apollo's own policy would make it an empty one.
 */
function pages(keyArgs: readonly string[]): FieldPolicy {
  const { merge, ...policy } = relayStylePagination(keyArgs.length > 0 ? [...keyArgs] : false);
  return {
    ...policy,
    merge: (existing, incoming, options) =>
      incoming === null || typeof merge !== 'function' ? incoming : merge(existing ?? undefined, incoming, options),
  };
}

const mapValues = <From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** Joins the pages of every connection of the graph. */
const typePolicies = mapValues(connections, (fields: Readonly<Record<string, readonly string[]>>) => ({
  fields: mapValues(fields, pages),
}));

/** A client for one key. Another key gets another client, so that nobody is shown what somebody else has read. */
export function createClient(apiKey: string): ApolloClient {
  const cache = new InMemoryCache({ ...possibleTypes, typePolicies });
  // Free times have no id: those that are read later take the place of all that were read before.
  cache.policies.addTypePolicies({ Agenda: { fields: { availableSlots: { merge: false } } } });
  // A pattern: a failure that is newer than the page keeps its fields, and can be told.
  cache.policies.addPossibleTypes({ MutationError: ['.+Error'] });
  return new ApolloClient({ link: new HttpLink({ uri: '/graphql', headers: { authorization: `Bearer ${apiKey}` } }), cache });
}
