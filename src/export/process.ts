import { type CommandContext, runExportCommand } from './command.ts';
import { InterruptedError } from './run.ts';

/**
 * Limits of V8's heap. Without them, V8 lets garbage accumulate up to a multiple of the live data. Measured with a million rows as Parquet: 212 MB instead of
 * 424 MB.
 */
const HEAP_LIMITS = ['--max-old-space-size=160', '--max-semi-space-size=8'];

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Replaces this process by one with a limited heap, unless it's one already. Windows can't replace processes. */
function limitHeap(): void {
  const { execve, execArgv, execPath, argv, platform } = process;
  if (!execve || platform === 'win32' || HEAP_LIMITS.every((flag) => execArgv.includes(flag))) return;
  execve.call(process, execPath, [execPath, ...HEAP_LIMITS, ...execArgv, ...argv.slice(1)], process.env);
}

/** Runs `export` in this process, and exits. */
export async function runExportProcess(args: readonly string[]): Promise<never> {
  limitHeap();
  const interruption = new AbortController();
  // Only the first signal: the second one ends the process, which loses the rows since the last checkpoint.
  for (const signal of SIGNALS) process.once(signal, () => interruption.abort(new InterruptedError(signal)));
  const { stdout, stderr } = process;
  const context: CommandContext = {
    env: process.env,
    out: (text) => void stdout.write(text),
    err: { isTTY: stderr.isTTY === true, write: (text) => void stderr.write(text) },
    signal: interruption.signal,
  };
  // An interrupted call or wait may still be pending.
  process.exit(await runExportCommand(args, context));
}
