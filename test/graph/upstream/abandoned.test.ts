import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbandonedError } from '../../../src/failures/failures.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import type { Call } from '../../../src/upstream/calls/call.ts';
import { Key } from '../../../src/upstream/calls/key.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact } from '../../../src/upstream/contract/generated/operations.ts';
import { type PermitHolder, Permits } from '../../../src/upstream/traffic/permits.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { sendAbandonable } from './abandonableRequest.ts';
import { openSilentUpstream, type SilentUpstream } from './silentUpstream.ts';
import { createRead, createReads, createRequester } from './testReads.ts';
import { WatchedQuota } from './watchedQuota.ts';

const CONTACT = 'Contact/GetContact';
const CUSTOMER = 'Customer/GetCustomer';
const createContactQuery = (name: string) => `{ contact(id: "${demoId(name)}") { rawId lastName } }`;
const CONTACT_QUERY = createContactQuery('contact 0');
const CUSTOMER_QUERY = `{ customer(id: "${demoId('customer 0')}") { title } }`;
const createContactsQuery = (count: number) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: contact(id: "absent ${index}") { lastName }`).join(' ')} }`;

describe('call in progress whose requester disconnects', () => {
  let silent: SilentUpstream | undefined;
  const quota = new WatchedQuota();
  const logLines: string[] = [];
  const transport = () => httpTransport({ url: silent?.url ?? '', connections: 1 });
  let upstream: ReturnType<typeof transport> | undefined;
  const testGraph = useTestGraph({}, undefined, {
    env: { UPSTREAM_CONNECTIONS: '1' },
    logger: pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) }),
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

  it('aborts, frees its permit and connection, and logs no failure', async () => {
    for (let times = 0; times < 3; times += 1) {
      const first = sendAbandonable(testGraph.url, CONTACT_QUERY);
      const call = await silent?.next();
      const second = sendAbandonable(testGraph.url, CUSTOMER_QUERY);
      await first.disconnect();
      await call?.closed;
      const next = await silent?.next();
      await second.disconnect();
      await next?.closed;
    }
    await expect.poll(() => logLines.filter((line) => line.includes('"request"')).length).toBe(6);
    expect(logLines.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });

  it('frees its connection for the next call if the response arrives soon after', async () => {
    const first = sendAbandonable(testGraph.url, CONTACT_QUERY);
    const call = await silent?.next();
    const opened = silent?.countConnections();
    const second = sendAbandonable(testGraph.url, CUSTOMER_QUERY);
    const ended = quota.waitForEnded();
    await first.disconnect();
    await ended;
    call?.respond();
    const next = await silent?.next();
    expect(silent?.countConnections()).toBe(opened);
    next?.respond();
    await second.disconnect();
  });
});

