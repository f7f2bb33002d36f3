// Starts the sandbox and the graph over it, in one process: everything on one machine, with nothing else needed.
import { readSandboxConfig } from '../sandbox/config.ts';
import { describeSandbox, serveSandbox } from '../sandbox/serve.ts';
import { readConfig } from '../src/server/config.ts';
import { serveGraph } from '../src/server/serve.ts';

const sandboxConfig = readSandboxConfig(process.env);
const sandbox = await serveSandbox(sandboxConfig);
// A ledger that outlives the sandbox's data would answer with records that are no more.
const lifetime = sandboxConfig.data === ':memory:' ? { LEDGER_URL: 'file::memory:' } : {};
const config = readConfig({ GRAPHIQL_KEY: 'demo-owner', LOG_LEVEL: 'warn', ...lifetime, ...process.env, UPSTREAM_URL: sandbox.url });
const app = await serveGraph(config).catch(async (error: unknown) => {
  await sandbox.close();
  throw error;
});
console.log(describeSandbox(sandbox, sandboxConfig));
console.log(`\nWorkspace Graph on ${app.url}/graphql — open it in a browser.`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void app.close().then(() => sandbox.close()));
}
