import type { Logger } from 'pino';
import { Ledger } from '../ledger/ledger.ts';
import { openLedgerFile } from '../ledger/openFile.ts';
import { RedisLedgerStore } from '../ledger/redisStore.ts';
import type { Redis } from '../lib/redis.ts';
import type { Config } from './settings/config.ts';

/** How much longer an attempt can take than an upstream call, in milliseconds, for the work before and after the call. Chosen. */
const LEASE_MARGIN_MS = 15_000;

/** Opens the configured ledger: in Redis if there is a connection to it, and in a file otherwise. Throws if it can't be used. */
export async function openLedger(config: Config, redis: Redis | undefined, logger: Logger): Promise<Ledger> {
  const { unsafe = [], unverified = [] } = (await redis?.durability()) ?? {};
  if (unsafe.length > 0)
    logger.warn({ settings: unsafe }, 'redis settings may lose idempotency keys, see LEDGER_URL in docs/configuration.md');
  if (unverified.length > 0)
    logger.warn({ settings: unverified }, 'redis settings could not be verified, see LEDGER_URL in docs/configuration.md');
  return new Ledger({
    store: redis ? new RedisLedgerStore(redis) : await openLedgerFile(config.LEDGER_URL),
    leaseMs: config.UPSTREAM_TIMEOUT_MS + LEASE_MARGIN_MS,
    onFailure: (error) => logger.error({ err: error }, 'ledger error'),
  });
}
