import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { createIntent, unwrap } from '@workspace-graph/client';
import { idempotencyExchange } from '@workspace-graph/client/urql';
import { AddComment } from './documents.ts';
import type { CustomerCommentCreateInput } from './gql/graphql.ts';

export const createClient = (url: string, key: string) =>
  new Client({
    url,
    fetchOptions: { headers: { authorization: `Bearer ${key}` } },
    exchanges: [cacheExchange, idempotencyExchange(), fetchExchange],
  });

export async function addComment(client: Client, input: CustomerCommentCreateInput, intent = createIntent()) {
  const { data } = await client.mutation(AddComment, { input }, { intent });
  return unwrap(data?.customerCommentCreate).comment;
}
