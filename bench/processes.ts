import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Whose core a process runs on: that of the server which is measured, or that of all the others. */
export type Core = 'server' | 'rest';

const CORES: Readonly<Record<Core, string>> = { server: '0', rest: '1' };

/** How long a server may take until it answers. Ours: gateways compile a schema first. */
const START_MS = 60_000;
const POLL_MS = 50;

/** In ticks a second: what Linux tells CPU time in, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** A process that listens on loopback. */
export interface Served {
  readonly url: string;
  /** The CPU time it has taken, in seconds. */
  cpuSeconds(): Promise<number>;
  rssBytes(): Promise<number>;
}

const running = new Set<ChildProcess>();

/** Ends all processes that were started. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether pinning works here. */
const canPin = process.platform === 'linux' && process.env.BENCH_PIN !== 'off';

/** A command on its core. */
export const pinned = (core: Core, command: readonly string[]): string[] =>
  canPin ? ['taskset', '-c', CORES[core], ...command] : [...command];

/** Starts a server, which is told its port by `PORT`, and waits until `isReady` says that it answers. */
export async function serve(
  core: Core,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (url: string) => Promise<boolean>,
): Promise<Served> {
  const port = await freePort();
  const [program = '', ...args] = pinned(core, command);
  const child = spawn(program, args, {
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = `${words}${chunk}`.slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  const until = performance.now() + START_MS;
  while (!(await isReady(url).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}: ${words}`);
    if (performance.now() > until) throw new Error(`${command.join(' ')} did not answer in ${START_MS} ms: ${words}`);
    await wait(POLL_MS);
  }
  const { pid } = child;
  return {
    url,
    cpuSeconds: async () => {
      // Behind the name, which may hold anything but ends with the last bracket: user and system time are the 12th and 13th.
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    rssBytes: async () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  };
}

/** Runs a command to its end. Answers what it printed. */
export async function run(core: Core, command: readonly string[]): Promise<string> {
  const [program = '', ...args] = pinned(core, command);
  return (await promisify(execFile)(program, args)).stdout;
}
