import { afterEach, describe, expect, it } from 'vitest';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { createGate } from '../../support/gate.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const PRODUCT = 'Catalog/GetProduct';
const createProductsQuery = (name: string, count = 25) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: product(id: "${name} ${index}") { name }`).join(' ')} }`;
const QUOTE = `{ customer(id: "${demoId('customer 0')}") { quotes(first: 1) { nodes { referenceNumber lines { quantity product { name } } } } } }`;
const CUSTOMER = `{ customer(id: "${demoId('customer 0')}") { title } }`;

const HOUR_MS = 3_600_000;
let now = 2 * HOUR_MS;
/** The clock of breakers and health checks. Waits before retries don't advance it. */
const clock = createClock(() => now);
const pass = (ms: number) => {
  now += ms;
};

describe('failing service', () => {
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock } });
  afterEach(() => testGraph.sandbox.faults.clear());

  it('receives no calls after twenty failures, except for a trial call after five seconds', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(createProductsQuery('down'));
    const [rejected, calls] = await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('down', 1)));
    expect([rejected.errors, calls]).toMatchObject([
      [
        {
          message: expect.stringContaining('wasn’t sent: the circuit breaker is open'),
          extensions: { code: 'UPSTREAM_UNAVAILABLE', retry: 'SAFE' },
        },
      ],
      [],
    ]);

    // Other fields resolve.
    const [{ data, errors }, others] = await testGraph.recordCalls(() => testGraph.execute(QUOTE));
    const [quote] = data.customer.quotes.nodes;
    expect(quote.referenceNumber).toEqual(expect.any(String));
    expect(quote.lines).toContainEqual({ quantity: expect.any(Number), product: null });
    expect([errors?.[0]?.extensions.code, others]).toEqual(['UPSTREAM_UNAVAILABLE', ['Quote/ListQuotes']]);
    expect((await testGraph.execute(CUSTOMER)).errors).toBeUndefined();

    pass(BREAKER.halfOpenAfterMs - 1);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('early', 3))))[1]).toEqual([]);
    pass(1);
    // A single trial call is sent and fails.
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('late', 3))))[1]).toEqual([PRODUCT]);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('later', 3))))[1]).toEqual([]);
  });

  it('receives calls again after a successful trial, during which other calls fail', async () => {
    pass(BREAKER.halfOpenAfterMs);
    const held = testGraph.gate.hold(PRODUCT);
    const trial = testGraph.execute(createProductsQuery('trying', 1));
    await held.arrived;
    const [meanwhile, calls] = await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('meanwhile', 1)));
    expect([meanwhile.errors?.[0]?.extensions.code, calls]).toEqual(['UPSTREAM_UNAVAILABLE', []]);
    held.release();
    // The missing product counts as a success.
    expect((await trial).errors).toBeUndefined();
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('again', 3))))[1]).toEqual([PRODUCT, PRODUCT, PRODUCT]);
  });

  it('doesn’t stay blocked longer if the clock is set back', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(createProductsQuery('down again', 60));
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('down again', 1))))[1]).toEqual([]);
    testGraph.sandbox.faults.clear();
    pass(-HOUR_MS);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('set back', 1))))[1]).toEqual([PRODUCT]);
    pass(HOUR_MS);
  });
});

describe('service with earlier failures', () => {
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock } });
  /** Each call is attempted three times. */
  const fail = async (name: string, products: number) => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(createProductsQuery(name, products));
    testGraph.sandbox.faults.clear();
  };

  it('counts only its last fifty calls', async () => {
    // Fewer than twenty calls are not enough evidence.
    await fail('first', 6);
    await testGraph.execute(createProductsQuery('well', 50));
    // 24 failures of the last fifty calls.
    await fail('second', 8);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('asked', 1))))[1]).toEqual([PRODUCT]);
    await fail('third', 1);
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('left alone', 1))))[1]).toEqual([]);
  });
});

/** Age of a health check after which the next one starts. */
const HEALTH_CHECK_MS = 10_000;

describe('unreachable upstream', () => {
  // No server listens on this port.
  const gate = createGate(httpTransport({ url: 'http://127.0.0.1:9', connections: 32 }));
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock, transport: gate }, app: { clock } });

  it('gets no calls from services or health checks while the breaker is open', async () => {
    const fetchState = async () =>
      ((await (await fetch(`${testGraph.url}/health/ready`)).json()) as { readonly upstream: string }).upstream;
    for (let request = 0; request < 10; request += 1) await testGraph.execute(CUSTOMER);
    const sent = gate.sent('Workspace/Me');
    expect(sent).toBe(BREAKER.minCalls);
    await expect.poll(fetchState).toBe('unavailable');
    expect((await testGraph.execute(CUSTOMER)).errors?.[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(gate.sent('Workspace/Me')).toBe(sent);
    // The next health check sends the trial call.
    pass(Math.max(BREAKER.halfOpenAfterMs, HEALTH_CHECK_MS));
    expect(await fetchState()).toBe('unavailable');
    await expect.poll(() => gate.sent('Workspace/Me')).toBe(sent + 1);
  });
});

describe('disabled circuit breakers', () => {
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: null } });

  it('permit calls to a failing service', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 500 });
    await testGraph.execute(createProductsQuery('down', 60));
    expect((await testGraph.recordCalls(() => testGraph.execute(createProductsQuery('down', 1))))[1]).toEqual([PRODUCT]);
  });
});
