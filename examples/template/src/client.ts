import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { ErrorLink } from '@apollo/client/link/error';
import { getGraphErrors } from '@workspace-graph/client';
import { cacheConfig, idempotencyLink } from '@workspace-graph/client/apollo';

/**
 * Creates a client for one API key. The link retries requests, and adds idempotency keys so that a mutation is applied once. `onRejected` is called with the
 * reason if the graph doesn't accept the key.
 */
export function createClient(uri: string, key: string, onRejected: (reason: string) => void): ApolloClient {
  const rejection = new ErrorLink(({ error }) => {
    const rejected = getGraphErrors(error).find(({ code }) => code === 'UNAUTHENTICATED');
    if (rejected) onRejected(rejected.message);
  });
  const http = new HttpLink({ uri, headers: { authorization: `Bearer ${key}` } });
  return new ApolloClient({ link: ApolloLink.from([rejection, idempotencyLink(), http]), cache: new InMemoryCache(cacheConfig) });
}
