import { describe, expect, it, onTestFinished } from 'vitest';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId, SEED } from '../../sandbox/sandbox.ts';
import { FIRST, openSubscription, type Subscription, watchAfterFirst, watchRecords } from '../../support/subscribe.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const OWNER = 'demo-owner';
const testGraph = useTestGraph({}, undefined, { env: { LIVE: 'on' } });
const disabled = useTestGraph();

const customerId = (index: number) => demoId(`customer ${index}`);
const toCustomer = (index: number) => toGlobalId('Customer', customerId(index));

const UPDATE = `mutation ($input: CustomerUpdateInput!) {
  customerUpdate(input: $input) { __typename ... on MutationPayload { effect } ... on MutationError { code } }
}`;
let changes = 0;

/** Changes a customer. Returns the result of the mutation. */
async function change(index: number, input: object = {}, key = OWNER) {
  changes += 1;
  const { data } = await testGraph.executeAs(key, UPDATE, {
    input: { customerId: customerId(index), title: `Title ${changes}`, ...input },
  });
  return data.customerUpdate;
}

const signal = (ids: readonly string[], isTruncated = false) => ({
  data: { recordsChanged: { ids, isTruncated, source: 'GRAPH', staleness: null } },
});

/** Closes a subscription after the test. */
async function watch(...args: Parameters<typeof watchRecords> extends [string, ...infer Rest] ? Rest : never): Promise<Subscription> {
  const subscription = await watchAfterFirst(testGraph.url, ...args);
  onTestFinished(() => subscription.close());
  return subscription;
}

const getError = async (subscription: Subscription) => (await subscription.next())?.errors?.[0];

