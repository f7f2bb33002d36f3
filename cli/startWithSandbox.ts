// Starts the sandbox and the graph in one process, without other dependencies.
import type { SandboxConfig } from '../sandbox/kernel/config.ts';
import { cacheCompiledCode } from '../src/lib/compileCache.ts';
import { readManifest } from '../src/lib/packageRoot.ts';
import { checkSignals, handleSignals } from '../src/lib/signals.ts';

handleSignals();
// A full disk must not end the servers. The console itself only ignores the first error.
process.stdout.on('error', () => {});
// Printed before the other modules are imported, because that takes longer than a user waits for a sign of life.
console.log(`Starting Workspace Graph ${readManifest().version} with its sandbox`);
cacheCompiledCode(process.env);
const [
  { readSandboxConfig },
  { describeSandbox },
  { serveDemoSandbox },
  { isLedgerUrl },
  { createLedgerFolder },
  { exitWithError },
  { serveGraph },
] = await Promise.all([
  import('../sandbox/kernel/config.ts'),
  import('../sandbox/serve.ts'),
  import('./demoSandbox.ts'),
  import('../src/ledger/ledgerUrl.ts'),
  import('../src/ledger/sqliteStore.ts'),
  import('../src/lib/exit.ts'),
  import('../src/server/serve.ts'),
]);
await checkSignals();

/**
 * Ledger setting for a graph that uses a sandbox. If the sandbox's data is only in memory, the ledger is too: otherwise, it would replay responses with records
 * that no longer exist.
 */
const getSandboxLedger = ({ data }: SandboxConfig): { readonly LEDGER_URL?: string } =>
  data === ':memory:' ? { LEDGER_URL: 'file::memory:' } : {};

async function start(): Promise<void> {
  const sandboxConfig = readSandboxConfig(process.env);
  console.log(sandboxConfig.data === ':memory:' ? '  Creating the demo data…' : `  Opening the demo data in ${sandboxConfig.data}…`);
  const { sandbox, demo } = await serveDemoSandbox(sandboxConfig);
  await checkSignals();
  const env = {
    GRAPHIQL_KEY: 'demo-owner',
    LIVE: 'on',
    LOG_LEVEL: 'warn',
    ...getSandboxLedger(sandboxConfig),
    ...process.env,
    UPSTREAM_URL: sandbox.url,
    CONTRACT_OVERLAY: '',
  };
  const { LEDGER_URL: ledger } = env;
  if (ledger !== undefined && isLedgerUrl(ledger)) createLedgerFolder(ledger);
  console.log('  Compiling the schema…');
  const app = await serveGraph(env, demo);
  // Before the URL is printed, because the process may be stopped as soon as it is.
  handleSignals((signal) => void app.close(signal).then(() => sandbox.close()));
  console.log(`
Workspace Graph on ${app.url}/graphql. In a browser, it’s GraphiQL.
${describeSandbox(sandbox, sandboxConfig)}

To try it, open ${app.url} in a browser.`);
}

// If one of them can't start, the process exits, which also stops the other.
await start().catch(exitWithError);
