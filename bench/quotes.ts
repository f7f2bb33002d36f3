// Measures a page of 100 quotes with customer, lines and products: `npm run bench`. Absolute numbers depend on the machine; compare runs
// on the same one. One at a time, the calls for each request do not depend on anything; at once, requests share the reads that are under way.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { uuid } from '../sandbox/random.ts';
import type { Counts, Role } from './server.ts';

/** Of the demo data. */
const SEED = 1;
const WARM_UP_REQUESTS = 32;
/** Requests at a time, and in all. */
const LOADS = [
  [1, 60],
  [16, 200],
] as const;

const QUERY = `query ($id: ID!) {
  customer(id: $id) {
    title
    quotes(first: 100) {
      nodes {
        id
        status
        title
        totalOnce { amount currency }
        customer { id title }
        lines { quantity total { amount currency } product { id name sku } }
      }
    }
  }
}`;

const BODY = JSON.stringify({ query: QUERY, variables: { id: uuid(SEED, 'demo customer 0') } });
const HEADERS = { 'content-type': 'application/json', accept: 'application/graphql-response+json', authorization: 'Bearer demo-owner' };

const running: ChildProcess[] = [];

/** Starts a server. Answers its address and its process. */
async function start(role: Role, argument: string): Promise<{ url: string; child: ChildProcess }> {
  const child = fork(new URL('server.ts', import.meta.url), [role, argument]);
  running.push(child);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The ${role} ended before it listened.`);
  });
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  ended.catch(() => {}); // Later on it is we who end it.
  return { url, child };
}

async function count(child: ChildProcess): Promise<Counts> {
  const answered = once(child, 'message');
  child.send('count');
  const [counts] = (await answered) as [Counts];
  return counts;
}

/** Sends the query once. Answers how long it took, in milliseconds. */
async function measure(pool: Pool): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await pool.request({ method: 'POST', path: '/graphql', headers: HEADERS, body: BODY });
  const text = await body.text();
  const ms = performance.now() - startedAt;
  const { data, errors } = JSON.parse(text);
  if (statusCode !== 200 || errors || data.customer.quotes.nodes.length !== 100) throw new Error(`Wrong answer: ${text.slice(0, 500)}`);
  return ms;
}

/** Sends the query so many times, some at a time. Answers each time, in milliseconds. */
async function load(pool: Pool, concurrency: number, requests: number): Promise<number[]> {
  const times: number[] = [];
  let left = requests;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await measure(pool));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return times;
}

const percentile = (times: readonly number[], share: number) =>
  [...times].sort((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0;

async function run(): Promise<void> {
  const sandbox = await start('sandbox', String(SEED));
  const graph = await start('graph', sandbox.url);
  const pool = new Pool(graph.url, { connections: Math.max(...LOADS.map(([concurrency]) => concurrency)) });
  const results: Record<string, object> = {};
  try {
    await load(pool, 16, WARM_UP_REQUESTS);
    for (const [concurrency, requests] of LOADS) {
      const before = await count(sandbox.child);
      const startedAt = performance.now();
      const times = await load(pool, concurrency, requests);
      const seconds = (performance.now() - startedAt) / 1000;
      const after = await count(sandbox.child);
      results[`${concurrency} at a time`] = {
        'requests/s': (requests / seconds).toFixed(1),
        'p50 (ms)': percentile(times, 0.5).toFixed(1),
        'p99 (ms)': percentile(times, 0.99).toFixed(1),
        'upstream calls/request': (after.calls - before.calls) / requests,
      };
    }
    const { rssBytes } = await count(graph.child);
    console.log(`Requests for a page of 100 quotes, Node ${process.version}; RSS of the graph ${Math.round(rssBytes / 1024 / 1024)} MB`);
    console.table(results);
  } finally {
    await pool.close();
  }
}

try {
  await run();
} finally {
  for (const child of running) child.kill();
}
