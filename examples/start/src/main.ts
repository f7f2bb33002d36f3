import { createIntent, MutationFailure } from '@workspace-graph/client';
import { addComment, createClient } from './apollo.ts';
import { ListCustomers } from './documents.ts';

const client = createClient('http://127.0.0.1:4000/graphql', 'demo-owner');
const { data } = await client.query({ query: ListCustomers });
const [customer] = data?.customers?.nodes ?? [];

const intent = createIntent();
try {
  await addComment(client, { customerId: customer?.id ?? '', body: 'Called back.' }, intent);
  console.log(`Added a comment to ${customer?.title}.`);
} catch (error) {
  if (!(error instanceof MutationFailure)) throw error;
  // If `retry` is SAFE or SAME_KEY, calling addComment again with the same intent adds the comment at most once.
  console.error(error.code, error.retry, error.message);
}