describe('Subscription.recordsChanged', () => {
  it('starts with a signal to refetch, and sends the IDs of records that any key of the workspace changes', async () => {
    const subscription = await watchRecords(testGraph.url, OWNER, ['CUSTOMER', 'ORDER']);
    onTestFinished(() => subscription.close());
    expect([subscription.status, subscription.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect([subscription.headers['cache-control'], subscription.headers['content-encoding']]).toEqual(['no-store', undefined]);
    expect(await subscription.next()).toEqual(FIRST);
    expect(await change(0)).toMatchObject({ effect: 'DONE' });
    await change(1, {}, makeKey(testGraph.sandbox.world));
    expect([await subscription.next(), await subscription.next()]).toEqual([signal([toCustomer(0)]), signal([toCustomer(1)])]);
  });

  it('accepts the ID of a portfolio, which is also a customer', async () => {
    const rawId = demoId('portfolio 1');
    const subscription = await watch(OWNER, ['CUSTOMER'], [toGlobalId('Portfolio', rawId)]);
    await change(0);
    await change(0, { customerId: rawId });
    expect(await subscription.next()).toEqual(signal([toGlobalId('Customer', rawId)]));
  });

  it('sends nothing about other types, other workspaces, rejected mutations, and replays', async () => {
    const subscription = await watch(OWNER, ['CUSTOMER']);
    const problems = await watch(OWNER, ['PROBLEM']);
    const neighbor = await watch('demo-neighbour', ['CUSTOMER']);
    const input = { idempotencyKey: 'live replay', title: 'Once' };
    expect([await change(0, input), await change(0, input)]).toMatchObject([{ effect: 'DONE' }, { effect: 'REPLAYED' }]);
    expect(await change(2, { phone: 'invalid' })).toMatchObject({ code: 'BAD_USER_INPUT' });
    await change(1);
    expect([await subscription.next(), await subscription.next()]).toEqual([signal([toCustomer(0)]), signal([toCustomer(1)])]);
    const neighborId = createUuid(SEED, 'neighbour customer 0');
    await testGraph.executeAs('demo-neighbour', UPDATE, { input: { customerId: neighborId, title: 'Theirs' } });
    expect(await neighbor.next()).toEqual(signal([toGlobalId('Customer', neighborId)]));
    const problemId = demoId('problem 0');
    await testGraph.execute(
      `mutation { problemCommentAdd(input: { problemId: "${problemId}", body: "New", idempotencyKey: "live" }) { __typename } }`,
    );
    expect(await problems.next()).toEqual(signal([toGlobalId('Problem', problemId)]));
  });

  it('sends only the listed IDs, global or raw', async () => {
    const subscription = await watch(OWNER, ['CUSTOMER', 'ORDER'], [toCustomer(1), customerId(2)]);
    for (const index of [0, 1, 2]) await change(index);
    expect([await subscription.next(), await subscription.next()]).toEqual([signal([toCustomer(1)]), signal([toCustomer(2)])]);
  });

  it('signals a mutation whose outcome is unknown, and a creation of which no ID is known', async () => {
    const subscription = await watch(OWNER, ['CUSTOMER']);
    onTestFinished(() => testGraph.sandbox.faults.clear());
    for (const operation of ['Customer/PatchCustomer', 'Customer/CreateCustomer']) testGraph.sandbox.faults.add({ operation, status: 502 });
    expect(await change(3)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await subscription.next()).toEqual(signal([toCustomer(3)]));
    await testGraph.execute('mutation { customerCreate(input: { title: "Lost" }) { __typename } }');
    expect(await subscription.next()).toEqual(signal([], true));
  });

  it('returns LIVE_UPDATES_DISABLED unless LIVE is on', async () => {
    const subscription = await watchRecords(disabled.url, OWNER, ['CUSTOMER']);
    expect(await getError(subscription)).toMatchObject({
      path: ['recordsChanged'],
      extensions: { code: 'LIVE_UPDATES_DISABLED', retry: 'NEVER' },
    });
    expect(await subscription.next()).toBe(null);
  });

  it.each([
    'application/json',
    'application/graphql-response+json',
    'multipart/mixed',
    'multipart/mixed;subscriptionSpec=1.0, application/json',
    '*/*',
  ])('returns 406 if the client accepts %s', async (accept) => {
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${OWNER}`, accept },
      body: JSON.stringify({ query: 'subscription { recordsChanged(types: [ORDER]) { ids } }' }),
    });
    expect([response.status, await response.json()]).toEqual([
      406,
      {
        errors: [
          {
            message: 'Subscriptions are sent as server-sent events. Send `Accept: text/event-stream`.',
            extensions: { code: 'BAD_REQUEST' },
          },
        ],
      },
    ]);
  });

  it.each([
    ['on the field', 'subscription { recordsChanged(types: [ORDER]) @skip(if: true) { ids } }'],
    ['on the field, but false', 'subscription { recordsChanged(types: [ORDER]) @skip(if: false) { ids } }'],
    ['on an inline fragment', 'subscription { ... @include(if: false) { recordsChanged(types: [ORDER]) { ids } } }'],
    ['on a nested fragment', 'subscription { ... { ... @skip(if: true) { recordsChanged(types: [ORDER]) { ids } } } }'],
    ['on a spread', 'subscription { ...F @skip(if: true) } fragment F on Subscription { recordsChanged(types: [ORDER]) { ids } }'],
    [
      'in a fragment',
      'subscription { ...F } fragment F on Subscription { ...G } fragment G on Subscription { recordsChanged(types: [ORDER]) @include(if: false) { ids } }',
    ],
    [
      'with a variable',
      'subscription ($skip: Boolean! = true) { recordsChanged(types: [ORDER]) @skip(if: $skip) { ids } }',
      { skip: true },
    ],
    ['with a variable that is false', 'subscription ($skip: Boolean!) { ... @skip(if: $skip) { recordsChanged(types: [ORDER]) { ids } } }'],
  ])('rejects a condition %s', async (_name, query, variables = { skip: false }) => {
    const subscription = await openSubscription(testGraph.url, OWNER, query, variables);
    expect(await subscription.next()).toEqual({
      errors: [
        {
          message: 'The root field of a subscription can’t have @skip or @include. Remove the directive, and subscribe only when needed.',
          locations: [{ line: 1, column: query.search(/@(skip|include)/) + 1 }],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        },
      ],
    });
    expect(await subscription.next()).toBe(null);
  });

  it('accepts conditions below the root field', async () => {
    const query = 'subscription ($no: Boolean!) { recordsChanged(types: [ORDER]) { ids @skip(if: $no) source @include(if: $no) } }';
    const subscription = await openSubscription(testGraph.url, OWNER, query, { no: false });
    onTestFinished(() => subscription.close());
    expect(await subscription.next()).toEqual({ data: { recordsChanged: { ids: [] } } });
  });

  it('accepts clients that prefer JSON for errors', async () => {
    const accept = 'application/graphql-response+json, text/event-stream';
    const subscription = await watch(OWNER, ['CUSTOMER'], undefined, accept);
    await change(4);
    expect(await subscription.next()).toEqual(signal([toCustomer(4)]));
  });

  it.each([
    [{ types: [] }, ['types'], 'REQUIRED'],
    [{ types: ['CUSTOMER'], ids: [] }, ['ids'], 'REQUIRED'],
    [{ types: ['CUSTOMER'], ids: Array.from({ length: 501 }, String) }, ['ids'], 'TOO_LONG'],
    [{ types: ['CUSTOMER'], ids: ['a', toGlobalId('Order', 'b')] }, ['ids', '1'], 'NOT_ALLOWED'],
    [{ types: ['CUSTOMER'], ids: [' '] }, ['ids', '0'], 'BLANK'],
  ])('rejects %j', async (variables, path, code) => {
    const query = 'subscription ($types: [LiveType!]!, $ids: [ID!]) { recordsChanged(types: $types, ids: $ids) { ids } }';
    const subscription = await openSubscription(testGraph.url, OWNER, query, variables);
    expect(await getError(subscription)).toMatchObject({ extensions: { code: 'BAD_USER_INPUT', issues: [{ path, code }] } });
  });
});

describe('access to Subscription.recordsChanged', () => {
  const withoutScopes = (...missing: readonly string[]) =>
    makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => !missing.includes(scope)) });

  it('requires the read scopes of all types', async () => {
    const key = withoutScopes('order:read');
    const subscription = await watchRecords(testGraph.url, key, ['CUSTOMER', 'ORDER'], [toCustomer(0)]);
    expect(await getError(subscription)).toMatchObject({ extensions: { code: 'FORBIDDEN', missingScopes: ['order:read'] } });
    await watch(key, ['CUSTOMER'], [toCustomer(0)]);
  });

  it('requires a credential', async () => {
    const subscription = await openSubscription(testGraph.url, '', 'subscription { recordsChanged(types: [ORDER]) { ids } }');
    expect(await getError(subscription)).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
  });

  it.each([
    ['a key without analytics:read', () => withoutScopes('analytics:read')],
    ['a member without full access', () => 'demo-regional'],
  ])('requires IDs of %s', async (_name, createKey) => {
    const key = createKey();
    const rejected = await watchRecords(testGraph.url, key, ['CUSTOMER']);
    expect(await getError(rejected)).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['ids'], code: 'REQUIRED' }] },
    });
    const [visible] = (await testGraph.executeAs(key, '{ customers(first: 1) { nodes { id rawId } } }')).data.customers.nodes;
    const subscription = await watch(key, ['CUSTOMER'], [visible.id]);
    await change(customerId(4) === visible.rawId ? 5 : 4);
    await change(0, { customerId: visible.rawId });
    expect(await subscription.next()).toEqual(signal([visible.id]));
  });

  it('costs one analytics query per type, which isn’t repeated', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const record = (types: readonly string[]) => testGraph.recordCalls(() => watch(key, types));
    const query = 'AnalyticsService/ExecuteQuery';
    expect((await record(['CUSTOMER', 'ORDER']))[1]).toEqual([query, query]);
    expect((await record(['CUSTOMER', 'ORDER', 'QUOTE']))[1]).toEqual([query]);
  });
});
