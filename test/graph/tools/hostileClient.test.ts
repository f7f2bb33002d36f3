import type { Tool } from '@modelcontextprotocol/client';

import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../src/lib/keyHash.ts';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { anyCharacter, fc } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

/** Calls per run. Chosen to take a few seconds. */
const RUNS = 150;
const MAX_ENVELOPE = 256 * 1024;

const logLines: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
// A worker keeps this module in memory, and the lines have 90 MB.
afterAll(() => void logLines.splice(0));
const SECRET = 'the secret of this test, which no client may see';
// Disables compilation: comparing results would send each analytics query twice.
const env = { MCP: 'true', MCP_WRITES: 'confirm', MCP_SECRET: SECRET, COMPILE_AFTER: '0' };
const testGraph = useTestGraph({}, undefined, { env, logger });

const writes = new Set(operations.filter((operation) => !isRead(operation)).map(({ name }) => name));

const ids = ['customer 0', 'order 0', 'quote 0', 'product 1', 'location 0', 'payment 0', 'work order 0', 'portfolio 0'].map(demoId);
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(...ids, '', ' ', 'x'.repeat(5_000), '\u0000', '../../..', 'null', '{"__proto__":1}', '$ne', "' OR 1=1"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.string({ unit: anyCharacter }),
);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Plausible values by the schema that the server publishes. */
function createPlausible({ type, enum: values, format, items, properties }: Schema): fc.Arbitrary<unknown> {
  if (values) return fc.constantFrom(...values);
  if (type === 'integer') return fc.integer({ min: -2, max: 200 });
  if (type === 'array' && items) return fc.array(createPlausible(items), { maxLength: 3 });
  if (type === 'object')
    return fc.record(Object.fromEntries(Object.entries(properties ?? {}).map(([name, each]) => [name, createPlausible(each)])));
  if (format === 'date-time') return fc.constantFrom('2026-03-10T09:00:00Z', '2026-03-10T25:00:00Z');
  if (format === 'date') return fc.constantFrom('2026-03-10', '2026-02-31');
  return fc.constantFrom(...ids, 'EUR', '100');
}

/** Arguments of a tool: valid, invalid, unknown, or missing. Confirmations are invented: no real one is sent. */
function createArguments({ inputSchema }: Tool): fc.Arbitrary<Record<string, unknown>> {
  const properties = (inputSchema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const members = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof({ arbitrary: createPlausible(schema), weight: 3 }, { arbitrary: anyValue, weight: 1 }),
  ]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const extra = fc.dictionary(fc.string(), anyValue, { maxKeys: 2 });
  return fc.oneof(
    { arbitrary: known, weight: 4 },
    { arbitrary: fc.tuple(known, extra).map(([one, other]) => ({ ...one, ...other })), weight: 1 },
  );
}

describe('client that sends arbitrary messages', () => {
  it('changes nothing without a confirmation and never receives a secret, a key, or an internal error', async () => {
    const statuses: number[] = [];
    const { client, close } = await connectTools(testGraph.url, 'demo-owner');
    const { tools } = await client.listTools();
    const keyHash = hashApiKey('demo-owner');
    const calls = fc.constantFrom(...tools).chain((tool) => fc.tuple(fc.constant(tool.name), createArguments(tool)));
    const before = testGraph.sandbox.received.length;
    await fc.assert(
      fc.asyncProperty(calls, async ([name, args]) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
        const headers = {
          authorization: 'Bearer demo-owner',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        const response = await fetch(`${testGraph.url}/mcp`, { method: 'POST', headers, body });
        const text = await response.text();
        statuses.push(response.status);
        expect(response.status).toBeLessThan(500);
        expect(text.length).toBeLessThanOrEqual(MAX_ENVELOPE);
        expect(text).not.toContain('INTERNAL_SERVER_ERROR');
        for (const secret of ['demo-owner', keyHash, SECRET]) expect(text).not.toContain(secret);
      }),
      { numRuns: RUNS },
    );
    await close();
    const sent = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
    expect(sent.filter((name) => writes.has(name))).toEqual([]);
    // Most calls pass the HTTP checks.
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(RUNS / 2);
    const log = logLines.join('');
    expect(log).toContain('tool call');
    expect(log).not.toContain('unexpected error');
    for (const secret of ['demo-owner', keyHash, SECRET]) expect(log).not.toContain(secret);
  });

  it('gets a response to every message', async () => {
    const message = fc.oneof(
      fc.jsonValue(),
      fc.record({
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.oneof(
          fc.constantFrom('tools/list', 'tools/call', 'initialize', 'server/discover', 'ping', 'resources/list', 'tasks/list'),
          fc.string(),
        ),
        params: fc.jsonValue(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(message, fc.constantFrom(undefined, '2026-07-28', '2025-11-25', '2024-11-05', 'x'), async (value, version) => {
        const headers = {
          authorization: 'Bearer demo-owner',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        const extra = version === undefined ? {} : { 'mcp-protocol-version': version };
        const response = await fetch(`${testGraph.url}/mcp`, {
          method: 'POST',
          headers: { ...headers, ...extra },
          body: JSON.stringify(value),
        });
        await response.text();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  });
});
