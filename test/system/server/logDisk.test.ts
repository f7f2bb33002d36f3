import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../support/faults/redisProcess.ts';
import { parseSeries, scrape } from '../../support/telemetry/scrape.ts';
import { postQuery } from '../../support/testGraph.ts';

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly adminUrl: string;
}

/** Starts a graph whose standard output and errors go to a file descriptor, so that its port can't be read from them. */
async function start(program: string, fd: number): Promise<Running> {
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const env = {
    ...process.env,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    SANDBOX_PORT: '0',
    LEDGER_URL: 'file::memory:',
    LOG_LEVEL: 'debug',
    UPSTREAM_URL: 'http://127.0.0.1:9',
  };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', fd, fd] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const isLive = () =>
    fetch(`${url}/health/live`).then(
      ({ status }) => status,
      () => child.exitCode ?? 'starting',
    );
  await expect.poll(isLive).toBe(200);
  return { child, url, adminUrl: `http://127.0.0.1:${adminPort}` };
}

const countDroppedLines = async ({ adminUrl }: Running) => parseSeries(await scrape(adminUrl)).get('log_lines_dropped_total') ?? 0;

async function terminate({ child }: Running): Promise<unknown[]> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  return exit;
}

describe('full log disk', () => {
  it.each(['src/main.ts', 'cli/startWithSandbox.ts'])(
    'serves requests, counts the dropped lines, and exits on SIGTERM: %s',
    async (program) => {
      const full = openSync('/dev/full', 'w');
      onTestFinished(() => closeSync(full));
      const running = await start(program, full);
      const before = await countDroppedLines(running);
      const { data } = await postQuery(running.url, 'demo-owner', '{ __typename }');
      expect(data).toEqual({ __typename: 'Query' });
      await expect.poll(() => countDroppedLines(running)).toBeGreaterThan(before);
      expect(await terminate(running)).toEqual([0, null]);
    },
  );
});

describe('log without a reader', () => {
  it('serves requests and exits on SIGTERM', async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), 'log-')), 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    // Opened for reading and writing, so that opening doesn't wait for a reader.
    const fd = openSync(pipe, 'r+');
    onTestFinished(() => closeSync(fd));
    const running = await start('src/main.ts', fd);
    // More lines than fit into the pipe's 64 KB.
    for (let round = 0; round < 20; round += 1) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, () => fetch(`${running.url}/health/live`).then(({ status }) => status)),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    // The signal itself kills the process, because the blocked write prevents a clean exit.
    expect(await terminate(running)).toEqual([null, 'SIGTERM']);
  });
});
