import { expect, it } from 'vitest';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

// The first integer that a double can't represent, and the largest of 64 bits.
it.each(['9007199254740993', '9223372036854775807'])('sends %s minor units without losing precision', async (minorUnits) => {
  const input = { paymentId: 'unknown', amount: { minorUnits }, idempotencyKey: minorUnits };
  const { data } = await world.graph('mutation ($input: RefundCreateInput!) { refundCreate(input: $input) { __typename } }', { input });
  expect(data.refundCreate).toEqual({ __typename: 'NotFoundError' });
  const sent = world.sandbox.received.find(({ operation }) => operation === 'Payment/CreateRefund');
  expect(sent?.request).toMatchObject({ amountMinor: minorUnits });
  world.sandbox.received.length = 0;
});
