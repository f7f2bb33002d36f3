import { ApolloClient, type FieldPolicy, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import connections from '../connections.gen.ts';
import possibleTypes from '../possibleTypes.gen.ts';

/**
 * Merges the pages of a connection. Each combination of the other arguments is a separate list. A list that the key can't read stays null; Apollo's own policy
 * would make it empty.
 */
function createPagePolicy(keyArgs: readonly string[]): FieldPolicy {
  const { merge, ...policy } = relayStylePagination(keyArgs.length > 0 ? [...keyArgs] : false);
  return {
    ...policy,
    merge: (existing, incoming, options) =>
      incoming === null || typeof merge !== 'function' ? incoming : merge(existing ?? undefined, incoming, options),
  };
}

const mapValues = <From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** Merges the pages of every connection of the graph. */
const typePolicies = mapValues(connections, (fields: Readonly<Record<string, readonly string[]>>) => ({
  fields: mapValues(fields, createPagePolicy),
}));

/** Creates a client for one key. Another key gets another client, so that no user sees data that was read with another key. */
export function createClient(apiKey: string): ApolloClient {
  const cache = new InMemoryCache({ ...possibleTypes, typePolicies });
  // Available slots have no ID, so a new response replaces all previous slots.
  cache.policies.addTypePolicies({ Agenda: { fields: { availableSlots: { merge: false } } } });
  // A pattern, so that error types added later keep their fields.
  cache.policies.addPossibleTypes({ MutationError: ['.+Error'] });
  return new ApolloClient({ link: new HttpLink({ uri: '/graphql', headers: { authorization: `Bearer ${apiKey}` } }), cache });
}
