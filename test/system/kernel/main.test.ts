import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { describeSandbox, serveSandbox } from '../../../sandbox/serve.ts';
import { post } from '../../sandbox/sandbox.ts';

const main = fileURLToPath(new URL('../../../sandbox/main.ts', import.meta.url));

describe('serveSandbox', () => {
  it('closes the sandbox and the admin port with one close', async () => {
    const sandbox = await serveSandbox(readSandboxConfig({ SANDBOX_PORT: '0', SANDBOX_ADMIN_PORT: '0' }));
    const faults = `${sandbox.adminUrl}/faults`;
    expect((await post(sandbox.url, 'demo-owner', 'Workspace/Me', {})).status).toBe(200);
    expect(await (await fetch(faults)).json()).toEqual({ faults: [] });
    await sandbox.close();
    await expect(fetch(faults)).rejects.toThrow('fetch failed');
    await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed');
  });

  it('opens no admin port by default', async () => {
    const config = readSandboxConfig({ SANDBOX_PORT: '0' });
    const sandbox = await serveSandbox(config);
    expect(sandbox.adminUrl).toBeNull();
    expect(describeSandbox(sandbox, config)).not.toContain('Admin API');
    await sandbox.close();
  });

  it('opens no port if the admin port is in use', async () => {
    const taken = await serveSandbox(readSandboxConfig({ SANDBOX_PORT: '0' }));
    const adminPort = Number(new URL(taken.url).port);
    await expect(serveSandbox({ ...readSandboxConfig({ SANDBOX_PORT: '0' }), adminPort })).rejects.toThrow('EADDRINUSE');
    await taken.close();
  });
});

describe('sandbox program', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('prints its URLs and exits cleanly on %s', async (signal) => {
    const program = spawn(process.execPath, [main], { env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_ADMIN_PORT: '0' } });
    let errors = '';
    program.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    let printed = '';
    const exited = once(program, 'exit');
    for await (const chunk of program.stdout) {
      printed += String(chunk);
      if (!printed.includes('demo-office')) continue;
      const urls = printed.match(/http:\/\/127\.0\.0\.1:\d+(\/faults)?/g) ?? [];
      expect(urls).toHaveLength(2);
      expect((await post(urls[0] ?? '', 'demo-owner', 'Workspace/Me', {})).status).toBe(200);
      expect((await fetch(urls[1] ?? '')).status).toBe(200);
      program.kill(signal);
    }
    expect(await exited).toEqual([0, null]);
    expect(errors).toBe('');
  });
});
