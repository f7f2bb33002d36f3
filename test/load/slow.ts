// Runs the tests on a slow machine: `node test/load/slow.ts`, or `node test/load/slow.ts <command>`. The command shares one core with four busy loops, which leaves
// it a fifth of that core. Without `taskset`, all cores are kept busy instead. Exits with the command's status.
import '../../scripts/help.ts';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';

const LOOPS = 4;
const COMMANDS = [
  ['npm', 'test'],
  [process.execPath, 'scripts/check/testOthers.ts'],
];
/** Throws once this process has exited, so that a loop never outlives it, even if it's killed. */
const LOOP = `for (;;) process.kill(${process.pid}, 0)`;

/** First core that this process can run on. Undefined without `taskset`. A container may exclude core 0. */
function findCore(): string | undefined {
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined;
  return /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
}

const core = findCore();
const loops = core === undefined ? LOOPS * availableParallelism() : LOOPS;
const children = new Set<ChildProcess>();
let interruptedBy: NodeJS.Signals | undefined;

/** Starts a program, on the chosen core if there is one. `taskset` replaces itself with the program, so the process ID is the program's. */
function start(stdio: 'inherit' | 'ignore', program: string, ...args: readonly string[]): ChildProcess {
  const child = core === undefined ? spawn(program, args, { stdio }) : spawn('taskset', ['-c', core, program, ...args], { stdio });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

/** Runs a command to its end and returns its status, as a shell reports it. */
async function run([program = '', ...args]: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const [code, signal] = (await once(start('inherit', program, ...args), 'close')) as [number | null, NodeJS.Signals | null];
  const status = code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${status === 0 ? 'Passed' : `Failed with status ${status}`} after ${seconds} s: ${[program, ...args].join(' ')}`);
  return status;
}

async function main(): Promise<number> {
  if (core === undefined) console.log(`taskset isn't available. Running on all cores, with ${loops} busy loops.`);
  else console.log(`Running on core ${core}, with ${loops} busy loops.`);
  for (let count = 0; count < loops; count += 1) start('ignore', process.execPath, '-e', LOOP).once('error', () => {});
  const own = process.argv.slice(2);
  let failure = 0;
  for (const command of own.length > 0 ? [own] : COMMANDS) {
    if (interruptedBy) break;
    const status = await run(command);
    failure ||= status;
  }
  return interruptedBy ? 128 + constants.signals[interruptedBy] : failure;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interruptedBy = signal;
    for (const child of children) child.kill(signal);
  });
process.on('exit', () => {
  for (const child of children) child.kill();
});
process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
// The loops would keep this process alive.
process.exit();
