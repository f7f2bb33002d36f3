import { afterEach, describe, expect, it } from 'vitest';
import { keyHashOf } from '../../../src/lib/keyHash.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { TestClock } from '../../support/clock.ts';
import { Records } from '../../support/contract/records.ts';
import { CHANGES, type PlannedChange } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools, PROTOCOL_MODES, type ToolResult } from '../../support/toolClient.ts';

const clock = new TestClock();
const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' }, app: { clock } });
afterEach(() => testGraph.sandbox.faults.clear());

const writes = new Set(operations.filter((operation) => !isRead(operation)).map(({ name }) => name));

/** What `act` answers, with the changes that reached the upstream. */
async function changing<Result>(act: () => Promise<Result>): Promise<readonly [Result, string[]]> {
  const [result, calls] = await testGraph.recordCalls(act);
  return [result, calls.filter((name) => writes.has(name))];
}

const connect = (key = 'demo-owner') => connectTools(testGraph.url, key);
const changeNamed = (name: string) => CHANGES.find(({ tool }) => tool === name) as PlannedChange;

/** A plan of a change, with its arguments. */
async function planOf(name: string, tools: Awaited<ReturnType<typeof connect>>) {
  const { tool, args: make } = changeNamed(name);
  const args = await make(new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world }));
  const plan = await tools.call(`svc_${tool}`, args);
  const confirm = (more: object = {}): Promise<ToolResult> =>
    tools.call(`svc_${tool}`, { ...args, confirmation: plan.body.confirmation, ...more });
  return { args, plan, confirm };
}

/** The records that a tool has made or changed, counted past the graph. */
function effectsOf(tool: string): number {
  const { store } = testGraph.sandbox.world;
  const counted = COUNTS[tool] as string;
  return store.get<{ readonly count: number }>(counted)?.count ?? 0;
}

