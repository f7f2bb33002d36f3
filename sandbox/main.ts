import { exitWithError } from '../src/lib/startup.ts';
import { readSandboxConfig } from './kernel/config.ts';
import { describeSandbox, serveSandbox } from './serve.ts';

async function start(): Promise<void> {
  const config = readSandboxConfig(process.env);
  const sandbox = await serveSandbox(config);
  console.log(describeSandbox(sandbox, config));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void sandbox.close());
}

await start().catch(exitWithError);
