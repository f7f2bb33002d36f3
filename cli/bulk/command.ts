import type { Clock } from '../../src/lib/clock.ts';
import { getSignalStatus, handleSignals } from '../../src/lib/signals.ts';
import type { OpenGraph } from './graphClient.ts';
import type { ProgressOutput } from './progress.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command needs of its process. */
export interface CommandContext {
  readonly env: Environment;
  /** Prints to standard output. */
  readonly out: (text: string) => void;
  readonly err: ProgressOutput;
  /** Aborted with an InterruptedError when the process receives a signal. */
  readonly signal: AbortSignal;
  /** Starts a graph for the upstream of the environment. */
  readonly startGraph: (env: Environment) => Promise<OpenGraph>;
  readonly clock?: Clock;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** The graph of this machine. */
const DEFAULT_URL = 'http://127.0.0.1:4000/graphql';

/** Thrown when a signal stops a command. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
    this.signal = signal;
  }

  /** As shells report processes that a signal ended. */
  get status(): number {
    return getSignalStatus(this.signal);
  }
}

/** Opens the graph with a URL, or that of the environment. */
export async function openGraph(url: string | undefined, { env, startGraph }: CommandContext): Promise<OpenGraph> {
  if (url === undefined && env.UPSTREAM_URL?.trim()) return startGraph(env);
  const endpoint = url ?? DEFAULT_URL;
  return { url: endpoint, upstreamUrl: endpoint, close: async () => {} };
}

/**
 * Limits of V8's heap. Without them, V8 lets garbage accumulate up to a multiple of the live data. Chosen: the live data of the graph and of a command are half
 * of it.
 */
const HEAP_LIMITS = ['--max-old-space-size=128', '--max-semi-space-size=8'];

/** Replaces this process by one with a limited heap, unless it's one already. Windows can't replace processes. */
function limitHeap(): void {
  const { execve, execArgv, execPath, argv, platform } = process;
  if (!execve || platform === 'win32' || HEAP_LIMITS.every((flag) => execArgv.includes(flag))) return;
  execve.call(process, execPath, [execPath, ...HEAP_LIMITS, ...execArgv, ...argv.slice(1)], process.env);
}

/** Runs a command in this process, and exits. `startGraph` starts a graph for the upstream of the environment. */
export async function runInProcess(
  run: (args: readonly string[], context: CommandContext) => Promise<number>,
  args: readonly string[],
  startGraph: CommandContext['startGraph'],
): Promise<never> {
  limitHeap();
  const interruption = new AbortController();
  handleSignals((signal) => {
    // The second signal ends the process, which loses what wasn't saved.
    handleSignals();
    interruption.abort(new InterruptedError(signal));
  });
  const { stdout, stderr } = process;
  const context: CommandContext = {
    env: process.env,
    out: (text) => void stdout.write(text),
    err: { isTTY: stderr.isTTY === true, write: (text) => void stderr.write(text) },
    signal: interruption.signal,
    startGraph,
  };
  // An interrupted request or wait may still be pending.
  process.exit(await run(args, context));
}
