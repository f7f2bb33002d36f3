import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { sentMessages } from '../../../sandbox/kernel/outbox.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const FAILURES = `__typename
  ... on ForbiddenError { reason requiredScopes }
  ... on OutcomeUnknownError { retry }
  ... on MutationError { code message }`;
const BARRED = '... on TransitionBlockedError { blockers { code message } fromText current { ... on ActionRequest { rawId status } } }';
const REQUEST = 'rawId status title description';
const CREATE = `mutation ($input: ActionRequestCreateInput!) { actionRequestCreate(input: $input) { ${FAILURES}
  ... on ActionRequestCreatePayload { actionRequest { ${REQUEST} customer { rawId } } customer { rawId } effect } } }`;
const CANCEL = `mutation ($input: ActionRequestCancelInput!) { actionRequestCancel(input: $input) { ${FAILURES} ${BARRED}
  ... on ActionRequestCancelPayload { actionRequest { rawId status } effect } } }`;
const SEND = `mutation ($input: ActionRequestNotificationSendInput!) { actionRequestNotificationSend(input: $input) { ${FAILURES} ${BARRED}
  ... on ActionRequestNotificationSendPayload { actionRequest { rawId status } portalUrl effect } } }`;

const records = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
/** A pending request of a customer with a mail address. */
const pending = () => records().id('ActionRequest');

const create = async (fields: object) =>
  (await testGraph.execute(CREATE, { input: { idempotencyKey: randomUUID(), ...fields } })).data.actionRequestCreate;
const cancel = async (actionRequestId: string, idempotencyKey?: string) =>
  (await testGraph.execute(CANCEL, { input: { actionRequestId, idempotencyKey } })).data.actionRequestCancel;
const send = async (actionRequestId: string, idempotencyKey: string = randomUUID()) =>
  (await testGraph.execute(SEND, { input: { actionRequestId, idempotencyKey } })).data.actionRequestNotificationSend;

/** How often the customer was told of a request. */
const sent = (id: string) => sentMessages(testGraph.sandbox.world.store).filter(({ subject }) => subject.id === id).length;

const RESEND = 'ActionRequest/ResendActionRequestNotification';

describe('action requests', () => {
  const LISTS = `query ($customer: ID!, $status: ActionRequestStatus) {
    actionRequests(first: 5, filter: { status: $status }) { nodes { rawId } pageInfo { hasNextPage } }
    customer(id: $customer) { actionRequests(first: 5, filter: { status: $status }) { nodes { rawId status customer { rawId } } } }
  }`;

  it('hang off their customer and stand at the root, newest first, in one call each', spec('4.8.19'), async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(LISTS, { customer: demoId('customer 0') }));
    const ids = [0, 1, 2, 3].map((index) => demoId(`action request ${index}`));
    expect(data.customer.actionRequests.nodes).toEqual(
      ['PENDING', 'COMPLETED', 'PENDING', 'CANCELLED'].map((status, index) => ({
        rawId: ids[index],
        status,
        customer: { rawId: demoId('customer 0') },
      })),
    );
    const all = data.actionRequests.nodes.map(({ rawId }: { rawId: string }) => rawId);
    expect(all.slice(0, 4)).toEqual(ids);
    expect(data.actionRequests.pageInfo.hasNextPage).toBe(true);
    expect(calls).toEqual(['ActionRequest/ListActionRequests', 'ActionRequest/ListActionRequests']);
  });

  it('are filtered by status', spec('4.8.20'), async () => {
    const { data } = await testGraph.execute(LISTS, { customer: demoId('customer 0'), status: 'CANCELLED' });
    expect(data.customer.actionRequests.nodes).toMatchObject([{ rawId: demoId('action request 3'), status: 'CANCELLED' }]);
    expect(data.actionRequests.nodes).toContainEqual({ rawId: demoId('action request 3') });
    expect(data.actionRequests.nodes).not.toContainEqual({ rawId: demoId('action request 0') });
  });
});

describe('Mutation.actionRequestCreate', () => {
  it('asks a customer once for one key', async () => {
    const customerId = await records().id('Customer');
    const input = { customerId, title: 'Choose a day', description: 'In May.', idempotencyKey: randomUUID() };
    const [answer, calls] = await testGraph.recordCalls(() => create(input));
    expect(answer).toEqual({
      __typename: 'ActionRequestCreatePayload',
      actionRequest: {
        rawId: expect.any(String),
        status: 'PENDING',
        title: 'Choose a day',
        description: 'In May.',
        customer: { rawId: customerId },
      },
      customer: { rawId: customerId },
      effect: 'DONE',
    });
    expect(calls).toEqual(['ActionRequest/CreateManualActionRequest']);
    expect(await create(input)).toMatchObject({ actionRequest: { rawId: answer.actionRequest.rawId }, effect: 'REPLAYED' });
    expect(sent(answer.actionRequest.rawId)).toBe(0);
  });

  it('demands a key', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input: { customerId: 'x', title: 'y' } }));
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('idempotencyKey'), []]);
  });
});

describe('Mutation.actionRequestCancel', () => {
  it.each([
    ['COMPLETED', 'action request 1'],
    ['CANCELLED', 'action request 3'],
  ])('is barred by the state of one that is %s', spec('7.30'), async (status, name) => {
    const [answer, calls] = await testGraph.recordCalls(() => cancel(demoId(name)));
    expect(answer).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'WRONG_STATUS', message: expect.stringContaining('must be pending') }],
      fromText: expect.stringContaining(status),
      current: { rawId: demoId(name), status },
    });
    expect(calls).toEqual(['ActionRequest/CancelActionRequest', 'ActionRequest/GetActionRequest']);
  });

  it('is done once for one key; under another one the state bars it', spec('3.22'), async () => {
    const id = await pending();
    const key = randomUUID();
    const first = await cancel(id, key);
    expect(first).toEqual({
      __typename: 'ActionRequestCancelPayload',
      actionRequest: { rawId: id, status: 'CANCELLED' },
      effect: 'DONE',
    });
    const [again, calls] = await testGraph.recordCalls(() => cancel(id, key));
    expect([again, calls]).toEqual([{ ...first, effect: 'REPLAYED' }, ['ActionRequest/GetActionRequest']]);
    expect(await cancel(id, randomUUID())).toMatchObject({ __typename: 'TransitionBlockedError', current: { status: 'CANCELLED' } });
  });

  it.each([
    ['found done by reading', 'after', 'CANCELLED', { __typename: 'ActionRequestCancelPayload', effect: 'RECONCILED' }],
    ['unknown when it was not done', 'before', 'PENDING', { __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' }],
  ] as const)('is sent once when its answer is lost, and %s', async (_case, cut, status, told) => {
    const id = await pending();
    testGraph.sandbox.faults.add({ operation: 'ActionRequest/CancelActionRequest', cut });
    const [answer, calls] = await testGraph.recordCalls(() => cancel(id));
    expect(answer).toMatchObject(told);
    expect(calls).toEqual(['ActionRequest/CancelActionRequest', 'ActionRequest/GetActionRequest']);
    const { data } = await testGraph.execute('query ($id: ID!) { actionRequest(id: $id) { status } }', { id });
    expect(data.actionRequest.status).toBe(status);
  });
});

describe('Mutation.actionRequestNotificationSend', () => {
  it('sends once by one key, as the outbox proves, and again by another', spec('4.8.25'), async () => {
    const id = await pending();
    const key = randomUUID();
    const [first, calls] = await testGraph.recordCalls(() => send(id, key));
    expect(first).toEqual({
      __typename: 'ActionRequestNotificationSendPayload',
      actionRequest: { rawId: id, status: 'PENDING' },
      portalUrl: expect.stringMatching(/^https:\/\/portal\.example\.com\/actions\//),
      effect: 'DONE',
    });
    expect([calls, sent(id)]).toEqual([[RESEND], 1]);

    const [again, callsAgain] = await testGraph.recordCalls(() => send(id, key));
    expect(again).toEqual({ ...first, portalUrl: null, effect: 'REPLAYED' });
    expect([callsAgain.includes(RESEND), sent(id)]).toEqual([false, 1]);

    const other = await send(id);
    expect([other.effect, sent(id)]).toEqual(['DONE', 2]);
    expect(other.portalUrl).not.toBe(first.portalUrl);
  });

  it.each([
    ['was done', 'after', 1],
    ['was not done', 'before', 0],
  ] as const)(
    'is sent once when its answer is lost and it %s: its outcome stays unknown, and no repeat sends again',
    async (_case, cut, messages) => {
      const id = await pending();
      const key = randomUUID();
      testGraph.sandbox.faults.add({ operation: RESEND, cut });
      const [lost, calls] = await testGraph.recordCalls(() => send(id, key));
      expect(lost).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
      expect([calls, sent(id)]).toEqual([[RESEND], messages]);

      testGraph.sandbox.faults.clear();
      for (let repeat = 0; repeat < 3; repeat += 1) {
        const [again, more] = await testGraph.recordCalls(() => send(id, key));
        expect([again.__typename, more, sent(id)]).toEqual(['OutcomeUnknownError', [], messages]);
      }
    },
  );

  it('is sent once when three ask for it at the same time under one key', async () => {
    const id = await pending();
    const key = randomUUID();
    const answers = await Promise.all([send(id, key), send(id, key), send(id, key)]);
    expect(answers.filter(({ effect }) => effect === 'DONE')).toHaveLength(1);
    expect(answers.flatMap(({ portalUrl }) => portalUrl ?? [])).toHaveLength(1);
    expect(sent(id)).toBe(1);
  });

  it('is barred by the state of a request that is terminal, and sends nothing', async () => {
    const id = demoId('action request 3');
    expect(await send(id)).toMatchObject({ __typename: 'TransitionBlockedError', current: { rawId: id, status: 'CANCELLED' } });
    expect(sent(id)).toBe(0);
  });
});

describe('a key without the scopes that nobody documents', () => {
  const key = () => makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer:read', 'action_request:create'] });
  const TELLING = { reason: 'UNDETERMINED', requiredScopes: [] };
  const NOT_DOCUMENTED = expect.stringContaining('The required scope isn’t documented, so ask an administrator of the workspace.');

  it('is left to the upstream, whose refusal of a read says that the scope is not documented', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(key(), '{ actionRequests(first: 1) { nodes { id } } }'),
    );
    expect(data).toEqual({ actionRequests: null });
    expect(errors).toMatchObject([{ message: NOT_DOCUMENTED, extensions: { code: 'FORBIDDEN', ...TELLING } }]);
    expect(calls).toEqual(['ActionRequest/ListActionRequests']);
  });

  it.each([
    ['actionRequestCancel', CANCEL, 'ActionRequest/CancelActionRequest'],
    ['actionRequestNotificationSend', SEND, RESEND],
  ])('is left to the upstream in %s as well, and nothing is sent to anybody', async (mutation, document, operation) => {
    const id = await pending();
    const input = { actionRequestId: id, idempotencyKey: randomUUID() };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key(), document, { input }));
    expect(data[mutation]).toMatchObject({ __typename: 'ForbiddenError', message: NOT_DOCUMENTED, ...TELLING });
    expect([calls.filter((name) => name !== 'Workspace/Me'), sent(id)]).toEqual([[operation], 0]);
  });
});
