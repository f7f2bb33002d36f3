import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { createIntent, unwrap } from '@workspace-graph/client';
import { cacheConfig, idempotencyLink } from '@workspace-graph/client/apollo';
import { AddComment } from './documents.ts';
import type { CustomerCommentCreateInput } from './gql/graphql.ts';

export const createClient = (uri: string, key: string) =>
  new ApolloClient({
    link: ApolloLink.from([idempotencyLink(), new HttpLink({ uri, headers: { authorization: `Bearer ${key}` } })]),
    cache: new InMemoryCache(cacheConfig),
  });

export async function addComment(client: ApolloClient, input: CustomerCommentCreateInput, intent = createIntent()) {
  const { data } = await client.mutate({ mutation: AddComment, variables: { input }, context: { intent }, errorPolicy: 'all' });
  return unwrap(data?.customerCommentCreate).comment;
}
