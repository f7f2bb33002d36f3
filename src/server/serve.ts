import { isInRedis } from '../ledger/address.ts';
import { connectRedis } from '../lib/redis.ts';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { currentRequest } from './execution/currentRequest.ts';
import { createLogger } from './logger.ts';
import { LogOutput } from './logOutput.ts';
import { Metrics } from './metrics.ts';
import { openLedger } from './openLedger.ts';
import { openUpstream } from './openUpstream.ts';
import { openTelemetry } from './telemetry.ts';

/** Ends a process whose log blocks. By the signal's default action, because `process.exit` would wait for the thread that writes. */
function endBlocked(): void {
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}

/** Starts the graph over the upstream that the configuration names. */
export async function serveGraph(config: Config): Promise<App> {
  const metrics = config.ADMIN_PORT === undefined ? undefined : new Metrics();
  const output = new LogOutput({
    onDrop: (lines) => metrics?.onDroppedLogLines(lines),
    // Belongs to no request, but is called while some request is being logged.
    onRecovery: (lines) => currentRequest.exit(() => logger.warn({ lines }, 'log lines dropped')),
  });
  process.on('exit', () => output.flush());
  const logger = createLogger(config.LOG_LEVEL, output);
  // When a list fails as a whole, graphql-js awaits no more of its entries: how they fail has no reader, and must not end the process.
  process.on('unhandledRejection', (err) => logger.error({ err }, 'unhandled rejection'));
  const redis = isInRedis(config.LEDGER_URL)
    ? await connectRedis(config.LEDGER_URL, (err) => logger.error({ err }, 'redis connection error'))
    : undefined;
  // The thread of the ledger's file starts while this one loads the rest of the program, which takes longer.
  const [ledger, { startApp }, telemetry] = await Promise.all([
    openLedger(config, redis, logger),
    import('./app.ts'),
    openTelemetry(config.UPSTREAM_URL),
  ]);
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
      if (!(await output.close())) endBlocked();
    },
  };
}
