import { afterEach, describe, expect, it } from 'vitest';
import { createIntent, type Intent } from '../../../client/src/index.ts';
import type { ClientProxy } from '../faults/clientProxy.ts';
import type { useStockGraph } from '../stockGraph.ts';
import { openScene, WRITE } from './adjustmentScene.ts';
import { type Adjustment, CLIENT_NAMES, type ClientName } from './adjustStock.ts';

/** Sends an adjustment with one client. Resolves to the effect, the code and advice of a failure, or `no response`. */
export type SendAdjustment = (input: Adjustment, intent: Intent) => Promise<string>;

/** Where clients run. */
interface Environment {
  readonly testGraph: ReturnType<typeof useStockGraph>;
  readonly getProxy: () => ClientProxy;
  /** Starts a client. Calls `beforeRetry` with the reason of each retry, and waits for it. */
  readonly start: (name: ClientName, beforeRetry: (reason: string) => Promise<void>) => Promise<SendAdjustment>;
  /** Whether the environment repeats a request by itself if its connection breaks. Clients then don’t notice the first failure. */
  readonly repeatsRequests: boolean;
}

/** Defines tests that lose requests and responses of all clients, and count the effects in the sandbox. */
export function testIdempotency({ testGraph, getProxy, start, repeatsRequests }: Environment): void {
  /** A client with one product in stock. Its retries don’t wait. */
  async function openClient(name: ClientName) {
    const proxy = getProxy();
    const reasons: string[] = [];
    /** Called when the client would wait. */
    const onWait = { current: async (_reason: string) => {} };
    const send = await start(name, (reason) => {
      reasons.push(reason);
      return onWait.current(reason);
    });
    const { createInput, count } = await openScene(testGraph, proxy);
    const adjust = (intent = createIntent(), quantityDelta = 1) => send(createInput(quantityDelta), intent);
    return { proxy, adjust, count, reasons, onWait };
  }

  // A test that fails leaves faults and held calls.
  afterEach(() => {
    getProxy().recover();
    testGraph.sandbox.faults.clear();
    testGraph.gate.releaseAll();
  });

  describe.each(CLIENT_NAMES)('%s', (name) => {
    it.each([
      ['nothing fails', [], 'DONE', 1],
      ['the response is lost', ['reset after'], 'REPLAYED', 2],
      ['the request is lost', ['reset before'], 'DONE', 2],
      ['a load balancer responds with 502 after the write', ['bad gateway after'], 'REPLAYED', 2],
      ['the response is truncated', ['truncate'], 'REPLAYED', 2],
      ['a load balancer responds with 503 before the write', ['unavailable before'], 'DONE', 2],
      ['the graph is overloaded', ['overloaded before'], 'DONE', 2],
      ['the response is lost three times', ['reset after', 'bad gateway after', 'truncate'], 'REPLAYED', 4],
    ] as const)('applies a mutation once if %s', async (_case, faults, effect, sent) => {
      const { proxy, adjust, count, reasons } = await openClient(name);
      proxy.inject(...faults);
      expect(await adjust()).toBe(effect);
      expect(await count()).toEqual({ added: 1, writes: 1, sent, keys: 1 });
      const isRepeated = repeatsRequests && faults[0]?.startsWith('reset');
      expect(reasons.length).toBe(sent - (isRepeated ? 2 : 1));
    });

    it('checks once and returns OUTCOME_UNKNOWN if the graph doesn’t know whether it was applied', async () => {
      const { adjust, count, reasons } = await openClient(name);
      testGraph.sandbox.faults.add({ operation: WRITE, cut: 'after', times: 1 });
      expect(await adjust()).toBe('OUTCOME_UNKNOWN SAME_KEY');
      expect(await count()).toEqual({ added: 1, writes: 1, sent: 2, keys: 1 });
      expect(reasons).toEqual(['OUTCOME_UNKNOWN']);
    });

    it('applies a mutation once if the connection fails while it’s in progress', async () => {
      const { proxy, adjust, count, reasons, onWait } = await openClient(name);
      const held = testGraph.gate.hold(WRITE);
      onWait.current = async (reason) => {
        if (reason !== 'OPERATION_IN_PROGRESS') return;
        held.release();
        await held.answered;
      };
      proxy.inject({ resetWhen: held.arrived });
      expect(await adjust()).toBe('REPLAYED');
      expect(await count()).toMatchObject({ added: 1, writes: 1, keys: 1 });
      expect([...new Set(reasons)]).toEqual(repeatsRequests ? ['OPERATION_IN_PROGRESS'] : ['NO_RESPONSE', 'OPERATION_IN_PROGRESS']);
    });

    it('sends an intent once that is executed twice at once', async () => {
      const { adjust, count } = await openClient(name);
      const intent = createIntent();
      expect(await Promise.all([adjust(intent), adjust(intent)])).toEqual(['DONE', 'DONE']);
      expect(await count()).toEqual({ added: 1, writes: 1, sent: 1, keys: 1 });
    });

    it('replays an intent that is executed again after all responses were lost', async () => {
      const { proxy, adjust, count, reasons } = await openClient(name);
      const intent = createIntent();
      proxy.inject(...Array(10).fill('reset after'));
      expect(await adjust(intent)).toBe('no response');
      proxy.recover();
      expect(await adjust(intent)).toBe('REPLAYED');
      const { sent, ...effects } = await count();
      expect(effects).toEqual({ added: 1, writes: 1, keys: 1 });
      expect(sent > 6).toBe(repeatsRequests);
      expect(sent).toBeGreaterThanOrEqual(6);
      expect(reasons).toEqual(Array(4).fill('NO_RESPONSE'));
    });

    it('sends a mutation that the graph rejects once', async () => {
      const { adjust, count } = await openClient(name);
      expect(await adjust(createIntent(), -1_000_000)).toMatch(/ NEVER$/);
      expect(await count()).toMatchObject({ added: 0, sent: 1 });
    });

    it('applies a mutation once after the rate limit', async () => {
      const { adjust, count, reasons, onWait } = await openClient(name);
      testGraph.sandbox.faults.add({ operation: WRITE, status: 429, retryAfter: 1 });
      onWait.current = async () => testGraph.sandbox.faults.clear();
      expect(await adjust()).toBe('DONE');
      expect(await count()).toMatchObject({ added: 1, sent: 2, keys: 1 });
      expect(reasons).toEqual(['RATE_LIMITED']);
    });
  });
}
