import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of all threads of a process in seconds, from the scheduler's counter in nanoseconds. */
export function readCpuSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(onCpu);
  }
  return nanoseconds / 1e9;
}

/** Resident memory of a process. */
export function readRssMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
