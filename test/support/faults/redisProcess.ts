import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Process, startProcess } from './process.ts';

const PROGRAM = 'redis-server';

/** Whether Redis is installed. */
export const hasRedis = spawnSync(PROGRAM, ['--version']).status === 0;

/** A free port of this machine. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens must have a port.');
  return address.port;
}

/** A Redis server on a free port. It only persists data if it's durable. */
export interface TestRedis {
  /** `redis://127.0.0.1:<port>`. Doesn't change after a restart. */
  readonly url: string;
  /** Kills the server, as in a crash. */
  stop(): Promise<void>;
  /** Restarts the server after `stop`. It's empty unless it's durable. */
  start(): Promise<void>;
  close(): Promise<void>;
}

function launch(port: number, folder: string, isDurable: boolean): Promise<Process> {
  const lasting = isDurable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...lasting];
  return startProcess(PROGRAM, settings, {}, /Ready to accept connections/);
}

export async function openRedis(isDurable = false): Promise<TestRedis> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  let running: Process | undefined = await launch(port, folder, isDurable);
  const stop = async () => {
    const ending = running;
    running = undefined;
    await ending?.kill();
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    start: async () => {
      running ??= await launch(port, folder, isDurable);
    },
    close: async () => {
      await stop();
    },
  };
}
