import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { createUuid } from '../../../sandbox/kernel/random.ts';
import { OLDEST_NODE } from '../../../src/lib/nodeVersion.ts';
import { post } from '../../sandbox/sandbox.ts';
import { listBlocks } from '../../support/codeBlocks.ts';
import { startProgram } from '../../support/program.ts';
import playwrightConfig from '../../support/snippets/playwrightConfig.ts';
import { postQuery } from '../../support/testGraph.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';
import { findDeadLinks, install, listFiles, PACKAGE_NODE, packInto, run } from './packages.ts';

let folder = '';
let program = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  install(folder, [packInto(folder).server, '@modelcontextprotocol/server@2']);
  program = join(folder, 'node_modules/.bin/workspace-graph');
  // npm's cache may be empty.
}, LONG_TEST_MS);

// Removes hundreds of third-party packages, so that the search for secrets after the run skips them.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a command of the package. `end` terminates it and returns its exit code and signal. */
async function start(args: readonly string[], env: Readonly<Record<string, string>>, address: RegExp) {
  const { child, url } = await startProgram([program, ...args], env, address, PACKAGE_NODE);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const terminate = async () => {
    child.kill('SIGTERM');
    return once(child, 'exit');
  };
  return { url, end: terminate };
}

describe('package installed in an empty folder', () => {
  it('starts the graph over its own sandbox with the examples in GraphiQL, and exits cleanly', async () => {
    const both = await start([], {}, /Workspace Graph on (\S+)\/graphql/);
    const { data } = await postQuery(both.url, 'demo-owner', '{ viewer { workspace { name } } }');
    expect(data).toEqual({ viewer: { workspace: { name: 'Demo Works' } } });
    const page = await fetch(`${both.url}/graphql`, { headers: { accept: 'text/html' } });
    expect((await page.text()).includes('mutation StockMove')).toBe(true);
    expect((await fetch(`${both.url}/start/start.js`)).status).toBe(200);
    expect(await both.end()).toEqual([0, null]);
  });

  it('prints analytics types and serves tools', async () => {
    const both = await start([], { MCP: 'true' }, /Workspace Graph on (\S+)\/graphql/);
    const types = spawnSync(PACKAGE_NODE, [program, 'analytics-types', '--url', `${both.url}/graphql`], { encoding: 'utf8' });
    expect(types, types.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining('total_once') });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const response = await fetch(`${both.url}/mcp`, {
      method: 'POST',
      headers: { authorization: 'Bearer demo-owner', 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('svc_find_customer')]);
    expect(await both.end()).toEqual([0, null]);
  });

  it('starts the graph over UPSTREAM_URL with a YAML overlay and a ledger file', async () => {
    const sandbox = await start(['sandbox'], {}, /Sandbox on (\S+)/);
    const overlay = join(folder, 'overlay.yaml');
    writeFileSync(overlay, 'operations:\n  Contact/ListContacts:\n    page: { maxSize: 40 }\n');
    const ledger = join(folder, 'ledger.sqlite');
    const settings = { UPSTREAM_URL: sandbox.url, LEDGER_URL: `file:${ledger}`, CONTRACT_OVERLAY: overlay };
    const graph = await start(['start'], settings, /"url":"(\S+?)\/graphql"/);
    const create = `mutation { contactCreate(input: { lastName: "Packed", idempotencyKey: "packed-1" }) {
      ... on ContactCreatePayload { effect }
      ... on MutationError { code message }
    } }`;
    const { data: first } = await postQuery(graph.url, 'demo-owner', create);
    expect(first).toEqual({ contactCreate: { effect: 'DONE' } });
    const { data: repeat } = await postQuery(graph.url, 'demo-owner', create);
    expect(repeat).toEqual({ contactCreate: { effect: 'REPLAYED' } });
    expect(readdirSync(folder)).toContain('ledger.sqlite');
    expect(await graph.end()).toEqual([0, null]);
    expect(await sandbox.end()).toEqual([0, null]);
  });

  it('runs the sandbox as the documentation configures it for Playwright and for GitHub Actions', async () => {
    const { command, url: readyUrl, env } = playwrightConfig.webServer;
    const PATH = `${dirname(PACKAGE_NODE)}:${process.env.PATH}`;
    // In a process group of its own, which Playwright ends.
    const child = spawn(command, { shell: true, detached: true, cwd: folder, env: { ...process.env, ...env, PATH, SANDBOX_PORT: '0' } });
    onTestFinished(() => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    });
    let output = '';
    let url: string | undefined;
    for await (const chunk of child.stdout) {
      output += String(chunk);
      url = /Sandbox on (\S+)/.exec(output)?.[1];
      if (url) break;
    }
    if (!url) throw new Error(`The command ended without an address: ${output}`);
    expect((await fetch(`${url}${new URL(readyUrl).pathname}`)).status).toBe(200);
    const { body } = await post(url, 'demo-owner', 'Customer/GetCustomer', { id: createUuid(Number(env.SANDBOX_SEED), 'demo customer 0') });
    expect(body.customer.customFields).toHaveProperty('legacy_code');

    const [[, workflow] = []] = listBlocks('workflow');
    const { steps, services } = parse(workflow?.text ?? '').jobs.test;
    const [service] = Object.values<{ env: Record<string, string>; ports: readonly string[] }>(services);
    expect(
      readSandboxConfig(Object.fromEntries(Object.entries(service?.env ?? {}).map(([name, value]) => [name, String(value)]))),
    ).toMatchObject({ seed: 7 });
    expect(service?.ports).toContain(`${readSandboxConfig({}).port}:${readSandboxConfig({}).port}`);
    const { host } = new URL(url);
    expect(run('sh', ['-c', steps[0].run.replace('127.0.0.1:4010', host)])).toBe('{"status":"ok"}');
  });

  it('contains the license texts of the bundled packages and an SBOM of all packages', () => {
    const installed = join(folder, 'node_modules/workspace-graph');
    const licenses = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    expect(licenses).toMatch(/^undici [\d.]+: MIT\n\nMIT License/m);
    expect(licenses).not.toContain('Elastic');
    const { components } = JSON.parse(readFileSync(join(installed, 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string }[];
    };
    const names = components.map(({ name }) => name);
    // A bundled package, an installed dependency, and a development dependency.
    expect(names).toEqual(expect.arrayContaining(['undici', '@pothos/core', '@apollo/subgraph']));
    expect(names.filter((name) => name === 'vitest' || name.startsWith('node-'))).toEqual([]);
  });

  it('contains the files that its documents link to, and what operators need', () => {
    const installed = join(folder, 'node_modules/workspace-graph');
    expect(findDeadLinks(installed)).toEqual([]);
    expect(listFiles(installed)).toEqual(
      expect.arrayContaining([
        'deploy/prometheus/alerts.yaml',
        'deploy/telemetry/start.mjs',
        'deploy/telemetry/package-lock.json',
        'deploy/overlays/production/kustomization.yaml',
      ]),
    );
    const page = readFileSync(join(installed, 'docs/architecture.md'), 'utf8');
    expect(page).toContain('](https://github.com/your-org/workspace-graph/blob/v');
  });

  it('contains only runtime files of the repository and a valid manifest', () => {
    const installed = join(folder, 'node_modules/workspace-graph');
    const files = listFiles(installed);
    const ofRepository = files.filter((file) => file.endsWith('.ts') || /^(test|scripts|bench)\b/.test(file));
    // Declarations of the entry for tests, the files of the app that `create` creates, and those that `analytics-types` prints.
    expect(ofRepository.filter((file) => !file.startsWith('examples/template/'))).toEqual([
      'cli/analyticsTypes/conditions.ts',
      'cli/analyticsTypes/queries.ts',
      'dist/testing/createTestGraph.d.ts',
      'dist/testing/index.d.ts',
      'dist/testing/startProxy.d.ts',
    ]);
    const { bin, engines, dependencies, optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(engines).toEqual({ node: `>=${OLDEST_NODE}` });
    expect(Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => name.startsWith('node-'))).toEqual([]);
    expect(files).toContain(bin['workspace-graph']);
  });
});
