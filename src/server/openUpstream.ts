import type { Logger } from 'pino';
import type { Clock } from '../lib/clock.ts';
import type { Redis } from '../lib/redis.ts';
import { createUpstream, type Upstream } from '../upstream/client.ts';
import type { UpstreamOptions } from '../upstream/options.ts';
import { derivePermitLimits } from '../upstream/traffic/permits.ts';
import { RedisQuota } from '../upstream/traffic/redisQuota.ts';
import { httpTransport } from '../upstream/transport/http.ts';
import { type Config, describeMissingCredential, getProxy } from './settings/config.ts';

/** Logs each deprecated operation once. */
function createDeprecationLog(logger: Logger): (operation: string, sunset: string | null) => void {
  const announced = new Set<string>();
  return (operation, sunset) => {
    if (announced.has(operation)) return;
    announced.add(operation);
    logger.warn({ operation, sunset }, 'upstream operation deprecated');
  };
}

function createSharedQuota(redis: Redis, logger: Logger, clock: Clock | undefined): RedisQuota {
  const onChange = (isShared: boolean) => {
    if (isShared) logger.info('quota sharing resumed');
    else logger.warn('redis unreachable, quota sharing suspended');
  };
  return new RedisQuota(redis, onChange, clock);
}

/** Opens the configured upstream. With a connection to Redis, quotas are shared through it. `own` overrides the configuration. */
export function openUpstream(config: Config, redis: Redis | undefined, logger: Logger, own: Partial<UpstreamOptions> = {}): Upstream {
  const { UPSTREAM_URL: url, UPSTREAM_CONNECTIONS: connections, UPSTREAM_SEPARATE_CONNECTIONS: hasPoolPerKey } = config;
  const onForeignResponse = () => logger.error('mismatched upstream response discarded, connection closed');
  return createUpstream({
    transport: own.transport ?? httpTransport({ url, connections, hasPoolPerKey, proxy: getProxy(config), onForeignResponse }),
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    expensiveTimeoutMs: config.UPSTREAM_ANALYTICS_TIMEOUT_MS,
    callsPerRequest: config.UPSTREAM_CALLS_PER_REQUEST,
    permits: derivePermitLimits(connections),
    readCacheMs: config.READ_CACHE_MS,
    overlay: config.CONTRACT_OVERLAY,
    hasListBatching: config.LIST_BATCHING === 'on',
    onDeprecated: createDeprecationLog(logger),
    onPartialRows: (list) => logger.warn({ list }, 'list rows differ from records, covering list disabled for 10 minutes'),
    hasIndexRows: config.SEARCH_ROWS === 'index',
    onDrift: (coordinate, kind) => logger.warn({ coordinate, kind }, 'contract drift detected'),
    missingCredential: describeMissingCredential(config),
    ...(redis && { quota: createSharedQuota(redis, logger, own.clock) }),
    ...own,
  });
}
