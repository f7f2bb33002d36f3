// Measures a caller with a small query alongside 24 connections of another one that sends expensive requests: `node bench/noisyNeighbors.ts`. Prints the caller's
// median and 99th percentile alongside each kind of request, relative to an idle server, and how many of its requests are rejected with 503. Fails if the 99th percentile is more
// than three times that of an idle server, or if a request of the caller is rejected. `--checkout <folder>` measures the graph of another checkout, and
// `--only <text>` the requests whose names contain a text.
import '../scripts/help.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { getIntrospectionQuery } from 'graphql';
import { createUuid } from '../sandbox/kernel/random.ts';
import { toGlobalId } from '../src/schema/kit/globalIds.ts';
import { LOADS } from './loads.ts';
import { createRequests, measure, type Requests, sendRequest } from './measure.ts';
import { startServer, stopAll } from './processes.ts';
import { listServers } from './servers.ts';
import { startUpstream } from './upstream.ts';
import { SEED, WORK } from './work.ts';

const { values: options } = parseArgs({
  options: { checkout: { type: 'string', default: '.' }, only: { type: 'string', default: '' } },
});

/** Connections of the other caller. Chosen: a tenth of what one machine opens without effort. */
const CONNECTIONS = 24;
/** Maximum 99th percentile, relative to an idle server. Chosen. */
const MAX_RATIO = 3;
const SPAN = { warmSeconds: 1, seconds: 5, responsesPerConnection: 0, maxSeconds: 5 };
const ANY_CALLS = { least: 0, most: Number.POSITIVE_INFINITY };

const repeat = (count: number, create: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => create(index)).join(separator);
const createId = (type: string, name: string) => toGlobalId(type, createUuid(SEED, name));

const CUSTOMER = createId('Customer', 'demo customer 0');
const LOCATION = createId('InventoryLocation', 'demo location 0');
const PRODUCT = createId('Product', 'demo product 0');

/** A document of 9,000 tokens. */
const LONG = `query Q_UNIQUE { ${repeat(200, (index) => `a${index}: customer(id: "${CUSTOMER}") { ${repeat(5, () => 'id rawId title customerName email referenceNumber createdAt')} }`)} }`;
const moveOf = (index: number) =>
  `m${index}: inventoryMove(input: { destinationLocationId: "${LOCATION}", lines: [{ productId: "${PRODUCT}", sourceLocationId: "${LOCATION}", quantity: 1 }], idempotencyKey: "UNIQUE-${index}" }) { __typename }`;
const searchOf = (index: number) => `s${index}: orderSearch(query: "UNIQUE ${index}", first: 1) { facets { byStatus { count } } }`;

interface Neighbor extends Partial<Requests> {
  readonly name: string;
  readonly query: string;
}

const NEIGHBORS: readonly Neighbor[] = [
  {
    name: 'introspection under different operation names, without a key',
    query: getIntrospectionQuery().replace('IntrospectionQuery', 'Q_UNIQUE'),
    isAnonymous: true,
  },
  {
    name: 'distinct documents of 95 kB in one comment, without a key',
    query: `#UNIQUE${'x'.repeat(95_000)}\n{ __typename }`,
    isAnonymous: true,
  },
  {
    name: 'distinct documents of 40,000 comments, without a key',
    query: `#UNIQUE\n${repeat(40_000, () => '#\n', '')}{ __typename }`,
    isAnonymous: true,
  },
  {
    name: 'distinct documents of 9,000 tokens, without a key',
    query: LONG,
    isAnonymous: true,
  },
  { name: 'distinct documents of 9,000 tokens', query: LONG },
  { name: '200 aliases of a rejected move', query: `mutation { ${repeat(200, moveOf)} }` },
  { name: '8 searches with facets', query: `{ ${repeat(8, searchOf)} }` },
  {
    name: '@stream of 100 customers with 20 orders each',
    query:
      '{ customers(first: 100) { nodes @stream(initialCount: 0) { id title orders(first: 20) { nodes @stream(initialCount: 0) { id status } } } } }',
    accept: 'multipart/mixed',
  },
  {
    name: 'counts of the orders of 100 customers',
    query: '{ customers(first: 100) { nodes { id orders(first: 100) { totalCount } } } }',
  },
];

/** Sends a request once. Returns the code of its first error. */
async function sendOnce(url: string, { query, isAnonymous, accept = 'application/json' }: Neighbor): Promise<string> {
  const headers = { 'content-type': 'application/json', accept, ...(!isAnonymous && { authorization: 'Bearer bench-0' }) };
  const body = JSON.stringify({ query: query.replaceAll('UNIQUE', crypto.randomUUID().replaceAll('-', '')) });
  const text = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text();
  return /"code":"(\w+)"/.exec(text)?.[1] ?? 'no error';
}

async function run(): Promise<void> {
  const load = LOADS.find(({ name }) => name === 'far');
  const work = WORK.find(({ name }) => name === 'a');
  const graph = listServers('', true, options.checkout).find(({ name }) => name === 'graph-before');
  const [first] = work?.requests ?? [];
  if (!load || !first || !graph) throw new Error('Nothing to measure.');
  const upstream = await startUpstream(load);
  const isUp = async (url: string) => (await sendRequest(url, first)).data !== undefined;
  const server = await startServer('server', graph.command, { ...graph.env, ...upstream.env, INTROSPECTION: 'true' }, isUp);
  const polite = createRequests([first], null);
  const idle = await measure(server, upstream.stub, load, { main: polite, range: ANY_CALLS }, { ...SPAN, warmSeconds: 4 });
  console.log(
    `${resolve(options.checkout)}: idle, p50 ${idle.p50Ms.toFixed(1)} ms, p99 ${idle.p99Ms.toFixed(1)} ms${idle.fault ? ` (${idle.fault})` : ''}`,
  );
  for (const neighbor of NEIGHBORS.filter(({ name }) => name.includes(options.only))) {
    const { name, query, ...request } = neighbor;
    const code = await sendOnce(server.url, neighbor);
    const main = { ...createRequests([{ query, variables: {} }], null), ...request, isRejectable: true };
    const alongside = { main, background: { ...polite, calls: 0 }, range: ANY_CALLS };
    const cell = await measure(server, upstream.stub, { connections: CONNECTIONS, keys: 1 }, alongside, SPAN);
    const { backgroundP50Ms, backgroundP99Ms, backgroundOverloaded, backgroundResponses, responses, fault } = cell;
    const ratio = (backgroundP99Ms ?? Number.NaN) / idle.p99Ms;
    const isBad = !(ratio <= MAX_RATIO) || backgroundOverloaded > 0;
    const own = `p50 ${backgroundP50Ms?.toFixed(1)} ms, p99 ${backgroundP99Ms?.toFixed(1)} ms (× ${ratio.toFixed(1)}), ${backgroundOverloaded} of ${backgroundResponses} with 503`;
    console.log(
      `${name} (${code}): ${own}; ${responses} of the others, p99 ${cell.p99Ms.toFixed(0)} ms${fault ? ` (${fault})` : ''}${isBad ? ' MISSED' : ''}`,
    );
    if (isBad) process.exitCode = 1;
  }
}

try {
  await run();
} finally {
  await stopAll();
}
