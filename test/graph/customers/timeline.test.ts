import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CUSTOMER_ID = demoId('customer 0');
const WINDOW = 'nodes { rawId eventType occurredAt } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

interface Event {
  readonly rawId: string;
  readonly eventType: string;
  readonly occurredAt: string;
}

const READ = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $transactionId: ID) {
  customer(id: $id) { timelineEvents(first: $first, after: $after, last: $last, before: $before, filter: { transactionId: $transactionId }) { ${WINDOW} } }
}`;

const read = async (variables: object, key = 'demo-owner') => {
  const { data, errors } = await testGraph.executeAs(key, READ, { id: CUSTOMER_ID, ...variables });
  expect(errors).toBeUndefined();
  return data.customer.timelineEvents;
};

const getRawIds = (nodes: readonly Event[]) => nodes.map(({ rawId }) => rawId);

/** IDs of the customer's events that are visible to the given audiences, newest first, as stored in the sandbox. */
const listStoredIds = (...audiences: string[]) =>
  testGraph.sandbox.world.store
    .all<{ id: string; audience: string }>(
      'SELECT id, audience FROM timeline_events WHERE customer_id = :id ORDER BY occurred_at DESC, rowid DESC',
      { id: CUSTOMER_ID },
    )
    .filter(({ audience }) => audiences.includes(audience))
    .map(({ id }) => id);

describe('Customer.timelineEvents', () => {
  it('lists the newest events first with totalCount in one call without fetching the customer', async () => {
    const all = listStoredIds('everybody', 'audit', 'orders');
    const [{ nodes, totalCount, pageInfo }, calls] = await testGraph.recordCalls(() => read({ first: 100 }));
    expect(getRawIds(nodes)).toEqual(all.slice(0, 100));
    expect(totalCount).toBe(all.length);
    expect(totalCount).toBeGreaterThan(100);
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const timestamps = nodes.map(({ occurredAt }: Event) => occurredAt);
    expect(timestamps).toEqual(timestamps.toSorted().toReversed());
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('paginates forward and backward with one call per page', async () => {
    const all = listStoredIds('everybody', 'audit', 'orders');
    const [front, frontCalls] = await testGraph.recordCalls(() => read({ first: 10 }));
    const [next, nextCalls] = await testGraph.recordCalls(() => read({ first: 7, after: front.pageInfo.endCursor }));
    const [back, backCalls] = await testGraph.recordCalls(() => read({ last: 5 }));
    const [previous, previousCalls] = await testGraph.recordCalls(() => read({ last: 5, before: back.pageInfo.startCursor }));
    expect(getRawIds(front.nodes)).toEqual(all.slice(0, 10));
    expect(getRawIds(next.nodes)).toEqual(all.slice(10, 17));
    expect(getRawIds(back.nodes)).toEqual(all.slice(-5));
    expect(getRawIds(previous.nodes)).toEqual(all.slice(-10, -5));
    expect([front, next, back, previous].map(({ totalCount }) => totalCount)).toEqual(Array(4).fill(all.length));
    expect([front, back].map(({ pageInfo: { hasNextPage, hasPreviousPage } }) => [hasNextPage, hasPreviousPage])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect([frontCalls, nextCalls, backCalls, previousCalls]).toEqual(Array(4).fill(['Customer/ListCustomerTimelineEvents']));
  });

  it('requires one call for two pages of one operation', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { newest: timelineEvents(first: 2) { ${WINDOW} } oldest: timelineEvents(last: 2) { ${WINDOW} } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: CUSTOMER_ID }));
    expect(data.customer.newest.nodes).toHaveLength(2);
    expect(data.customer.oldest.nodes[1].eventType).toBe('customer_created');
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('omits events that the account can’t see from nodes and totalCount', async () => {
    const noAudit = makeKey(testGraph.sandbox.world, { permissions: ['boardAccess:READ_ONLY', 'billingAccess:READ_ONLY'] });
    const [withoutAudit, withoutBoth] = [listStoredIds('everybody', 'orders'), listStoredIds('everybody')];
    expect(withoutAudit.length).toBeLessThan(listStoredIds('everybody', 'audit', 'orders').length);
    expect(withoutBoth.length).toBeLessThan(withoutAudit.length);
    const partial = await read({ last: 100 }, noAudit);
    expect([getRawIds(partial.nodes), partial.totalCount]).toEqual([withoutAudit.slice(-100), withoutAudit.length]);
    const restricted = await read({ last: 100 }, 'demo-restricted');
    expect([getRawIds(restricted.nodes), restricted.totalCount]).toEqual([withoutBoth.slice(-100), withoutBoth.length]);
  });

  it('filters by transactionId', async () => {
    const { store } = testGraph.sandbox.world;
    const [rawId] = getRawIds((await read({ first: 1 })).nodes);
    store.run("UPDATE timeline_events SET transaction_id = 'tx-1' WHERE id = :id", { id: rawId ?? '' });
    expect(await read({ transactionId: 'tx-1' })).toMatchObject({ nodes: [{ rawId }], totalCount: 1 });
    expect(await read({ transactionId: 'tx-2' })).toMatchObject({ nodes: [], totalCount: 0 });
  });

  it('requires customer_activity:read but not customer:read', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer_activity:read'] });
    expect((await read({ first: 1 }, key)).nodes).toHaveLength(1);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-creator', READ, { id: CUSTOMER_ID }));
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'UNDETERMINED' } }]);
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });
});

describe('CustomerTimelineEvent.entity', () => {
  const query = (fields: string) => `query ($id: ID!) { customer(id: $id) {
    newest: timelineEvents(first: 100) { nodes { ...event } } oldest: timelineEvents(last: 100) { nodes { ...event } } } }
    fragment event on CustomerTimelineEvent { entityType entityId entity { __typename ${fields} } }`;

  /** Events by entity type, one of each. */
  async function fetchEventsByEntityType(fields: string) {
    const { data, errors } = await testGraph.execute(query(fields), { id: CUSTOMER_ID });
    expect(errors).toBeUndefined();
    const events: { entityType: string; entityId: string; entity: object | null }[] = [
      ...data.customer.newest.nodes,
      ...data.customer.oldest.nodes,
    ];
    return new Map(events.map((event) => [event.entityType, event]));
  }

  it.each(['constructor', 'toString', '__proto__'])('resolves to null for the entity type %s', async (entityType) => {
    const body = JSON.stringify({ events: [{ id: 'e', entityType, entityId: 'x' }] });
    testGraph.sandbox.faults.add({ operation: 'Customer/ListCustomerTimelineEvents', status: 200, body, times: 1 });
    const source = `{ customer(id: "${CUSTOMER_ID}") { timelineEvents(first: 1) { nodes { entityType entity { ... on Quote { title } } } } } }`;
    const { data, errors } = await testGraph.execute(source);
    expect([errors, data.customer.timelineEvents.nodes]).toEqual([undefined, [{ entityType, entity: null }]]);
  });

  it('resolves IDs without a call for known entity types, and to null for others', async () => {
    const [entities, calls] = await testGraph.recordCalls(() => fetchEventsByEntityType('... on Node { id }'));
    for (const [word, type] of Object.entries({ customer: 'Customer', order: 'Order', quote: 'Quote' })) {
      const { entityId = '', entity } = entities.get(word) ?? {};
      expect(entity, word).toEqual({ __typename: type, id: toGlobalId(type, entityId) });
    }
    for (const word of ['comment', 'file', 'journey_status']) expect(entities.get(word), word).toMatchObject({ entity: null });
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('fetches a record once if more than its ID is selected', async () => {
    const [entities, calls] = await testGraph.recordCalls(() => fetchEventsByEntityType('... on Customer { title } ... on Order { id }'));
    expect(entities.get('customer')?.entity).toEqual({ __typename: 'Customer', title: expect.any(String) });
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents', 'Customer/GetCustomer']);
  });
});

describe('Mutation.customerTimelineEventCreate', () => {
  const CREATE = `mutation ($input: CustomerTimelineEventCreateInput!) {
    customerTimelineEventCreate(input: $input) {
      __typename
      ... on CustomerTimelineEventCreatePayload { event { rawId eventType entityType entityId summary occurredAt entity { ... on Node { id } } } effect }
      ... on ValidationError { issues { path message } }
      ... on NotFoundError { missingId path }
      ... on ForbiddenError { missingScopes }
      ... on MutationError { code }
    }
  }`;
  const customerId = demoId('customer 20');
  const create = (input: object, key = 'demo-owner') =>
    testGraph.executeAs(key, CREATE, { input: { customerId, eventType: 'call', summary: 'Called.', ...input } });

  it('creates an event at a past timestamp or at the current time', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => create({ occurredAt: '2020-01-01T00:00:00Z' }));
    expect(data.customerTimelineEventCreate).toMatchObject({
      effect: 'DONE',
      event: {
        eventType: 'call',
        entityType: 'customer',
        entityId: customerId,
        summary: 'Called.',
        occurredAt: '2020-01-01T00:00:00Z',
        entity: { id: toGlobalId('Customer', customerId) },
      },
    });
    expect(calls).toEqual(['Customer/CreateCustomerEvent']);
    const now = await create({});
    expect(now.data.customerTimelineEventCreate.event.occurredAt).toBe('2026-03-02T09:00:00Z');
    const { nodes } = await read({ id: customerId, first: 100 });
    expect(getRawIds(nodes)).toEqual(
      expect.arrayContaining([data.customerTimelineEventCreate.event.rawId, now.data.customerTimelineEventCreate.event.rawId]),
    );
  });
});