const COUNTS: Readonly<Record<string, string>> = {
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

const codeOf = ({ body }: ToolResult) => body.errors?.[0]?.code;
const messageOf = ({ body }: ToolResult) => body.errors?.[0]?.message;

describe('a change', () => {
  it.each(CHANGES)(
    'by $tool is planned without any effect, done once by its confirmation, and not done again by a repeat',
    async ({ tool, operation }) => {
      const tools = await connect();
      const [{ plan, confirm }, planned] = await changing(() => planOf(tool, tools));
      expect(plan).toMatchObject({ isError: false, body: { confirmation: expect.any(String), plan: expect.any(Object) } });
      expect(planned).not.toContain(operation);
      const [done, sent] = await changing(() => confirm());
      expect([done.isError, sent]).toEqual([false, [operation]]);
      const [field = ''] = Object.keys(done.body.data);
      expect(done.body.data[field].effect).toBe('DONE');
      const [again] = await changing(() => confirm());
      expect([again.isError, again.body.data[field].effect]).toEqual([false, 'REPLAYED']);
      expect(again.body.data[field]).toEqual({ ...done.body.data[field], effect: 'REPLAYED' });
      await tools.close();
    },
  );
});

describe('a confirmation', () => {
  it.each([
    ['that was altered', (token: string) => `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`],
    ['with another signature', (token: string) => `${token.slice(0, -4)}AAAA`],
    ['without a signature', (token: string) => token.split('.')[0]],
    ['with something behind it', (token: string) => `${token}.x`],
    ['that is none', () => 'yes'],
  ])('%s is refused as altered', async (_title, alter) => {
    const tools = await connect();
    const { plan, confirm } = await planOf('order_cancel', tools);
    const [refused, sent] = await changing(() => confirm({ confirmation: alter(plan.body.confirmation) }));
    expect([refused.isError, codeOf(refused), sent]).toEqual([true, 'CONFIRMATION_REFUSED', []]);
    expect(messageOf(refused)).toMatch(/Invalid confirmation: it was modified or signed by another process/);
    await tools.close();
  });

  it('of another API key is refused', async () => {
    const [tools, others] = await Promise.all([connect(), connect(makeKey(testGraph.sandbox.world))]);
    const { args, plan } = await planOf('quote_confirm', tools);
    const call = () => others.call('svc_quote_confirm', { ...args, confirmation: plan.body.confirmation });
    const [refused, sent] = await changing(call);
    expect([codeOf(refused), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
    expect(messageOf(refused)).toMatch(/belongs to another API key/);
    await Promise.all([tools.close(), others.close()]);
  });

  it('of another tool is refused', async () => {
    const tools = await connect();
    const { args, plan } = await planOf('work_order_complete', tools);
    const other = await planOf('quote_confirm', tools);
    const [refused, sent] = await changing(() => tools.call('svc_quote_confirm', { ...other.args, confirmation: plan.body.confirmation }));
    expect([codeOf(refused), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
    expect(messageOf(refused)).toMatch(/is for svc_work_order_complete, not for svc_quote_confirm/);
    expect(args).not.toEqual(other.args);
    await tools.close();
  });

  it('of other arguments is refused', async () => {
    const tools = await connect();
    const { confirm } = await planOf('payment_refund', tools);
    const [refused, sent] = await changing(() => confirm({ minorUnits: '10000' }));
    expect([codeOf(refused), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
    expect(messageOf(refused)).toMatch(/arguments differ from those of the plan/);
    await tools.close();
  });

  it('of arguments that nest very deep is refused, and is no failure of the graph', async () => {
    const tools = await connect();
    const { args, plan } = await planOf('quote_prepare', tools);
    const open = 20_000;
    // The client would go down every level itself: the text is made by hand.
    const given = JSON.stringify({ ...args, lines: 'DEEP', confirmation: plan.body.confirmation });
    const params = `{ "name": "svc_quote_prepare", "arguments": ${given.replace('"DEEP"', `${'['.repeat(open)}${']'.repeat(open)}`)} }`;
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

  it('ends ten minutes after its plan, also for a repeat', async () => {
    const tools = await connect();
    const { confirm } = await planOf('stock_adjust', tools);
    const late = await planOf('quote_prepare', tools);
    clock.now += 10 * 60_000 - 1;
    expect((await confirm()).isError).toBe(false);
    clock.now += 1;
    for (const each of [confirm, late.confirm]) {
      const [refused, sent] = await changing(() => each());
      expect([codeOf(refused), sent]).toEqual(['CONFIRMATION_REFUSED', []]);
      expect(messageOf(refused)).toMatch(/has expired after ten minutes/);
    }
    await tools.close();
  });

  it('holds neither the API key nor its hash', async () => {
    const tools = await connect();
    const { plan } = await planOf('order_cancel', tools);
    const claims = Buffer.from(plan.body.confirmation.split('.')[0], 'base64url').toString();
    expect(claims).toContain('svc_order_cancel');
    expect(claims).not.toContain('demo-owner');
    expect(claims).not.toContain(keyHashOf('demo-owner').slice(0, 10));
    await tools.close();
  });

  it.each(CHANGES)('of $tool that is sent four times at once has one effect', async ({ tool, operation }) => {
    const tools = await connect();
    const { confirm } = await planOf(tool, tools);
    const before = effectsOf(tool);
    const answers = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    const done = answers.filter(({ isError }) => !isError).map(({ body }) => (Object.values(body.data)[0] as { effect: string }).effect);
    expect(done.filter((effect) => effect === 'DONE')).toHaveLength(1);
    const codes = answers
      .filter(({ isError }) => isError)
      .map((answer) => codeOf(answer) ?? (Object.values(answer.body.data)[0] as { code: string }).code);
    expect(codes.filter((code) => code !== 'OPERATION_IN_PROGRESS')).toEqual([]);
    expect(effectsOf(tool) - before).toBe(1);
    expect(operation).not.toBe('');
    await tools.close();
  });
});

describe('a plan', () => {
  it('returns text for a person, the records with their version, and the next step', async () => {
    const tools = await connect();
    const { args, plan } = await planOf('order_cancel', tools);
    expect(plan.body).toEqual({
      plan: expect.arrayContaining(['Cancel an order', '  Reason: Moved away.', 'Current records', '    Status: open']),
      records: { order: expect.objectContaining({ status: 'OPEN', cancellationImpact: expect.objectContaining({ canCancel: true }) }) },
      arguments: args,
      version: plan.body.records.order.version,
      confirmation: expect.any(String),
      expiresAt: new Date(clock.now + 10 * 60_000).toISOString(),
      next: expect.stringContaining('svc_order_cancel'),
    });
    await tools.close();
  });

  it('is rejected with the current records if the record has changed since', async () => {
    const tools = await connect();
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const quoteId = await records.id('Quote');
    const plan = await tools.call('svc_quote_confirm', { quoteId });
    const UPDATE = `mutation ($input: QuoteUpdateInput!) { quoteUpdate(input: $input) { ... on QuoteUpdatePayload { quote { version } } } }`;
    const lines = [{ productId: demoId('product 1'), quantity: 9 }];
    const { data } = await testGraph.execute(UPDATE, { input: { quoteId, lines, discounts: [], expectedVersion: plan.body.version } });
    const { version } = data.quoteUpdate.quote;
    const [refused, sent] = await changing(() => tools.call('svc_quote_confirm', { quoteId, confirmation: plan.body.confirmation }));
    expect([refused.isError, codeOf(refused), sent]).toEqual([true, 'PLAN_CHANGED', []]);
    expect(refused.body.records.quote).toMatchObject({ version, lines: [{ quantity: 9 }] });
    expect(refused.body.plan.join('\n')).toContain('Quantity: 9');
    expect(version).not.toBe(plan.body.version);
    await tools.close();
  });

  it.each([
    ['payment_refund', { currencyCode: 'USD' }, 'BAD_USER_INPUT'],
    ['inventory_move', { quantity: 0 }, 'BAD_USER_INPUT'],
    ['stock_adjust', { reason: ' ' }, 'BAD_USER_INPUT'],
    ['quote_prepare', { lines: 'none' }, 'BAD_USER_INPUT'],
    ['quote_prepare', { customerId: demoId('customer nobody') }, 'NOT_FOUND'],
    ['order_cancel', { orderId: 'nothing' }, 'NOT_FOUND'],
    ['order_cancel', { version: '1' }, 'BAD_USER_INPUT'],
    ['order_cancel', { expectedVersion: '1' }, 'BAD_USER_INPUT'],
    ['order_cancel', { idempotencyKey: 'mine' }, 'BAD_USER_INPUT'],
  ])('of %s with %j is refused before it is made, and nothing is sent', async (tool, wrong, code) => {
    const tools = await connect();
    const { args } = await planOf(tool, tools);
    const [refused, sent] = await changing(() => tools.call(`svc_${tool}`, { ...args, ...wrong }));
    const failure = refused.body.errors?.[0] ?? Object.values(refused.body.data)[0];
    expect([refused.isError, failure.code, sent, refused.body.confirmation]).toEqual([true, code, [], undefined]);
    await tools.close();
  });

  it('is made in both eras of the protocol', async () => {
    for (const era of PROTOCOL_MODES) {
      const tools = await connectTools(testGraph.url, 'demo-owner', era);
      const { confirm } = await planOf('quote_prepare', tools);
      expect((await confirm()).body.data.quoteCreate.effect).toBe('DONE');
      await tools.close();
    }
  });
});

describe('a plan whose records have changed to more than an answer may have', () => {
  const MAX_BYTES = 4_096;
  const small = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_MAX_RESULT_BYTES: String(MAX_BYTES) } });

  it('is refused by an answer whose lists are cut', async () => {
    const tools = await connectTools(small.url, 'demo-owner');
    const records = new Records({ url: small.sandbox.url, world: small.sandbox.world });
    const quoteId = await records.id('Quote');
    const plan = await tools.call('svc_quote_confirm', { quoteId });
    const lines = Array.from({ length: 90 }, (_, index) => ({ productId: demoId('product 1'), quantity: index + 1 }));
    await records.call('Quote/UpdateQuote', { id: quoteId, expectedVersion: plan.body.version, lineItems: lines });
    const refused = await tools.call('svc_quote_confirm', { quoteId, confirmation: plan.body.confirmation });
    expect([refused.isError, codeOf(refused), refused.body.truncated.lists]).toEqual([
      true,
      'PLAN_CHANGED',
      expect.arrayContaining([{ path: 'records.quote.lines', shown: expect.any(Number), of: 90 }]),
    ]);
    expect(JSON.stringify(refused.text).length + refused.text.length).toBeLessThanOrEqual(MAX_BYTES);
    await tools.close();
  });
});

describe('a plan where reads are kept', () => {
  const keeping = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm', READ_CACHE_MS: '60000' } });

  it('shows the records as they are, and is refused when another has changed them since', async () => {
    const tools = await connectTools(keeping.url, 'demo-owner');
    const records = new Records({ url: keeping.sandbox.url, world: keeping.sandbox.world });
    const quoteId = await records.id('Quote');
    const plan = () => tools.call('svc_quote_confirm', { quoteId });
    const first = await plan();
    const changed = (quantity: number, expectedVersion: string) =>
      records.call('Quote/UpdateQuote', { id: quoteId, expectedVersion, lineItems: [{ productId: demoId('product 1'), quantity }] });
    await changed(99, first.body.version);
    const refused = await tools.call('svc_quote_confirm', { quoteId, confirmation: first.body.confirmation });
    expect([refused.isError, codeOf(refused), refused.body.records.quote.lines]).toMatchObject([true, 'PLAN_CHANGED', [{ quantity: 99 }]]);
    await changed(7, refused.body.records.quote.version);
    expect((await plan()).body.records.quote.lines).toMatchObject([{ quantity: 7 }]);
    await tools.close();
  });
});
