import { beforeAll, describe, expect, it, vi } from 'vitest';
import { UpstreamUnavailableError } from '../../../src/failures/failures.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact, Me } from '../../../src/upstream/contract/generated/operations.ts';
import type { UpstreamOptions } from '../../../src/upstream/options.ts';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { createQuoting } from '../../support/quoting.ts';
import { postQuery, startTestGraph, type TestGraph, useTestGraph } from '../../support/testGraph.ts';
import { asking } from './asking.ts';
import { ME } from './silentUpstream.ts';
import { WatchedQuota } from './watchedQuota.ts';

const CONTACT = 'Contact/GetContact';
const CUSTOMER = 'Customer/GetCustomer';
const PRODUCT = 'Catalog/GetProduct';
const contactOf = (name: string) => `{ contact(id: "${demoId(name)}") { rawId lastName } }`;
const ASK_CONTACT = contactOf('contact 0');
const ASK_CUSTOMER = `{ customer(id: "${demoId('customer 0')}") { title } }`;

describe('a wait before an attempt', () => {
  /** Waits of which the next so many have no end, and the others are over at once. */
  function waitsOf(endless: number) {
    const begun: (() => void)[] = [];
    const waits = Array.from({ length: endless }, () => new Promise<void>((resolve) => begun.push(resolve)));
    const wait = () => {
      const begin = begun.shift();
      begin?.();
      return begin ? new Promise<void>(() => {}) : Promise.resolve();
    };
    return { waits, wait };
  }
  const open = (given: Partial<UpstreamOptions>) => startTestGraph({}, undefined, { clock: createClock(() => 0), upstream: given });
  const owner = (testGraph: TestGraph, query: string) => postQuery(testGraph.app.url, 'demo-owner', query);

  it('of a resend ends when the caller leaves, and the resend is there for another call', async () => {
    const { waits, wait } = waitsOf(1);
    const quota = new WatchedQuota();
    const testGraph = await open({ wait, quota, retryBudget: { start: 1, share: 0, max: 1 } });
    testGraph.sandbox.faults.add({ operation: CONTACT, status: 503, times: 1 });
    const first = asking(testGraph.app.url, ASK_CONTACT);
    await waits[0];
    const left = quota.ended();
    await first.leave();
    await left;
    testGraph.sandbox.faults.add({ operation: CONTACT, status: 503, times: 1 });
    expect((await owner(testGraph, ASK_CONTACT)).data.contact.rawId).toBe(demoId('contact 0'));
    expect(testGraph.gate.sent(CONTACT)).toBe(3);
    await testGraph.close();
  });

  it('of a resend is not begun when the caller left as the answer came', async () => {
    const answer = Promise.withResolvers<UpstreamResponse>();
    const wait = vi.fn(async () => {});
    const send = async ({ path }: UpstreamRequest) =>
      path === Me.path ? { status: 200, headers: {}, body: JSON.stringify(ME) } : answer.promise;
    const upstream = createUpstream({ transport: { send, close: async () => {} }, timeoutMs: 20_000, callsPerRequest: 10, wait });
    const session = upstream.openSession('a key', 'a request');
    session.permitAbandonment();
    await session.access.getGrants();
    const read = session.call(GetContact, { id: 'any' });
    answer.resolve({ status: 503, headers: {}, body: '' });
    session.abandon();
    await expect(read).rejects.toThrow(UpstreamUnavailableError);
    expect([session.sentCalls, wait.mock.calls]).toEqual([1, []]);
  });

  it('of a key that has used up its calls ends when the caller leaves: closing the graph need not wait for it', async () => {
    const { waits, wait } = waitsOf(2);
    const testGraph = await open({ wait });
    testGraph.sandbox.faults.add({ operation: CONTACT, status: 429, retryAfter: 1, times: 1 });
    // The upstream refuses the first; the second is not sent, since the refusal told how long to wait.
    for (const [index, waiting] of waits.entries()) {
      const leaving = asking(testGraph.app.url, contactOf(`contact ${index}`));
      await waiting;
      await leaving.leave();
    }
    await testGraph.close();
    expect(testGraph.gate.sent(CONTACT)).toBe(1);
  });
});

