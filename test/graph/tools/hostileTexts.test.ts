import { readFileSync } from 'node:fs';
import { getNamedType, type OperationDefinitionNode, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getMember } from '../../../src/schema/kit/operations.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { Records } from '../../support/contract/records.ts';
import { getGraph } from '../../support/getGraph.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { CHANGES } from '../../support/plannedChanges.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';
import { READS } from '../../support/toolReads.ts';

/** Line breaks of every kind, bidirectional controls, escape sequences of terminals, an invisible character, quotes, and a forged amount. */
const HOSTILE = [
  'Roof',
  ...['\n', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f'].map((end) => `${end}  Amount: €0.01`),
  '\u202ex\u202c\u2066\u2069\u200f\u061c',
  '\u001b[2K\u001b[1A\u009b31m\u0007\b\u0000\u007f\u200b\ufeff\u{e0041}',
  '", Total: €0.01, Quantity: "1\\',
].join('');

/** Characters that no displayed text may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/u;

const FORGED = /^\W*(?:Amount|Total|Quantity): "?€?0\.01/;

/** Members of upstream records to make hostile. */
let members: ReadonlySet<string> = new Set();

/** Appends the hostile text to all texts of a response that the upstream members contain. */
const toHostile = (value: unknown, name = ''): unknown => {
  // Arguments with unpaired surrogates are rejected.
  if (typeof value === 'string') return members.has(name) && value !== '' ? `${value}${HOSTILE}\ud800` : value;
  if (Array.isArray(value)) return value.map((each) => toHostile(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toHostile(each, key)]));
};

const hostileUpstream = interceptCalls(async (request, usual) => {
  const response = await usual(request);
  return members.size > 0 && response.status === 200
    ? { ...response, body: JSON.stringify(toHostile(JSON.parse(response.body))) }
    : response;
});

const testGraph = useTestGraph({}, undefined, { transport: hostileUpstream, env: { MCP: 'true', MCP_WRITES: 'confirm' } });
const { schema } = getGraph();

beforeEach(() => {
  members = new Set();
});

const readTool = (tool: string) => parse(readFileSync(`src/tools/documents/${tool}.graphql`, 'utf8'));

/** Upstream members of the texts that an operation of a tool selects. */
function listTextMembers(tool: string, suffix = ''): ReadonlySet<string> {
  const names = new Set<string>();
  const types = new TypeInfo(schema);
  const operation = readTool(tool).definitions.find(
    (each): each is OperationDefinitionNode => 'operation' in each && each.name?.value === `${tool}${suffix}`,
  );
  const visitor = visitWithTypeInfo(types, {
    Field: () => {
      const field = types.getFieldDef();
      if (field && getNamedType(field.type).name === 'String') names.add(getMember(field) ?? field.name);
    },
  });
  if (operation) visit(operation, visitor);
  return names;
}

/** All texts within a value. */
const listTexts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];

const getLabel = (line: string) => /^[^:]*/.exec(line)?.[0];

describe('hostile texts', () => {
  let tools: Awaited<ReturnType<typeof connectTools>>;
  beforeAll(async () => {
    tools = await connectTools(testGraph.url, 'demo-owner');
  });
  afterAll(() => tools.close());

  const openRecords = () => new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });

  function checkPlan(plan: readonly string[], expected: readonly string[]): void {
    expect(plan.filter((line) => HIDDEN.test(line) || FORGED.test(line))).toEqual([]);
    expect(plan.map(getLabel)).toEqual(expected.map(getLabel));
  }

  it.each(CHANGES)('leave the lines of a plan of $tool unchanged in each record', async ({ tool, args: createArgs }) => {
    const args = { ...(await createArgs(openRecords())) };
    const { body: usual } = await tools.call(`svc_${tool}`, args);
    members = listTextMembers(tool, '_plan');
    const { body, text } = await tools.call(`svc_${tool}`, args);
    expect(body.errors).toBeUndefined();
    expect(text).not.toMatch(HIDDEN);
    expect(listTexts(body.records).filter((text) => text.includes('€0.01')).length).toBeGreaterThan(0);
    checkPlan(body.plan, usual.plan);
  });

  it.each(CHANGES)('leave the lines of a plan of $tool unchanged in each argument', async ({ tool, args: createArgs }) => {
    const { tools: listed } = await tools.client.listTools();
    const { properties = {} } = listed.find(({ name }) => name === `svc_${tool}`)?.inputSchema ?? {};
    const names = Object.entries(properties as Record<string, Record<string, unknown>>).flatMap(
      ([name, { type, format, pattern, minLength }]) =>
        type === 'string' && name !== 'confirmation' && !format && !pattern && minLength === undefined ? [name] : [],
    );
    const args = await createArgs(openRecords());
    for (const name of names) {
      const [{ body: usual }, { body, text }] = [
        await tools.call(`svc_${tool}`, { ...args, [name]: 'Usual' }),
        await tools.call(`svc_${tool}`, { ...args, [name]: HOSTILE.slice(0, 180) }),
      ];
      expect([name, body.errors]).toEqual([name, undefined]);
      checkPlan(body.plan, usual.plan);
      expect(text).not.toMatch(HIDDEN);
    }
  });

  it('add no lines to the message of an unmet requirement', async () => {
    const records = openRecords();
    const productId = await records.id('Product');
    await records.call('Catalog/UpdateProduct', { id: productId, isActive: false });
    members = new Set(['name']);
    const { body } = await tools.call('svc_quote_prepare', { customerId: demoId('customer 0'), lines: [{ productId, quantity: 1 }] });
    expect(body.errors.map(({ code }: { code: string }) => code)).toContain('TRANSITION_BLOCKED');
    for (const { message } of body.errors) {
      expect(message).not.toMatch(HIDDEN);
      expect(message).toContain('\\n  Amount: €0.01');
    }
  });

  it('appear escaped in the message about an argument', async () => {
    const { body } = await tools.call('svc_payment_refund', { paymentId: 'a', minorUnits: HOSTILE, [HOSTILE.slice(0, 30)]: 1 });
    expect(body.errors).toHaveLength(2);
    for (const { message, argument } of body.errors) expect(`${message}${argument}`).not.toMatch(HIDDEN);
  });

  it.each(Object.entries(READS))('appear escaped in the text of each record that %s returns', async (tool, args) => {
    members = listTextMembers(tool);
    const { text, body, structured } = await tools.call(`svc_${tool}`, { ...args });
    expect(text).not.toMatch(HIDDEN);
    expect(body).toEqual(structured);
  });

  it('end with an ellipsis if they are long', async () => {
    const args = await CHANGES.find(({ tool }) => tool === 'order_cancel')?.args(openRecords());
    const { body } = await tools.call('svc_order_cancel', { ...args, reason: '😀'.repeat(201) });
    expect(body.plan).toContain(`  Reason: "${'😀'.repeat(200)}…"`);
  });
});
