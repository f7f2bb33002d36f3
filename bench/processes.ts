import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The core that a process is pinned to: the measured server's, the upstream's, or the load generator's. */
export type Core = 'server' | 'upstream' | 'load';

/** Whether the upstream and the load generator have to share a core. */
export const isCoreShared = availableParallelism() < 3;

const CORES: Readonly<Record<Core, string>> = { server: '0', upstream: '1', load: isCoreShared ? '1' : '2' };

/** Maximum time until a server responds. Chosen: gateways compile a schema first. */
const START_MS = 60_000;
/** Chosen: a fraction of the shortest startup time, and negligible work. */
const POLL_MS = 5;

/** A process that listens on loopback. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Time from its start to its first response. */
  readonly startMs: number;
}

const running = new Map<number, ChildProcess>();
const folders: string[] = [];

/** A folder that is deleted at the end. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  folders.push(folder);
  return folder;
}

/** Kills a process and waits until it has exited. Signals other than SIGKILL let it exit cleanly. */
export async function stop({ pid }: Pick<ServerProcess, 'pid'>, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const child = running.get(pid);
  running.delete(pid);
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Kills all processes that were started here, by ID. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running.keys()].map((pid) => stop({ pid })));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether processes can be pinned to cores on this machine. */
const canPin = process.platform === 'linux' && availableParallelism() > 1 && process.env.BENCH_PIN !== 'off';

/** Pins a command to its core. */
const pinCommand = (core: Core, command: readonly string[]): string[] =>
  canPin ? ['taskset', '-c', CORES[core], ...command] : [...command];

/** Starts a server with its port in `PORT`, and waits until `isReady` resolves to true. */
export async function startServer(
  core: Core,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (url: string) => Promise<boolean>,
): Promise<ServerProcess> {
  const port = await findFreePort();
  const [program = '', ...args] = pinCommand(core, command);
  const from = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Reported below, because the ID is missing.
  child.once('error', () => {});
  const { pid } = child;
  if (pid === undefined) throw new Error(`Can’t start ${program}. The benchmark needs it on the PATH (Debian: util-linux).`);
  running.set(pid, child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk}`.slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} exited with status ${child.exitCode}: ${stderr}`);
    if (performance.now() > from + START_MS) throw new Error(`${command.join(' ')} didn’t respond within ${START_MS} ms: ${stderr}`);
    await wait(POLL_MS);
  }
  return { url, pid, startMs: performance.now() - from };
}

/** Runs a command until it exits. Returns its output. */
export async function run(core: Core, command: readonly string[]): Promise<string> {
  const [program = '', ...args] = pinCommand(core, command);
  return (await promisify(execFile)(program, args)).stdout;
}
