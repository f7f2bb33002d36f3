import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { cacheConfig, idempotencyLink } from '@workspace-graph/client/apollo';

/** Creates a client for one API key. The link retries requests, and adds idempotency keys so that a mutation is applied once. */
export const createClient = (uri: string, key: string) =>
  new ApolloClient({
    link: ApolloLink.from([idempotencyLink(), new HttpLink({ uri, headers: { authorization: `Bearer ${key}` } })]),
    cache: new InMemoryCache(cacheConfig),
  });
