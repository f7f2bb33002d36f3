import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { type GraphProcess, startGraph } from '../../support/faults/process.ts';
import { resetAll, sendAll } from './attack.ts';
import { FILLINGS, KEY, SETTINGS } from './caches.ts';

/** Heap of the graph in MB. Less than the smallest that is documented, so that it would end if a cache took much more than its limit. */
const HEAP_MB = 300;
/** Heap that isn't in caches, in bytes: compiled code, and what V8 learns about functions. Chosen: more than was ever measured. */
const SLACK = 6 * 1024 * 1024;
/** Requests that are reset in each way. If each retained 10 kB, they would retain more than `SLACK`. */
const RESETS = 300;
const HEAP = new URL('../../load/soak/heap.ts', import.meta.url).href;

let sandbox: TestSandbox;
let graph: GraphProcess;
/** Live heap before any cache was filled, in bytes. */
let before: number;
const filled = new Map<string, number>();

const measure = async () => Number(await graph.requestMessage());

beforeAll(async () => {
  sandbox = await openSandbox();
  const settings = { UPSTREAM_URL: sandbox.url, LEDGER_URL: 'file::memory:', ...SETTINGS };
  graph = await startGraph(settings, [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--import', HEAP]);
  // Loads all code that the requests below use.
  for (const { create } of FILLINGS) await sendAll(graph.url, 3, (index) => create(index + 1_000_000));
  before = await measure();
});

afterAll(async () => {
  await graph.kill();
  await sandbox.close();
});

// In this order in one process, because it takes seconds to start. The heap may contain all caches that were filled before.
it.each(FILLINGS)('stays within the limits of the caches that $name fills', async ({ caches, requests, create }) => {
  for (const { name, limit } of caches) filled.set(name, limit);
  const statuses = await sendAll(graph.url, requests, create);
  sandbox.received.length = 0;
  expect(statuses).toEqual({ 200: requests });
  const limit = [...filled.values()].reduce((sum, each) => sum + each, before + SLACK);
  expect(await measure()).toBeLessThan(limit);
});

describe('reset request', () => {
  const format = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nAuthorization: Bearer demo-owner\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const REQUESTS: readonly (readonly [name: string, bytes: string])[] = [
    ['a query', format('/graphql', JSON.stringify({ query: '{ customers(first: 5) { nodes { id title } } }' }))],
    ['a call of the tools', format('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))],
    ['the page of GraphiQL', 'GET /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n'],
  ];

  it.each(REQUESTS)('retains nothing: %s', async (_name, bytes) => {
    const modes = ['sent', 'processing', 'response'] as const;
    for (const at of modes) await resetAll(graph.url, 50, bytes, at);
    const start = await measure();
    for (const at of modes) await resetAll(graph.url, RESETS, bytes, at);
    sandbox.received.length = 0;
    expect(await measure()).toBeLessThan(start + SLACK);
  });
});

it('survives bodies that are large when they are parsed', async () => {
  const start = await measure();
  const body = `{"query":"{customers(first:1){nodes{id}}}","other":[${'{},'.repeat(340_000)}0]}`;
  const { 200: served = 0, 503: rejected = 0, ...others } = await sendAll(graph.url, 64, () => ({ headers: KEY, body }));
  sandbox.received.length = 0;
  expect([served > 0, rejected > 0, others]).toEqual([true, true, {}]);
  expect(await measure()).toBeLessThan(start + SLACK);
});

it('covers caches that docs/security.md lists', () => {
  const documented = readFileSync('docs/security.md', 'utf8');
  const names = new Set(FILLINGS.flatMap(({ caches }) => caches.map(({ name }) => name)));
  expect([...names].filter((name) => !documented.includes(`| ${name} |`))).toEqual([]);
});
