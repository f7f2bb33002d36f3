import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const RICH = demoId('customer 0');
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
  const { data, errors } = await testGraph.executeAs(key, READ, { id: RICH, ...variables });
  expect(errors).toBeUndefined();
  return data.customer.timelineEvents;
};

const idsOf = (nodes: readonly Event[]) => nodes.map(({ rawId }) => rawId);

/** The ids of the events of a customer that some audiences see, newest first, as the sandbox stores them. */
const storedIds = (...audiences: string[]) =>
  testGraph.sandbox.world.store
    .all<{ id: string; audience: string }>(
      'SELECT id, audience FROM timeline_events WHERE customer_id = :id ORDER BY occurred_at DESC, rowid DESC',
      { id: RICH },
    )
    .filter(({ audience }) => audiences.includes(audience))
    .map(({ id }) => id);

describe('Customer.timelineEvents', () => {
  it('answers the newest events first and how many there are, in one call and without reading the customer', async () => {
    const all = storedIds('everybody', 'audit', 'orders');
    const [{ nodes, totalCount, pageInfo }, calls] = await testGraph.recordCalls(() => read({ first: 100 }));
    expect(idsOf(nodes)).toEqual(all.slice(0, 100));
    expect(totalCount).toBe(all.length);
    expect(totalCount).toBeGreaterThan(100);
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const times = nodes.map(({ occurredAt }: Event) => occurredAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('cuts windows from both ends, each in one call', async () => {
    const all = storedIds('everybody', 'audit', 'orders');
    const [front, frontCalls] = await testGraph.recordCalls(() => read({ first: 10 }));
    const [next, nextCalls] = await testGraph.recordCalls(() => read({ first: 7, after: front.pageInfo.endCursor }));
    const [back, backCalls] = await testGraph.recordCalls(() => read({ last: 5 }));
    const [previous, previousCalls] = await testGraph.recordCalls(() => read({ last: 5, before: back.pageInfo.startCursor }));
    expect(idsOf(front.nodes)).toEqual(all.slice(0, 10));
    expect(idsOf(next.nodes)).toEqual(all.slice(10, 17));
    expect(idsOf(back.nodes)).toEqual(all.slice(-5));
    expect(idsOf(previous.nodes)).toEqual(all.slice(-10, -5));
    expect([front, next, back, previous].map(({ totalCount }) => totalCount)).toEqual(Array(4).fill(all.length));
    expect([front, back].map(({ pageInfo: { hasNextPage, hasPreviousPage } }) => [hasNextPage, hasPreviousPage])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect([frontCalls, nextCalls, backCalls, previousCalls]).toEqual(Array(4).fill(['Customer/ListCustomerTimelineEvents']));
  });

  it('needs one call for two windows of one document', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { newest: timelineEvents(first: 2) { ${WINDOW} } oldest: timelineEvents(last: 2) { ${WINDOW} } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: RICH }));
    expect(data.customer.newest.nodes).toHaveLength(2);
    expect(data.customer.oldest.nodes[1].eventType).toBe('customer_created');
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('leaves out what the account behind the key may not see, and counts what is left', async () => {
    const noAudit = makeKey(testGraph.sandbox.world, { permissions: ['boardAccess:READ_ONLY', 'billingAccess:READ_ONLY'] });
    const [withoutAudit, withoutBoth] = [storedIds('everybody', 'orders'), storedIds('everybody')];
    expect(withoutAudit.length).toBeLessThan(storedIds('everybody', 'audit', 'orders').length);
    expect(withoutBoth.length).toBeLessThan(withoutAudit.length);
    const partial = await read({ last: 100 }, noAudit);
    expect([idsOf(partial.nodes), partial.totalCount]).toEqual([withoutAudit.slice(-100), withoutAudit.length]);
    const restricted = await read({ last: 100 }, 'demo-restricted');
    expect([idsOf(restricted.nodes), restricted.totalCount]).toEqual([withoutBoth.slice(-100), withoutBoth.length]);
  });

  it('answers only the events of a transaction', async () => {
    const { store } = testGraph.sandbox.world;
    const [rawId] = idsOf((await read({ first: 1 })).nodes);
    store.run("UPDATE timeline_events SET transaction_id = 'tx-1' WHERE id = :id", { id: rawId ?? '' });
    expect(await read({ transactionId: 'tx-1' })).toMatchObject({ nodes: [{ rawId }], totalCount: 1 });
    expect(await read({ transactionId: 'tx-2' })).toMatchObject({ nodes: [], totalCount: 0 });
  });

  it('refuses a cursor of another customer, and sends nothing', async () => {
    const { pageInfo } = await read({ first: 1 });
    const variables = { id: demoId('customer 1'), after: pageInfo.endCursor };
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ, variables));
    expect(errors).toMatchObject([{ path: ['customer', 'timelineEvents'], extensions: { code: 'INVALID_CURSOR' } }]);
    expect(calls).toEqual([]);
  });

  it('takes customer_activity:read, and no scope to read customers', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer_activity:read'] });
    expect((await read({ first: 1 }, key)).nodes).toHaveLength(1);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-creator', READ, { id: RICH }));
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'UNDETERMINED' } }]);
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });
});

