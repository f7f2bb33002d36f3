import { expect, it, onTestFinished, vi } from 'vitest';
import type { LedgerState, LedgerStore } from '../../../src/ledger/entry.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { DEPOT } from '../../sandbox/stock.ts';
import { captureLog } from '../../support/capturedLog.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { postQuery, startTestGraph } from '../../support/testGraph.ts';

const CREATE = 'Contact/CreateContact';

/** A ledger, and the states that it has stored after the claims. */
function createWatchedLedger() {
  const states: LedgerState[] = [];
  class WatchedStore extends SqliteLedgerStore {
    override async move(...[ids, expected, draft, ttlMs]: Parameters<LedgerStore['move']>): Promise<boolean> {
      // Simulates a store with network latency.
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      const isMoved = await super.move(ids, expected, draft, ttlMs);
      states.push(draft.state);
      return isMoved;
    }
  }
  return { ledger: createMemoryLedger({ store: new WatchedStore(':memory:') }), states };
}

it('completes a write of a disconnected client before closing the upstream connections', async () => {
  const events: string[] = [];
  const testGraph = await startTestGraph({}, undefined, {
    transport: (usual) => ({
      send: async (request) => {
        const response = await usual.send(request);
        if (request.path.endsWith(CREATE)) events.push('write completed');
        return response;
      },
      close: () => {
        events.push('connections closed');
        return usual.close();
      },
    }),
  });
  const held = testGraph.gate.hold(CREATE);
  const client = new AbortController();
  const query = 'mutation { contactCreate(input: { lastName: "Written", idempotencyKey: "closing" }) { __typename } }';
  const request = fetch(`${testGraph.app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
    body: JSON.stringify({ query }),
    signal: client.signal,
  });
  await held.arrived;
  client.abort();
  await expect(request).rejects.toThrow('aborted');
  const closing = testGraph.app.close();
  await vi.waitFor(() => expect(fetch(`${testGraph.app.url}/health/live`)).rejects.toThrow('fetch failed'), { timeout: 10_000 });
  held.release();
  await closing;
  expect(events).toEqual(['write completed', 'connections closed']);
  await testGraph.close();
});

it('executes, records and logs a write of a disconnected client during shutdown', async () => {
  const { ledger, states } = createWatchedLedger();
  const { logger, lines } = captureLog('info');
  const closing = await startTestGraph({}, undefined, { ledger, logger });
  onTestFinished(() => closing.sandbox.close());
  const held = closing.gate.hold('Contact/CreateContact');
  const client = new AbortController();
  const body = JSON.stringify({
    query: 'mutation { contactCreate(input: { lastName: "Left", idempotencyKey: "left" }) { __typename } }',
  });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer demo-owner' };
  const request = fetch(`${closing.app.url}/graphql`, { method: 'POST', headers, body, signal: client.signal });
  await held.arrived;
  client.abort();
  await expect(request).rejects.toThrow();
  const closed = closing.app.close('SIGTERM');
  // All connections are closed by then, and only the write is pending.
  await expect.poll(() => fetch(closing.app.url).catch(() => 'refused')).toBe('refused');
  held.release();
  await closed;
  expect(states).toEqual(['SUCCEEDED']);
  expect(lines.filter(({ requestId }) => requestId === undefined)).toEqual([
    expect.objectContaining({ msg: 'shutdown requested', signal: 'SIGTERM', drainMs: 0, running: 1 }),
    expect.objectContaining({ msg: 'requests drained', level: 30, ms: expect.any(Number) }),
    expect.objectContaining({ msg: 'closed', level: 30, ms: expect.any(Number) }),
  ]);
  expect(closing.sandbox.world.store.all("SELECT 1 FROM contacts WHERE last_name = 'Left'", {})).toHaveLength(1);
});

it('aborts upstream calls that take too long, and returns and records an unknown outcome', async () => {
  const { ledger, states } = createWatchedLedger();
  const arrived = Promise.withResolvers<void>();
  const onCall = ({ operation }: { readonly operation: string }) => operation === 'Contact/CreateContact' && arrived.resolve();
  const { logger, lines } = captureLog('warn');
  const closing = await startTestGraph({ onCall }, undefined, { ledger, logger, env: { SHUTDOWN_TIMEOUT_MS: '1' } });
  onTestFinished(() => closing.sandbox.close());
  closing.sandbox.faults.add({ operation: 'Contact/CreateContact', latencyMs: 600_000 });
  const response = postQuery(
    closing.app.url,
    'demo-owner',
    'mutation { contactCreate(input: { lastName: "Cut", idempotencyKey: "cut" }) { __typename ... on MutationError { code retry } } }',
  );
  await arrived.promise;
  await closing.app.close();
  expect((await response).data).toEqual({
    contactCreate: { __typename: 'OutcomeUnknownError', code: 'OUTCOME_UNKNOWN', retry: 'SAME_KEY' },
  });
  expect(states).toEqual(['UNKNOWN']);
  expect(lines).toEqual([
    expect.objectContaining({ msg: 'requests aborted', running: 1, ms: expect.any(Number) }),
    expect.objectContaining({ msg: 'upstream calls failed', operation: CREATE, failure: 'lost', code: 'UND_ERR_DESTROYED' }),
    expect.objectContaining({ msg: 'request', codes: ['OUTCOME_UNKNOWN'] }),
  ]);
});

it('doesn’t wait for the next attempt of a write', async () => {
  const { ledger, states } = createWatchedLedger();
  const waits = Promise.withResolvers<void>();
  const wait = () => {
    waits.resolve();
    return new Promise<void>(() => {});
  };
  const closing = await startTestGraph({}, undefined, { ledger, upstream: { wait }, env: { SHUTDOWN_TIMEOUT_MS: '1' } });
  onTestFinished(() => closing.sandbox.close());
  closing.sandbox.faults.add({ operation: 'Inventory/CreateInventoryReceipt', cut: 'after', times: 1 });
  const response = postQuery(
    closing.app.url,
    'demo-owner',
    `mutation { inventoryReceiptCreate(input: { locationId: "${DEPOT}", idempotencyKey: "waits" }) { __typename } }`,
  );
  await waits.promise;
  await closing.app.close();
  expect((await response).data).toEqual({ inventoryReceiptCreate: { __typename: 'OutcomeUnknownError' } });
  expect(states).toEqual(['UNKNOWN']);
});

it('doesn’t wait for a ledger or an upstream that never closes', async () => {
  const close = () => new Promise<void>(() => {});
  const closing = await startTestGraph({}, undefined, {
    ledger: Object.assign(createMemoryLedger(), { close }),
    transport: (usual) => ({ ...usual, close }),
    env: { SHUTDOWN_TIMEOUT_MS: '600000' },
  });
  onTestFinished(() => closing.sandbox.close());
  await closing.app.close();
});
