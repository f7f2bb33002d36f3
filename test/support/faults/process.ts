import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A program that runs. */
export interface Process {
  readonly pid: number;
  /** Groups of the `ready` pattern in its output, such as its address. */
  readonly said: readonly string[];
  /** Resolves with the end of its error output when it has ended. */
  readonly ended: Promise<string>;
  /** Sends it a message, and answers with its next one. It has to listen for them: see `withMessages`. */
  ask(): Promise<unknown>;
  /** Asks it to end, with SIGTERM, and answers with its status: 0 when it ends in good order. */
  terminate(): Promise<number | null>;
  /** Ends it at once: nothing of what it does is brought to an end. */
  kill(): Promise<void>;
}

/** How much of what a program says is looked at, in characters. Ours: it says what it listens on with its first lines. */
const MAX_OUTPUT = 100_000;
/** How much of its last words is told when it ends too early, in characters. */
const MAX_LAST_WORDS = 2_000;

const running = new Set<ChildProcess>();

async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

/** Ends all that have been started here. */
export const killAll = (): Promise<unknown> => Promise.all([...running].map(end));

/** Starts a program, and waits until what it prints fits: `said` are the groups. Fails with its last words when it ends before. */
export async function startProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
  withMessages = false,
): Promise<Process> {
  // Nothing is inherited: whoever reads what we print would wait for a program that has outlived us.
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', withMessages ? 'ipc' : 'ignore'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  running.add(child);
  const said = Promise.withResolvers<string[]>();
  const ended = Promise.withResolvers<string>();
  let output = '';
  let lastWords = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => appendFileSync(join(tmpdir(), 'programs'), chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk}`.slice(-MAX_LAST_WORDS);
  });
  child.once('error', (error) => {
    running.delete(child);
    said.reject(error);
  });
  // Not at its exit: its last words may be read later.
  child.once('close', (status, signal) => {
    running.delete(child);
    ended.resolve(lastWords);
    said.reject(new Error(`${[command, ...args].join(' ')} ended with ${status ?? signal} before it was ready. ${lastWords}`));
  });
  // To the end, so that the pipe does not fill up.
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (output.length > MAX_OUTPUT) return;
    output += `${line}\n`;
    const found = ready.exec(output);
    if (found) said.resolve(found.slice(1));
  });
  const ask = () =>
    new Promise((resolve, reject) => {
      const refuse = () => reject(new Error(`${command} ended before it answered. ${lastWords}`));
      child.once('message', resolve);
      child.once('close', refuse);
      // A process that has ended emits no `close` again: then the message fails.
      child.send({}, (error) => error && refuse());
    });
  const terminate = async () => {
    const closed = running.has(child) ? once(child, 'close') : undefined;
    child.kill('SIGTERM');
    await closed;
    return child.exitCode;
  };
  return { pid: child.pid ?? 0, said: await said.promise, ended: ended.promise, ask, terminate, kill: () => end(child) };
}

export interface GraphProcess extends Process {
  readonly url: string;
}

/** Starts a graph on a free port of this machine. With `nodeOptions`, such as a module that is loaded into it, it may `ask` it. */
export async function startGraph(env: Readonly<Record<string, string>>, nodeOptions: readonly string[] = []): Promise<GraphProcess> {
  const settings = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', GRAPHIQL: 'false', MAX_EVENT_LOOP_DELAY_MS: '60000', ...env };
  const started = await startProcess(
    process.execPath,
    [...nodeOptions, 'src/main.ts'],
    settings,
    /"url":"(\S+?)\/graphql"/,
    nodeOptions.length > 0,
  );
  return { ...started, url: started.said[0] ?? '' };
}
