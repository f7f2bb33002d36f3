import { cacheCompiledCode } from './lib/compileCache.ts';

cacheCompiledCode(process.env);
const [{ serveGraph }, { exitWithError }] = await Promise.all([import('./server/serve.ts'), import('./lib/exit.ts')]);

/**
 * How long other code can keep the process running after the graph has closed, in milliseconds. Chosen: enough for an OpenTelemetry SDK to export its pending
 * spans. If the collector doesn't respond, it would retry for half a minute.
 */
const EXIT_MS = 1_500;

async function close(signal: NodeJS.Signals): Promise<void> {
  const app = await starting;
  await app.close(signal).finally(() => setTimeout(() => process.exit(), EXIT_MS).unref());
}

const starting = serveGraph(process.env).catch(exitWithError);
// Registered before the server listens, because the process may be stopped as soon as it listens.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal));
await starting;
