// Checks for memory leaks in a graph that serves mixed requests for a long time: `node bench/memory.ts`. Compares the memory after the first tenth of the
// requests with the memory at the end. With `--distinct`, each request has a new document.
// `--requests` sets their number.
import '../scripts/help.ts';
import { parseArgs } from 'node:util';
import { LOADS } from './loads.ts';
import { createRequests, measure, sendRequest } from './measure.ts';
import { startServer, stopAll } from './processes.ts';
import { listServers } from './servers.ts';
import { startUpstream } from './upstream.ts';
import { MIXTURE, WORK } from './work.ts';

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, distinct: { type: 'boolean', default: false } },
});

/** Maximum growth of memory. Chosen. */
const MAX_GROWTH = 1.1;

/** The load of one step. */
const STEP = { warmSeconds: 0, seconds: 10, responsesPerConnection: 0, maxSeconds: 10 };
const LOAD = { connections: 32, keys: 8 };
/** Each request replaces `UNIQUE` with another number. */
const requests = options.distinct ? MIXTURE.map((request) => ({ ...request, query: `#UNIQUE\n${request.query}` })) : MIXTURE;
/** Responses and numbers of calls vary, so neither is checked. */
const LOADING = { main: createRequests(requests, null), range: { least: 0, most: Number.POSITIVE_INFINITY } };

async function run(): Promise<void> {
  const [load] = LOADS;
  const [first] = WORK[0]?.requests ?? [];
  const graph = listServers().find(({ name }) => name === 'graph');
  if (!graph || !first || !load) throw new Error('No graph to load.');
  const upstream = await startUpstream(load);
  const server = await startServer(
    'server',
    graph.command,
    { ...graph.env, ...upstream.env },
    async (url) => (await sendRequest(url, first)).data !== undefined,
  );
  const total = Number(options.requests);
  let sent = 0;
  let early: number | undefined;
  let late = 0;
  while (sent < total) {
    const cell = await measure(server, upstream.stub, LOAD, LOADING, STEP);
    if (cell.fault) throw new Error(cell.fault);
    sent += cell.responses;
    late = cell.rssMb;
    if (sent >= total / 10) early ??= late;
    console.log(`${sent} requests: ${late.toFixed(0)} MB`);
  }
  const growth = late / (early ?? late);
  console.log(`Memory after ${total} requests is ${growth.toFixed(2)} times that after a tenth of them (limit: ${MAX_GROWTH}).`);
  if (growth > MAX_GROWTH) process.exitCode = 1;
}

try {
  await run();
} finally {
  await stopAll();
}
