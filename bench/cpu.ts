import { readdirSync, readFileSync } from 'node:fs';

/** The CPU time that all threads of a process have taken, in seconds, from the scheduler's own count in nanoseconds. */
export function cpuSecondsOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(onCpu);
  }
  return nanoseconds / 1e9;
}

/** The memory that a process holds. */
export function rssMbOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
