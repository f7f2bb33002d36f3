import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a thread in seconds, from the scheduler's counter in nanoseconds. */
function readThreadCpuSeconds(pid: number, thread: string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e9;
}

/** CPU time of all threads of a process in seconds. */
export const readCpuSeconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((seconds, thread) => seconds + readThreadCpuSeconds(pid, thread), 0);

/** CPU time of the main thread of a process in seconds. In Node.js, it executes JavaScript, and its part of garbage collections. */
export const readMainCpuSeconds = (pid: number): number => readThreadCpuSeconds(pid, String(pid));

/** Resident memory of a process. */
export function readRssMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
