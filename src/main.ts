import { pino } from 'pino';
import { type App, startApp } from './server/app.ts';
import { type Config, readConfig } from './server/config.ts';
import { createUpstream } from './upstream/client.ts';
import { httpTransport } from './upstream/transport.ts';

/** Starts the graph over the upstream that the configuration names. */
export async function serveGraph(config: Config): Promise<App> {
  const logger = pino({ level: config.logLevel });
  const { upstreamUrl: url, upstreamTimeoutMs: timeoutMs, upstreamConnections: connections } = config;
  const announced = new Set<string>();
  const upstream = createUpstream({
    transport: httpTransport({ url, timeoutMs, connections }),
    timeoutMs,
    onDeprecated: (operation, sunset) => {
      if (announced.has(operation)) return;
      announced.add(operation);
      logger.warn({ operation, sunset }, 'the upstream announces the end of an operation');
    },
  });
  return startApp({ config, upstream, logger });
}

if (import.meta.main) {
  const app = await serveGraph(readConfig(process.env));
  console.log(`Workspace Graph on ${app.url}/graphql`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void app.close());
}
