import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

/** The only inactive status of the demo journey. */
const INACTIVE = demoId('status 6');

const FAILURES = `
  ... on TransitionBlockedError { current { __typename ... on Customer { id journeyStatus { rawId } } } fromText blockers { code message } }
  ... on NotFoundError { missingId path }
  ... on ValidationError { issues { path message } }
  ... on ForbiddenError { missingScopes }
  ... on MutationError { code }`;

const SET = `mutation ($input: CustomerJourneyStatusSetInput!) {
  customerJourneyStatusSet(input: $input) {
    __typename
    ... on CustomerJourneyStatusSetPayload { customer { rawId journeyStatus { rawId name } } effect }
    ${FAILURES}
  }
}`;

const CLEAR = `mutation ($input: CustomerJourneyStatusClearInput!) {
  customerJourneyStatusClear(input: $input) {
    __typename
    ... on CustomerJourneyStatusClearPayload { customer { rawId journeyStatus { rawId } } effect }
    ${FAILURES}
  }
}`;

const setStatus = async (customerId: string, statusId: string, key = 'demo-owner') =>
  (await testGraph.executeAs(key, SET, { input: { customerId, statusId } })).data.customerJourneyStatusSet;

const clearStatus = async (customerId: string) =>
  (await testGraph.execute(CLEAR, { input: { customerId } })).data.customerJourneyStatusClear;

describe('Query.journey', () => {
  const ALL = '{ journey { stages { rawId name statuses { rawId name color isActive } } } }';

  it('lists the stages and their statuses in order in one call', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(ALL));
    const { stages } = data.journey;
    expect(stages.map(({ name }: { name: string }) => name)).toEqual(['Lead', 'Offer', 'Work', 'Aftercare']);
    expect(stages[0]).toMatchObject({
      rawId: demoId('stage 0'),
      statuses: [{ rawId: demoId('status 0'), name: 'New', color: expect.stringMatching(/^#[0-9A-F]{6}$/), isActive: true }, {}, {}],
    });
    expect(stages[2].statuses[1]).toMatchObject({ rawId: INACTIVE, name: 'Waiting for parts', isActive: false });
    expect(calls).toEqual(['Journey/ListJourneyConfig']);
  });

  it('resolves the stage of each status in the same call', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ journey { stages { rawId statuses { stage { rawId name } } } } }'),
    );
    for (const { rawId, statuses } of data.journey.stages) for (const { stage } of statuses) expect(stage.rawId).toBe(rawId);
    expect(data.journey.stages[0].statuses[0].stage.name).toBe('Lead');
    expect(calls).toEqual(['Journey/ListJourneyConfig']);
  });

  it('resolves the stage of a customer’s status without another call', async () => {
    await setStatus(demoId('customer 3'), demoId('status 3'));
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('query ($id: ID!) { customer(id: $id) { journeyStatus { name stage { name statuses { name } } } } }', {
        id: demoId('customer 3'),
      }),
    );
    const { name, stage } = data.customer.journeyStatus;
    expect(stage.statuses.map((status: { name: string }) => status.name)).toContain(name);
    expect(calls).toEqual(['Customer/GetCustomer', 'Journey/ListJourneyConfig']);
  });
});

describe('Customer.journeyStatus', () => {
  const READ = '{ customers(first: 50) { nodes { rawId journeyStatus { name isActive } } } }';
  type Node = { rawId: string; journeyStatus: { name: string } | null };
  const hasStatus = ({ rawId }: Node) =>
    testGraph.sandbox.world.store.get("SELECT 1 FROM customers WHERE id = :rawId AND journey_status_id <> ''", { rawId }) !== undefined;

  it('costs one ListJourneyConfig call for many customers', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ));
    const nodes: Node[] = data.customers.nodes;
    expect(nodes.some(({ journeyStatus }) => journeyStatus === null)).toBe(true);
    for (const node of nodes) expect(node.journeyStatus !== null).toBe(hasStatus(node));
    expect(calls).toEqual(['Customer/SearchCustomers', 'Journey/ListJourneyConfig']);
  });

  it('returns FORBIDDEN without journey:read only for customers that have a status, without a call', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'journey:read') });
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, READ));
    const nodes: Node[] = data.customers.nodes;
    expect(nodes).toHaveLength(50);
    expect(errors).toHaveLength(nodes.filter(hasStatus).length);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['journey:read'] });
    expect(calls).toEqual(['Customer/SearchCustomers']);
  });
});

