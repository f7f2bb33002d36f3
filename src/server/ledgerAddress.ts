import { fileURLToPath } from 'node:url';

/** The path that a `file:` address names; relative ones are below the folder that the graph was started in. Fails when it names none. */
export const ledgerPathOf = (url: string): string => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length));

/** Whether an address is that of a file, or of a database in Redis. */
export function isLedgerAddress(url: string): boolean {
  try {
    if (url.startsWith('file:')) return ledgerPathOf(url) !== '';
    const { protocol, hostname, pathname } = new URL(url);
    return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname);
  } catch {
    return false;
  }
}
