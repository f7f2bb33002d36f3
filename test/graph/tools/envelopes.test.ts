import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { startTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const MAX_ENVELOPE = 256 * 1024;

/** Tools whose descriptions make the list longer than the maximum envelope. */
function createVerboseFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  for (const index of [1, 2, 3]) {
    const text = `# ${'Returns the current workspace. '.repeat(5_000)}\nquery who_${index} { viewer { workspace { name } } }\n`;
    writeFileSync(join(folder, `who_${index}.graphql`), text);
  }
  return folder;
}

/** A tool that creates a customer and returns its name more often than fits. */
function createEchoingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  const names = Array.from({ length: 20 }, (_, index) => `n${index}: customerName`).join(' ');
  const payload = `... on CustomerCreatePayload { effect customer { ${names} } } ... on MutationError { code message retry }`;
  const text = `# Makes a customer.
mutation make_customer($customerName: String!, $idempotencyKey: String!) {
  customerCreate(input: { customerName: $customerName, idempotencyKey: $idempotencyKey }) { __typename ${payload} }
}
query make_customer_plan { viewer { workspace { id } } }
`;
  writeFileSync(join(folder, 'make_customer.graphql'), text);
  return folder;
}

it('reports a mutation as successful even if its response doesn’t fit', async () => {
  const env = { MCP: 'true', MCP_WRITES: 'direct', MCP_MAX_RESULT_BYTES: '2048', MCP_DOCUMENTS: createEchoingFolder() };
  const testGraph = await startTestGraph({}, undefined, { env });
  const tools = await connectTools(testGraph.app.url, 'demo-owner');
  const createCustomer = () => tools.call('svc_make_customer', { customerName: 'x'.repeat(150), idempotencyKey: 'made once' });
  for (const _ of ['first', 'repeat']) {
    const { isError, body } = await createCustomer();
    expect([isError, body]).toEqual([
      false,
      { done: true, message: expect.stringContaining('The mutation succeeded, but its response exceeds') },
    ]);
  }
  const sql = "SELECT count(*) AS count FROM customers WHERE customer_name LIKE 'xxx%'";
  expect(testGraph.sandbox.world.store.get<{ readonly count: number }>(sql)).toEqual({ count: 1 });
  await tools.close();
  await testGraph.close();
});

describe('JSON-RPC envelope', () => {
  it('changes to a short error if it exceeds 256 KiB', spec('8.22'), async () => {
    const testGraph = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_DOCUMENTS: createVerboseFolder() } });
    const headers = {
      authorization: 'Bearer demo-owner',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} });
    const response = await fetch(`${testGraph.app.url}/mcp`, { method: 'POST', headers, body });
    const text = await response.text();
    expect([response.status, text.length < 1_000]).toEqual([200, true]);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_000, message: expect.stringContaining(`The response exceeds ${MAX_ENVELOPE} bytes.`) },
    });
    await testGraph.close();
  });
});
