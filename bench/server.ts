// One server of a benchmark, as a child process: `sandbox` with the seed of its data, or `graph` with the address of its upstream. It tells
// its address when it listens, and what it has counted whenever it is asked.
import { FULL, openWorld } from '../sandbox/demo/demo.ts';
import { startSandbox } from '../sandbox/server.ts';
import { readConfig } from '../src/server/config.ts';
import { serveGraph } from '../src/server/serve.ts';

export type Role = 'sandbox' | 'graph';

export interface Counts {
  /** Calls that the sandbox has received. */
  readonly calls: number;
  readonly rssBytes: number;
}

const [role, argument = ''] = process.argv.slice(2);
let calls = 0;

const serveSandbox = () =>
  startSandbox(
    {
      world: openWorld({ data: ':memory:', seed: Number(argument), clock: Date.now }, FULL),
      rateLimit: { limit: Number.MAX_SAFE_INTEGER, windowSeconds: 60 },
      sendsDefaults: false,
      deprecations: new Map(),
      onCall: () => {
        calls += 1;
      },
    },
    0,
  );

const { url } = await (role === 'sandbox'
  ? serveSandbox()
  : serveGraph(readConfig({ PORT: '0', LOG_LEVEL: 'silent', UPSTREAM_URL: argument, LEDGER_URL: 'file::memory:' })));
process.on('message', () => process.send?.({ calls, rssBytes: process.memoryUsage.rss() } satisfies Counts));
// The benchmark may be killed: nothing of it is to stay behind.
process.once('disconnect', () => process.exit());
process.send?.({ url });
