import { toFileError } from '../lib/startup.ts';
import { getLedgerPath } from './ledgerUrl.ts';
import { SqliteLedgerStore } from './sqliteStore.ts';

/** Opens the ledger at a `file:` URL, and creates the file if it doesn't exist. `file::memory:` stores it in this process. Throws StartError if the file can't be used. */
export async function openLedgerFile(url: string): Promise<SqliteLedgerStore> {
  const path = getLedgerPath(url);
  try {
    const store = new SqliteLedgerStore(path);
    await store.open();
    return store;
  } catch (error) {
    throw toFileError(error, 'LEDGER_URL', path);
  }
}
