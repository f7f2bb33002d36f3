import { readConfig } from './server/config.ts';
import { serveGraph } from './server/serve.ts';

const app = await serveGraph(readConfig(process.env));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void app.close());
