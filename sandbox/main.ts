import { readSandboxConfig, type SandboxConfig } from './config.ts';
import { FULL, openWorld } from './demo/demo.ts';
import { DEMO_KEYS } from './demo/workspace.ts';
import { type Sandbox, startSandbox } from './server.ts';

/** Opens the data that the configuration names, and serves it. */
export function serveSandbox(config: SandboxConfig): Promise<Sandbox> {
  const world = openWorld({ data: config.data, seed: config.seed, clock: Date.now }, FULL);
  return startSandbox({ ...config, world }, config.port, config.host);
}

/** What to try the sandbox with. The keys open made-up data on this machine only, so they may be printed. */
export function describeSandbox({ url }: Sandbox, { data, seed }: SandboxConfig): string {
  const width = Math.max(...DEMO_KEYS.map(({ key }) => key.length));
  const keys = DEMO_KEYS.map(({ key, purpose }) => `    ${key.padEnd(width)}  ${purpose}`);
  return [`Sandbox on ${url} (data: ${data}, seed: ${seed}). Demo keys:`, ...keys].join('\n');
}

if (import.meta.main) {
  const config = readSandboxConfig(process.env);
  const sandbox = await serveSandbox(config);
  console.log(describeSandbox(sandbox, config));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
}
