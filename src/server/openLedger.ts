import type { Logger } from 'pino';
import { Ledger } from '../ledger/ledger.ts';
import { getLedgerPath } from '../ledger/ledgerUrl.ts';
import { RedisLedgerStore } from '../ledger/redisStore.ts';
import { openLedgerFile } from '../ledger/sqliteStore.ts';
import type { Durability, Redis } from '../lib/redis.ts';
import type { Config } from './settings/config.ts';

/** How much longer an attempt can take than an upstream call, in milliseconds, for the work before and after the call. Chosen. */
const LEASE_MARGIN_MS = 15_000;

/** Opens the ledger in Redis. Logs settings that may lose keys: as warnings at startup, and as errors if they're changed later. */
async function openRedisLedger(redis: Redis, logger: Logger): Promise<RedisLedgerStore> {
  const report = (level: 'warn' | 'error', { unsafe, unverified }: Durability) => {
    if (unsafe.length > 0)
      logger[level]({ settings: unsafe }, 'redis settings may lose idempotency keys, see LEDGER_URL in docs/configuration.md');
    if (unverified.length > 0)
      logger.warn({ settings: unverified }, 'redis settings could not be verified, see LEDGER_URL in docs/configuration.md');
  };
  report('warn', await redis.watchDurability((changed) => report('error', changed)));
  const store = new RedisLedgerStore(redis);
  // Without success, it's repeated with the first claim.
  await store.open().catch((error: unknown) => logger.error({ err: error }, 'ledger error'));
  return store;
}

/** Opens the configured ledger: in Redis if there is a connection to it, and in a file otherwise. Throws if it can't be used. */
export async function openLedger(config: Config, redis: Redis | undefined, logger: Logger): Promise<Ledger> {
  return new Ledger({
    store: redis ? await openRedisLedger(redis, logger) : await openLedgerFile(config.LEDGER_URL),
    leaseMs: config.UPSTREAM_TIMEOUT_MS + LEASE_MARGIN_MS,
    isDurable: redis !== undefined || getLedgerPath(config.LEDGER_URL) !== ':memory:',
    onFailure: (error) => logger.error({ err: error }, 'ledger error'),
  });
}
