import { cacheCompiledCode } from './lib/compileCache.ts';
import { checkSignals, handleSignals } from './lib/signals.ts';

handleSignals();
cacheCompiledCode(process.env);
const [{ serveGraph }, { exitWithError }] = await Promise.all([import('./server/serve.ts'), import('./lib/exit.ts')]);
await checkSignals();

/**
 * How long other code can keep the process running after the graph has closed, in milliseconds. Chosen: enough for an OpenTelemetry SDK to export its pending
 * spans. If the collector doesn't respond, it would retry for half a minute.
 */
const EXIT_MS = 1_500;

const app = await serveGraph(process.env).catch(exitWithError);
handleSignals((signal) => void app.close(signal).finally(() => setTimeout(() => process.exit(), EXIT_MS).unref()));
