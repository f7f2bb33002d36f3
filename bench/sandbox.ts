// Compares the CPU time of pages in a sandbox with the demo data and in one with a million more orders: `node bench/sandbox.ts`. Creating them takes a minute
// and 2 GB.
// `--orders`, `--rounds`, and `--pages` set the numbers of orders, of comparisons, and of pages in each.
import '../scripts/help.ts';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FULL, openWorld } from '../sandbox/demo.ts';
import { createUuid } from '../sandbox/kernel/random.ts';
import { readCpuSeconds } from './cpu.ts';
import { createTemporaryFolder, type ServerProcess, startServer, stopAll } from './processes.ts';
import { formatTable, median } from './report.ts';

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '9' },
    pages: { type: 'string', default: '50' },
  },
});

/** Maximum ratio of the CPU times. Chosen. */
const MAX_RATIO = 2;

const SEED = 1;
const DAY_SECONDS = 86_400;

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const isUp = async (url: string) => (await fetch(`${url}/health/ready`)).ok;

/** A sandbox, and a graph that uses it. */
interface Servers {
  readonly sandbox: ServerProcess;
  readonly graph: ServerProcess;
}

async function startServers(extraOrders: number): Promise<Servers> {
  const data = join(createTemporaryFolder(), 'sandbox.sqlite');
  const from = performance.now();
  openWorld({ data, seed: SEED, clock: Date.now }, { ...FULL, extraOrders }).close();
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(`Created the demo data with ${extraOrders} more orders in ${seconds} s: ${Math.round(statSync(data).size / 1e6)} MB.`);
  const env = { SANDBOX_DATA: data, SANDBOX_RATE_LIMIT: '1000000' };
  // The sandbox has another setting for its port.
  const command = ['sh', '-c', `SANDBOX_PORT=$PORT exec "${process.execPath}" "${resolvePath('../sandbox/main.ts')}"`];
  const sandbox = await startServer('server', command, env, isUp);
  const settings = { UPSTREAM_URL: sandbox.url, LEDGER_URL: 'file::memory:', LOG_LEVEL: 'warn', NODE_ENV: 'production' };
  const graph = await startServer('server', [process.execPath, resolvePath('../src/main.ts')], settings, isUp);
  return { sandbox, graph };
}

/** A request, and how many records its response must have. */
interface Page {
  readonly name: string;
  readonly server: keyof Servers;
  readonly path: string;
  readonly body: object;
  readonly count: (json: never) => number;
}

const createQueryPage = (name: string, more: object): Page => ({
  name,
  server: 'sandbox',
  path: '/public-api/publicapi.v1.AnalyticsService/ExecuteQuery',
  body: {
    query: {
      version: 1,
      semantics: 'ANALYTICS_QUERY_SEMANTICS_CURRENT_STATE',
      entity: 'orders',
      records: { fields: ['id', 'customer_id', 'status', 'reference_number', 'currency', 'total_once', 'created_at', 'updated_at'] },
      ...more,
    },
  },
  count: ({ result }: { result: { rows: readonly unknown[] } }) => result.rows.length,
});

const sortBy = (direction: string, ...columns: readonly string[]) => ({
  sort: columns.map((column) => ({ column, direction: `ANALYTICS_SORT_DIRECTION_${direction}` })),
});

const createGraphPage = (name: string, args: string): Page => ({
  name,
  server: 'graph',
  path: '/graphql',
  body: {
    query: `{ orderSearch(first: 100${args}) { nodes { id referenceNumber status totalOnce { amount currencyCode } createdAt updatedAt } } }`,
  },
  count: ({ data }: { data: { orderSearch: { nodes: readonly unknown[] } } }) => data.orderSearch.nodes.length,
});

const SINCE = {
  compare: { field: 'created_at', operator: 'ANALYTICS_OPERATOR_GTE', values: [{ nowOffsetSeconds: String(-300 * DAY_SECONDS) }] },
};
const SINCE_TEXT = new Date(Date.now() - 300 * DAY_SECONDS * 1000).toISOString();

const PAGES: readonly Page[] = [
  createQueryPage('ExecuteQuery, newest first', sortBy('DESC', 'created_at', 'id')),
  createQueryPage('ExecuteQuery, from a date on', { filter: SINCE, ...sortBy('ASC', 'created_at', 'id') }),
  createQueryPage('ExecuteQuery, latest change first', sortBy('DESC', 'updated_at', 'created_at', 'id')),
  {
    name: 'ListOrders',
    server: 'sandbox',
    path: '/public-api/publicapi.v1.Order/ListOrders',
    body: { customerId: createUuid(SEED, 'demo customer 0'), pageSize: 100 },
    count: ({ orders }: { orders: readonly unknown[] }) => orders.length,
  },
  {
    name: 'SearchCustomers',
    server: 'sandbox',
    path: '/public-api/publicapi.v1.Customer/SearchCustomers',
    body: { query: '', pageSize: 100 },
    count: ({ customers }: { customers: readonly unknown[] }) => customers.length,
  },
  createGraphPage('orderSearch, newest first', ''),
  createGraphPage(
    'orderSearch, from a date on',
    `, filter: { createdAt: { gte: "${SINCE_TEXT}" } }, orderBy: { field: CREATED_AT, direction: ASC }`,
  ),
  createGraphPage('orderSearch, open orders by latest change', ', filter: { statuses: [OPEN] }, orderBy: { field: UPDATED_AT }'),
];

/** Milliseconds of CPU time per page, of both servers. */
async function measurePage({ server, path, body, count, name }: Page, servers: Servers): Promise<number> {
  const readCpu = () => readCpuSeconds(servers.sandbox.pid) + readCpuSeconds(servers.graph.pid);
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
    body: JSON.stringify(body),
  };
  const before = readCpu();
  for (let sent = 0; sent < Number(options.pages); sent += 1) {
    const response = await fetch(`${servers[server].url}${path}`, request);
    const text = await response.text();
    if (response.status !== 200 || count(JSON.parse(text) as never) === 0) throw new Error(`${name} returned ${response.status}: ${text}`);
  }
  return ((readCpu() - before) * 1000) / Number(options.pages);
}

async function run(): Promise<void> {
  const [demo, large] = [await startServers(0), await startServers(Number(options.orders))];
  const lines: string[][] = [];
  for (const page of PAGES) {
    // V8 compiles the servers in the first round.
    for (const servers of [demo, large]) await measurePage(page, servers);
    const rounds: { readonly demo: number; readonly large: number }[] = [];
    for (let round = 0; round < Number(options.rounds); round += 1)
      rounds.push({ demo: await measurePage(page, demo), large: await measurePage(page, large) });
    const ratio = median(rounds.map((each) => each.large / each.demo));
    const times = [median(rounds.map((each) => each.demo)), median(rounds.map((each) => each.large))];
    lines.push([page.name, ...times.map((ms) => ms.toFixed(2)), ratio.toFixed(2), ratio <= MAX_RATIO ? 'yes' : '**no**']);
  }
  console.log(formatTable(['Page', 'Demo data, ms', 'With more orders, ms', 'Ratio', `At most ${MAX_RATIO}`], lines));
}

try {
  await run();
} finally {
  await stopAll();
}
