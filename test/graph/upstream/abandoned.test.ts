import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbandonedError } from '../../../src/failures/failures.ts';
import { ReadCoalescer } from '../../../src/upstream/calls/deduplicate.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact } from '../../../src/upstream/contract/generated/operations.ts';
import { type PermitHolder, Permits } from '../../../src/upstream/traffic/permits.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { asking } from './asking.ts';
import { openSilentUpstream, type SilentUpstream } from './silentUpstream.ts';
import { WatchedQuota } from './watchedQuota.ts';

const CONTACT = 'Contact/GetContact';
const CUSTOMER = 'Customer/GetCustomer';
const contactOf = (name: string) => `{ contact(id: "${demoId(name)}") { rawId lastName } }`;
const ASK_CONTACT = contactOf('contact 0');
const ASK_CUSTOMER = `{ customer(id: "${demoId('customer 0')}") { title } }`;
const contactsBy = (count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "nobody ${index}") { lastName }`).join(' ')} }`;

describe('a call that was sent, and whose caller leaves', () => {
  let silent: SilentUpstream | undefined;
  const quota = new WatchedQuota();
  const logged: string[] = [];
  const transport = () => httpTransport({ url: silent?.url ?? '', connections: 1 });
  let upstream: ReturnType<typeof transport> | undefined;
  const testGraph = useTestGraph({}, undefined, {
    env: { UPSTREAM_CONNECTIONS: '1' },
    logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    upstream: {
      quota,
      transport: {
        send: (request) => {
          upstream ??= transport();
          return upstream.send(request);
        },
        close: async () => upstream?.close(),
      },
    },
  });
  beforeAll(async () => {
    silent = await openSilentUpstream();
  });
  afterAll(() => silent?.close());

  it('is cut off, and its permit and connection serve the next; nothing of it is logged as a failure', async () => {
    for (let times = 0; times < 3; times += 1) {
      const first = asking(testGraph.url, ASK_CONTACT);
      const call = await silent?.next();
      const second = asking(testGraph.url, ASK_CUSTOMER);
      await first.leave();
      await call?.closed;
      const next = await silent?.next();
      await second.leave();
      await next?.closed;
    }
    await expect.poll(() => logged.filter((line) => line.includes('"request"')).length).toBe(6);
    expect(logged.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });

  it('may be answered within a moment: its connection then serves the next', async () => {
    const first = asking(testGraph.url, ASK_CONTACT);
    const call = await silent?.next();
    const opened = silent?.opened();
    const second = asking(testGraph.url, ASK_CUSTOMER);
    const left = quota.ended();
    await first.leave();
    await left;
    call?.answer();
    const next = await silent?.next();
    expect(silent?.opened()).toBe(opened);
    next?.answer();
    await second.leave();
  });
});

describe('reads of a query whose caller leaves', () => {
  const quota = new WatchedQuota();
  // Two for each key.
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '4', LIST_BATCHING: 'off' }, upstream: { quota } });

  it('are not sent any more when they wait for their turn, and let others go', async () => {
    await testGraph.execute(ASK_CUSTOMER);
    const held = testGraph.gate.hold(CONTACT);
    const before = testGraph.gate.sent(CONTACT);
    const [, calls] = await testGraph.recordCalls(async () => {
      const waiting = quota.asked(50);
      const big = asking(testGraph.url, contactsBy(50));
      await waiting;
      await big.leave();
      await held.abandoned;
      expect((await testGraph.execute(ASK_CUSTOMER)).errors).toBeUndefined();
      held.release();
    });
    expect([testGraph.gate.sent(CONTACT) - before, calls]).toEqual([2, [CUSTOMER]]);
  });

  it('are not asked for any more, once an answer that others wait for has come', async () => {
    const held = testGraph.gate.hold('Quote/ListQuotes');
    const quotesWith = (fields: string) => `{ customer(id: "${demoId('customer 0')}") { quotes(first: 1) { nodes { ${fields} } } } }`;
    const [answer, calls] = await testGraph.recordCalls(async () => {
      const first = asking(testGraph.url, quotesWith('lines { product { name } }'));
      await held.arrived;
      const started = quota.started();
      const other = testGraph.execute(quotesWith('referenceNumber'));
      await started;
      const left = quota.ended();
      await first.leave();
      await left;
      held.release();
      return other;
    });
    expect([answer.errors, answer.data.customer.quotes.nodes.length, calls]).toEqual([undefined, 1, ['Quote/ListQuotes']]);
  });

  it('are given up whether it was known what it asks when its caller left, or not', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const left = upstream.openSession('demo-owner', 'a request');
    left.abandon();
    expect(await left.call(GetContact, { id: demoId('contact 0') })).toMatchObject({ contact: { id: demoId('contact 0') } });
    left.permitAbandonment();
    const sent = () => testGraph.gate.sent(CONTACT) + testGraph.gate.sent('Workspace/Me');
    const before = sent();
    await expect(left.call(GetContact, { id: demoId('contact 1') })).rejects.toThrow(AbandonedError);
    // Nor does it ask what a key may do.
    const other = upstream.openSession('another key', 'a request');
    other.permitAbandonment();
    other.abandon();
    await expect(other.call(GetContact, { id: demoId('contact 1') })).rejects.toThrow(AbandonedError);
    expect(sent()).toBe(before);
  });

  it('are not sent when it leaves before it is known what its key may do', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const held = testGraph.gate.hold('Workspace/Me');
    const session = upstream.openSession('demo-owner', 'a request');
    session.permitAbandonment();
    const before = testGraph.gate.sent(CONTACT);
    const read = session.call(GetContact, { id: demoId('contact 1') });
    await held.arrived;
    session.abandon();
    held.release();
    await expect(read).rejects.toThrow(AbandonedError);
    expect(testGraph.gate.sent(CONTACT)).toBe(before);
  });
});

