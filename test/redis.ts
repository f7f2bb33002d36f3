import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

const PROGRAM = 'redis-server';

/** Whether Redis is installed. */
export const hasRedis = spawnSync(PROGRAM, ['--version']).status === 0;

/** What the name of a suite ends with, so that one that is skipped says why. */
export const redisNote = hasRedis ? '' : ` (skipped: ${PROGRAM} is not installed)`;

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens must have a port.');
  return address.port;
}

/** A Redis of our own, on a free port. Unless it is durable, it keeps nothing. */
export interface TestRedis {
  /** `redis://127.0.0.1:<port>`. The same after a restart. */
  readonly url: string;
  /** Ends it at once, as a crash does. */
  stop(): Promise<void>;
  /** Starts it again after `stop`: empty, unless it is durable. */
  start(): Promise<void>;
  close(): Promise<void>;
}

async function launch(port: number, folder: string, isDurable: boolean): Promise<ChildProcess> {
  const lasting = isDurable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...lasting];
  const child = spawn(PROGRAM, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = Promise.withResolvers<void>();
  child.once('error', ready.reject);
  child.once('exit', (status) => ready.reject(new Error(`${PROGRAM} ended with ${status} before it listened.`)));
  createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> }).on('line', (line) => {
    if (line.includes('Ready to accept connections')) ready.resolve();
  });
  await ready.promise;
  return child;
}

export async function openRedis(isDurable = false): Promise<TestRedis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  let child: ChildProcess | undefined = await launch(port, folder, isDurable);
  const stop = async () => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    start: async () => {
      child ??= await launch(port, folder, isDurable);
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A Redis for the tests of one file: started before them, ended after them. Needs `hasRedis`. */
export function useRedis(isDurable = false) {
  let redis: TestRedis | undefined;
  beforeAll(async () => {
    if (hasRedis) redis = await openRedis(isDurable);
  });
  afterAll(() => redis?.close());
  const opened = () => {
    if (!redis) throw new Error(`${PROGRAM} is there only while tests run, where it is installed.`);
    return redis;
  };
  return {
    get url() {
      return opened().url;
    },
    stop: () => opened().stop(),
    start: () => opened().start(),
  };
}