describe('a breaker', () => {
  let now = 0;
  /** The clock that breakers go by: waits before a call is sent again do not move it. */
  const clock = createClock(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const all = String(2 * BREAKER.minCalls);
  const env = { UPSTREAM_CONNECTIONS: all, UPSTREAM_MAX_CONCURRENT_CALLS_PER_KEY: all, UPSTREAM_MAX_CONCURRENT_CALLS_PER_SERVICE: all };
  const testGraph = useTestGraph({}, undefined, { env, upstream: { breaker: BREAKER, clock } });
  const productsBy = (name: string, count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: product(id: "${name} ${index}") { name }`).join(' ')} }`;
  /** Asks, and leaves when the calls are on their way. */
  const giveUp = async (query: string) => {
    const held = testGraph.gate.hold(PRODUCT);
    const leaving = asking(testGraph.url, query);
    await held.arrived;
    await leaving.leave();
    await held.abandoned;
    held.release();
  };

  it('does not count calls that were given up', async () => {
    await giveUp(productsBy('given up', 2 * BREAKER.minCalls));
    expect(testGraph.gate.sent(PRODUCT)).toBe(2 * BREAKER.minCalls);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(productsBy('next', 1)));
    expect([errors, calls]).toEqual([undefined, [PRODUCT]]);
  });

  it('that lets one call try learns nothing when that is given up, and lets the next one try at once', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(productsBy('down', BREAKER.calls));
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('refused', 1))))[1]).toEqual([]);
    pass(BREAKER.halfOpenAfterMs);
    await giveUp(productsBy('trying', 1));
    // A single call is sent as a trial and fails, so the breaker opens again.
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('trying again', 3))))[1]).toEqual([PRODUCT]);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('refused', 3))))[1]).toEqual([]);
    pass(BREAKER.halfOpenAfterMs);
    await giveUp(productsBy('trying once more', 1));
    testGraph.sandbox.faults.clear();
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('well', 1))))[1]).toEqual([PRODUCT]);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('well again', 3))))[1]).toHaveLength(3);
  });
});

describe('a mutation whose caller leaves', () => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '1' }, upstream: { quota } });
  const { createQuote, lamp } = createQuoting(testGraph);
  // The sandbox's clock stands after the graph's: a record must not look older than the request for it.
  beforeAll(() => {
    testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
  });

  it('is done, though it waits for its turn', async () => {
    const held = testGraph.gate.hold(CUSTOMER);
    const holding = testGraph.execute(ASK_CUSTOMER);
    await held.arrived;
    const waits = quota.asked(1);
    const leaving = asking(testGraph.url, 'mutation { contactCreate(input: { lastName: "Queued" }) { __typename } }');
    await waits;
    const left = quota.ended();
    await leaving.leave();
    await left;
    held.release();
    await holding;
    const made = () => testGraph.sandbox.world.store.all("SELECT 1 FROM contacts WHERE last_name = 'Queued'", {});
    await expect.poll(made).toHaveLength(1);
  });

  it('is looked up when its answer is lost', async () => {
    const fields = 'title: "Left", email: "left@example.com", idempotencyKey: "left"';
    const create = `mutation { customerCreate(input: { ${fields} }) { __typename ... on CustomerCreatePayload { effect } } }`;
    testGraph.sandbox.faults.add({ operation: 'Customer/CreateCustomer', cut: 'after', times: 1 });
    const held = testGraph.gate.hold('Customer/LookupCustomersByIdentifier');
    const leaving = asking(testGraph.url, create);
    await held.arrived;
    await leaving.leave();
    held.release();
    await held.answered;
    const again = async () => {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(create));
      return [data.customerCreate, calls];
    };
    await expect.poll(again).toEqual([{ __typename: 'CustomerCreatePayload', effect: 'REPLAYED' }, []]);
  });

  it('reads to its end why it was refused', async () => {
    const productId = await lamp();
    const { rawId } = await createQuote({ lines: [{ productId, quantity: 2 }] });
    const held = testGraph.gate.hold('Quote/GetQuote');
    const fields = `quoteId: "${rawId}", expectedVersion: "99", lines: [{ productId: "${productId}", quantity: 3 }], discounts: []`;
    const leaving = asking(testGraph.url, `mutation { quoteUpdate(input: { ${fields} }) { __typename } }`);
    await held.arrived;
    await leaving.leave();
    held.release();
    await held.answered;
    expect(testGraph.gate.sent('Quote/UpdateQuote')).toBe(1);
  });
});