describe('CustomerTimelineEvent.entity', () => {
  const query = (fields: string) => `query ($id: ID!) { customer(id: $id) {
    newest: timelineEvents(first: 100) { nodes { ...event } } oldest: timelineEvents(last: 100) { nodes { ...event } } } }
    fragment event on CustomerTimelineEvent { entityType entityId entity { __typename ${fields} } }`;

  /** The entity of an event of each type. */
  async function entitiesOf(fields: string) {
    const { data, errors } = await testGraph.execute(query(fields), { id: RICH });
    expect(errors).toBeUndefined();
    const events: { entityType: string; entityId: string; entity: object | null }[] = [
      ...data.customer.newest.nodes,
      ...data.customer.oldest.nodes,
    ];
    return new Map(events.map((event) => [event.entityType, event]));
  }

  it.each(['constructor', 'toString', '__proto__'])(
    'is null for the word %s, which JavaScript gives a meaning of its own',
    async (entityType) => {
      const body = JSON.stringify({ events: [{ id: 'e', entityType, entityId: 'x' }] });
      testGraph.sandbox.faults.add({ operation: 'Customer/ListCustomerTimelineEvents', status: 200, body, times: 1 });
      const source = `{ customer(id: "${RICH}") { timelineEvents(first: 1) { nodes { entityType entity { ... on Quote { title } } } } } }`;
      const { data, errors } = await testGraph.execute(source);
      expect([errors, data.customer.timelineEvents.nodes]).toEqual([undefined, [{ entityType, entity: null }]]);
    },
  );

  it('answers its keys without a call where the graph has a type for it, and null where it has none', async () => {
    const [entities, calls] = await testGraph.recordCalls(() => entitiesOf('... on Node { id }'));
    for (const [word, type] of Object.entries({ customer: 'Customer', order: 'Order', quote: 'Quote' })) {
      const { entityId = '', entity } = entities.get(word) ?? {};
      expect(entity, word).toEqual({ __typename: type, id: toGlobalId(type, entityId) });
    }
    for (const word of ['comment', 'file', 'journey_status']) expect(entities.get(word), word).toMatchObject({ entity: null });
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('reads a record once when more than its keys is asked for', async () => {
    const [entities, calls] = await testGraph.recordCalls(() => entitiesOf('... on Customer { title } ... on Order { id }'));
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

  it('writes an event at a moment of the past, or now', async () => {
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
    expect(idsOf(nodes)).toEqual(
      expect.arrayContaining([data.customerTimelineEventCreate.event.rawId, now.data.customerTimelineEventCreate.event.rawId]),
    );
  });
});
