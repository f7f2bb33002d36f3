import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
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
const BLOCKED = '... on TransitionBlockedError { blockers { code message } fromText current { ... on ActionRequest { rawId status } } }';
const REQUEST = 'rawId status title description';
const CREATE = `mutation ($input: ActionRequestCreateInput!) { actionRequestCreate(input: $input) { ${FAILURES}
  ... on ActionRequestCreatePayload { actionRequest { ${REQUEST} customer { rawId } } customer { rawId } effect } } }`;
const CANCEL = `mutation ($input: ActionRequestCancelInput!) { actionRequestCancel(input: $input) { ${FAILURES} ${BLOCKED}
  ... on ActionRequestCancelPayload { actionRequest { rawId status } effect } } }`;
const SEND = `mutation ($input: ActionRequestNotificationSendInput!) { actionRequestNotificationSend(input: $input) { ${FAILURES} ${BLOCKED}
  ... on ActionRequestNotificationSendPayload { actionRequest { rawId status } portalUrl effect } } }`;

const createRecords = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
/** Creates a pending request of a customer with an email address. Returns its ID. */
const createPendingRequest = () => createRecords().id('ActionRequest');

const create = async (fields: object) =>
  (await testGraph.execute(CREATE, { input: { idempotencyKey: randomUUID(), ...fields } })).data.actionRequestCreate;
const cancel = async (actionRequestId: string, idempotencyKey?: string) =>
  (await testGraph.execute(CANCEL, { input: { actionRequestId, idempotencyKey } })).data.actionRequestCancel;
const send = async (actionRequestId: string, idempotencyKey: string = randomUUID()) =>
  (await testGraph.execute(SEND, { input: { actionRequestId, idempotencyKey } })).data.actionRequestNotificationSend;

/** Number of notifications sent to the customer about a request. */
const countNotifications = (id: string) =>
  listSentMessages(testGraph.sandbox.world.store).filter(({ subject }) => subject.id === id).length;

const RESEND = 'ActionRequest/ResendActionRequestNotification';

