import { describe, expect, it } from 'vitest';
import { NotSentError } from '../../../src/failures/failures.ts';
import { GetContact, GetCustomer, GetQuote } from '../../../src/upstream/contract/generated/operations.ts';
import { getTrafficService, type PermitHolder, Permits } from '../../../src/upstream/traffic/permits.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { WatchedQuota } from './watchedQuota.ts';

const CONTACT = 'Contact/GetContact';
const CUSTOMER = 'Customer/GetCustomer';
const SMALL = `{ customer(id: "${demoId('customer 0')}") { title } }`;
const BIG = `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: contact(id: "nobody ${index}") { lastName }`).join(' ')} }`;

describe('calls that find no free connection', () => {
  const quota = new WatchedQuota();
  // Two for each key, three for each service.
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '4', LIST_BATCHING: 'off' }, upstream: { quota } });

  it('go in turns: a small document overtakes a big one of the same key', async () => {
    // So that the key's scopes are known.
    await testGraph.execute(SMALL);
    const held = testGraph.gate.hold(CONTACT);
    const [answers, calls] = await testGraph.recordCalls(async () => {
      const bigWaits = quota.asked(50);
      const big = testGraph.execute(BIG);
      await bigWaits;
      const smallWaits = quota.asked(1);
      const small = testGraph.execute(SMALL);
      await smallWaits;
      expect(testGraph.gate.sent(CONTACT)).toBe(2);
      held.release();
      return Promise.all([big, small]);
    });
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined]);
    expect(calls).toHaveLength(51);
    expect(calls.indexOf(CUSTOMER)).toBeLessThanOrEqual(3);
  });

  it('of a big document overtake its others when a small one asks the same', async () => {
    const before = testGraph.sandbox.received.length;
    const held = testGraph.gate.hold(CONTACT);
    const bigWaits = quota.asked(50);
    const big = testGraph.execute(BIG);
    await bigWaits;
    const started = quota.started();
    const small = testGraph.execute('{ contact(id: "nobody 49") { lastName } }');
    await started;
    held.release();
    const answers = await Promise.all([big, small]);
    const asked = testGraph.sandbox.received.slice(before).map(({ request }) => request.id);
    expect(asked).toHaveLength(50);
    expect(asked.indexOf('nobody 49')).toBeLessThanOrEqual(3);
    expect(answers.map(({ cost }) => cost?.actualCalls)).toEqual([50, 0]);
  });

  it('leave room for other keys, which are answered meanwhile', async () => {
    const held = testGraph.gate.hold(CONTACT);
    const big = testGraph.execute(BIG);
    await held.arrived;
    const [other, calls] = await testGraph.recordCalls(() => testGraph.executeAs(makeKey(testGraph.sandbox.world), SMALL));
    expect([other.data.customer.title, calls]).toEqual([expect.any(String), [CUSTOMER]]);
    held.release();
    expect((await big).errors).toBeUndefined();
  });
});

describe('a slow service', () => {
  const testGraph = useTestGraph({}, undefined, {
    env: { UPSTREAM_MAX_CONCURRENT_CALLS_PER_KEY: '32', UPSTREAM_MAX_CONCURRENT_CALLS_PER_SERVICE: '2', LIST_BATCHING: 'off' },
  });

  it('holds no more connections than it may, and the others are free', async () => {
    const held = testGraph.gate.hold(CONTACT);
    const big = testGraph.execute(BIG);
    await held.arrived;
    expect((await testGraph.recordCalls(() => testGraph.execute(SMALL)))[1]).toEqual([CUSTOMER]);
    expect(testGraph.gate.sent(CONTACT)).toBe(2);
    held.release();
    expect((await big).errors).toBeUndefined();
  });
});

describe('a turn that does not come in time', () => {
  const testGraph = useTestGraph({}, 2_000, { env: { UPSTREAM_CONNECTIONS: '1' } });

  it('is told as such: nothing was sent, not even for a change', async () => {
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

describe('the turns', () => {
  const OPERATIONS = [GetContact, GetCustomer, GetQuote];
  const limits = { all: 6, perKey: 3, perService: 4 };

  it('never let more run than the limits say, nor less than they could, and come for everybody', () => {
    const calls = fc.array(fc.record({ key: fc.nat(3), operation: fc.constantFrom(...OPERATIONS), requester: fc.nat(5) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.asyncProperty(calls, fc.infiniteStream(fc.nat()), async (asked, choices) => {
        const permits = new Permits(limits);
        const requesters = Array.from({ length: 24 }, () => ({ sent: 0 }));
        const running = new Set<PermitHolder>();
        const waiting = new Set<PermitHolder>();
        const count = (members: Iterable<PermitHolder>, isIt: (holder: PermitHolder) => boolean) => [...members].filter(isIt).length;
        const fits = ({ keyHash, operation }: PermitHolder) =>
          running.size < limits.all &&
          count(running, (other) => other.keyHash === keyHash) < limits.perKey &&
          count(running, (other) => getTrafficService(other.operation) === getTrafficService(operation)) < limits.perService;
        const run = (holder: PermitHolder) => {
          waiting.delete(holder);
          expect(fits(holder)).toBe(true);
          running.add(holder);
          (holder.queuedFor as { sent: number }).sent += 1;
        };
        for (const { key, operation, requester } of asked) {
          const holder: PermitHolder = { keyHash: `key ${key}`, operation, queuedFor: requesters[key * 6 + requester] ?? { sent: 0 } };
          const turn = permits.acquire(holder, 60_000);
          waiting.add(holder);
          if (turn) void turn.then(() => run(holder));
          else run(holder);
        }
        while (running.size > 0) {
          expect([...waiting].filter(fits)).toEqual([]);
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

  it('are refused at once when five thousand calls of the key, or ten thousand of all keys, are waiting', async () => {
    const permits = new Permits({ all: 1, perKey: 1, perService: 1 });
    // Of a hundred requests: each release looks at every request of the key.
    const requests = Array.from({ length: 100 }, () => ({ sent: 0 }));
    const holder = (keyHash: string, index = 0): PermitHolder => ({
      keyHash,
      operation: GetContact,
      queuedFor: requests[index % 100] ?? { sent: 0 },
    });
    const first = holder('first');
    expect(permits.acquire(first, 60_000)).toBeUndefined();
    const wait = (keyHash: string) =>
      Array.from({ length: 5_000 }, (_, index) => {
        const waiter = holder(keyHash, index);
        return permits.acquire(waiter, 60_000)?.then(() => permits.release(waiter));
      });
    const waiting = wait('first');
    expect(() => permits.acquire(holder('first'), 60_000)).toThrow('5000 calls of this API key');
    waiting.push(...wait('second'));
    expect(() => permits.acquire(holder('third'), 60_000)).toThrow(NotSentError);
    permits.release(first);
    await Promise.all(waiting);
  });
});
