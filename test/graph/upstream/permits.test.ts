import { describe, expect, it } from 'vitest';
import { NotSentError } from '../../../src/failures/failures.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { GetContact, GetCustomer, GetQuote } from '../../../src/upstream/contract/generated/operations.ts';
import { derivePermitLimits, getTrafficService, type PermitHolder, Permits } from '../../../src/upstream/traffic/permits.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { WatchedQuota } from './watchedQuota.ts';

const CONTACT = 'Contact/GetContact';
const CUSTOMER = 'Customer/GetCustomer';
const SMALL = `{ customer(id: "${demoId('customer 0')}") { title } }`;
const BIG = `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: contact(id: "absent ${index}") { lastName }`).join(' ')} }`;

describe('queued calls', () => {
  const quota = new WatchedQuota();
  // Two connections per key, three per service.
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '4', LIST_BATCHING: 'off' }, upstream: { quota } });

  it('take turns, so a small document overtakes a big one of the same key', async () => {
    // Caches the key's scopes.
    await testGraph.execute(SMALL);
    const held = testGraph.gate.hold(CONTACT);
    const [results, calls] = await testGraph.recordCalls(async () => {
      const bigWaits = quota.waitForChecked(50);
      const big = testGraph.execute(BIG);
      await bigWaits;
      const smallWaits = quota.waitForChecked(1);
      const small = testGraph.execute(SMALL);
      await smallWaits;
      expect(testGraph.gate.sent(CONTACT)).toBe(2);
      held.release();
      return Promise.all([big, small]);
    });
    expect(results.map(({ errors }) => errors)).toEqual([undefined, undefined]);
    expect(calls).toHaveLength(51);
    expect(calls.indexOf(CUSTOMER)).toBeLessThanOrEqual(3);
  });

  it('overtake the others of a big document if a small one shares them', async () => {
    const before = testGraph.sandbox.received.length;
    const held = testGraph.gate.hold(CONTACT);
    const bigWaits = quota.waitForChecked(50);
    const big = testGraph.execute(BIG);
    await bigWaits;
    const started = quota.waitForStarted();
    const small = testGraph.execute('{ contact(id: "absent 49") { lastName } }');
    await started;
    held.release();
    const results = await Promise.all([big, small]);
    const performed = testGraph.sandbox.received.slice(before).map(({ request }) => request.id);
    expect(performed).toHaveLength(50);
    expect(performed.indexOf('absent 49')).toBeLessThanOrEqual(3);
    expect(results.map(({ cost }) => cost?.actualCalls)).toEqual([50, 0]);
  });

  it('don’t block other keys', async () => {
    const held = testGraph.gate.hold(CONTACT);
    const big = testGraph.execute(BIG);
    await held.arrived;
    const [other, calls] = await testGraph.recordCalls(() => testGraph.executeAs(makeKey(testGraph.sandbox.world), SMALL));
    expect([other.data.customer.title, calls]).toEqual([expect.any(String), [CUSTOMER]]);
    held.release();
    expect((await big).errors).toBeUndefined();
  });
});

describe('slow service', () => {
  const testGraph = useTestGraph({}, undefined, {
    env: { LIST_BATCHING: 'off' },
    upstream: { permits: { ...derivePermitLimits(128), perService: 2 } },
  });

  it('uses no more than its connections, and the others remain free', async () => {
    const held = testGraph.gate.hold(CONTACT);
    const big = testGraph.execute(BIG);
    await held.arrived;
    expect((await testGraph.recordCalls(() => testGraph.execute(SMALL)))[1]).toEqual([CUSTOMER]);
    expect(testGraph.gate.sent(CONTACT)).toBe(2);
    held.release();
    expect((await big).errors).toBeUndefined();
  });
});

describe('call that times out in the queue', () => {
  const testGraph = useTestGraph({}, 2_000, { env: { UPSTREAM_CONNECTIONS: '1' } });

  it('fails as unsent, even for a mutation', async () => {
    await testGraph.execute(SMALL);
    const held = testGraph.gate.hold(CUSTOMER);
    const holding = testGraph.execute(SMALL);
    await held.arrived;
    const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('mutation { contactCreate(input: { lastName: "Late" }) { __typename } }'),
    );
    expect([data, errors, cost?.actualCalls, calls]).toMatchObject([
      { contactCreate: null },
      [
        {
          message: expect.stringContaining('wasn’t sent: it timed out in the queue'),
          extensions: { code: 'UPSTREAM_UNAVAILABLE', retry: 'SAFE' },
        },
      ],
      0,
      [],
    ]);
    held.release();
    await holding;
  });
});

describe('Permits', () => {
  const OPERATIONS = [GetContact, GetCustomer, GetQuote];
  const limits = { all: 6, perKey: 3, perService: 4 };

  it('respect the limits, use the capacity, and are eventually granted to every call', () => {
    const calls = fc.array(fc.record({ key: fc.nat(3), operation: fc.constantFrom(...OPERATIONS), requester: fc.nat(5) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.asyncProperty(calls, fc.infiniteStream(fc.nat()), async (performed, choices) => {
        const permits = new Permits(limits);
        const keys = Array.from({ length: 4 }, (_, index) => new Key(`key ${index}`));
        const requesters = Array.from({ length: 24 }, () => ({ sent: 0 }));
        const running = new Set<PermitHolder>();
        const waiting = new Set<PermitHolder>();
        const count = (members: Iterable<PermitHolder>, matches: (createHolder: PermitHolder) => boolean) =>
          [...members].filter(matches).length;
        const canRun = ({ key, operation }: PermitHolder) =>
          running.size < limits.all &&
          count(running, (other) => other.key === key) < limits.perKey &&
          count(running, (other) => getTrafficService(other.operation) === getTrafficService(operation)) < limits.perService;
        const run = (createHolder: PermitHolder) => {
          waiting.delete(createHolder);
          expect(canRun(createHolder)).toBe(true);
          running.add(createHolder);
          (createHolder.queuedFor as { sent: number }).sent += 1;
        };
        for (const { key: index, operation, requester } of performed) {
          const createHolder: PermitHolder = {
            key: keys[index] ?? new Key('unknown'),
            operation,
            service: null,
            queuedFor: requesters[index * 6 + requester] ?? { sent: 0 },
          };
          const turn = permits.acquire(createHolder, 60_000);
          waiting.add(createHolder);
          if (turn) void turn.then(() => run(createHolder));
          else run(createHolder);
        }
        while (running.size > 0) {
          expect([...waiting].filter(canRun)).toEqual([]);
          const ended = [...running][(choices.next().value ?? 0) % running.size];
          if (!ended) break;
          running.delete(ended);
          permits.release(ended);
          await Promise.resolve();
        }
        expect(waiting.size).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reject calls if five thousand of the key or ten thousand in total are waiting', async () => {
    const permits = new Permits({ all: 1, perKey: 1, perService: 1 });
    // Split over a hundred requests, because each release visits every request of the key.
    const requests = Array.from({ length: 100 }, () => ({ sent: 0 }));
    const [one, another, third] = ['first', 'second', 'third'].map((name) => new Key(name)) as [Key, Key, Key];
    const createHolder = (key: Key, index = 0): PermitHolder => ({
      key,
      operation: GetContact,
      service: null,
      queuedFor: requests[index % 100] ?? { sent: 0 },
    });
    const first = createHolder(one);
    expect(permits.acquire(first, 60_000)).toBeUndefined();
    const enqueue = (key: Key) =>
      Array.from({ length: 5_000 }, (_, index) => {
        const waiter = createHolder(key, index);
        return permits.acquire(waiter, 60_000)?.then(() => permits.release(waiter));
      });
    const waiting = enqueue(one);
    expect(() => permits.acquire(createHolder(one), 60_000)).toThrow('5000 calls of this API key');
    waiting.push(...enqueue(another));
    expect(() => permits.acquire(createHolder(third), 60_000)).toThrow(NotSentError);
    permits.release(first);
    await Promise.all(waiting);
  });
});
