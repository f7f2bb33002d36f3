import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { type GraphError, getGraphErrors } from '@workspace-graph/client';
import { cacheConfig, idempotencyLink } from '@workspace-graph/client/apollo';

/** What requests authenticate with. */
export interface Credentials {
  /** Returns the current access token or API key. */
  readonly getToken: () => string;
  /** Gets another access token when the graph rejects an expired one. */
  readonly renew?: () => Promise<unknown>;
  /** Called when the graph doesn't accept the token or key, so that nothing can be read with it. */
  readonly onRejected: (error: GraphError) => void;
}

/** Creates a client for one account or API key. Others get another client, so that no one sees data that was read for someone else. */
export function createClient({ getToken, renew, onRejected }: Credentials): ApolloClient {
  const authenticate = new SetContextLink(({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${getToken()}` } }));
  // The outermost link, so that it only gets errors that remain after a renewal.
  const reject = new ErrorLink(({ error }) => {
    const rejected = getGraphErrors(error).find(({ code }) => code === 'UNAUTHENTICATED');
    if (rejected) onRejected(rejected);
  });
  return new ApolloClient({
    cache: new InMemoryCache(cacheConfig),
    link: ApolloLink.from([reject, idempotencyLink(renew ? { renew } : {}), authenticate, new HttpLink({ uri: '/graphql' })]),
  });
}
