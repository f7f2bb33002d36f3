// Measures requests of up to 1 MB that exceed a limit: `node bench/oversized.ts`. Sends each four times a second, one at a time, while another caller sends a
// small query. Prints the CPU time of an oversized request, which is at least as long as it holds the event loop, how much of it JSON.parse takes, and the 99th percentile
// of the other caller's latency. `--checkout <folder>` measures the graph of another checkout.
import '../scripts/help.ts';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCpuSeconds } from './cpu.ts';
import { LOADS } from './loads.ts';
import { createRequests, measure, sendRequest } from './measure.ts';
import { type ServerProcess, startServer, stopAll } from './processes.ts';
import { listServers } from './servers.ts';
import { startUpstream } from './upstream.ts';
import { WORK } from './work.ts';

const { values: options } = parseArgs({ options: { checkout: { type: 'string', default: '.' } } });

/** Maximum CPU time of an oversized request without JSON.parse. Chosen. */
const MAX_CPU_MS = 60;
/** Number of requests of each kind whose CPU time is measured. */
const REQUESTS = 30;
/** Time between two oversized requests alongside the other caller. Without it, sender and graph would share the cores, and the latency would be that of the machine. */
const PAUSE_MS = 250;
const SPAN = { warmSeconds: 1, seconds: 5, responsesPerConnection: 0, maxSeconds: 5 };
const ANY_CALLS = { least: 0, most: Number.POSITIVE_INFINITY };

const repeat = (text: string, count: number, separator = ', ') => Array.from({ length: count }, () => text).join(separator);
const SQL = 'query ($sql: String!) { analyticsSql(sql: $sql) { __typename } }';
const ORDERS = 'query ($filter: OrderSearchFilterInput) { orderSearch(first: 1, filter: $filter) { nodes { id } } }';
const QUOTE = 'mutation ($input: QuoteCreateInput!) { quoteCreate(input: $input) { __typename } }';
const toSql = (length: number) => repeat('status in (', Math.floor(length / 11), '');

interface Oversized {
  readonly name: string;
  /** Undefined for a caller without a key. */
  readonly key?: string;
  readonly body: Buffer<ArrayBuffer>;
}

const createBody = (query: string, variables: object) => Buffer.from(JSON.stringify({ query, variables }));

const OVERSIZED: readonly Oversized[] = [
  { name: '32 KiB of `status in (`', key: 'other', body: createBody(SQL, { sql: toSql(32_000) }) },
  { name: '220 kB of `status in (`', key: 'other', body: createBody(SQL, { sql: toSql(220_000) }) },
  {
    name: 'a filter of 40,000 conditions',
    key: 'other',
    body: createBody(ORDERS, { filter: { or: Array.from({ length: 40_000 }, () => ({ statuses: ['NEW'] })) } }),
  },
  {
    name: 'a quote of 20,000 lines',
    key: 'other',
    body: createBody(QUOTE, { input: { lineItems: Array.from({ length: 20_000 }, () => ({ name: 'x', quantity: '1' })) } }),
  },
  {
    name: '20,000 IDs, without a key',
    body: createBody('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      ids: Array.from({ length: 20_000 }, (_, index) => `id-${index}`),
    }),
  },
  {
    name: '60,000 unknown variables, without a key',
    body: createBody('{ __typename }', Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`v${index}`, 1]))),
  },
];

/** Sends a request. Returns the code of its error. */
async function send(url: string, { key, body }: Oversized): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  const { errors } = (await response.json()) as { readonly errors?: readonly { readonly extensions: { readonly code: string } }[] };
  return errors?.[0]?.extensions.code ?? 'no error';
}

/** CPU time of JSON.parse for a body, in this process. */
function measureParseMs({ body }: Oversized): number {
  const text = body.toString();
  const before = readCpuSeconds(process.pid);
  for (let parsed = 0; parsed < REQUESTS; parsed += 1) JSON.parse(text);
  return ((readCpuSeconds(process.pid) - before) * 1000) / REQUESTS;
}

async function measureCpuMs({ url, pid }: ServerProcess, oversized: Oversized): Promise<number> {
  await send(url, oversized);
  const before = readCpuSeconds(pid);
  for (let sent = 0; sent < REQUESTS; sent += 1) await send(url, oversized);
  return ((readCpuSeconds(pid) - before) * 1000) / REQUESTS;
}

async function run(): Promise<void> {
  const load = LOADS.find(({ name }) => name === 'far');
  const work = WORK.find(({ name }) => name === 'a');
  const graph = listServers('', true, options.checkout).find(({ name }) => name === 'graph-before');
  const [first] = work?.requests ?? [];
  if (!load || !first || !graph) throw new Error('Nothing to measure.');
  const upstream = await startUpstream(load);
  const isUp = async (url: string) => (await sendRequest(url, first)).data !== undefined;
  const server = await startServer('server', graph.command, { ...graph.env, ...upstream.env }, isUp);
  const loading = { main: createRequests([first], null), range: ANY_CALLS };
  const measureP99 = async () => {
    const { p99Ms, fault } = await measure(server, upstream.stub, load, loading, SPAN);
    return { p99Ms, fault: fault ? ` (${fault})` : '' };
  };
  const idle = await measureP99();
  console.log(`${resolve(options.checkout)}: without oversized requests, the 99th percentile is ${idle.p99Ms.toFixed(1)} ms${idle.fault}.`);
  for (const oversized of OVERSIZED) {
    const code = await send(server.url, oversized);
    const cpuMs = await measureCpuMs(server, oversized);
    const parseMs = measureParseMs(oversized);
    let isEnding = false;
    const sending = (async () => {
      while (!isEnding) {
        await send(server.url, oversized);
        await setTimeout(PAUSE_MS);
      }
    })();
    const { p99Ms, fault } = await measureP99();
    isEnding = true;
    await sending;
    const cpu = `${cpuMs.toFixed(1)} ms of CPU time (JSON.parse: ${parseMs.toFixed(1)})`;
    const latency = `${p99Ms.toFixed(1)} ms, ratio ${(p99Ms / idle.p99Ms).toFixed(2)}`;
    console.log(`${oversized.name} (${code}): ${cpu}; alongside it, ${latency}${fault}`);
    if (cpuMs - parseMs > MAX_CPU_MS || fault) process.exitCode = 1;
  }
}

try {
  await run();
} finally {
  await stopAll();
}
