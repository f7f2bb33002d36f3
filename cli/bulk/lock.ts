import { randomUUID } from 'node:crypto';
import { closeSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isJsonObject, parseJson } from '../../src/lib/json.ts';
import { StartError } from '../../src/lib/startup.ts';
import { hasCode, openOutput, readOutput, removeFile } from './files.ts';

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Where its process ID identifies it: a boot of a machine, and a PID namespace. Null where that's unknown. */
  readonly scope: string | null;
  /** When it started, in clock ticks since the boot, because process IDs are reused. Null where that's unknown. */
  readonly startedAt: string | null;
}

/** Reads from /proc, which only Linux has. */
function readProc<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The scope of this process. Null if /proc is that of another PID namespace. */
const readScope = () =>
  readProc(() => {
    if (readlinkSync('/proc/self') !== String(process.pid)) return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  });

/** Source: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. The second field is a name in parentheses, which can contain spaces. */
const readStartTime = (pid: number) => readProc(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null);

function isRunning(pid: number, startedAt: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
  }
  // If the start time can't be read, the process may be the same one.
  return (readStartTime(pid) ?? startedAt) === startedAt;
}

const isId = (pid: unknown): pid is number => Number.isSafeInteger(pid) && Number(pid) > 0;

/** Whether the process of a lock has certainly ended. */
function hasEnded(holder: unknown): boolean {
  if (!isJsonObject(holder)) return false;
  const { pid, scope, startedAt } = holder;
  return isId(pid) && typeof startedAt === 'string' && typeof scope === 'string' && scope === readScope() && !isRunning(pid, startedAt);
}

/** Describes the process of a lock, whose text can be anything. */
function describeHolder(holder: unknown): string {
  const { pid, host }: Partial<Record<keyof Holder, unknown>> = isJsonObject(holder) ? holder : {};
  return `process ${isId(pid) ? pid : 'unknown'} on ${typeof host === 'string' && /^[\w.-]+$/.test(host) ? host : 'unknown'}`;
}

function tryCreate(path: string, text: string): boolean {
  try {
    const fd = openOutput(path, 'create');
    writeFileSync(fd, text);
    closeSync(fd);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes a stale lock. If another process has replaced it in the meantime, that process's lock is put back. */
function removeStale(path: string, stale: string): void {
  // Not with the process ID, which another one has in another PID namespace.
  const moved = `${path}.${randomUUID()}`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readOutput(moved) === stale) removeFile(moved);
  else renameSync(moved, path);
}

/** Acquires a lock file, so that two processes don't write the same files. Returns a function that releases it. Throws StartError if another process may hold it. */
export function acquireLock(path: string): () => void {
  const own: Holder = { pid: process.pid, host: hostname(), scope: readScope(), startedAt: readStartTime(process.pid) };
  const text = `${JSON.stringify(own)}\n`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (tryCreate(path, text)) return () => removeFile(path);
    const saved = readOutput(path);
    if (saved === undefined) continue;
    const holder = parseJson(saved);
    if (!hasEnded(holder))
      throw new StartError(
        `Another process may export to the same file (${describeHolder(holder)}). Wait for it, or delete ${path} if it has ended.`,
      );
    removeStale(path, saved);
  }
  throw new StartError(`Another process exports to the same file. Wait for it, or delete ${path} if it has ended.`);
}
