import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorld } from '../support/world.ts';

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

describe('an envelope', () => {
  it('of more than 256 KiB is not answered: a short failure is', async () => {
    const world = await openWorld({}, undefined, { env: { MCP: 'true', MCP_DOCUMENTS: verboseFolder() } });
    const headers = {
      authorization: 'Bearer demo-owner',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} });
    const response = await fetch(`${world.app.url}/mcp`, { method: 'POST', headers, body });
    const text = await response.text();
    expect([response.status, text.length < 1_000]).toEqual([200, true]);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_000, message: expect.stringContaining(`larger than ${MAX_ENVELOPE} bytes`) },
    });
    await world.close();
  });
});
