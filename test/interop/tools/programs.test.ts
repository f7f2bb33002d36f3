import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { useTestGraph } from '../../support/testGraph.ts';
import { PROGRAM_MS } from '../../support/timeouts.ts';

const run = promisify(execFile);
const testGraph = useTestGraph({}, undefined, { env: { MCP: 'true' } });

/** The programs write their results to the working directory. */
const cwd = mkdtempSync(join(tmpdir(), 'tools-'));
const bin = (name: string) => resolve('test/interop/node_modules/.bin', name);

/** A proxy in front of the tools that adds an API key, because the public programs send none. Everything else passes unchanged. */
const keyed = createServer((request, response) => {
  const headers = { ...request.headers, authorization: 'Bearer demo-owner' };
  const sent = forward(testGraph.url + request.url, { method: request.method, headers }, (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode ?? 500, upstreamResponse.headers);
    upstreamResponse.pipe(response);
  });
  request.pipe(sent);
});
afterAll(() => keyed.close());

async function startKeyedProxy(): Promise<string> {
  if (!keyed.listening) await once(keyed.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(keyed.address() as AddressInfo).port}/mcp`;
}

describe('MCP Inspector', () => {
  const inspect = async (...more: string[]) => {
    const args = ['--cli', `${testGraph.url}/mcp`, '--transport', 'http', '--header', 'Authorization: Bearer demo-owner', ...more];
    const { stdout } = await run(bin('mcp-inspector'), args, { cwd, timeout: PROGRAM_MS });
    return JSON.parse(stdout);
  };

  it('lists the tools', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('svc_find_customer');
  });

  it('calls a tool', async () => {
    const { content, isError } = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'svc_find_customer',
      '--tool-arg',
      'query=C-000001',
    );
    expect(isError).not.toBe(true);
    expect(JSON.parse(content[0].text).data.customers.nodes).toMatchObject([{ referenceNumber: 'C-000001' }]);
  });
});

describe('MCP conformance suite', () => {
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])('passes %s', async (scenario) => {
    const { stdout } = await run(bin('conformance'), ['server', '--url', await startKeyedProxy(), '--scenario', scenario], {
      cwd,
      timeout: PROGRAM_MS,
    });
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
  });
});
