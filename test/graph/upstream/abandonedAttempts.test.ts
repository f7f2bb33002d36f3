import { beforeAll, describe, expect, it, vi } from 'vitest';
import { UpstreamUnavailableError } from '../../../src/failures/failures.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { GetContact, Me } from '../../../src/upstream/contract/generated/operations.ts';
import type { UpstreamOptions } from '../../../src/upstream/options.ts';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { createQuoting } from '../../support/quoting.ts';
import { postQuery, startTestGraph, type TestGraph, useTestGraph } from '../../support/testGraph.ts';
import { sendAbandonable } from './abandonableRequest.ts';
import { ME } from './silentUpstream.ts';
import { WatchedQuota } from './watchedQuota.ts';

const CONTACT = 'Contact/GetContact';
const CUSTOMER = 'Customer/GetCustomer';
const PRODUCT = 'Catalog/GetProduct';
const createContactQuery = (name: string) => `{ contact(id: "${demoId(name)}") { rawId lastName } }`;
const CONTACT_QUERY = createContactQuery('contact 0');
const CUSTOMER_QUERY = `{ customer(id: "${demoId('customer 0')}") { title } }`;

describe('wait before an attempt', () => {
  /** Creates a `wait` function whose next calls, `endless` in number, never resolve. Further calls resolve at once. */
  function createWaits(endless: number) {
    const starts: (() => void)[] = [];
    const waits = Array.from({ length: endless }, () => new Promise<void>((resolve) => starts.push(resolve)));
    const wait = () => {
      const start = starts.shift();
      start?.();
      return start ? new Promise<void>(() => {}) : Promise.resolve();
    };
    return { waits, wait };
  }
  const openTestGraph = (options: Partial<UpstreamOptions>) =>
    startTestGraph({}, undefined, { clock: createClock(() => 0), upstream: options });
  const queryAsOwner = (testGraph: TestGraph, query: string) => postQuery(testGraph.app.url, 'demo-owner', query);

  it('ends before a retry if the client disconnects, and returns the retry to the budget', async () => {
    const { waits, wait } = createWaits(1);
    const quota = new WatchedQuota();
    const testGraph = await openTestGraph({ wait, quota, retryBudget: { start: 1, share: 0, max: 1 } });
    testGraph.sandbox.faults.add({ operation: CONTACT, status: 503, times: 1 });
    const first = sendAbandonable(testGraph.app.url, CONTACT_QUERY);
    await waits[0];
    const ended = quota.waitForEnded();
    await first.disconnect();
    await ended;
    testGraph.sandbox.faults.add({ operation: CONTACT, status: 503, times: 1 });
    expect((await queryAsOwner(testGraph, CONTACT_QUERY)).data.contact.rawId).toBe(demoId('contact 0'));
    expect(testGraph.gate.sent(CONTACT)).toBe(3);
    await testGraph.close();
  });

  it('doesn’t start if the client disconnects as the response arrives', async () => {
    const response = Promise.withResolvers<UpstreamResponse>();
    const wait = vi.fn(async () => {});
    const send = async ({ path }: UpstreamRequest) =>
      path === Me.path ? { status: 200, headers: {}, body: JSON.stringify(ME) } : response.promise;
    const upstream = createUpstream({ transport: { send, close: async () => {} }, timeoutMs: 20_000, callsPerRequest: 10, wait });
    const session = upstream.openSession(createKeyCredential('a key'), 'a request');
    session.permitAbandonment();
    await session.access.getGrants();
    const read = session.call(GetContact, { id: 'any' });
    response.resolve({ status: 503, headers: {}, body: '' });
    session.abandon();
    await expect(read).rejects.toThrow(UpstreamUnavailableError);
    expect([session.sent, wait.mock.calls]).toEqual([1, []]);
  });

  it('ends for a rate-limited key if the client disconnects, so shutdown doesn’t wait for it', async () => {
    const { waits, wait } = createWaits(2);
    const testGraph = await openTestGraph({ wait });
    testGraph.sandbox.faults.add({ operation: CONTACT, status: 429, retryAfter: 1, times: 1 });
    // The upstream rejects the first call. The second call isn't sent, because the rejection reported how long to wait.
    for (const [index, waiting] of waits.entries()) {
      const request = sendAbandonable(testGraph.app.url, createContactQuery(`contact ${index}`));
      await waiting;
      await request.disconnect();
    }
    await testGraph.close();
    expect(testGraph.gate.sent(CONTACT)).toBe(1);
  });
});