describe('Mutation.customerJourneyStatusSet', () => {
  it('sets the status and adds a timeline event', async () => {
    const customerId = demoId('customer 10');
    const [result, calls] = await testGraph.recordCalls(() => setStatus(toGlobalId('Customer', customerId), demoId('status 3')));
    expect(result).toEqual({
      __typename: 'CustomerJourneyStatusSetPayload',
      customer: { rawId: customerId, journeyStatus: { rawId: demoId('status 3'), name: 'Offer sent' } },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Customer/GetCustomer', 'Journey/SetCustomerJourneyStatus', 'Journey/ListJourneyConfig']);
    expect(await setStatus(customerId, demoId('status 3'))).toEqual({ ...result, effect: 'UNCHANGED' });
    const query =
      'query ($id: ID!) { customer(id: $id) { timelineEvents(first: 1) { nodes { eventType entityType entityId entity { __typename } } } } }';
    const { data } = await testGraph.execute(query, { id: customerId });
    expect(data.customer.timelineEvents.nodes).toEqual([
      { eventType: 'journey_status_set', entityType: 'journey_status', entityId: demoId('status 3'), entity: null },
    ]);
  });

  it('returns TransitionBlockedError with the current status if the new status is inactive', async () => {
    const customerId = demoId('customer 11');
    await setStatus(customerId, demoId('status 1'));
    const [result, calls] = await testGraph.recordCalls(() => setStatus(customerId, INACTIVE));
    expect(result).toMatchObject({
      __typename: 'TransitionBlockedError',
      code: 'TRANSITION_BLOCKED',
      current: { __typename: 'Customer', id: toGlobalId('Customer', customerId), journeyStatus: { rawId: demoId('status 1') } },
      fromText: demoId('status 1'),
      blockers: [{ code: 'OTHER', message: expect.stringContaining('Waiting for parts is inactive') }],
    });
    const reads = ['Customer/GetCustomer', 'Journey/ListJourneyConfig'];
    expect(calls).toEqual(['Customer/GetCustomer', 'Journey/SetCustomerJourneyStatus', ...reads]);
  });

  it('returns TransitionBlockedError without a status if the customer has none or the key can’t read it', async () => {
    const customerId = demoId('customer 12');
    await clearStatus(customerId);
    expect(await setStatus(customerId, INACTIVE)).toMatchObject({ __typename: 'TransitionBlockedError', fromText: null });
    await setStatus(customerId, demoId('status 1'));
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'journey:write'] });
    const [withoutReadScope, calls] = await testGraph.recordCalls(() => setStatus(customerId, INACTIVE, key));
    expect(withoutReadScope).toMatchObject({ __typename: 'TransitionBlockedError', fromText: null, current: null });
    expect(calls).toEqual(['Journey/SetCustomerJourneyStatus']);
  });

  it('returns NotFoundError with the missing ID, whether of the customer or of the status', async () => {
    expect(await setStatus('absent', demoId('status 1'))).toEqual({
      __typename: 'NotFoundError',
      missingId: 'absent',
      path: ['customerId'],
      code: 'NOT_FOUND',
    });
    expect(await setStatus(demoId('customer 12'), 'nowhere')).toEqual({
      __typename: 'NotFoundError',
      missingId: 'nowhere',
      path: ['statusId'],
      code: 'NOT_FOUND',
    });
  });
});

describe('Mutation.customerJourneyStatusClear', () => {
  it('clears the status and reports UNCHANGED if there is none', async () => {
    const customerId = demoId('customer 13');
    await setStatus(customerId, demoId('status 2'));
    const [result, calls] = await testGraph.recordCalls(() => clearStatus(customerId));
    expect(result).toEqual({
      __typename: 'CustomerJourneyStatusClearPayload',
      customer: { rawId: customerId, journeyStatus: null },
      effect: 'DONE',
    });
    expect(calls).toEqual(['Customer/GetCustomer', 'Journey/ClearCustomerJourneyStatus']);
    expect(await clearStatus(customerId)).toEqual({ ...result, effect: 'UNCHANGED' });
  });
});
