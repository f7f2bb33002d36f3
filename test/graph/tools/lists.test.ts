import { readdirSync } from 'node:fs';
import type { Tool } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { deriveAnnotations } from '../../../src/tools/toolDocuments.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { spec } from '../../support/spec.ts';
import { startTestGraph, useTestGraph } from '../../support/testGraph.ts';
import { connectTools, PROTOCOL_MODES } from '../../support/toolClient.ts';

const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'confirm' } });

const ALL = readdirSync('src/tools/documents').map((file) => `svc_${file.replace('.graphql', '')}`);
const READS = ALL.filter((name) => !CHANGES.some(({ tool }) => name === `svc_${tool}`));

async function listNames(scopes: readonly string[], url = testGraph.url): Promise<string[]> {
  const tools = await connectTools(url, makeKey(testGraph.sandbox.world, { scopes: ['me:read', ...scopes] }));
  const names = await tools.names();
  await tools.close();
  return names;
}

async function listTools(url = testGraph.url): Promise<ReadonlyMap<string, Tool>> {
  const { client, close } = await connectTools(url, 'demo-owner');
  const { tools } = await client.listTools();
  await close();
  return new Map(tools.map((tool) => [tool.name, tool]));
}

describe('tool list', () => {
  it.each([
    ['no scopes', [], []],
    ['product scopes', ['catalog:read'], ['find_product']],
    ['product and stock scopes', ['catalog:read', 'inventory:read'], ['find_product', 'stock_of_product']],
    ['customer scopes', ['customer:read'], ['find_customer']],
    ['customer and quote scopes', ['customer:read', 'quote:read'], ['find_customer', 'open_quotes']],
    [
      'scopes to confirm quotes, but not to read orders',
      ['quote:read', 'quote:confirm', 'customer:read'],
      ['find_customer', 'open_quotes', 'quote_confirm'],
    ],
    ['member scopes', ['member:read'], ['member_list']],
    ['write scopes without read scopes', ['order:cancel', 'payment:refund', 'invoice:send'], []],
    ['wildcards of each domain', ['customer:*', 'catalog:*', 'order:*', 'member:*', 'analytics:*'], []],
    ['the wildcard of all domains', ['*'], []],
    ['uppercase scopes', ['CATALOG:READ'], []],
  ])('contains the tools whose scopes the key has by name: %s', spec('5.8', '5.9'), async (_title, scopes, expected) => {
    expect(await listNames(scopes)).toEqual(expected.map((name) => `svc_${name}`));
  });

  it.each(PROTOCOL_MODES)('contains every tool for a key with all scopes in the %s protocol era', async (era) => {
    const tools = await connectTools(testGraph.url, 'demo-owner', era);
    expect(await tools.names()).toEqual(ALL.toSorted());
    await tools.close();
  });

  it('stays small, because hosts add it to every session', async () => {
    const tools = [...(await listTools()).values()];
    const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    expect(tools.length).toBe(ALL.length);
    const inputs = tools.flatMap(({ name, description, inputSchema }) => [name, description, inputSchema]);
    // Chosen: about 8,000 tokens for what every host passes to its model, and as much for what some do.
    expect(inputs.reduce<number>((sum, each) => sum + countBytes(each), 0)).toBeLessThanOrEqual(30_000);
    expect(countBytes(tools)).toBeLessThanOrEqual(60_000);
  });

  it('contains nothing for a key without me:read', async () => {
    const tools = await connectTools(
      testGraph.url,
      makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'me:read') }),
    );
    expect(await tools.names()).toEqual([]);
    expect((await tools.call('svc_find_product', { query: 'a' })).body.errors[0].reason).toBe('UNDETERMINED');
    await tools.close();
  });

  it('contains no writes for MCP_WRITES=none and all of them for MCP_WRITES=direct', async () => {
    for (const [MCP_WRITES, expected] of [
      ['none', READS],
      ['direct', ALL],
    ] as const) {
      const other = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES } });
      const tools = await connectTools(other.app.url, 'demo-owner');
      expect(await tools.names()).toEqual(expected.toSorted());
      await tools.close();
      await other.close();
    }
  });
});

