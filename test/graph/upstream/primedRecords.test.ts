import { expect, it } from 'vitest';
import { ConfirmQuote } from '../../../src/upstream/contract/generated/operations.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { quotingIn } from '../../support/quoting.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();
const { createQuote } = quotingIn(world);

it('returns FORBIDDEN for a record that the key may not read, although the mutation has returned the record', async () => {
  const { rawId: quoteId } = await createQuote();
  const apiKey = makeKey(world.sandbox.world, { scopes: ['me:read', ...ConfirmQuote.scopes] });
  const query = `mutation ($input: QuoteConfirmInput!) {
    quoteConfirm(input: $input) { ... on QuoteConfirmPayload { order { status } quote { order { status } } } }
  }`;
  const confirm = () => world.graphAs(apiKey, query, { input: { quoteId, idempotencyKey: 'confirmed' } });
  const [{ data, errors }, calls] = await world.calls(confirm);
  expect(data.quoteConfirm).toEqual({ order: { status: 'OPEN' }, quote: { order: null } });
  expect(errors).toMatchObject([
    { path: ['quoteConfirm', 'quote', 'order'], extensions: { code: 'FORBIDDEN', missingScopes: ['order:read'] } },
  ]);
  expect(calls).toEqual([ConfirmQuote.name]);
});
