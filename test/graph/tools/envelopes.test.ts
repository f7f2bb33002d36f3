import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { startTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const MAX_ENVELOPE = 256 * 1024;

/** Tools whose list alone is longer than an envelope: so long are their descriptions. */
function verboseFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  for (const index of [1, 2, 3]) {
    const text = `# ${'Tells who is asking. '.repeat(5_000)}\nquery who_${index} { viewer { workspace { name } } }\n`;
    writeFileSync(join(folder, `who_${index}.graphql`), text);
  }
  return folder;
}

/** A tool that makes a customer, and answers its name more often than fits. */
function echoingFolder(): string {
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

it('a change that was made is told as made, also where its answer does not fit', async () => {
  const env = { MCP: 'true', MCP_WRITES: 'direct', MCP_MAX_RESULT_BYTES: '2048', MCP_DOCUMENTS: echoingFolder() };
  const testGraph = await startTestGraph({}, undefined, { env });
  const tools = await connectTools(testGraph.app.url, 'demo-owner');
  const make = () => tools.call('svc_make_customer', { customerName: 'x'.repeat(150), idempotencyKey: 'made once' });
  for (const _ of ['first', 'repeat']) {
    const { isError, body } = await make();
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

describe('an envelope', () => {
  it('of more than 256 KiB is not answered: a short failure is', spec('8.22'), async () => {
    const testGraph = await startTestGraph({}, undefined, { env: { MCP: 'true', MCP_DOCUMENTS: verboseFolder() } });
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
