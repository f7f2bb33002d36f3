import { expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CREATE = `mutation ($input: ContactCreateInput!) {
  contactCreate(input: $input) {
    __typename
    ... on ContactCreatePayload { contact { rawId } effect }
    ... on MutationError { code retry }
  }
}`;

it('returns OperationInProgressError while the idempotency key is in use, and sends one call', async () => {
  const create = async () =>
    (await testGraph.execute(CREATE, { input: { lastName: 'Once', idempotencyKey: 'in use' } })).data.contactCreate;
  const held = testGraph.gate.hold('Contact/CreateContact');
  const first = create();
  await held.arrived;
  expect(await create()).toEqual({ __typename: 'OperationInProgressError', code: 'OPERATION_IN_PROGRESS', retry: 'SAME_KEY' });
  held.release();
  const { contact } = await first;
  expect(await create()).toEqual({ __typename: 'ContactCreatePayload', contact, effect: 'REPLAYED' });
  expect(testGraph.gate.sent('Contact/CreateContact')).toBe(1);
});
