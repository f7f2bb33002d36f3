import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { cacheConfig, idempotencyLink } from '@workspace-graph/client/apollo';

/** What requests authenticate with. */
export interface Credentials {
  /** Returns the current access token or API key. */
  readonly getToken: () => string;
  /** Gets another access token when the graph rejects an expired one. */
  readonly renew?: () => Promise<unknown>;
}

/** Creates a client for one account or API key. Others get another client, so that no one sees data that was read for someone else. */
export function createClient({ getToken, renew }: Credentials): ApolloClient {
  const authenticate = new SetContextLink(({ headers }) => ({ headers: { ...headers, authorization: `Bearer ${getToken()}` } }));
  return new ApolloClient({
    cache: new InMemoryCache(cacheConfig),
    link: ApolloLink.from([idempotencyLink(renew ? { renew } : {}), authenticate, new HttpLink({ uri: '/graphql' })]),
  });
}