describe('tool', () => {
  it('has the read-only hint exactly if it only reads', async () => {
    for (const [name, { annotations }] of await listTools()) {
      const isRead = READS.includes(name);
      expect([name, annotations?.readOnlyHint, annotations?.idempotentHint]).toEqual([name, isRead, true]);
      if (isRead) expect(annotations).toMatchObject({ destructiveHint: false, openWorldHint: false });
    }
  });

  it('has the destructive hint unless it only adds data, and the open-world hint if it reaches people or payment providers', async () => {
    const tools = [...(await listTools()).values()];
    const listHinted = (hint: 'destructiveHint' | 'openWorldHint') =>
      tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    const additive = CHANGES.filter(({ tool }) => !listHinted('destructiveHint').includes(`svc_${tool}`)).map(({ tool }) => tool);
    expect(additive).toEqual(['appointment_book', 'invoice_send', 'problem_report', 'quote_prepare']);
    expect(listHinted('openWorldHint')).toEqual(['svc_invoice_send', 'svc_payment_refund']);
  });

  it('has a title that isn’t its name', async () => {
    for (const { name, title = '' } of (await listTools()).values()) {
      expect(title).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
      expect(title.length).toBeGreaterThan(5);
      expect(name).not.toContain(title);
    }
  });

  it('has an argument described as optional exactly if it is', async () => {
    for (const { name, inputSchema } of (await listTools()).values()) {
      const { properties = {}, required = [] } = inputSchema;
      const described = Object.entries(properties).filter(([, property]) =>
        /\b(defaults?|omit|omitted|optional)\b/i.test(String((property as { description?: string }).description)),
      );
      const contradictory = described.filter(([argument]) => required.includes(argument)).map(([argument]) => `${name}.${argument}`);
      expect(contradictory).toEqual([]);
    }
  });

  it('has a default and limits for page sizes', async () => {
    for (const { name, inputSchema } of (await listTools()).values()) {
      const { first, after } = (inputSchema.properties ?? {}) as Record<string, Record<string, unknown> | undefined>;
      if (first)
        expect([name, first]).toEqual([name, { ...first, type: 'integer', minimum: 1, maximum: 100, default: expect.any(Number) }]);
      if (first) expect(first.description).toBe('Maximum number of items per list.');
      if (after) expect(after.description).toMatch(/^`endCursor` of the previous page/);
    }
  });

  it('accepts the variables of its document, with types, descriptions, and limits of the contract', async () => {
    const tools = await listTools();
    expect(tools.get('svc_quote_prepare')?.inputSchema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['customerId', 'lines'],
      properties: {
        customerId: { type: 'string', description: 'Customer that the quote is for.' },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['productId', 'quantity'],
            properties: { quantity: { type: 'integer', minimum: 1 }, priceType: { enum: ['ONCE', 'MONTHLY', 'YEARLY'] } },
          },
        },
        confirmation: { type: 'string' },
      },
    });
    expect(tools.get('svc_stock_adjust')?.inputSchema.properties).toMatchObject({ reason: { type: 'string', maxLength: 1_000 } });
    expect(tools.get('svc_planner_day')?.inputSchema.properties).toMatchObject({ from: { type: 'string', format: 'date-time' } });
    expect(tools.get('svc_free_times')?.inputSchema.properties).toMatchObject({ day: { type: 'string', format: 'date' } });
    const undescribed = [...tools.values()].flatMap(({ name, description = '', inputSchema }) =>
      Object.entries(inputSchema.properties ?? {})
        .filter(([, property]) => !(property as { description?: string }).description)
        .map(([property]) => `${name}.${property}`)
        .concat(description.length > 20 ? [] : [name]),
    );
    expect(undescribed).toEqual([]);
  });

  it('requires idempotencyKey and expectedVersion for a write only in direct mode', async () => {
    const guards = ['idempotencyKey', 'expectedVersion', 'confirmation'];
    const listGuards = (tool: Tool | undefined) => guards.filter((name) => name in (tool?.inputSchema.properties ?? {}));
    expect(listGuards((await listTools()).get('svc_order_cancel'))).toEqual(['confirmation']);
    const direct = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_WRITES: 'direct' } });
    const tool = (await listTools(direct.app.url)).get('svc_order_cancel');
    expect([listGuards(tool), tool?.inputSchema.required]).toEqual([
      ['idempotencyKey', 'expectedVersion'],
      ['orderId', 'idempotencyKey', 'expectedVersion'],
    ]);
    await direct.close();
  });
});

describe('tool hints', () => {
  it('treat every write as destructive that replaces, ends, or moves something', () => {
    const writes = operations.filter((operation) => !isRead(operation));
    const additive = writes
      .filter((operation) => !deriveAnnotations([operation]).destructiveHint)
      .map(({ name }) => name.replace(/^.*\//, ''));
    expect(additive.filter((name) => !/^(Add|Attach|Create|Email|Resend|Send)/.test(name))).toEqual([]);
    expect(additive).not.toContain('CreateRefund');
  });
});

describe('start-up', () => {
  it('logs a warning if confirmations are valid only in this process', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    for (const MCP_SECRET of ['', 'a secret of more than thirty-two letters']) {
      const other = await startTestGraph({}, undefined, { logger, env: { MCP: 'true', MCP_WRITES: 'confirm', MCP_SECRET } });
      await other.close();
    }
    expect(lines.filter((line) => line.includes('MCP_SECRET'))).toHaveLength(1);
  });
});
