import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { startTestGraph, useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const CONFIRM = 'Quote/ConfirmQuote';
const TOOL = 'svc_quote_confirm';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' } });
afterEach(() => testGraph.sandbox.faults.clear());

/** Confirms a plan while the upstream fails, and again afterwards. In between, another client can change the quote. */
async function confirmTwice(fault: Fault, isChanged: boolean) {
  const tools = await connectTools(testGraph.url, 'demo-owner');
  const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
  const quoteId = await records.id('Quote');
  const { confirmation, version: expectedVersion } = (await tools.call(TOOL, { quoteId })).body;
  const confirm = () => tools.call(TOOL, { quoteId, confirmation });
  testGraph.sandbox.faults.add(fault);
  expect((await confirm()).isError).toBe(true);
  testGraph.sandbox.faults.clear();
  const lineItems = [{ productId: demoId('product 1'), quantity: 99 }];
  if (isChanged) await records.call('Quote/UpdateQuote', { id: quoteId, expectedVersion, lineItems });
  const [result, calls] = await testGraph.recordCalls(confirm);
  await tools.close();
  return { result, sent: calls.filter((name) => name === CONFIRM) };
}

describe('retry of a failed confirmation', () => {
  it.each([
    [{ status: 503 }, 'OUTCOME_UNKNOWN', 'CHECK_FIRST'],
    [{ cut: 'before' }, 'OUTCOME_UNKNOWN', 'CHECK_FIRST'],
    [{ status: 429 }, 'PLAN_CHANGED', undefined],
  ] as const)('executes nothing after %j if the records have changed, and returns them', async (fault, code, retry) => {
    const { result, sent } = await confirmTwice({ operation: CONFIRM, ...fault }, true);
    expect([result.isError, sent]).toEqual([true, []]);
    const [error] = result.body.errors;
    expect([error.code, error.retry, result.body.records.quote.lines]).toMatchObject([code, retry, [{ quantity: 99 }]]);
    expect(error.message).toContain(code === 'PLAN_CHANGED' ? 'Nothing was executed.' : 'it wasn’t sent again');
  });

  it.each([[{ status: 503 }], [{ status: 429 }]])('executes the write after %j if the records are unchanged', async (fault) => {
    const { result, sent } = await confirmTwice({ operation: CONFIRM, ...fault }, false);
    expect([result.isError, result.body.data.quoteConfirm.effect, sent]).toEqual([false, 'DONE', [CONFIRM]]);
  });
});

it('resends a confirmation with a lost response if the upstream knows its key, although the write has changed the records', async () => {
  const MOVE = 'Inventory/MoveInventory';
  const tools = await connectTools(testGraph.url, 'demo-owner');
  const location = (index: number) => toGlobalId('InventoryLocation', demoId(`location ${index}`));
  const args = { productId: toGlobalId('Product', demoId('product 1')), sourceLocationId: location(0), destinationLocationId: location(1) };
  const plan = await tools.call('svc_inventory_move', { ...args, quantity: 1 });
  const confirm = () => tools.call('svc_inventory_move', { ...args, quantity: 1, confirmation: plan.body.confirmation });
  const countMoves = () =>
    testGraph.sandbox.world.store.get<{ readonly count: number }>('SELECT count(DISTINCT operation_id) AS count FROM inventory_movements')
      ?.count ?? 0;
  const before = countMoves();
  testGraph.sandbox.faults.add({ operation: MOVE, cut: 'after' });
  expect((await confirm()).body.data.inventoryMove.code).toBe('OUTCOME_UNKNOWN');
  testGraph.sandbox.faults.clear();
  const [{ isError, body }, calls] = await testGraph.recordCalls(confirm);
  expect([isError, body.data.inventoryMove.effect, calls.filter((name) => name === MOVE)]).toEqual([false, 'DONE', [MOVE]]);
  expect(countMoves() - before).toBe(1);
  await tools.close();
});

describe('result of a creation whose response is lost', () => {
  it.each([
    ['quote_prepare', 'quoteCreate'],
    ['problem_report', 'problemCreate'],
  ])('lists the candidates, also for a repeat: %s', async (tool, field) => {
    const { now } = testGraph.sandbox;
    // A record must not seem older than its request.
    testGraph.sandbox.now = Math.floor(Date.now() / 1000);
    const change = CHANGES.find((each) => each.tool === tool);
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const args = await change?.args(new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }));
    const { confirmation } = (await tools.call(`svc_${tool}`, { ...args })).body;
    testGraph.sandbox.faults.add({ operation: change?.operation ?? '', cut: 'after', times: 1 });
    const confirm = () => tools.call(`svc_${tool}`, { ...args, confirmation });
    const results = [await confirm(), await confirm()];
    testGraph.sandbox.now = now;
    await tools.close();
    const failure = { code: 'OUTCOME_UNKNOWN', retry: 'CHECK_FIRST', candidates: [{ id: expect.any(String) }] };
    for (const { isError, body } of results) expect([isError, body.data[field]]).toMatchObject([true, failure]);
  });
});

