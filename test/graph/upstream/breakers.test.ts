import { afterEach, describe, expect, it } from 'vitest';
import { BREAKER } from '../../../src/upstream/traffic/breakers.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { createGate } from '../../support/gate.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const PRODUCT = 'Catalog/GetProduct';
const productsBy = (name: string, count = 25) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: product(id: "${name} ${index}") { name }`).join(' ')} }`;
const QUOTE = `{ customer(id: "${demoId('customer 0')}") { quotes(first: 1) { nodes { referenceNumber lines { quantity product { name } } } } } }`;
const CUSTOMER = `{ customer(id: "${demoId('customer 0')}") { title } }`;

const HOUR_MS = 3_600_000;
let now = 2 * HOUR_MS;
/** The clock of breakers and health checks: waits before a call is sent again do not move it. */
const clock = createClock(() => now);
const pass = (ms: number) => {
  now += ms;
};

describe('a service that fails', () => {
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock } });
  afterEach(() => testGraph.sandbox.faults.clear());

  it('is left alone after twenty calls, while the others are asked; one call tries after five seconds', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(productsBy('down'));
    const [refused, calls] = await testGraph.recordCalls(() => testGraph.execute(productsBy('down', 1)));
    expect([refused.errors, calls]).toMatchObject([
      [
        {
          message: expect.stringContaining('wasn’t sent: the circuit breaker is open'),
          extensions: { code: 'UPSTREAM_UNAVAILABLE', retry: 'SAFE' },
        },
      ],
      [],
    ]);

    // Fields that do not need the operation are answered.
    const [{ data, errors }, others] = await testGraph.recordCalls(() => testGraph.execute(QUOTE));
    const [quote] = data.customer.quotes.nodes;
    expect(quote.referenceNumber).toEqual(expect.any(String));
    expect(quote.lines).toContainEqual({ quantity: expect.any(Number), product: null });
    expect([errors?.[0]?.extensions.code, others]).toEqual(['UPSTREAM_UNAVAILABLE', ['Quote/ListQuotes']]);
    expect((await testGraph.execute(CUSTOMER)).errors).toBeUndefined();

    pass(BREAKER.halfOpenAfterMs - 1);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('early', 3))))[1]).toEqual([]);
    pass(1);
    // A single call is sent as a trial, and fails.
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('late', 3))))[1]).toEqual([PRODUCT]);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('later', 3))))[1]).toEqual([]);
  });

  it('is asked again when the call that tried came back; until then nobody waits for it', async () => {
    pass(BREAKER.halfOpenAfterMs);
    const held = testGraph.gate.hold(PRODUCT);
    const trying = testGraph.execute(productsBy('trying', 1));
    await held.arrived;
    const [meanwhile, calls] = await testGraph.recordCalls(() => testGraph.execute(productsBy('meanwhile', 1)));
    expect([meanwhile.errors?.[0]?.extensions.code, calls]).toEqual(['UPSTREAM_UNAVAILABLE', []]);
    held.release();
    // There is no such product: an answer, and a good one.
    expect((await trying).errors).toBeUndefined();
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('again', 3))))[1]).toEqual([PRODUCT, PRODUCT, PRODUCT]);
  });

  it('is not left alone for longer when the clock is set back', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(productsBy('down again', 60));
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('down again', 1))))[1]).toEqual([]);
    testGraph.sandbox.faults.clear();
    pass(-HOUR_MS);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('set back', 1))))[1]).toEqual([PRODUCT]);
    pass(HOUR_MS);
  });
});

describe('a service that failed a while ago', () => {
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock } });
  /** Each of them is sent three times. */
  const fail = async (name: string, products: number) => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 503 });
    await testGraph.execute(productsBy(name, products));
    testGraph.sandbox.faults.clear();
  };

  it('is judged by its last fifty calls alone', async () => {
    // Fewer than twenty: nothing is concluded from them.
    await fail('first', 6);
    await testGraph.execute(productsBy('well', 50));
    // 24 of the last fifty.
    await fail('second', 8);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('asked', 1))))[1]).toEqual([PRODUCT]);
    await fail('third', 1);
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('left alone', 1))))[1]).toEqual([]);
  });
});

/** Age of a health check after which the next one starts. */
const HEALTH_CHECK_MS = 10_000;

describe('an upstream that cannot be reached', () => {
  // Nobody listens there.
  const gate = createGate(httpTransport({ url: 'http://127.0.0.1:9', connections: 32 }));
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: BREAKER, clock, transport: gate }, app: { clock } });

  it('is called by no service and by no health check while the breaker is open', async () => {
    const state = async () => ((await (await fetch(`${testGraph.url}/health/ready`)).json()) as { readonly upstream: string }).upstream;
    for (let request = 0; request < 10; request += 1) await testGraph.execute(CUSTOMER);
    const sent = gate.sent('Workspace/Me');
    expect(sent).toBe(BREAKER.minCalls);
    await expect.poll(state).toBe('unavailable');
    expect((await testGraph.execute(CUSTOMER)).errors?.[0]?.extensions.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(gate.sent('Workspace/Me')).toBe(sent);
    // The next health check sends the trial call.
    pass(Math.max(BREAKER.halfOpenAfterMs, HEALTH_CHECK_MS));
    expect(await state()).toBe('unavailable');
    await expect.poll(() => gate.sent('Workspace/Me')).toBe(sent + 1);
  });
});

describe('with breakers switched off', () => {
  const testGraph = useTestGraph({}, undefined, { upstream: { breaker: null } });

  it('a service that fails is asked as ever', async () => {
    testGraph.sandbox.faults.add({ operation: PRODUCT, status: 500 });
    await testGraph.execute(productsBy('down', 60));
    expect((await testGraph.recordCalls(() => testGraph.execute(productsBy('down', 1))))[1]).toEqual([PRODUCT]);
  });
});
