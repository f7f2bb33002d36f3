import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A running child process. */
export interface Process {
  readonly pid: number;
  /** Capture groups of the `ready` pattern, such as the process's URL. */
  readonly captures: readonly string[];
  /** Resolves to the end of stderr when the process has exited. */
  readonly ended: Promise<string>;
  /** Sends the process a message and resolves to its next one. The process needs a listener; see `withMessages`. */
  requestMessage(): Promise<unknown>;
  /** Sends SIGTERM and resolves to the exit code, which is 0 after a clean shutdown. */
  terminate(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** Maximum number of characters of output that are searched for `ready`. Chosen: programs print their URLs first. */
const MAX_OUTPUT = 100_000;
/** Maximum number of characters of stderr in the error for a process that exits early. */
const MAX_STDERR_TAIL = 2_000;

const running = new Set<ChildProcess>();

async function killChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

/** Kills all processes that this module has started. */
export const killAll = (): Promise<unknown> => Promise.all([...running].map(killChild));

/** Starts a program and waits until its output matches `ready`. Throws with the end of stderr if the program exits before that. */
export async function startProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
  withMessages = false,
): Promise<Process> {
  // Inherits no streams. Otherwise, a reader of this process's output would also wait for children that outlive it.
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', withMessages ? 'ipc' : 'ignore'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  running.add(child);
  const said = Promise.withResolvers<string[]>();
  const ended = Promise.withResolvers<string>();
  let output = '';
  let stderrTail = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => appendFileSync(join(tmpdir(), 'programs'), chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    stderrTail = `${stderrTail}${chunk}`.slice(-MAX_STDERR_TAIL);
  });
  child.once('error', (error) => {
    running.delete(child);
    said.reject(error);
  });
  // Listens for `close` instead of `exit`, because stderr can still be read after `exit`.
  child.once('close', (status, signal) => {
    running.delete(child);
    ended.resolve(stderrTail);
    said.reject(new Error(`${[command, ...args].join(' ')} ended with ${status ?? signal} before it was ready. ${stderrTail}`));
  });
  // Reads until the end, so that the pipe doesn't fill up.
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (output.length > MAX_OUTPUT) return;
    output += `${line}\n`;
    const found = ready.exec(output);
    if (found) said.resolve(found.slice(1));
  });
  const requestMessage = () =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`${command} exited before it sent a message. ${stderrTail}`));
      child.once('message', (message) => {
        child.off('close', fail);
        resolve(message);
      });
      child.once('close', fail);
      // A process that has exited doesn't emit `close` again, but sending fails.
      child.send({}, (error) => error && fail());
    });
  const terminate = async () => {
    const closed = running.has(child) ? once(child, 'close') : undefined;
    child.kill('SIGTERM');
    await closed;
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    captures: await said.promise,
    ended: ended.promise,
    requestMessage,
    terminate,
    kill: () => killChild(child),
  };
}

export interface GraphProcess extends Process {
  readonly url: string;
}

/** Starts a graph on a free port of this machine. `nodeOptions` can preload a module for `requestMessage`. `main` can be that of another checkout. */
export async function startGraph(
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
  main = 'src/main.ts',
): Promise<GraphProcess> {
  const settings = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', GRAPHIQL: 'false', MAX_EVENT_LOOP_DELAY_MS: '60000', ...env };
  const started = await startProcess(process.execPath, [...nodeOptions, main], settings, /"url":"(\S+?)\/graphql"/, nodeOptions.length > 0);
  return { ...started, url: started.captures[0] ?? '' };
}
