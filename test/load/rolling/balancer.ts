import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess } from '../../support/faults/process.ts';
import { findFreePort } from '../../support/faults/redisProcess.ts';

/** Interval of HAProxy's health checks, in milliseconds. */
export const CHECK_MS = 250;
/** A request that a graph didn't accept goes to another one. A request that was sent isn't sent again. */
const createConfiguration = (port: number, servers: readonly number[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  retries 3
  retry-on conn-failure
  option redispatch 1
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter ${CHECK_MS}ms fall 1 rise 1

listen graphs
  bind 127.0.0.1:${port}
  balance leastconn
${servers.map((server) => `  server graph-${server} 127.0.0.1:${server}`).join('\n')}
`;

/** Starts HAProxy in front of the graphs on these ports of this machine. Returns its URL once a graph is ready. */
export async function startBalancer(folder: string, servers: readonly number[]): Promise<string> {
  const port = await findFreePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, createConfiguration(port, servers));
  const url = `http://127.0.0.1:${port}`;
  // HAProxy prints nothing when it starts listening.
  const haproxy = await startProcess('sh', ['-c', 'echo started && exec haproxy -db -f "$0"', file], {}, /started/);
  let hasEnded = false;
  const ended = haproxy.ended.then((output) => {
    hasEnded = true;
    throw new Error(`HAProxy exited before a graph was ready: ${output}`);
  });
  const waitUntilReady = async () => {
    const isReady = () =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!hasEnded && !(await isReady())) await pause(CHECK_MS);
    return url;
  };
  return Promise.race([ended, waitUntilReady()]);
}