describe.each([0, 60_000])('a read that is shared, with answers kept for %i ms', (cacheMs) => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: { READ_CACHE_MS: String(cacheMs) }, upstream: { quota } });
  const sentOf = (calls: readonly string[]) => calls.filter((name) => name === CONTACT).length;

  /** Two that ask for the same contact, which is held back. */
  async function two(query: string) {
    const held = testGraph.gate.hold(CONTACT);
    const first = asking(testGraph.url, query);
    await held.arrived;
    const started = quota.started();
    const second = asking(testGraph.url, query);
    await started;
    const leave = async ({ leave: go }: ReturnType<typeof asking>) => {
      const left = quota.ended();
      await go();
      await left;
    };
    return { held, first, second, leave };
  }

  it.each(['first', 'second'] as const)('goes on when the %s of them leaves, for those who stay', async (who) => {
    const query = contactOf(who === 'first' ? 'contact 0' : 'contact 1');
    const [answer, calls] = await testGraph.recordCalls(async () => {
      const both = await two(query);
      const started = quota.started();
      const third = testGraph.execute(query);
      await started;
      await both.leave(both[who]);
      both.held.release();
      return third;
    });
    expect([answer.errors, answer.data.contact.rawId, answer.cost?.actualCalls, sentOf(calls)]).toEqual([
      undefined,
      expect.any(String),
      0,
      1,
    ]);
  });

  it('is given up when all of them have left; who asks then gets an answer of its own', async () => {
    const query = contactOf('contact 2');
    const before = testGraph.gate.sent(CONTACT);
    const [answer, calls] = await testGraph.recordCalls(async () => {
      const { held, first, second, leave } = await two(query);
      await leave(first);
      await leave(second);
      const third = testGraph.execute(query);
      await held.abandoned;
      held.release();
      return third;
    });
    // Of the two calls, the gate gave one up before the sandbox received it.
    expect([testGraph.gate.sent(CONTACT) - before, sentOf(calls)]).toEqual([2, 1]);
    expect([answer.errors, answer.data.contact.rawId, answer.cost?.actualCalls]).toEqual([undefined, demoId('contact 2'), 1]);
    const [again, more] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([again.data, sentOf(more)]).toEqual([answer.data, cacheMs === 0 ? 1 : 0]);
  });

  it('is given up also when something was changed since it was asked', async () => {
    const { held, first, second, leave } = await two(contactOf('contact 3'));
    await testGraph.execute('mutation { contactCreate(input: { lastName: "Meanwhile" }) { __typename } }');
    await leave(first);
    await leave(second);
    await held.abandoned;
    held.release();
  });
});

