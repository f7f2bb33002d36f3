// Whether a graph that serves a mixture of requests for long comes to rest: `npm run bench:memory`. Its memory after the first tenth of the
// requests is compared with its memory at the end. With `--distinct` each request is of a document that nobody has sent before.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ask, measure } from './measure.ts';
import { endAll, serve } from './processes.ts';
import { contestants } from './servers.ts';
import { MIXTURE, WORK } from './work.ts';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, distinct: { type: 'boolean', default: false } },
});

/** How much more may be held at the end: ours. */
const MAX_GROWTH = 1.1;

/** The load of one step, in seconds. */
const STEP_SECONDS = 10;

const LOAD = { name: 'mixture', description: '', connections: 32, keys: 8, latencyMs: 0 };
/** `UNIQUE` becomes a number of its own in each request. */
const requests = options.distinct ? MIXTURE.map((request) => ({ ...request, query: `#UNIQUE\n${request.query}` })) : MIXTURE;
const mixture = { name: 'mixture', description: 'all kinds of requests', requests, calls: 0, rounds: 0 };

async function run(): Promise<void> {
  const upstream = await serve(
    'rest',
    [process.execPath, fileURLToPath(new URL('standIn.ts', import.meta.url))],
    {},
    async (url) => (await fetch(`${url}/counts`)).ok,
  );
  const [first] = WORK[0]?.requests ?? [];
  const graph = contestants().find(({ name }) => name === 'graph');
  if (!graph || !first) throw new Error('There is no graph to load.');
  const env = { ...graph.env, UPSTREAM_URL: upstream.url };
  const server = await serve('server', graph.command, env, async (url) => (await ask(url, first)).data !== undefined);
  const total = Number(options.requests);
  let asked = 0;
  let early: number | undefined;
  let late = 0;
  while (asked < total) {
    const cell = await measure(server, upstream, mixture, LOAD, STEP_SECONDS);
    asked += Math.round(cell.requestsPerSecond * STEP_SECONDS);
    late = cell.rssMb;
    if (asked >= total / 10) early ??= late;
    console.log(`${asked} requests: ${late.toFixed(0)} MB`);
  }
  const growth = late / (early ?? late);
  console.log(`After ${total} requests ${growth.toFixed(2)} times the memory of after a tenth of them; at most ${MAX_GROWTH} is well.`);
  if (growth > MAX_GROWTH) process.exitCode = 1;
}

try {
  await run();
} finally {
  endAll();
}