describe('action requests', () => {
  const LISTS = `query ($customer: ID!, $statuses: [ActionRequestStatus!]) {
    actionRequests(first: 5, filter: { statuses: $statuses }) { nodes { rawId } pageInfo { hasNextPage } }
    customer(id: $customer) { actionRequests(first: 5, filter: { statuses: $statuses }) { nodes { rawId status customer { rawId } } } }
  }`;

  it('lists requests of the workspace and of a customer, newest first, with one call each', spec('4.8.19'), async () => {
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

  it('filters by status', spec('4.8.20'), async () => {
    const { data } = await testGraph.execute(LISTS, { customer: demoId('customer 0'), statuses: ['CANCELLED'] });
    expect(data.customer.actionRequests.nodes).toMatchObject([{ rawId: demoId('action request 3'), status: 'CANCELLED' }]);
    expect(data.actionRequests.nodes).toContainEqual({ rawId: demoId('action request 3') });
    expect(data.actionRequests.nodes).not.toContainEqual({ rawId: demoId('action request 0') });
  });
});

describe('Mutation.actionRequestCreate', () => {
  it('creates one request per idempotency key', async () => {
    const customerId = await createRecords().id('Customer');
    const input = { customerId, title: 'Choose a day', description: 'In May.', idempotencyKey: randomUUID() };
    const [result, calls] = await testGraph.recordCalls(() => create(input));
    expect(result).toEqual({
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
    expect(await create(input)).toMatchObject({ actionRequest: { rawId: result.actionRequest.rawId }, effect: 'REPLAYED' });
    expect(countNotifications(result.actionRequest.rawId)).toBe(0);
  });

  it('requires an idempotency key', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CREATE, { input: { customerId: 'x', title: 'y' } }));
    expect([errors?.[0]?.message, calls]).toEqual([expect.stringContaining('idempotencyKey'), []]);
  });
});

describe('Mutation.actionRequestCancel', () => {
  it.each([
    ['COMPLETED', 'action request 1'],
    ['CANCELLED', 'action request 3'],
  ])('returns TransitionBlockedError with the status for a request that is %s', spec('7.30'), async (status, name) => {
    const [result, calls] = await testGraph.recordCalls(() => cancel(demoId(name)));
    expect(result).toMatchObject({
      __typename: 'TransitionBlockedError',
      blockers: [{ code: 'WRONG_STATUS', message: expect.stringContaining('must be pending') }],
      fromText: expect.stringContaining(status),
      current: { rawId: demoId(name), status },
    });
    expect(calls).toEqual(['ActionRequest/CancelActionRequest', 'ActionRequest/GetActionRequest']);
  });

  it('cancels once per idempotency key and returns TransitionBlockedError for another key', spec('3.22'), async () => {
    const id = await createPendingRequest();
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
    ['reconciles it from the status', 'after', 'CANCELLED', { __typename: 'ActionRequestCancelPayload', effect: 'RECONCILED' }],
    [
      'returns OutcomeUnknownError if the request is still pending',
      'before',
      'PENDING',
      { __typename: 'OutcomeUnknownError', retry: 'CHECK_FIRST' },
    ],
  ] as const)('doesn’t retry after a lost response and %s', async (_case, cut, status, expected) => {
    const id = await createPendingRequest();
    testGraph.sandbox.faults.add({ operation: 'ActionRequest/CancelActionRequest', cut });
    const [result, calls] = await testGraph.recordCalls(() => cancel(id));
    expect(result).toMatchObject(expected);
    expect(calls).toEqual(['ActionRequest/CancelActionRequest', 'ActionRequest/GetActionRequest']);
    const { data } = await testGraph.execute('query ($id: ID!) { actionRequest(id: $id) { status } }', { id });
    expect(data.actionRequest.status).toBe(status);
  });
});

describe('Mutation.actionRequestNotificationSend', () => {
  it('sends one notification per idempotency key', spec('4.8.25'), async () => {
    const id = await createPendingRequest();
    const key = randomUUID();
    const [first, calls] = await testGraph.recordCalls(() => send(id, key));
    expect(first).toEqual({
      __typename: 'ActionRequestNotificationSendPayload',
      actionRequest: { rawId: id, status: 'PENDING' },
      portalUrl: expect.stringMatching(/^https:\/\/portal\.example\.com\/actions\//),
      effect: 'DONE',
    });
    expect([calls, countNotifications(id)]).toEqual([[RESEND], 1]);

    const [again, repeatCalls] = await testGraph.recordCalls(() => send(id, key));
    expect(again).toEqual({ ...first, portalUrl: null, effect: 'REPLAYED' });
    expect([repeatCalls.includes(RESEND), countNotifications(id)]).toEqual([false, 1]);

    const other = await send(id);
    expect([other.effect, countNotifications(id)]).toEqual(['DONE', 2]);
    expect(other.portalUrl).not.toBe(first.portalUrl);
  });

  it.each([
    ['was sent', 'after', 1],
    ['wasn’t sent', 'before', 0],
  ] as const)(
    'returns OutcomeUnknownError without resending if the response is lost and the notification %s',
    async (_case, cut, messages) => {
      const id = await createPendingRequest();
      const key = randomUUID();
      testGraph.sandbox.faults.add({ operation: RESEND, cut });
      const [lost, calls] = await testGraph.recordCalls(() => send(id, key));
      expect(lost).toMatchObject({ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' });
      expect([calls, countNotifications(id)]).toEqual([[RESEND], messages]);

      testGraph.sandbox.faults.clear();
      for (let repeat = 0; repeat < 3; repeat += 1) {
        const [again, more] = await testGraph.recordCalls(() => send(id, key));
        expect([again.__typename, more, countNotifications(id)]).toEqual(['OutcomeUnknownError', [], messages]);
      }
    },
  );

  it('sends once for three concurrent requests with the same key', async () => {
    const id = await createPendingRequest();
    const key = randomUUID();
    const results = await Promise.all([send(id, key), send(id, key), send(id, key)]);
    expect(results.filter(({ effect }) => effect === 'DONE')).toHaveLength(1);
    expect(results.flatMap(({ portalUrl }) => portalUrl ?? [])).toHaveLength(1);
    expect(countNotifications(id)).toBe(1);
  });

  it('returns TransitionBlockedError for a terminal request and sends nothing', async () => {
    const id = demoId('action request 3');
    expect(await send(id)).toMatchObject({ __typename: 'TransitionBlockedError', current: { rawId: id, status: 'CANCELLED' } });
    expect(countNotifications(id)).toBe(0);
  });
});

describe('API key without undocumented scopes', () => {
  const key = () => makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer:read', 'action_request:create'] });
  const UNDETERMINED = { reason: 'UNDETERMINED', requiredScopes: [] };
  const NOT_DOCUMENTED = expect.stringContaining('The required scope isn’t documented, so ask an administrator of the workspace.');

  it('returns the upstream’s refusal of a query and states that the scope isn’t documented', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(key(), '{ actionRequests(first: 1) { nodes { id } } }'),
    );
    expect(data).toEqual({ actionRequests: null });
    expect(errors).toMatchObject([{ message: NOT_DOCUMENTED, extensions: { code: 'FORBIDDEN', ...UNDETERMINED } }]);
    expect(calls).toEqual(['ActionRequest/ListActionRequests']);
  });

  it.each([
    ['actionRequestCancel', CANCEL, 'ActionRequest/CancelActionRequest'],
    ['actionRequestNotificationSend', SEND, RESEND],
  ])('returns the upstream’s refusal of %s and sends no notification', async (mutation, document, operation) => {
    const id = await createPendingRequest();
    const input = { actionRequestId: id, idempotencyKey: randomUUID() };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key(), document, { input }));
    expect(data[mutation]).toMatchObject({ __typename: 'ForbiddenError', message: NOT_DOCUMENTED, ...UNDETERMINED });
    expect([calls.filter((name) => name !== 'Workspace/Me'), countNotifications(id)]).toEqual([[operation], 0]);
  });
});
