import { expect, it } from 'vitest';
import { ConfirmQuote } from '../../../src/upstream/contract/generated/operations.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);

it('returns FORBIDDEN for a record that the key can’t read, although the mutation returned it', async () => {
  const { rawId: quoteId } = await createQuote();
  const apiKey = makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...ConfirmQuote.scopes] });
  const query = `mutation ($input: QuoteConfirmInput!) {
    quoteConfirm(input: $input) { ... on QuoteConfirmPayload { order { status } quote { order { status } } } }
  }`;
  const confirm = () => testGraph.executeAs(apiKey, query, { input: { quoteId, idempotencyKey: 'confirmed' } });
  const [{ data, errors }, calls] = await testGraph.recordCalls(confirm);
  expect(data.quoteConfirm).toEqual({ order: { status: 'OPEN' }, quote: { order: null } });
  expect(errors).toMatchObject([
    { path: ['quoteConfirm', 'quote', 'order'], extensions: { code: 'FORBIDDEN', missingScopes: ['order:read'] } },
  ]);
  expect(calls).toEqual([ConfirmQuote.name]);
});
