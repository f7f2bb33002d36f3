import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { toFileError } from '../lib/startup.ts';
import { DEFAULT_LEDGER_URL, getLedgerPath, isRedisUrl } from './ledgerUrl.ts';
import { SqliteLedgerStore } from './sqliteStore.ts';

/**
 * Creates a directory with its parents, accessible only to this user. Not `mkdirSync` with `recursive`, which never returns if the system reports a directory as missing but doesn't allow
 * creating it.
 */
function createDirectory(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Creates the folder of the ledger at this URL, if it's a file. */
export function createLedgerFolder(url: string): void {
  if (!isRedisUrl(url)) createDirectory(dirname(getLedgerPath(url)));
}

/**
 * Opens the ledger at a `file:` URL, and creates the file if it doesn't exist. `file::memory:` stores it in this process. Throws StartError if the file can't be
 * used, or if its folder doesn't exist: only the default folder is created, because a mistyped path would start with an empty ledger.
 */
export async function openLedgerFile(url: string): Promise<SqliteLedgerStore> {
  const path = getLedgerPath(url);
  try {
    if (url === DEFAULT_LEDGER_URL) createLedgerFolder(url);
    const store = new SqliteLedgerStore(path);
    await store.open();
    return store;
  } catch (error) {
    throw toFileError(error, 'LEDGER_URL', path);
  }
}
