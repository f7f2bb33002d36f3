import { ApolloClient, type FieldPolicy, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import possibleTypes from '../possibleTypes.gen.ts';

/** A connection whose pages are joined. A list that the key may not read stays null: Apollo's own policy would make it an empty one. */
function pages(): FieldPolicy {
  const { merge, ...policy } = relayStylePagination();
  return {
    ...policy,
    merge: (existing, incoming, options) =>
      incoming === null || typeof merge !== 'function' ? incoming : merge(existing ?? undefined, incoming, options),
  };
}

/** A client for one key. Another key gets another client, so that nobody is shown what somebody else has read. */
export const createClient = (apiKey: string): ApolloClient =>
  new ApolloClient({
    link: new HttpLink({ uri: '/graphql', headers: { authorization: `Bearer ${apiKey}` } }),
    cache: new InMemoryCache({ ...possibleTypes, typePolicies: { Customer: { fields: { quotes: pages(), orders: pages() } } } }),
  });
