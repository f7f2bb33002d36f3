import { connectRedis } from '../lib/redis.ts';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { currentRequest } from './execution/currentRequest.ts';
import { createLogger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { openLedger } from './openLedger.ts';
import { openUpstream } from './openUpstream.ts';
import { openTelemetry } from './telemetry.ts';

/** Starts the graph over the upstream that the configuration names. */
export async function serveGraph(config: Config): Promise<App> {
  const logger = createLogger(config.LOG_LEVEL);
  // When a list fails as a whole, graphql-js awaits no more of its entries: how they fail has no reader, and must not end the process.
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled rejection'));
  const isShared = config.LEDGER_URL.startsWith('redis');
  const redis = isShared ? await connectRedis(config.LEDGER_URL, (err) => logger.error({ err }, 'redis connection error')) : undefined;
  // The thread of the ledger's file starts while this one loads the rest of the program, which takes longer.
  const [ledger, { startApp }, telemetry] = await Promise.all([
    openLedger(config, redis, logger),
    import('./app.ts'),
    openTelemetry(config.UPSTREAM_URL),
  ]);
  const metrics = config.ADMIN_PORT === undefined ? undefined : new Metrics();
  const upstream = openUpstream(config, redis, logger, {
    ...(metrics && { meter: metrics.calls }),
    ...(telemetry && { currentTrace: () => currentRequest.getStore()?.span?.session() ?? null }),
  });
  const app = await startApp({ config, upstream, ledger, logger, metrics, telemetry });
  logger.info({ url: `${app.url}/graphql` }, 'listening');
  return {
    url: app.url,
    adminUrl: app.adminUrl,
    close: async () => {
      await app.close();
      await redis?.close();
    },
  };
}
