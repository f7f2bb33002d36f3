import { afterEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { Records } from '../../support/contract/records.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { CHANGES, type PlannedChange } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools, PROTOCOL_MODES, type ToolResult } from '../../support/toolClient.ts';

const clock = new TestClock();
const testGraph = useTestGraph({}, undefined, {
  env: { MCP: 'true', MCP_WRITES: 'confirm' },
  app: { clock },
  ledger: createMemoryLedger({ clock }),
});
afterEach(() => testGraph.sandbox.faults.clear());

const writes = new Set(operations.filter((operation) => !isRead(operation)).map(({ name }) => name));

/** Returns the result of a function and the writes that reached the upstream. */
async function recordWrites<Result>(execute: () => Promise<Result>): Promise<readonly [Result, string[]]> {
  const [result, calls] = await testGraph.recordCalls(execute);
  return [result, calls.filter((name) => writes.has(name))];
}

const connect = (key = 'demo-owner') => connectTools(testGraph.url, key);
const findChange = (name: string) => CHANGES.find(({ tool }) => tool === name) as PlannedChange;

/** Requests the plan of a write. Returns it with its arguments and a function that confirms it. */
async function requestPlan(name: string, tools: Awaited<ReturnType<typeof connect>>) {
  const { tool, args: createArgs } = findChange(name);
  const args = await createArgs(new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }));
  const plan = await tools.call(`svc_${tool}`, args);
  const confirm = (more: object = {}): Promise<ToolResult> =>
    tools.call(`svc_${tool}`, { ...args, confirmation: plan.body.confirmation, ...more });
  return { args, plan, confirm };
}

/** Counts the records that a tool has created or changed, bypassing the graph. */
function countEffects(tool: string): number {
  const { store } = testGraph.sandbox.world;
  const counted = COUNT_QUERIES[tool] as string;
  return store.get<{ readonly count: number }>(counted)?.count ?? 0;
}

const COUNT_QUERIES: Readonly<Record<string, string>> = {
  appointment_book: 'SELECT count(*) AS count FROM appointments',
  appointment_cancel: 'SELECT count(*) AS count FROM appointments WHERE cancelled_at IS NOT NULL',
  inventory_move: 'SELECT count(DISTINCT operation_id) AS count FROM inventory_movements',
  invoice_send: 'SELECT count(*) AS count FROM outbox',
  order_cancel: 'SELECT count(*) AS count FROM orders WHERE cancelled_at IS NOT NULL',
  payment_refund: 'SELECT count(*) AS count FROM refunds',
  problem_report: 'SELECT count(*) AS count FROM problems',
  quote_confirm: 'SELECT count(*) AS count FROM orders',
  quote_prepare: 'SELECT count(*) AS count FROM quotes',
  stock_adjust: 'SELECT count(DISTINCT operation_id) AS count FROM inventory_movements',
  work_order_complete: 'SELECT count(*) AS count FROM work_orders WHERE completed_at IS NOT NULL',
};

const getCode = ({ body }: ToolResult) => body.errors?.[0]?.code;
const getMessage = ({ body }: ToolResult) => body.errors?.[0]?.message;

describe('planned write', () => {
  it.each(CHANGES)(
    'has no effect when $tool is planned, takes effect when confirmed, and returns REPLAYED when repeated',
    async ({ tool, operation }) => {
      const tools = await connect();
      const [{ plan, confirm }, planned] = await recordWrites(() => requestPlan(tool, tools));
      expect(plan).toMatchObject({ isError: false, body: { confirmation: expect.any(String), plan: expect.any(Object) } });
      expect(planned).not.toContain(operation);
      const [done, sent] = await recordWrites(() => confirm());
      expect([done.isError, sent]).toEqual([false, [operation]]);
      const [field = ''] = Object.keys(done.body.data);
      expect(done.body.data[field].effect).toBe('DONE');
      const [again] = await recordWrites(() => confirm());
      expect([again.isError, again.body.data[field].effect]).toEqual([false, 'REPLAYED']);
      expect(again.body.data[field]).toEqual({ ...done.body.data[field], effect: 'REPLAYED' });
      await tools.close();
    },
  );
});

