import { cacheCompiledCode } from '../src/lib/compileCache.ts';

cacheCompiledCode(process.env);
const [{ exitWithError }, { readSandboxConfig }, { describeSandbox, serveSandbox }] = await Promise.all([
  import('../src/lib/exit.ts'),
  import('./kernel/config.ts'),
  import('./serve.ts'),
]);

async function start(): Promise<void> {
  const config = readSandboxConfig(process.env);
  const sandbox = await serveSandbox(config);
  // Registered before the URL is printed, because the process may be stopped as soon as it is.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void sandbox.close());
  console.log(describeSandbox(sandbox, config));
}

await start().catch(exitWithError);
