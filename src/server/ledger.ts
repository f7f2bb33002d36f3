import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { Ledger } from '../ledger/ledger.ts';
import { RedisLedgerStore } from '../ledger/redisStore.ts';
import { SqliteLedgerStore } from '../ledger/sqliteStore.ts';
import type { Redis } from '../redis.ts';
import type { Config } from './config.ts';

/** How much longer than a call to the upstream an attempt may take, in milliseconds: for what comes before and behind the call. Ours. */
const LEASE_MARGIN_MS = 15_000;

/** `file:data/x` is below the folder that the graph was started in, `file:///data/x` is not; `file::memory:` is in the process. */
const pathOf = (url: string) => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length));

/** Opens the ledger that the configuration names: in Redis where there is a connection to it, in a file otherwise. */
export async function openLedger({ ledgerUrl, upstreamTimeoutMs }: Config, redis: Redis | undefined, logger: Logger): Promise<Ledger> {
  const forgetful = (await redis?.forgetfulSettings()) ?? [];
  if (forgetful.length > 0)
    logger.warn(
      { settings: forgetful },
      'with these settings Redis may forget idempotency keys when it ends; see the README on LEDGER_URL',
    );
  return new Ledger({
    store: redis ? new RedisLedgerStore(redis) : new SqliteLedgerStore(pathOf(ledgerUrl)),
    leaseMs: upstreamTimeoutMs + LEASE_MARGIN_MS,
    onFailure: (error) => logger.error({ err: error }, 'the ledger failed'),
  });
}
