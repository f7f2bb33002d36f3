import { cacheCompiledCode } from '../src/lib/compileCache.ts';
import { checkSignals, handleSignals } from '../src/lib/signals.ts';

handleSignals();
cacheCompiledCode(process.env);
const [{ exitWithError }, { readSandboxConfig }, { describeSandbox, serveSandbox }] = await Promise.all([
  import('../src/lib/exit.ts'),
  import('./kernel/config.ts'),
  import('./serve.ts'),
]);
await checkSignals();

async function start(): Promise<void> {
  const config = readSandboxConfig(process.env);
  const sandbox = await serveSandbox(config);
  // Before the URL is printed, because the process may be stopped as soon as it is.
  handleSignals(() => void sandbox.close());
  console.log(describeSandbox(sandbox, config));
}

await start().catch(exitWithError);
