import { createIntent, unwrap } from '@workspace-graph/client';
import { type Client, createClient } from '@workspace-graph/client/fetch';
import { AddComment } from './documents.ts';
import type { CustomerCommentCreateInput } from './gql/graphql.ts';

export { createClient };

export async function addComment(client: Client, input: CustomerCommentCreateInput, intent = createIntent()) {
  const { data } = await client.mutate(AddComment, { input }, { intent });
  return unwrap(data.customerCommentCreate).comment;
}
