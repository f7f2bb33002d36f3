import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseJson } from '../lib/json.ts';
import { StartError } from '../lib/startup.ts';

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

function readHolder(path: string): Partial<Holder> {
  try {
    return (parseJson(readFileSync(path, 'utf8')) ?? {}) as Partial<Holder>;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

/** Whether the lock was left behind by a process of this machine that has ended. In a container, its successor often has the same process ID. */
const isStale = ({ pid, host }: Partial<Holder>) => host === hostname() && pid !== undefined && (pid === process.pid || !isRunning(pid));

function tryCreate(path: string): boolean {
  try {
    writeFileSync(path, `${JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a stale lock. If another process has replaced it in the meantime, that process's lock is put back. */
function removeStale(path: string, stale: Partial<Holder>): void {
  const moved = `${path}.${process.pid}`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readHolder(moved).pid === stale.pid) rmSync(moved, { force: true });
  else renameSync(moved, path);
}

/** Acquires a lock file, so that two processes don't write the same files. Returns a function that releases it. Throws StartError if another process holds it. */
export function acquireLock(path: string): () => void {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (tryCreate(path)) return () => rmSync(path, { force: true });
    const holder = readHolder(path);
    if (!isStale(holder)) {
      const { pid = 'unknown', host = 'unknown' } = holder;
      throw new StartError(
        `Another process exports to the same file (process ${pid} on ${host}). Wait for it, or delete ${path} if it has ended.`,
      );
    }
    removeStale(path, holder);
  }
  throw new StartError(`Another process exports to the same file. Wait for it, or delete ${path} if it has ended.`);
}
