import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { hashKey } from '../../../sandbox/kernel/keys.ts';
import { Overload } from '../../../src/server/execution/overload.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { createBrokenUpstream, SECRET } from '../../support/brokenUpstream.ts';
import { Records } from '../../support/contract/records.ts';
import { startTestGraph, type TestGraphOptions, useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const DIRECT_WRITES = { MCP: 'true', MCP_WRITES: 'direct' };
const testGraph = useTestGraph({}, undefined, { env: DIRECT_WRITES });

const openRecords = (sandbox: ConstructorParameters<typeof Records>[0]) => new Records({ url: sandbox.url, world: sandbox.world });

async function post(url: string, method: string, params: object = {}, others: Readonly<Record<string, string>> = {}) {
  const headers = {
    authorization: 'Bearer demo-owner',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...others,
  };
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('message', () => {
  it.each(['*/*', 'application/*', 'application/json'])('receives JSON with Accept: %s', async (accept) => {
    const { status, headers, text } = await post(testGraph.url, 'tools/list', {}, { accept });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  it('fails if its client accepts no JSON', async () => {
    expect((await post(testGraph.url, 'tools/list', {}, { accept: 'text/event-stream' })).status).toBe(406);
  });

  it('can name the coding of an uncompressed body in any case', async () => {
    expect((await post(testGraph.url, 'tools/list', {}, { 'content-encoding': 'Identity' })).status).toBe(200);
  });
});

describe('direct write', () => {
  it('executes once per key and fails for another version', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const orderId = await openRecords(testGraph.sandbox).id('Order');
    const { data } = await testGraph.execute('query ($id: ID!) { order(id: $id) { version } }', { id: orderId });
    const args = { orderId, idempotencyKey: randomUUID(), expectedVersion: data.order.version };
    const [stale, sent] = await testGraph.recordCalls(() =>
      tools.call('svc_order_cancel', { ...args, idempotencyKey: randomUUID(), expectedVersion: '99' }),
    );
    expect([stale.isError, stale.body.data.orderCancel, sent.includes('Order/CancelOrder')]).toMatchObject([
      true,
      { code: 'VERSION_CONFLICT' },
      true,
    ]);
    const [done] = await testGraph.recordCalls(() => tools.call('svc_order_cancel', args));
    const [again, calls] = await testGraph.recordCalls(() => tools.call('svc_order_cancel', args));
    expect([done, again].map(({ body }) => body.data.orderCancel.effect)).toEqual(['DONE', 'REPLAYED']);
    expect(calls).not.toContain('Order/CancelOrder');
    await tools.close();
  });

  it('requires an idempotency key', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const [{ isError, body }, calls] = await testGraph.recordCalls(() => tools.call('svc_quote_confirm', { quoteId: demoId('quote 0') }));
    expect([isError, body.errors[0].code, calls]).toEqual([true, 'BAD_USER_INPUT', []]);
    await tools.close();
  });
});

describe('scopes of a key', () => {
  it('apply to each call separately', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'catalog:read'] });
    const tools = await connectTools(testGraph.url, key);
    expect(await tools.names()).toEqual(['svc_find_product']);
    testGraph.sandbox.world.store.run('UPDATE api_keys SET scopes = :scopes WHERE hash = :hash', {
      scopes: '["me:read"]',
      hash: hashKey(key),
    });
    const { isError, body } = await tools.call('svc_find_product', { query: 'a' });
    expect([isError, body.errors[0].code, body.data?.products ?? null]).toEqual([true, 'FORBIDDEN', null]);
    await tools.close();
  });
});

describe('plan', () => {
  const createOptions = (secret: string): TestGraphOptions => ({ env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_SECRET: secret } });
  const SHARED = 'a secret that two processes share, and no others';

  it.each([
    ['the same secret', SHARED, false],
    ['another secret', `${SHARED} at all`, true],
  ])('can be confirmed in another process only with the same secret: %s', async (_title, secret, isError) => {
    const [one, other] = await Promise.all([
      startTestGraph({}, undefined, createOptions(SHARED)),
      startTestGraph({}, undefined, createOptions(secret)),
    ]);
    const [first, second] = await Promise.all([connectTools(one.app.url, 'demo-owner'), connectTools(other.app.url, 'demo-owner')]);
    const args = { productId: demoId('product 1'), locationId: demoId('location 0'), quantityDelta: 1, reason: 'Counted.' };
    const { body } = await first.call('svc_stock_adjust', args);
    const confirmed = await second.call('svc_stock_adjust', { ...args, confirmation: body.confirmation });
    expect(confirmed.isError).toBe(isError);
    await Promise.all([first.close(), second.close()]);
    await Promise.all([one.close(), other.close()]);
  });
});

describe('tool server', () => {
  it('rejects requests while it is overloaded, before it reads a body', async () => {
    const overload = new Overload({ maxRequests: 0, maxDelayMs: 60_000 });
    const busy = await startTestGraph({}, undefined, { env: DIRECT_WRITES, app: { overload } });
    const { status, headers } = await post(busy.app.url, 'tools/list');
    await busy.close();
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('reveals no cause of an internal error', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const upstream = { ...createBrokenUpstream() };
    const missing = { count: 0 };
    const createFor =
      (usual: typeof upstream) =>
      (...args: Parameters<typeof usual.openSession>) => {
        const session = usual.openSession(...args);
        // The first check of the key succeeds, later checks fail.
        const findMissingByName = async () => {
          missing.count += 1;
          if (missing.count === 1) return [];
          throw new TypeError(SECRET);
        };
        return Object.defineProperty(session, 'access', { value: { findMissingByName }, configurable: true });
      };
    const broken = await startTestGraph({}, undefined, {
      env: DIRECT_WRITES,
      logger,
      app: { upstream: { ...upstream, openSession: createFor(upstream) } },
    });
    const toolFailure = await post(broken.app.url, 'tools/list');
    const httpFailure = await post(broken.app.url, 'tools/list');
    expect([toolFailure.status, httpFailure.status]).toEqual([200, 500]);
    expect(toolFailure.text).toContain('Internal server error. See the server log for this request ID.');
    expect(toolFailure.text + httpFailure.text).not.toContain(SECRET);
    expect(lines.join('')).toContain(SECRET);
    await broken.close();
  });

  it('completes running calls before it closes', async () => {
    const closing = await startTestGraph({}, undefined, { env: DIRECT_WRITES });
    const held = closing.gate.hold('Catalog/SearchProducts');
    const running = post(closing.app.url, 'tools/call', { name: 'svc_find_product', arguments: { query: 'a' } });
    await held.arrived;
    const ended = closing.close();
    held.release();
    const [{ status, text }] = await Promise.all([running, ended]);
    expect([status, text.includes('\\"products\\"')]).toEqual([200, true]);
  });
});
