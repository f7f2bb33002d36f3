import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

/** Sends SIGTERM as soon as the process handles it. */
const PRELOAD = `process.on('newListener', (name) => {
  if (name === 'SIGTERM') queueMicrotask(() => process.kill(process.pid, name));
});`;

const UPSTREAM = 'http://127.0.0.1:9';

describe('SIGTERM during the start', () => {
  // Without a handler, the first process of a container wouldn't get the signal. A process that gets it later would have listened, and exit with status 0.
  it.each([
    [['src/main.ts']],
    [['sandbox/main.ts']],
    [['cli/startWithSandbox.ts']],
    [['cli/main.ts']],
    [['cli/main.ts', 'start']],
    [['cli/main.ts', 'verify', '--url', UPSTREAM]],
    [['cli/main.ts', 'export', 'customers', '--url', UPSTREAM]],
  ])('ends %j before it starts a server or sends a request', async (program) => {
    const preload = `data:text/javascript,${encodeURIComponent(PRELOAD)}`;
    const env = {
      ...process.env,
      PORT: '0',
      SANDBOX_PORT: '0',
      WORKSPACE_API_KEY: 'demo-owner',
      UPSTREAM_URL: program.length > 1 ? UPSTREAM : '',
    };
    const child = spawn(process.execPath, ['--import', preload, ...program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output, exit] = await Promise.all([readText(child.stdout), once(child, 'exit')]);
    expect(exit).toEqual([143, null]);
    expect(output).not.toContain('http');
  });
});
