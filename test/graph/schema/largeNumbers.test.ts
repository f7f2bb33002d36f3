import { expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

// The first integer that a double can't represent, and the largest of 64 bits.
it.each(['9007199254740993', '9223372036854775807'])('sends %s minor units without losing precision', async (minorUnits) => {
  const input = { paymentId: 'unknown', amount: { minorUnits }, idempotencyKey: minorUnits };
  const { data } = await testGraph.execute('mutation ($input: RefundCreateInput!) { refundCreate(input: $input) { __typename } }', {
    input,
  });
  expect(data.refundCreate).toEqual({ __typename: 'NotFoundError' });
  const sent = testGraph.sandbox.received.find(({ operation }) => operation === 'Payment/CreateRefund');
  expect(sent?.request).toMatchObject({ amountMinor: minorUnits });
  testGraph.sandbox.received.length = 0;
});
