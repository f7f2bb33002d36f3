import { strict as assert } from 'node:assert';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImageConfig } from './buildah.ts';
import { type ContainerOptions, Runc } from './container.ts';

/** Interval between two requests to a graph that isn't ready, in milliseconds. Chosen: the error of the reported time. */
const POLL_MS = 10;
/** How long a graph can take until it is ready, in milliseconds. Chosen: ten times the 5 s that it should take on an idle machine. */
const READY_MS = 50_000;

/** Prints the user and the effective capabilities of a process in the container, and the error of writing to its root file system. */
const PRINT_RIGHTS = `
const { readFileSync, writeFileSync } = require('node:fs');
const rights = { user: process.getuid(), capabilities: /^CapEff:\\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1] };
try {
  writeFileSync('/app/new', '');
} catch ({ code }) {
  rights.writeError = code;
}
console.log(JSON.stringify(rights));`;

async function waitUntilReady(url: string, since: number): Promise<number> {
  while (performance.now() - since < READY_MS) {
    const { ok } = await fetch(`${url}/health/ready`);
    if (ok) return performance.now() - since;
    await pause(POLL_MS);
  }
  throw new Error(`${url}/health/ready isn’t ok after ${READY_MS} ms.`);
}

/** Returns the data of a query. */
async function queryWorkspace(url: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer demo-owner', 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ viewer { workspace { name } } }' }),
  });
  const { data } = (await response.json()) as { readonly data?: unknown };
  return data;
}

/**
 * Starts the image with a read-only root file system, as its own user and without capabilities: its sandbox, and its graph with that sandbox. Requests the
 * health check and a query, and stops both. Returns the milliseconds until the graph was ready, or why containers can't be started on this machine. Throws if
 * the image doesn't work. `root` is its root file system, `work` an empty folder.
 */
export async function checkImage(
  root: string,
  { User, Env, Entrypoint, Cmd, WorkingDir }: ImageConfig,
  work: string,
): Promise<{ readonly readyMs: number } | { readonly problem: string }> {
  const runc = new Runc(join(work, 'runc'));
  /** `Env` has the settings of the image. The servers must not be reachable from other machines here. */
  const create = (command: readonly string[], settings: readonly string[], mounts = {}): ContainerOptions => ({
    root,
    args: [...Entrypoint, ...command],
    env: [...Env, 'HOST=127.0.0.1', 'PORT=0', 'SANDBOX_HOST=127.0.0.1', 'SANDBOX_PORT=0', ...settings],
    cwd: WorkingDir,
    user: User,
    mounts,
  });
  const data = join(work, 'data');
  mkdirSync(data);
  const [user, group] = User.split(':').map(Number);
  chownSync(data, user ?? 0, group ?? 0);
  try {
    const problem = runc.findProblem();
    if (problem !== undefined) return { problem };

    const withoutData = runc.run(create(Cmd, []));
    assert.equal(withoutData.status, 1, withoutData.output);
    assert.match(withoutData.output, /LEDGER_URL/, 'Without a volume, the graph has to name the setting of the ledger.');

    const sandbox = await runc.start(create(['sandbox'], []), /Sandbox on (\S+)/);
    const startedAt = performance.now();
    const graph = await runc.start(
      create(Cmd, [`UPSTREAM_URL=${sandbox.url}`, 'SHUTDOWN_DRAIN_MS=0'], { '/data': data }),
      /"url":"(\S+?)\/graphql"/,
    );
    const readyMs = await waitUntilReady(graph.url, startedAt);
    assert.deepEqual(await queryWorkspace(graph.url), { viewer: { workspace: { name: 'Demo Works' } } });
    const rights = JSON.parse(graph.run('node', '--eval', PRINT_RIGHTS));
    assert.deepEqual(rights, { user: 1000, capabilities: '0000000000000000', writeError: 'EROFS' });
    assert.equal(await graph.terminate(), 0, 'The graph has to exit with status 0 after SIGTERM.');
    assert.equal(await sandbox.terminate(), 0, 'The sandbox has to exit with status 0 after SIGTERM.');
    return { readyMs };
  } finally {
    runc.close();
  }
}
