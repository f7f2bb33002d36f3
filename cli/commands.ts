import { readFileSync } from 'node:fs';
import { endWith, StartError } from '../src/lib/starting.ts';

/** A subcommand of `workspace-graph`. */
interface Command {
  /** Line of `--help`. */
  readonly summary: string;
  /** Gets the arguments behind its name. Fulfilled when it has ended, or serves; fails with a StartError on what the caller can mend. */
  readonly run: (args: readonly string[]) => Promise<unknown>;
}

/** Arguments that ask for help. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** A server, which takes its settings from the environment. */
const server =
  (load: () => Promise<unknown>): Command['run'] =>
  async ([argument]) => {
    if (argument !== undefined && HELP.has(argument)) return console.log(help());
    if (argument !== undefined)
      throw usageError(`No argument was expected, but ${argument} was given. Set environment variables in its place.`);
    return load();
  };

/** The exit code tells what came out: see src/verify/command.ts. */
async function verify(name: 'verify' | 'can', args: readonly string[]): Promise<void> {
  const { runCommand: run, terminal } = await import('../src/verify/command.ts');
  process.exitCode = await run([name, ...args], process.env, terminal);
}

const startGraph = () => import('../src/main.ts');
const startBoth = () => import('../dev/start.ts');

/** The subcommands by name, in the order of `--help`. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  [
    'start',
    {
      summary: 'the graph over UPSTREAM_URL; over a sandbox of its own where that is not set. Runs when no command is given',
      run: server(() => (process.env.UPSTREAM_URL?.trim() ? startGraph() : startBoth())),
    },
  ],
  ['sandbox', { summary: 'the sandbox of the upstream alone', run: server(() => import('../sandbox/main.ts')) }],
  ['verify', { summary: 'compares the contract with an upstream, by reads alone', run: (args) => verify('verify', args) }],
  ['can', { summary: 'what an API key may use, and the scopes that documents need', run: (args) => verify('can', args) }],
  [
    'analytics-types',
    {
      summary: 'TypeScript types and a query builder for the catalog of analytics',
      run: async (args) => (await import('../scripts/analytics/command.ts')).printAnalyticsTypes(args),
    },
  ],
]);

const usageError = (message: string): StartError => new StartError(`${message} See workspace-graph --help.`);

function help(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `workspace-graph [command]

Commands:
${lines.join('\n')}

  --help     this text; behind verify or can, its options
  --version  the version of the package

Settings are environment variables, such as PORT (4000), UPSTREAM_URL and LEDGER_URL: docs/configuration.md in the package lists them all.`;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return version;
}

async function dispatch(name: string, args: readonly string[]): Promise<void> {
  if (HELP.has(name)) console.log(help());
  else if (name === '--version' || name === '-v') console.log(version());
  else {
    const command = COMMANDS.get(name);
    if (!command) throw usageError(`Unknown command ${name}; expected ${[...COMMANDS.keys()].join(' or ')}.`);
    await command.run(args);
  }
}

/** Runs the command that the arguments of the process name. Ends the process where that fails. */
export async function runCommand([name = 'start', ...args]: readonly string[]): Promise<void> {
  await dispatch(name, args).catch(endWith);
}