describe('a read that waits for its turn, and whose first requester leaves', () => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '1' }, upstream: { quota } });

  it('is sent for, and paid for by, who waits still', async () => {
    await testGraph.execute(ASK_CUSTOMER);
    const held = testGraph.gate.hold(CUSTOMER);
    const [answer, calls] = await testGraph.recordCalls(async () => {
      const holding = testGraph.execute(ASK_CUSTOMER);
      await held.arrived;
      const firstWaits = quota.started();
      const first = asking(testGraph.url, ASK_CONTACT);
      await firstWaits;
      const secondWaits = quota.started();
      const second = testGraph.execute(ASK_CONTACT);
      await secondWaits;
      const left = quota.ended();
      await first.leave();
      await left;
      held.release();
      await holding;
      return second;
    });
    expect([answer.errors, answer.cost?.actualCalls, calls]).toEqual([undefined, 1, [CUSTOMER, CONTACT]]);
  });

  it('leaves the queue at once when nobody waits still', async () => {
    const permits = new Permits({ all: 1, perKey: 1, perService: 1 });
    const holder = (): PermitHolder => ({ keyHash: 'key', operation: GetContact, queuedFor: { sent: 0 } });
    const [holding, waiting, other] = [holder(), holder(), holder()];
    permits.acquire(holding, 60_000);
    const turn = permits.acquire(waiting, 60_000);
    waiting.wait?.abandon();
    await expect(turn).rejects.toThrow(AbandonedError);
    permits.release(holding);
    expect(permits.acquire(other, 60_000)).toBeUndefined();
  });

  it('takes the turn of who waits still', async () => {
    const permits = new Permits({ all: 1, perKey: 1, perService: 1 });
    const holder = (sent: number) => ({ keyHash: 'key', operation: GetContact, queuedFor: { sent } });
    const [holding, handedOn, other] = [holder(0), holder(0), holder(1)];
    permits.acquire(holding, 60_000);
    const went: string[] = [];
    const turns = [
      permits.acquire(handedOn, 60_000)?.then(() => went.push('handed on')),
      permits.acquire(other, 60_000)?.then(() => went.push('other')),
    ];
    permits.requeueFor(handedOn, { sent: 2 });
    permits.release(holding);
    permits.release(other);
    await Promise.all(turns);
    expect(went).toEqual(['other', 'handed on']);
  });
});

interface TestRead {
  readonly keyHash: string;
  readonly operation: typeof GetContact;
  readonly requestKey: string;
  readonly maxAgeMs: number;
  readonly requester: { readonly isDisconnected: boolean };
  readonly responseLength: number;
}

describe('no interleaving of those who ask, leave and ask again', () => {
  const acts = fc.array(fc.record({ requester: fc.nat(4), requestKey: fc.constantFrom('x', 'y'), leaves: fc.boolean() }), {
    minLength: 2,
    maxLength: 12,
  });

  it('gives up a read that somebody waits for, keeps one that nobody waits for, or fails who stays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), acts, async (scheduler, asked) => {
        const requesters = Array.from({ length: 5 }, () => ({ isDisconnected: false }));
        const sent = new Map<object, PromiseWithResolvers<never>>();
        const reads = new ReadCoalescer<TestRead>({
          cacheMs: 0,
          clock: createClock(() => 0),
          onJoin: () => {},
          onDisconnect: (call, waiting) => {
            if (waiting.length > 0) return;
            void scheduler.schedule(Promise.resolve(), 'end').then(() => sent.get(call)?.reject(new AbandonedError()));
          },
        });
        const send = async (call: TestRead) => {
          const end = Promise.withResolvers<never>();
          sent.set(call, end);
          try {
            await Promise.race([scheduler.schedule(Promise.resolve(), 'answer'), end.promise]);
            return {};
          } finally {
            sent.delete(call);
          }
        };
        const act = async ({ requester: index, requestKey, leaves }: { requester: number; requestKey: string; leaves: boolean }) => {
          await scheduler.schedule(Promise.resolve(), 'begin');
          const requester = requesters[index] ?? { isDisconnected: false };
          if (leaves) {
            requester.isDisconnected = true;
            reads.disconnect(requester);
            return;
          }
          try {
            await reads.read(
              { keyHash: 'key', requestKey, requester, responseLength: 2, operation: GetContact, maxAgeMs: Number.POSITIVE_INFINITY },
              send,
            );
          } catch (error) {
            if (!(error instanceof AbandonedError) || !requester.isDisconnected) throw error;
          }
        };
        await scheduler.waitFor(Promise.all(asked.map(act)));
        expect(sent.size).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