describe('reads of a query whose client disconnects', () => {
  const quota = new WatchedQuota();
  // Two connections per key.
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '4', LIST_BATCHING: 'off' }, upstream: { quota } });

  it('leave the queue without blocking others', async () => {
    await testGraph.execute(CUSTOMER_QUERY);
    const held = testGraph.gate.hold(CONTACT);
    const before = testGraph.gate.sent(CONTACT);
    const [, calls] = await testGraph.recordCalls(async () => {
      const waiting = quota.waitForChecked(50);
      const big = sendAbandonable(testGraph.url, createContactsQuery(50));
      await waiting;
      await big.disconnect();
      await held.abandoned;
      expect((await testGraph.execute(CUSTOMER_QUERY)).errors).toBeUndefined();
      held.release();
    });
    expect([testGraph.gate.sent(CONTACT) - before, calls]).toEqual([2, [CUSTOMER]]);
  });

  it('remain unsent if they depend on a shared response that arrives later', async () => {
    const held = testGraph.gate.hold('Quote/ListQuotes');
    const createQuotesQuery = (fields: string) =>
      `{ customer(id: "${demoId('customer 0')}") { quotes(first: 1) { nodes { ${fields} } } } }`;
    const [result, calls] = await testGraph.recordCalls(async () => {
      const first = sendAbandonable(testGraph.url, createQuotesQuery('lines { product { name } }'));
      await held.arrived;
      const started = quota.waitForStarted();
      const other = testGraph.execute(createQuotesQuery('referenceNumber'));
      await started;
      const ended = quota.waitForEnded();
      await first.disconnect();
      await ended;
      held.release();
      return other;
    });
    expect([result.errors, result.data.customer.quotes.nodes.length, calls]).toEqual([undefined, 1, ['Quote/ListQuotes']]);
  });

  it('fail if abandonment is permitted before or after the disconnection', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const ended = upstream.openSession(createKeyCredential('demo-owner'), 'a request');
    ended.abandon();
    expect(await ended.call(GetContact, { id: demoId('contact 0') })).toMatchObject({ contact: { id: demoId('contact 0') } });
    ended.permitAbandonment();
    const countSent = () => testGraph.gate.sent(CONTACT) + testGraph.gate.sent('Workspace/Me');
    const before = countSent();
    await expect(ended.call(GetContact, { id: demoId('contact 1') })).rejects.toThrow(AbandonedError);
    // It doesn't look the key's scopes up, either.
    const other = upstream.openSession(createKeyCredential('another key'), 'a request');
    other.permitAbandonment();
    other.abandon();
    await expect(other.call(GetContact, { id: demoId('contact 1') })).rejects.toThrow(AbandonedError);
    expect(countSent()).toBe(before);
  });

  it('remain unsent if the client disconnects before the key’s scopes are known', async () => {
    const upstream = createUpstream({ transport: testGraph.gate, timeoutMs: 20_000, callsPerRequest: 10 });
    const held = testGraph.gate.hold('Workspace/Me');
    const session = upstream.openSession(createKeyCredential('demo-owner'), 'a request');
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

describe.each([0, 60_000])('shared read with READ_CACHE_MS=%i', (cacheMs) => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: { READ_CACHE_MS: String(cacheMs) }, upstream: { quota } });
  const countSent = (calls: readonly string[]) => calls.filter((name) => name === CONTACT).length;

  /** Starts two requests for the same contact, whose response is held back. */
  async function startTwo(query: string) {
    const held = testGraph.gate.hold(CONTACT);
    const first = sendAbandonable(testGraph.url, query);
    await held.arrived;
    const started = quota.waitForStarted();
    const second = sendAbandonable(testGraph.url, query);
    await started;
    const disconnectAndWait = async ({ disconnect }: ReturnType<typeof sendAbandonable>) => {
      const ended = quota.waitForEnded();
      await disconnect();
      await ended;
    };
    return { held, first, second, disconnectAndWait };
  }

  it.each(['first', 'second'] as const)('continues for the other requesters if the %s one disconnects', async (position) => {
    const query = createContactQuery(position === 'first' ? 'contact 0' : 'contact 1');
    const [result, calls] = await testGraph.recordCalls(async () => {
      const both = await startTwo(query);
      const started = quota.waitForStarted();
      const third = testGraph.execute(query);
      await started;
      await both.disconnectAndWait(both[position]);
      both.held.release();
      return third;
    });
    expect([result.errors, result.data.contact.rawId, result.cost?.actualCalls, countSent(calls)]).toEqual([
      undefined,
      expect.any(String),
      0,
      1,
    ]);
  });

  it('aborts if all requesters have disconnected, and a new requester sends its own call', async () => {
    const query = createContactQuery('contact 2');
    const before = testGraph.gate.sent(CONTACT);
    const [result, calls] = await testGraph.recordCalls(async () => {
      const { held, first, second, disconnectAndWait } = await startTwo(query);
      await disconnectAndWait(first);
      await disconnectAndWait(second);
      const third = testGraph.execute(query);
      await held.abandoned;
      held.release();
      return third;
    });
    // The gate aborted one of the two calls before the sandbox received it.
    expect([testGraph.gate.sent(CONTACT) - before, countSent(calls)]).toEqual([2, 1]);
    expect([result.errors, result.data.contact.rawId, result.cost?.actualCalls]).toEqual([undefined, demoId('contact 2'), 1]);
    const [again, more] = await testGraph.recordCalls(() => testGraph.execute(query));
    expect([again.data, countSent(more)]).toEqual([result.data, cacheMs === 0 ? 1 : 0]);
  });

  it('aborts even after a mutation in between', async () => {
    const { held, first, second, disconnectAndWait } = await startTwo(createContactQuery('contact 3'));
    await testGraph.execute('mutation { contactCreate(input: { lastName: "Meanwhile" }) { __typename } }');
    await disconnectAndWait(first);
    await disconnectAndWait(second);
    await held.abandoned;
    held.release();
  });
});

