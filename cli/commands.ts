import { exitOnOutputError, exitWithError } from '../src/lib/exit.ts';
import { readManifest } from '../src/lib/packageRoot.ts';
import { StartError } from '../src/lib/startup.ts';
import type { runInProcess } from './bulk/command.ts';

/** A subcommand of `workspace-graph`. */
interface Command {
  /** Description in `--help`. */
  readonly summary: string;
  /**
   * Receives the arguments after the command's name. Fulfilled when the command has completed, or when its server is listening. Throws StartError for problems
   * that the user can fix.
   */
  readonly run: (args: readonly string[]) => Promise<unknown>;
}

/** Arguments that request help. */
const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** Wraps a command that prints its result. */
const createPrinter =
  (run: Command['run']): Command['run'] =>
  (args) => {
    exitOnOutputError();
    return run(args);
  };

/** Wraps a command that starts a server. Servers are configured by environment variables. */
const createServer =
  (load: () => Promise<unknown>): Command['run'] =>
  async ([argument]) => {
    if (argument !== undefined && HELP.has(argument)) return console.log(help());
    if (argument !== undefined) throw usageError(`Unexpected argument ${argument}. Use environment variables instead.`);
    return load();
  };

/** The exit codes are described in cli/verify/command.ts. */
async function verify(name: 'verify' | 'can', args: readonly string[]): Promise<void> {
  const { runCommand: run, terminal } = await import('./verify/command.ts');
  process.exitCode = await run([name, ...args], process.env, terminal);
}

async function ledger(args: readonly string[]): Promise<void> {
  const [{ runLedgerCommand: run }, { readSetting }] = await Promise.all([
    import('../src/ledger/command.ts'),
    import('../src/server/settings/config.ts'),
  ]);
  console.log(await run(args, readSetting('LEDGER_URL', process.env)));
}

/** Wraps a command that is a client of a graph. */
const createClient =
  (load: () => Promise<Parameters<typeof runInProcess>[0]>): Command['run'] =>
  async (args) => {
    exitOnOutputError();
    const [{ runInProcess: run }, command] = await Promise.all([import('./bulk/command.ts'), load()]);
    return run(command, args, async (env) => (await import('./startForCommand.ts')).startForCommand(env));
  };

const startGraph = () => import('../src/main.ts');
const startBoth = () => import('./startWithSandbox.ts');

/** The subcommands by name, in the order of `--help`. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  [
    'start',
    {
      summary: 'Start the graph with the upstream at UPSTREAM_URL, or with its own sandbox if unset (default)',
      run: createServer(() => (process.env.UPSTREAM_URL?.trim() ? startGraph() : startBoth())),
    },
  ],
  ['sandbox', { summary: 'Start only the upstream sandbox', run: createServer(() => import('../sandbox/main.ts')) }],
  ['verify', { summary: 'Compare an upstream with the contract (read-only)', run: createPrinter((args) => verify('verify', args)) }],
  [
    'can',
    { summary: 'List what an API key can access, or the scopes that documents require', run: createPrinter((args) => verify('can', args)) },
  ],
  [
    'ledger',
    {
      summary: 'List mutations whose outcome is unknown, and record their outcomes',
      run: createPrinter(ledger),
    },
  ],
  [
    'export',
    {
      summary: 'Export all records of a root to a JSON lines, CSV or Parquet file',
      run: createClient(async () => (await import('./export/command.ts')).runExportCommand),
    },
  ],
  [
    'import',
    {
      summary: 'Send a mutation for each row of a CSV file, an Excel workbook, or a JSON lines file, once',
      run: createClient(async () => (await import('./import/command.ts')).runImportCommand),
    },
  ],
  [
    'analytics-types',
    {
      summary: 'Generate TypeScript types and a query builder from the analytics catalog',
      run: createPrinter(async (args) => (await import('./analyticsTypes/command.ts')).printAnalyticsTypes(args)),
    },
  ],
  [
    'create',
    {
      summary: 'Create a web app with Vite, React, Mantine and Apollo Client from a template',
      run: createPrinter(async (args) => console.log((await import('./createApp.ts')).createApp(args))),
    },
  ],
]);

const usageError = (message: string): StartError => new StartError(`${message} See workspace-graph --help.`);

function help(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: workspace-graph [command]

Commands:
${lines.join('\n')}

Options:
  --help     Show this help; after verify, can, ledger, export, import, analytics-types or create, show its options
  --version  Show the version

Configure the servers with environment variables, such as PORT (default 4000), UPSTREAM_URL and LEDGER_URL.
They are documented in docs/configuration.md of the package.`;
}

async function dispatch(name: string, args: readonly string[]): Promise<void> {
  if (HELP.has(name)) console.log(help());
  else if (name === '--version' || name === '-v') console.log(readManifest().version);
  else {
    const command = COMMANDS.get(name);
    if (!command) throw usageError(`Unknown command ${name}. Expected one of ${[...COMMANDS.keys()].join(', ')}.`);
    await command.run(args);
  }
}

/** Runs the command in the process arguments. Exits if it fails. */
export async function runCommand([name = 'start', ...args]: readonly string[]): Promise<void> {
  await dispatch(name, args).catch(exitWithError);
}
