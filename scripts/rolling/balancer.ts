import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess } from '../../test/support/faults/process.ts';
import { freePort } from '../../test/support/faults/redisProcess.ts';

/** How often HAProxy asks a graph for its health, in milliseconds. */
export const CHECK_MS = 250;
/** How long HAProxy may take to start, in milliseconds. */
const START_MS = 10_000;

/** A request that a graph did not accept goes to another one; one that was sent is not sent again. */
const configuration = (port: number, servers: readonly number[]): string => `
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

/** Starts HAProxy before the graphs on these ports of this machine, and answers its address. */
export async function startBalancer(folder: string, servers: readonly number[]): Promise<string> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, servers));
  const url = `http://127.0.0.1:${port}`;
  // It prints nothing when it listens.
  await startProcess('sh', ['-c', 'echo started && exec haproxy -db -f "$0"', file], {}, /started/);
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(CHECK_MS)) {
    const isReady = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return url;
  }
  throw new Error(`HAProxy returned no response for /health/ready within ${START_MS} ms. See ${file}.`);
}
