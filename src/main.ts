import { readConfig } from './server/config.ts';
import { serveGraph } from './server/serve.ts';

const starting = serveGraph(readConfig(process.env));
// Before it listens: whoever sees it listen may end it at once.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void starting.then((app) => app.close()));
await starting;
