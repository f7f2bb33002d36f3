import { fileURLToPath } from 'node:url';

export const DEFAULT_LEDGER_URL = 'file:data/ledger.sqlite';

/** Path in a `file:` URL. Relative paths are resolved against the working directory. Throws if the URL contains none. */
export const getLedgerPath = (url: string): string => (url.startsWith('file://') ? fileURLToPath(url) : url.slice('file:'.length));

/** Whether a ledger URL refers to Redis. Assumes a valid URL. */
export const isRedisUrl = (url: string): boolean => /^rediss?:/.test(url);

/** Whether a string is a valid URL of a ledger: `file:` with a path, or a Redis URL with an optional database number. */
export function isLedgerUrl(url: string): boolean {
  try {
    if (url.startsWith('file:')) return getLedgerPath(url) !== '';
    const { protocol, hostname, pathname } = new URL(url);
    return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d*)?$/.test(pathname);
  } catch {
    return false;
  }
}
