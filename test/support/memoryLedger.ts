import { Ledger, type LedgerOptions } from '../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../src/ledger/sqliteStore.ts';

/** A ledger in memory. */
export const createMemoryLedger = (options: Partial<LedgerOptions> = {}): Ledger =>
  new Ledger({ store: new SqliteLedgerStore(':memory:', options.clock), leaseMs: 60_000, ...options });
