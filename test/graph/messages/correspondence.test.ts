import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const ADD = `mutation ($input: CorrespondenceMessageAddInput!) { correspondenceMessageAdd(input: $input) { __typename
  ... on CorrespondenceMessageAddPayload { correspondenceMessage { rawId subject body customer { rawId } } effect }
  ... on NotFoundError { missingId path }
  ... on OutcomeUnknownError { retry } } }`;
const OPERATION = 'Correspondence/AddCorrespondenceMessage';
const CUSTOMER = demoId('customer 0');

const add = async (fields: object) =>
  (await testGraph.execute(ADD, { input: { customerId: CUSTOMER, body: 'Until Monday.', idempotencyKey: randomUUID(), ...fields } })).data
    .correspondenceMessageAdd;
const countMessages = () => testGraph.sandbox.world.store.all('SELECT id FROM correspondence_messages').length;

describe('Mutation.correspondenceMessageAdd', () => {
  it('adds one message per idempotency key', async () => {
    const fields = { subject: 'Your question', idempotencyKey: randomUUID() };
    const before = countMessages();
    const [first, calls] = await testGraph.recordCalls(() => add(fields));
    expect(first).toEqual({
      __typename: 'CorrespondenceMessageAddPayload',
      correspondenceMessage: {
        rawId: expect.any(String),
        subject: 'Your question',
        body: 'Until Monday.',
        customer: { rawId: CUSTOMER },
      },
      effect: 'DONE',
    });
    expect([calls, countMessages() - before]).toEqual([[OPERATION], 1]);
    const [again, repeatCalls] = await testGraph.recordCalls(() => add(fields));
    expect([again, repeatCalls, countMessages() - before]).toEqual([{ ...first, effect: 'REPLAYED' }, ['Customer/GetCustomer'], 1]);
    await add({ ...fields, idempotencyKey: randomUUID() });
    expect(countMessages() - before).toBe(2);
  });

  it('requires an idempotency key', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(ADD, { input: { customerId: CUSTOMER, body: 'Hello' } }),
    );
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('idempotencyKey'), []]);
  });

  it('returns OutcomeUnknownError after a lost response, and a repeat adds nothing', async () => {
    const before = countMessages();
    const idempotencyKey = randomUUID();
    testGraph.sandbox.faults.add({ operation: OPERATION, cut: 'after' });
    const [lost, calls] = await testGraph.recordCalls(() => add({ idempotencyKey }));
    expect([lost, calls]).toEqual([{ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' }, [OPERATION]]);
    testGraph.sandbox.faults.clear();
    expect(await add({ idempotencyKey })).toEqual(lost);
    expect(countMessages() - before).toBe(1);
  });

  it('returns NotFoundError for an unknown customer', async () => {
    expect(await add({ customerId: 'absent' })).toEqual({ __typename: 'NotFoundError', missingId: 'absent', path: ['customerId'] });
  });
});
