import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestGraph, startProxy } from '@workspace-graph/client/testing';
import { addComment, createClient } from './apollo.ts';
import { ListCustomers } from './documents.ts';

test('adds the comment once although its response is lost', async (t) => {
  const graph = await createTestGraph({ seed: 1 });
  t.after(() => graph.close());
  const proxy = await startProxy(graph.url);
  t.after(() => proxy.close());
  const client = createClient(proxy.url, graph.keys.owner);
  const { data } = await client.query({ query: ListCustomers });
  const [customer] = data?.customers?.nodes ?? [];

  proxy.drop({ operationName: 'AddComment' });
  const comment = await addComment(client, { customerId: customer?.id ?? '', body: 'Called back.' });
  assert.equal(comment?.body, 'Called back.');
  assert.equal(graph.calls.filter(({ operation }) => operation === 'Customer/CreateCustomerComment').length, 1);
});
