import { afterEach, describe, expect, it } from 'vitest';
import { Key } from '../../../src/upstream/calls/key.ts';
import { Pauses, RETRY_BUDGET } from '../../../src/upstream/calls/retry.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { DEPOT, VAN } from '../../sandbox/stock.ts';
import { spec } from '../../support/spec.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const GET = 'Contact/GetContact';
const CONTACT = 'query ($id: ID!) { contact(id: $id) { rawId } }';
const contact = { id: demoId('contact 0') };
const CREATE = 'mutation ($input: ContactCreateInput!) { contactCreate(input: $input) { __typename ... on MutationError { message } } }';

describe('retry', () => {
  /** With 1 as the random number, waits have their maximum length. */
  const testGraph = useTestGraph({}, undefined, { upstream: { random: () => 1 } });
  afterEach(() => {
    testGraph.sandbox.faults.clear();
    testGraph.waits.length = 0;
  });
  const addFault = (traits: object) => testGraph.sandbox.faults.add({ operation: GET, ...traits });

  it('waits longer each time', async () => {
    addFault({ status: 503 });
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACT, contact));
    expect([errors?.[0]?.extensions.code, calls, testGraph.waits]).toEqual(['UPSTREAM_UNAVAILABLE', [GET, GET, GET], [50, 100]]);
  });

  it('waits for Retry-After, in seconds or as a date', async () => {
    addFault({ status: 503, retryAfter: 2, times: 1 });
    addFault({ status: 429, retryAfter: 3, times: 1 });
    const key = makeKey(testGraph.sandbox.world);
    const [{ data, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, CONTACT, contact));
    expect([data.contact.rawId, calls]).toEqual([contact.id, [GET, GET, GET]]);
    expect(testGraph.waits[0]).toBe(2_000);
    expect(testGraph.waits[1]).toBeGreaterThan(2_900);
    expect(cost).toMatchObject({ predictedCalls: 1, actualCalls: 3 });
  });

  it('doesn’t occur if Retry-After is too long, which the error reports', async () => {
    addFault({ status: 503, retryAfter: 6 });
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACT, contact));
    expect([calls, testGraph.waits, errors?.[0]?.extensions.retryAfterSeconds]).toEqual([[GET], [], 6]);
  });

  it('doesn’t occur for a write without native idempotency', spec('7.12'), async () => {
    for (const status of [503, 429]) {
      testGraph.sandbox.faults.add({ operation: 'Contact/CreateContact', status, times: 1 });
      const key = makeKey(testGraph.sandbox.world);
      const [{ data }, calls] = await testGraph.recordCalls(() =>
        testGraph.executeAs(key, CREATE, { input: { lastName: `Once ${status}` } }),
      );
      expect(data.contactCreate.__typename).toBe(status === 429 ? 'RateLimitedError' : 'OutcomeUnknownError');
      expect(calls).toEqual(['Contact/CreateContact']);
    }
    expect(testGraph.waits).toEqual([]);
  });

  it('leaves the outcome unknown after an attempt that may have been applied, whatever follows', async () => {
    const operation = 'Inventory/CreateInventoryReceipt';
    testGraph.sandbox.faults.add({ operation, cut: 'after', times: 1 });
    testGraph.sandbox.faults.add({ operation, status: 429, retryAfter: 1, times: 1 });
    testGraph.sandbox.faults.add({ operation, status: 403, body: '{}', times: 1 });
    // Otherwise, a read would reconcile the outcome.
    testGraph.sandbox.faults.add({ operation: 'Inventory/GetInventoryReceipt', status: 403 });
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(
        makeKey(testGraph.sandbox.world),
        'mutation ($input: InventoryReceiptCreateInput!) { inventoryReceiptCreate(input: $input) { __typename } }',
        { input: { locationId: DEPOT, reference: 'thrice', idempotencyKey: 'thrice' } },
      ),
    );
    expect(data.inventoryReceiptCreate.__typename).toBe('OutcomeUnknownError');
    expect(calls.filter((name) => name === operation)).toHaveLength(3);
  });

  it.each(['', '{"code":"already_exists"}', '{"code":"aborted"}'])(
    'leaves the outcome unknown if it conflicts with the first attempt and is rejected with 409 %s',
    async (body) => {
      const operation = 'Inventory/MoveInventory';
      testGraph.sandbox.faults.add({ operation, cut: 'before', times: 1 });
      testGraph.sandbox.faults.add({ operation, status: 409, body, times: 1 });
      const lines = [{ productId: demoId('product 1'), sourceLocationId: DEPOT, quantity: 1 }];
      const [{ data }, calls] = await testGraph.recordCalls(() =>
        testGraph.executeAs(
          makeKey(testGraph.sandbox.world),
          'mutation ($input: InventoryMoveInput!) { inventoryMove(input: $input) { __typename ... on MutationError { retry } } }',
          { input: { destinationLocationId: VAN, lines, idempotencyKey: `met ${body}` } },
        ),
      );
      expect([data.inventoryMove, calls]).toEqual([{ __typename: 'OutcomeUnknownError', retry: 'SAME_KEY' }, [operation, operation]]);
    },
  );
});

describe('wait beyond the deadline', () => {
  const shortTimeout = useTestGraph({}, 5_000);
  afterEach(() => shortTimeout.sandbox.faults.clear());

  it('doesn’t start', async () => {
    shortTimeout.sandbox.faults.add({ operation: GET, status: 503, retryAfter: 5 });
    const [{ errors }, calls] = await shortTimeout.recordCalls(() => shortTimeout.execute(CONTACT, contact));
    expect([errors?.[0]?.extensions, calls, shortTimeout.waits]).toMatchObject([{ retryAfterSeconds: 5 }, [GET], []]);
  });
});

describe('retries in an outage', () => {
  const testGraph = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' }, upstream: { retryBudget: RETRY_BUDGET } });

  it('stay within a tenth of the calls plus the initial budget', async () => {
    testGraph.sandbox.faults.add({ operation: GET, status: 503 });
    const [, calls] = await testGraph.recordCalls(async () => {
      for (let request = 0; request < 10; request += 1) {
        const fields = Array.from({ length: 20 }, (_, index) => `a${index}: contact(id: "absent ${index}") { lastName }`);
        await testGraph.execute(`{ ${fields.join(' ')} }`);
      }
    });
    // 200 calls add 20 retries to the initial 10.
    expect(calls).toHaveLength(200 + 20 + 10);
  });

  it('remain available to other API keys', async () => {
    const key = makeKey(testGraph.sandbox.world);
    const [, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, CONTACT, contact));
    expect(calls).toEqual([GET, GET, GET]);
  });
});

describe('calls waiting for a retry', () => {
  it('stay within five thousand per API key and ten thousand in total', () => {
    const pauses = new Pauses({ wait: () => new Promise(() => {}) });
    const [one, another, third] = ['first', 'second', 'third'].map((name) => new Key(name)) as [Key, Key, Key];
    const pause = (key: Key) => {
      for (let call = 0; call < 5_000; call += 1) void pauses.pause(1, { key });
    };
    const canPause = (key: Key) => pauses.canPause(1, 1_000, { key });
    pause(one);
    expect([canPause(one), canPause(another)]).toEqual([false, true]);
    pause(another);
    expect(canPause(third)).toBe(false);
  });
});