describe('retry advice for a confirmed write', () => {
  it.each(CHANGES.flatMap(({ tool, operation, args }) => [503, 429, 'cut' as const].map((fault) => ({ tool, operation, args, fault }))))(
    'mentions the confirmation for $tool after $fault',
    async ({ tool, operation, args: createArgs, fault }) => {
      const tools = await connectTools(testGraph.url, 'demo-owner');
      const args = await createArgs(new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }));
      const plan = await tools.call(`svc_${tool}`, args);
      expect(plan.body, plan.text).toHaveProperty('confirmation');
      const { confirmation } = plan.body;
      testGraph.sandbox.faults.add(fault === 'cut' ? { operation, cut: 'before' } : { operation, status: fault });
      const { isError, body, text } = await tools.call(`svc_${tool}`, { ...args, confirmation });
      const [failure] = body.errors ?? Object.values(body.data);
      expect([isError, failure.retry]).toEqual([true, expect.stringMatching(/^(SAFE|SAME_CONFIRMATION|CHECK_FIRST)$/)]);
      expect(text).not.toMatch(/idempotency ?key|same key|new key|SAME_KEY/i);
      if (failure.retry === 'SAME_CONFIRMATION') expect(failure.message).toMatch(/same confirmation|safe to retry/);
      await tools.close();
    },
  );

  it('mentions the confirmation while the write is in progress', async () => {
    const tools = await connectTools(testGraph.url, 'demo-owner');
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const quoteId = await records.id('Quote');
    const { confirmation } = (await tools.call(TOOL, { quoteId })).body;
    const held = testGraph.gate.hold(CONFIRM);
    const first = tools.call(TOOL, { quoteId, confirmation });
    await held.arrived;
    const { isError, body } = await tools.call(TOOL, { quoteId, confirmation });
    held.release();
    expect((await first).isError).toBe(false);
    expect([isError, body.data.quoteConfirm]).toMatchObject([
      true,
      {
        code: 'OPERATION_IN_PROGRESS',
        retry: 'SAME_CONFIRMATION',
        message: 'A mutation with this confirmation is still in progress. Retry later with the same confirmation.',
      },
    ]);
    await tools.close();
  });

  it('mentions the idempotency key if the caller of the tool passes it', async () => {
    const direct = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'direct' } });
    const tools = await connectTools(direct.app.url, 'demo-owner');
    direct.sandbox.faults.add({ operation: 'Inventory/AdjustInventory', status: 503 });
    const args = { productId: demoId('product 1'), locationId: demoId('location 0'), quantityDelta: 1, reason: 'Counted.' };
    const { body } = await tools.call('svc_stock_adjust', { ...args, idempotencyKey: 'passed by the caller' });
    expect(body.data.inventoryAdjust).toMatchObject({ retry: 'SAME_KEY', message: expect.stringContaining('same idempotencyKey') });
    await tools.close();
    await direct.close();
  });
});
