import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { startGraph, useTestGraph } from '../../support/testGraph.ts';
import { createFile, type ImportFile, readResults, runImport } from './support.ts';

const testGraph = useTestGraph();

// The sandbox's clock is ahead of the graph's: a record must not seem older than its request.
beforeAll(() => {
  testGraph.sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
});

/** Longer than a call takes. */
const LEASE_MS = 60_000;
const ROWS = 40;
/** Number of the last mutation whose response isn't lost. */
const LAST_RESPONSE = 10;

const createLedgerPath = () => join(mkdtempSync(join(tmpdir(), 'ledger-')), 'ledger.sqlite');

/** Starts a graph that stores idempotency keys in a file. */
async function startLedgerGraph(path: string) {
  const store = new SqliteLedgerStore(path);
  await store.open();
  const ledger = new Ledger({ store, leaseMs: LEASE_MS, isDurable: true });
  const { app, close } = await startGraph(testGraph.sandbox.url, { ledger });
  return { url: `${app.url}/graphql`, close };
}

/** Starts a server behind one URL. `choose` returns the graph of a request, and whether its response is lost. `number` counts the mutations from 1, and is 0 for queries. */
async function startEdge(
  choose: (number: number, isRepeated: boolean) => { readonly graph: { readonly url: string }; readonly isLost?: boolean },
) {
  let number = 0;
  const keys = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const key: string = JSON.parse(body).variables.input?.idempotencyKey ?? '';
    if (key !== '') number += 1;
    const { graph, isLost = false } = choose(key === '' ? 0 : number, keys.has(key));
    if (key !== '') keys.add(key);
    const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
    const forwarded = await (await fetch(graph.url, { method: 'POST', headers, body })).text();
    if (isLost) response.destroy();
    else response.setHeader('content-type', 'application/json').end(forwarded);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

const createContacts = (prefix: string) =>
  createFile(`lastName\n${Array.from({ length: ROWS }, (_, index) => `${prefix} ${index}\n`).join('')}`);

const run = (file: ImportFile, url: string) => runImport(testGraph.sandbox.url, file, ['--mutation', 'contactCreate', '--url', url]);

/** Number of rows by status, and of contacts by how many of them have the same name. */
function count(file: ImportFile, prefix: string) {
  const rows = Map.groupBy(readResults(file), ({ status }) => status as string);
  const sql = 'SELECT last_name AS name FROM main.contacts WHERE last_name LIKE :pattern';
  const names = testGraph.sandbox.world.store.all<{ readonly name: string }>(sql, { pattern: `${prefix} %` });
  const copies = [...Map.groupBy(names, ({ name }) => name).values()].map(({ length }) => length);
  const countOf = (status: string) => rows.get(status)?.length ?? 0;
  return { done: countOf('DONE'), unknown: countOf('OUTCOME_UNKNOWN'), unsent: countOf('NOT_SENT'), created: names.length, copies };
}

/** How the storage changes between two runs. Returns the file of the graph that runs then. */
const CHANGES = {
  'another storage': () => createLedgerPath(),
  'a storage that was restored under another name': (_: string, backup: string) => backup,
  'a storage that was restored in place': (path: string, backup: string) => {
    writeFileSync(path, readFileSync(backup));
    return path;
  },
};

describe('import that continues', () => {
  it.each(Object.entries(CHANGES))('sends rows without a response to no server with %s', async (name, change) => {
    const prefix = name.replaceAll(' ', '');
    const file = createContacts(prefix);
    const path = createLedgerPath();
    await (await startLedgerGraph(path)).close();
    const backup = `${path}.backup`;
    copyFileSync(path, backup);
    let graph = await startLedgerGraph(path);
    let isBroken = true;
    const url = await startEdge((number) => ({ graph, isLost: isBroken && number > LAST_RESPONSE }));
    expect(await run(file, url)).toMatchObject({ code: 1 });
    const before = count(file, prefix);
    expect([before.done, before.unknown > 0, before.created]).toEqual([LAST_RESPONSE, true, before.done + before.unknown]);

    await graph.close();
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    graph = await startLedgerGraph(change(path, backup));
    onTestFinished(() => graph.close());
    isBroken = false;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      expect(await run(file, url)).toMatchObject({ code: 3 });
      expect(count(file, prefix)).toEqual({
        done: ROWS - before.unknown,
        unknown: before.unknown,
        unsent: 0,
        created: ROWS,
        copies: Array.from({ length: ROWS }, () => 1),
      });
    }
    const { retry } = readResults(file).find(({ status }) => status === 'OUTCOME_UNKNOWN') ?? {};
    expect(retry).toBe('CHECK_FIRST');
  });

  it('repeats lost updates of matched records, whose storage knows those before them', async () => {
    const rows = (title: string) =>
      Array.from({ length: ROWS }, (_, index) => `${title} ${index},continued${index}@example.com\n`).join('');
    const graph = await startLedgerGraph(createLedgerPath());
    onTestFinished(() => graph.close());
    expect(await run(createFile(`lastName,email\n${rows('Continued')}`), graph.url)).toMatchObject({ code: 0 });
    const file = createFile(`lastName,email\n${rows('Updated')}`);
    let isBroken = true;
    const url = await startEdge((number) => ({ graph, isLost: isBroken && number > LAST_RESPONSE }));
    const args = ['--mutation', 'contactCreate', '--match', 'email', '--url', url];
    expect(await runImport(testGraph.sandbox.url, file, args)).toMatchObject({ code: 1 });
    isBroken = false;
    expect(await runImport(testGraph.sandbox.url, file, args)).toMatchObject({ code: 0 });
    expect(new Set(readResults(file).map(({ mutation }) => mutation))).toEqual(new Set(['contactUpdate']));
    expect([count(file, 'Updated').created, count(file, 'Continued').created]).toEqual([ROWS, 0]);
  });
});

describe('import through servers that don’t share a storage', () => {
  it('stops at the first row that another server receives, and applies no row twice', async () => {
    const file = createContacts('Separate');
    const graphs = await Promise.all([startLedgerGraph(createLedgerPath()), startLedgerGraph(createLedgerPath())]);
    onTestFinished(async () => {
      for (const { close } of graphs) await close();
    });
    const [one, other] = graphs;
    // Responses are lost, and the repeated requests reach the other server.
    const url = await startEdge((number, isRepeated) => ({
      graph: isRepeated || (number > 0 && number % 2 === 0) ? other : one,
      isLost: number % 2 === 1 && !isRepeated,
    }));
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(await run(file, url)).toMatchObject({ code: 1, err: expect.stringContaining('servers behind the same URL don’t share one') });
    const { done, unknown, created, copies } = count(file, 'Separate');
    expect([created, new Set(copies)]).toEqual([done + unknown, new Set([1])]);
  });
});