describe('confirmation', () => {
  it.each([
    ['a modified payload', (token: string) => `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`],
    ['another signature', (token: string) => `${token.slice(0, -4)}AAAA`],
    ['no signature', (token: string) => token.split('.')[0]],
    ['a suffix', (token: string) => `${token}.x`],
    ['an arbitrary string', () => 'yes'],
  ])('returns CONFIRMATION_REFUSED with %s', async (_title, alter) => {
    const tools = await connect();
    const { plan, confirm } = await requestPlan('order_cancel', tools);
    const [rejected, sent] = await recordWrites(() => confirm({ confirmation: alter(plan.body.confirmation) }));
    expect([rejected.isError, getCode(rejected), sent]).toEqual([true, 'CONFIRMATION_REFUSED', []]);
    expect(getMessage(rejected)).toMatch(/Invalid confirmation: it was modified or signed by another process/);
    await tools.close();
  });

  it('returns CONFIRMATION_REFUSED with another API key', async () => {
    const [tools, others] = await Promise.all([connect(), connect(makeKey(testGraph.sandbox.world))]);
    const { args, plan } = await requestPlan('quote_confirm', tools);
    const call = () => others.call('svc_quote_confirm', { ...args, confirmation: plan.body.confirmation });
    const [rejected, sent] = await recordWrites(call);
    expect([getCode(rejected), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
    expect(getMessage(rejected)).toMatch(/belongs to another API key/);
    await Promise.all([tools.close(), others.close()]);
  });

  it('returns CONFIRMATION_REFUSED for another tool', async () => {
    const tools = await connect();
    const { args, plan } = await requestPlan('work_order_complete', tools);
    const other = await requestPlan('quote_confirm', tools);
    const [rejected, sent] = await recordWrites(() =>
      tools.call('svc_quote_confirm', { ...other.args, confirmation: plan.body.confirmation }),
    );
    expect([getCode(rejected), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
    expect(getMessage(rejected)).toMatch(/is for svc_work_order_complete, not for svc_quote_confirm/);
    expect(args).not.toEqual(other.args);
    await tools.close();
  });

  it('returns CONFIRMATION_REFUSED with other arguments', async () => {
    const tools = await connect();
    const { confirm } = await requestPlan('payment_refund', tools);
    const [rejected, sent] = await recordWrites(() => confirm({ minorUnits: '10000' }));
    expect([getCode(rejected), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
    expect(getMessage(rejected)).toMatch(/arguments differ from those of the plan/);
    await tools.close();
  });

  it('returns BAD_USER_INPUT for deeply nested arguments', async () => {
    const tools = await connect();
    const { args, plan } = await requestPlan('quote_prepare', tools);
    const open = 20_000;
    // The client would recurse through every level, so the JSON is built manually.
    const json = JSON.stringify({ ...args, lines: 'DEEP', confirmation: plan.body.confirmation });
    const params = `{ "name": "svc_quote_prepare", "arguments": ${json.replace('"DEEP"', `${'['.repeat(open)}${']'.repeat(open)}`)} }`;
    const response = await fetch(`${testGraph.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer demo-owner',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: `{ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${params} }`,
    });
    const { result, error } = (await response.json()) as { result?: { content: [{ text: string }] }; error?: unknown };
    expect(error).toBeUndefined();
    expect(JSON.parse(result?.content[0].text ?? '{}').errors).toEqual([
      { code: 'BAD_USER_INPUT', message: expect.stringContaining('32 levels') },
    ]);
    await tools.close();
  });

  it('expires ten minutes after its plan, also for a retry', async () => {
    const tools = await connect();
    const { confirm } = await requestPlan('stock_adjust', tools);
    const late = await requestPlan('quote_prepare', tools);
    clock.now += 10 * 60_000 - 1;
    expect((await confirm()).isError).toBe(false);
    clock.now += 1;
    for (const each of [confirm, late.confirm]) {
      const [rejected, sent] = await recordWrites(() => each());
      expect([getCode(rejected), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
      expect(getMessage(rejected)).toMatch(/has expired after ten minutes/);
    }
    await tools.close();
  });

  it('contains neither the API key nor its hash', async () => {
    const tools = await connect();
    const { plan } = await requestPlan('order_cancel', tools);
    const claims = Buffer.from(plan.body.confirmation.split('.')[0], 'base64url').toString();
    expect(claims).toContain('svc_order_cancel');
    expect(claims).not.toContain('demo-owner');
    expect(claims).not.toContain(hashApiKey('demo-owner').slice(0, 10));
    await tools.close();
  });

  it.each(CHANGES)('has one effect if sent four times concurrently by $tool', async ({ tool, operation }) => {
    const tools = await connect();
    const { confirm } = await requestPlan(tool, tools);
    const before = countEffects(tool);
    const results = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    const done = results.filter(({ isError }) => !isError).map(({ body }) => (Object.values(body.data)[0] as { effect: string }).effect);
    expect(done.filter((effect) => effect === 'DONE')).toHaveLength(1);
    const codes = results
      .filter(({ isError }) => isError)
      .map((result) => getCode(result) ?? (Object.values(result.body.data)[0] as { code: string }).code);
    expect(codes.filter((code) => code !== 'OPERATION_IN_PROGRESS')).toEqual([]);
    expect(countEffects(tool) - before).toBe(1);
    expect(operation).not.toBe('');
    await tools.close();
  });
});

describe('plan', () => {
  it('contains text for people, the records with their version, and the next step', async () => {
    const tools = await connect();
    const { args, plan } = await requestPlan('order_cancel', tools);
    expect(plan.body).toEqual({
      plan: expect.arrayContaining(['Cancel an order', '  Reason: "Moved away."', 'Current records', '    Status: open']),
      records: { order: expect.objectContaining({ status: 'OPEN', cancellationImpact: expect.objectContaining({ canCancel: true }) }) },
      arguments: args,
      version: plan.body.records.order.version,
      confirmation: expect.any(String),
      expiresAt: new Date(clock.now + 10 * 60_000).toISOString(),
      next: expect.stringContaining('svc_order_cancel'),
    });
    await tools.close();
  });

  it('returns PLAN_CHANGED with the current records if the record has changed since', async () => {
    const tools = await connect();
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const quoteId = await records.id('Quote');
    const plan = await tools.call('svc_quote_confirm', { quoteId });
    const UPDATE = `mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { ... on QuoteUpdatePayload { quote { version } } } }`;
    const lines = [{ productId: demoId('product 1'), quantity: 9 }];
    const { data } = await testGraph.execute(UPDATE, { input: { quoteId, lines, discounts: [], expectedVersion: plan.body.version } });
    const { version } = data.quoteUpdate.quote;
    const [rejected, sent] = await recordWrites(() => tools.call('svc_quote_confirm', { quoteId, confirmation: plan.body.confirmation }));
    expect([rejected.isError, getCode(rejected), sent]).toEqual([true, 'PLAN_CHANGED', []]);
    expect(rejected.body.records.quote).toMatchObject({ version, lines: [{ quantity: 9 }] });
    expect(rejected.body.plan.join('\n')).toContain('Quantity: 9');
    expect(version).not.toBe(plan.body.version);
    await tools.close();
  });

  it.each([
    ['payment_refund', { currencyCode: 'USD' }, 'BAD_USER_INPUT'],
    ['inventory_move', { quantity: 0 }, 'BAD_USER_INPUT'],
    ['stock_adjust', { reason: ' ' }, 'BAD_USER_INPUT'],
    ['quote_prepare', { lines: 'none' }, 'BAD_USER_INPUT'],
    ['quote_prepare', { customerId: demoId('customer absent') }, 'NOT_FOUND'],
    ['order_cancel', { orderId: 'nothing' }, 'NOT_FOUND'],
    ['order_cancel', { version: '1' }, 'BAD_USER_INPUT'],
    ['order_cancel', { expectedVersion: '1' }, 'BAD_USER_INPUT'],
    ['order_cancel', { idempotencyKey: 'mine' }, 'BAD_USER_INPUT'],
  ])('returns an error for %s with %j without a call', async (tool, wrong, code) => {
    const tools = await connect();
    const { args } = await requestPlan(tool, tools);
    const [rejected, sent] = await recordWrites(() => tools.call(`svc_${tool}`, { ...args, ...wrong }));
    const failure = rejected.body.errors?.[0] ?? Object.values(rejected.body.data)[0];
    expect([rejected.isError, failure.code, sent, rejected.body.confirmation]).toEqual([true, code, [], undefined]);
    await tools.close();
  });

  it('works in both protocol eras', async () => {
    for (const era of PROTOCOL_MODES) {
      const tools = await connectTools(testGraph.url, 'demo-owner', era);
      const { confirm } = await requestPlan('quote_prepare', tools);
      expect((await confirm()).body.data.quoteCreate.effect).toBe('DONE');
      await tools.close();
    }
  });
});

describe('plan whose records have outgrown the result limit', () => {
  const MAX_BYTES = 4_096;
  const small = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_MAX_RESULT_BYTES: String(MAX_BYTES) } });

  it('returns PLAN_CHANGED with truncated lists', async () => {
    const tools = await connectTools(small.url, 'demo-owner');
    const records = new Records({ url: small.sandbox.url, world: small.sandbox.world });
    const quoteId = await records.id('Quote');
    const plan = await tools.call('svc_quote_confirm', { quoteId });
    const lines = Array.from({ length: 90 }, (_, index) => ({ productId: demoId('product 1'), quantity: index + 1 }));
    await records.call('Quote/UpdateQuote', { id: quoteId, expectedVersion: plan.body.version, lineItems: lines });
    const rejected = await tools.call('svc_quote_confirm', { quoteId, confirmation: plan.body.confirmation });
    expect([rejected.isError, getCode(rejected), rejected.body.truncated.lists]).toEqual([
      true,
      'PLAN_CHANGED',
      expect.arrayContaining([{ path: 'records.quote.lines', shown: expect.any(Number), of: 90 }]),
    ]);
    expect(JSON.stringify(rejected.text).length + rejected.text.length).toBeLessThanOrEqual(MAX_BYTES);
    await tools.close();
  });
});

describe('plan with READ_CACHE_MS', () => {
  const caching = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', READ_CACHE_MS: '60000' } });

  it('contains the current records and is rejected if another client has changed them since', async () => {
    const tools = await connectTools(caching.url, 'demo-owner');
    const records = new Records({ url: caching.sandbox.url, world: caching.sandbox.world });
    const quoteId = await records.id('Quote');
    const plan = () => tools.call('svc_quote_confirm', { quoteId });
    const first = await plan();
    const updateQuote = (quantity: number, expectedVersion: string) =>
      records.call('Quote/UpdateQuote', { id: quoteId, expectedVersion, lineItems: [{ productId: demoId('product 1'), quantity }] });
    await updateQuote(99, first.body.version);
    const rejected = await tools.call('svc_quote_confirm', { quoteId, confirmation: first.body.confirmation });
    expect([rejected.isError, getCode(rejected), rejected.body.records.quote.lines]).toMatchObject([
      true,
      'PLAN_CHANGED',
      [{ quantity: 99 }],
    ]);
    await updateQuote(7, rejected.body.records.quote.version);
    expect((await plan()).body.records.quote.lines).toMatchObject([{ quantity: 7 }]);
    await tools.close();
  });
});
