import { pino } from 'pino';
import { createUpstream } from '../upstream/client.ts';
import { httpTransport } from '../upstream/transport.ts';
import { type App, startApp } from './app.ts';
import type { Config } from './config.ts';

/** Starts the graph over the upstream that the configuration names. */
export async function serveGraph(config: Config): Promise<App> {
  const logger = pino({ level: config.logLevel });
  const { upstreamUrl: url, upstreamTimeoutMs: timeoutMs, upstreamConnections: connections } = config;
  const announced = new Set<string>();
  const upstream = createUpstream({
    transport: httpTransport({ url, connections }),
    timeoutMs,
    callsPerRequest: config.upstreamCallsPerRequest,
    onDeprecated: (operation, sunset) => {
      if (announced.has(operation)) return;
      announced.add(operation);
      logger.warn({ operation, sunset }, 'the upstream announces the end of an operation');
    },
  });
  const app = await startApp({ config, upstream, logger });
  logger.info({ url: `${app.url}/graphql` }, 'listening');
  return app;
}