describe('circuit breaker', () => {
  let now = 0;
  /** The clock of breakers. Waits before retries don't advance it. */
  const clock = createClock(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const env = { UPSTREAM_CONNECTIONS: String(4 * BREAKER.minCalls) };
  const testGraph = useTestGraph({}, undefined, { env, upstream: { breaker: BREAKER, clock } });
  const createProductsQuery = (name: string, count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: product(id: "${name} ${index}") { name }`).join(' ')} }`;
  /** Sends a query and disconnects when its calls are in progress. */
  const abandon = async (query: string) => {
    const held = testGraph.gate.hold(PRODUCT);
    const request = sendAbandonable(testGraph.url, query);
    await held.arrived;
    await request.disconnect();
    await held.abandoned;
    held.release();
  };

  it('ignores aborted calls', async () => {
    await abandon(createProductsQuery('given up', 2 * BREAKER.minCalls));
    expect(testGraph.gate.sent(PRODUCT)).toBe(2 * BREAKER.minCalls);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('next', 1)));
    expect([errors, calls]).toEqual([undefined, [PRODUCT]]);
  });

  it('learns nothing from an aborted trial call and permits the next trial at once', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(createProductsQuery('down', BREAKER.calls));
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('refused', 1))))[1]).toEqual([]);
    pass(BREAKER.halfOpenAfterMs);
    await abandon(createProductsQuery('trying', 1));
    // A single call is sent as a trial and fails, so the breaker opens again.
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('trying again', 3))))[1]).toEqual([PRODUCT]);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('refused', 3))))[1]).toEqual([]);
    pass(BREAKER.halfOpenAfterMs);
    await abandon(createProductsQuery('trying again', 1));
    testGraph.sandbox.faults.clear();
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('well', 1))))[1]).toEqual([PRODUCT]);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('well again', 3))))[1]).toHaveLength(3);
  });
});

describe('mutation whose client disconnects', () => {
  const quota = new WatchedQuota();
  const testGraph = useTestGraph({}, undefined, { env: { UPSTREAM_CONNECTIONS: '1' }, upstream: { quota } });
  const { createQuote, lamp } = createQuoting(testGraph);
  // The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
  beforeAll(() => {
    testGraph.sandbox.now = Math.floor(Date.now() / 1000) + 3_600;
  });

  it('executes although it is queued', async () => {
    const held = testGraph.gate.hold(CUSTOMER);
    const holding = testGraph.execute(CUSTOMER_QUERY);
    await held.arrived;
    const waits = quota.waitForChecked(1);
    const request = sendAbandonable(testGraph.url, 'mutation { contactCreate(input: { lastName: "Queued" }) { __typename } }');
    await waits;
    const ended = quota.waitForEnded();
    await request.disconnect();
    await ended;
    held.release();
    await holding;
    const findCreated = () => testGraph.sandbox.world.store.all("SELECT 1 FROM contacts WHERE last_name = 'Queued'", {});
    await expect.poll(findCreated).toHaveLength(1);
  });

  it('reconciles its outcome if its response is malformed', async () => {
    const fields = 'title: "Left", email: "left@example.com", idempotencyKey: "left"';
    const create = `mutation { customerCreate(input: { ${fields} }) { __typename ... on CustomerCreatePayload { effect } } }`;
    testGraph.sandbox.faults.add({ operation: 'Customer/CreateCustomer', body: '{', times: 1 });
    const held = testGraph.gate.hold('Customer/LookupCustomersByIdentifier');
    const request = sendAbandonable(testGraph.url, create);
    await held.arrived;
    await request.disconnect();
    held.release();
    await held.answered;
    const retry = async () => {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(create));
      return [data.customerCreate, calls];
    };
    await expect.poll(retry).toEqual([{ __typename: 'CustomerCreatePayload', effect: 'REPLAYED' }, []]);
  });

  it('completes the read of why it was rejected', async () => {
    const productId = await lamp();
    const { rawId } = await createQuote({ lines: [{ productId, quantity: 2 }] });
    const held = testGraph.gate.hold('Quote/GetQuote');
    const fields = `quoteId: "${rawId}", expectedVersion: "99", lines: [{ productId: "${productId}", quantity: 3 }], discounts: []`;
    const request = sendAbandonable(testGraph.url, `mutation { quoteUpdate(input: { ${fields} }) { __typename } }`);
    await held.arrived;
    await request.disconnect();
    held.release();
    await held.answered;
    expect(testGraph.gate.sent('Quote/UpdateQuote')).toBe(1);
  });
});