describe('queued read whose first requester disconnects', () => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '1' }, upstream: { quota } });

  it('uses the budget of the remaining requester', async () => {
    await testGraph.execute(CUSTOMER_QUERY);
    const held = testGraph.gate.hold(CUSTOMER);
    const [result, calls] = await testGraph.recordCalls(async () => {
      const holding = testGraph.execute(CUSTOMER_QUERY);
      await held.arrived;
      const firstWaits = quota.waitForStarted();
      const first = sendAbandonable(testGraph.url, CONTACT_QUERY);
      await firstWaits;
      const secondWaits = quota.waitForStarted();
      const second = testGraph.execute(CONTACT_QUERY);
      await secondWaits;
      const ended = quota.waitForEnded();
      await first.disconnect();
      await ended;
      held.release();
      await holding;
      return second;
    });
    expect([result.errors, result.cost?.actualCalls, calls]).toEqual([undefined, 1, [CUSTOMER, CONTACT]]);
  });

  it('leaves the queue at once without remaining requesters', async () => {
    const permits = new Permits({ all: 1, perKey: 1, perService: 1 });
    const key = new Key('key');
    const createHolder = (): PermitHolder => ({ key, operation: GetContact, service: null, queuedFor: { sent: 0 } });
    const [holding, waiting, other] = [createHolder(), createHolder(), createHolder()];
    permits.acquire(holding, 60_000);
    const turn = permits.acquire(waiting, 60_000);
    waiting.wait?.abandon();
    await expect(turn).rejects.toThrow(AbandonedError);
    permits.release(holding);
    expect(permits.acquire(other, 60_000)).toBeUndefined();
  });

  it('moves in the queue to the position of the remaining requester', async () => {
    const permits = new Permits({ all: 1, perKey: 1, perService: 1 });
    const key = new Key('key');
    const createHolder = (sent: number) => ({ key, operation: GetContact, service: null, queuedFor: { sent } });
    const [holding, requeued, other] = [createHolder(0), createHolder(0), createHolder(1)];
    permits.acquire(holding, 60_000);
    const granted: string[] = [];
    const turns = [
      permits.acquire(requeued, 60_000)?.then(() => granted.push('requeued')),
      permits.acquire(other, 60_000)?.then(() => granted.push('other')),
    ];
    permits.requeueFor(requeued, { sent: 2 });
    permits.release(holding);
    permits.release(other);
    await Promise.all(turns);
    expect(granted).toEqual(['other', 'requeued']);
  });
});

describe('interleaving of requests, disconnections, and new requests', () => {
  const steps = fc.array(fc.record({ requester: fc.nat(4), requestKey: fc.constantFrom('x', 'y'), disconnects: fc.boolean() }), {
    minLength: 2,
    maxLength: 12,
  });

  it('never aborts a read with requesters, retains one without, or fails a connected requester', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, async (scheduler, performed) => {
        const key = new Key('key');
        const requesters = Array.from({ length: 5 }, () => createRequester(key));
        const sent = new Set<Call>();
        const reads = createReads(createClock(() => 0));
        const send = async (call: Call) => {
          const end = Promise.withResolvers<never>();
          sent.add(call);
          call.wait = {
            abandon: () => void scheduler.schedule(Promise.resolve(), 'end').then(() => end.reject(new AbandonedError())),
          };
          try {
            await Promise.race([scheduler.schedule(Promise.resolve(), 'answer'), end.promise]);
            return {};
          } finally {
            sent.delete(call);
          }
        };
        const perform = async ({
          requester: index,
          requestKey,
          disconnects,
        }: {
          requester: number;
          requestKey: string;
          disconnects: boolean;
        }) => {
          await scheduler.schedule(Promise.resolve(), 'begin');
          const requester = requesters[index] ?? createRequester(key);
          if (disconnects) {
            requester.isDisconnected = true;
            reads.disconnect(key, requester);
            return;
          }
          try {
            await reads.read(createRead(requester, requestKey), send);
          } catch (error) {
            if (!(error instanceof AbandonedError) || !requester.isDisconnected) throw error;
          }
        };
        await scheduler.waitFor(Promise.all(performed.map(perform)));
        expect(sent.size).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
