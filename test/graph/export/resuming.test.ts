import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { InterruptedError } from '../../../cli/bulk/command.ts';
import { type Transport, TransportError, type UpstreamRequest, type UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { demoId, openSandbox, START } from '../../sandbox/sandbox.ts';
import { addOrders, createOut, listFiles, readManifest, readRows, runExport } from '../../support/exports.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const run = (args: readonly string[], settings = {}) => runExport(testGraph.sandbox.url, args, settings);

const ADDED = 1_500;

let expected: string[] = [];
beforeAll(async () => {
  const { world } = testGraph.sandbox;
  addOrders(world, ADDED, `${START - 1_000_000} + n * 100`);
  expected = world.store
    .all<{ readonly id: string }>(
      'SELECT id FROM orders WHERE workspace_id = (SELECT workspace_id FROM orders GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) ORDER BY created_at, id',
    )
    .map(({ id }) => id);
});

const ORDERS = ['orders', '--raw-ids', '--columns', 'id,status'];
const readIds = (out: string) => readRows(out).map(({ id }) => id);

const isQuery = ({ path }: UpstreamRequest) => path.endsWith('/ExecuteQuery');

/** Handles the query with this number, from 1, in another way. */
function interceptQuery(number: number, respond: (request: UpstreamRequest, usual: Transport['send']) => Promise<UpstreamResponse>) {
  let count = 0;
  return interceptCalls(async (request, usual) => {
    if (isQuery(request)) count += 1;
    return isQuery(request) && count === number ? respond(request, usual) : usual(request);
  });
}

/** Handles all queries from this number on in another way. */
function interceptQueriesFrom(number: number, respond: (request: UpstreamRequest, usual: Transport['send']) => Promise<UpstreamResponse>) {
  let count = 0;
  return interceptCalls(async (request, usual) => {
    if (isQuery(request)) count += 1;
    return isQuery(request) && count >= number ? respond(request, usual) : usual(request);
  });
}

const fail =
  (status: number, code: string, headers = {}) =>
  async () => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code, message: 'Rejected.' }),
  });

/** Queries of a complete export. */
let queries = 0;
beforeAll(async () => {
  const out = createOut();
  const [{ code }, calls] = await testGraph.recordCalls(() => run([...ORDERS, '--out', out]));
  queries = calls.filter((name) => name === 'AnalyticsService/ExecuteQuery').length;
  expect([code, readIds(out)]).toEqual([0, expected]);
});

describe('export', () => {
  it.each([
    ['429', fail(429, 'resource_exhausted', { 'retry-after': '7' })],
    ['503', fail(503, 'unavailable')],
    ['a timeout', async () => Promise.reject(new TransportError(true, true))],
    [
      'a cut connection',
      async (request: UpstreamRequest, usual: Transport['send']) => {
        await usual(request);
        throw new TransportError(true, false);
      },
    ],
  ])('writes each row once after %s in each phase', async (_, respond) => {
    const small = [...ORDERS, '--where', `createdAt: { gte: "${new Date((START - 900_000) * 1000).toISOString()}" }`];
    for (const number of [1, 3, queries]) {
      const out = createOut();
      const args = number === queries ? ORDERS : small;
      const { code, err } = await run([...args, '--out', out], { transport: interceptQuery(number, respond) });
      expect([code, err]).toEqual([0, expect.stringContaining('1 retries')]);
      const ids = readIds(out);
      expect(ids).toEqual(expected.slice(expected.length - ids.length));
    }
  });

  it('waits as long as the upstream requires', async () => {
    const transport = interceptQuery(1, fail(429, 'resource_exhausted', { 'retry-after': '7' }));
    const { code, waits } = await run([...ORDERS, '--out', createOut()], { transport });
    expect([code, waits[0]]).toEqual([0, 7_000]);
  });

  it.each([
    ['a revoked key', fail(401, 'unauthenticated'), 'The API key is invalid, expired, or revoked.'],
    ['an outage', fail(503, 'unavailable'), 'unavailable'],
    [
      'a result without a column',
      async (request: UpstreamRequest, usual: Transport['send']) => {
        const response = await usual(request);
        return { ...response, body: response.body.replaceAll('"id":"status"', '"id":"state"') };
      },
      'doesn’t have this value',
    ],
    [
      'rows in another order',
      async (request: UpstreamRequest, usual: Transport['send']) => {
        const response = await usual(request);
        const json = JSON.parse(response.body);
        return { ...response, body: JSON.stringify({ result: { ...json.result, rows: json.result.rows.toReversed() } }) };
      },
      'aren’t sorted',
    ],
  ])('saves a checkpoint before it fails because of %s', async (_, respond, message) => {
    const out = createOut();
    const failed = await run([...ORDERS, '--out', out], { transport: interceptQueriesFrom(12, respond) });
    expect([failed.code, failed.err]).toEqual([1, expect.stringContaining(message)]);
    expect(failed.err).toContain('Run the same command again to continue from the last checkpoint.');
    expect(listFiles(out)).toEqual(['.part', '.checkpoint']);
    const [resumed, calls] = await testGraph.recordCalls(() => run([...ORDERS, '--out', out]));
    expect([resumed.code, resumed.err]).toEqual([0, expect.stringContaining('Continuing after ')]);
    expect(readIds(out)).toEqual(expected);
    expect(calls.length).toBeLessThan(queries - 5);
    expect(listFiles(out)).toEqual(['', '.manifest.json']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('saves a checkpoint after %s, and exits with %s', async (signal, status) => {
    const out = createOut();
    const interruption = new AbortController();
    const transport = interceptQuery(12, async (request, usual) => {
      interruption.abort(new InterruptedError(signal));
      return usual(request);
    });
    const stopped = await run([...ORDERS, '--out', out], { transport, signal: interruption.signal });
    expect([stopped.code, listFiles(out)]).toEqual([status, ['.part', '.checkpoint']]);
    expect(await run([...ORDERS, '--out', out])).toMatchObject({ code: 0 });
    expect(readIds(out)).toEqual(expected);
  });

  it('reads rows as they are at that time, and reports deleted ones', async () => {
    const sandbox = await openSandbox();
    onTestFinished(() => sandbox.close());
    addOrders(sandbox.world, ADDED, `${START - 1_000_000} + n * 100`);
    const { store } = sandbox.world;
    // The last order is read after the change. One that's created meanwhile belongs to the next export.
    const ofWorkspace = `workspace_id = '${demoId('workspace')}'`;
    const newest = `SELECT id FROM main.orders WHERE ${ofWorkspace} ORDER BY created_at DESC LIMIT 1`;
    store.exec(`UPDATE main.orders SET created_at = ${START - 2} WHERE id = (${newest})`);
    const [last, ...others] = store.all<{ readonly id: string }>(
      `SELECT id FROM main.orders WHERE ${ofWorkspace} AND created_at < ${START - 2} ORDER BY created_at DESC, id DESC`,
    );
    const transport = interceptQuery(12, async (request, usual) => {
      store.exec('PRAGMA foreign_keys = OFF');
      store.run('UPDATE orders SET status = 3, updated_at = :at WHERE id = :id', { at: START, id: last?.id ?? '' });
      store.run('DELETE FROM orders WHERE id = :id', { id: others.at(-1)?.id ?? '' });
      return usual(request);
    });
    const out = createOut();
    const { code } = await runExport(sandbox.url, [...ORDERS, '--out', out], { transport });
    const rows = readRows(`${out}.unverified`);
    expect([code, rows.at(-1)]).toEqual([3, { id: last?.id, status: 'CANCELLED' }]);
    expect(readManifest(out).rows).toEqual({ written: rows.length, atStart: rows.length, atEnd: rows.length - 1 });
  });

  it('doesn’t publish a file whose row count differs', async () => {
    const out = createOut();
    const transport = interceptQuery(queries, async (request, usual) => {
      const response = await usual(request);
      return { ...response, body: response.body.replaceAll(/"integer":"\d+"/g, '"integer":"0"') };
    });
    const { code, err } = await run([...ORDERS, '--out', out], { transport });
    expect([code, listFiles(out)]).toEqual([3, ['.manifest.json', '.unverified']]);
    expect(err).toContain('0 in the index now');
    expect(readManifest(out)).toMatchObject({ verified: false, rows: { written: expected.length, atStart: expected.length, atEnd: 0 } });
    expect(readIds(`${out}.unverified`)).toEqual(expected);
  });
});

describe('export with files of an earlier one', () => {
  /** An export that stopped after its first checkpoint. */
  async function createStopped(): Promise<string> {
    const out = createOut();
    await run([...ORDERS, '--out', out], { transport: interceptQueriesFrom(12, fail(401, 'unauthenticated')) });
    expect(listFiles(out)).toEqual(['.part', '.checkpoint']);
    return out;
  }

  it.each([
    ['another filter', ['--where', 'statuses: [OPEN]'], 'where "" instead of "statuses: [OPEN]"'],
    ['other columns', ['--columns', 'id'], 'columns "id, status" instead of "id"'],
    ['another format', ['--format', 'csv'], 'format "jsonl" instead of "csv"'],
  ])('rejects a checkpoint with %s', async (_, args, message) => {
    const out = await createStopped();
    const before = readFileSync(`${out}.checkpoint`, 'utf8');
    const { code, err } = await run([...ORDERS, ...args, '--out', out]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(readFileSync(`${out}.checkpoint`, 'utf8')).toBe(before);
  });

  it('rejects a checkpoint of another key, and stores no key', async () => {
    const out = await createStopped();
    expect(readFileSync(`${out}.checkpoint`, 'utf8')).not.toContain('demo-owner');
    const { code, err } = await run([...ORDERS, '--out', out], { key: 'demo-neighbour' });
    expect([code, err]).toEqual([1, expect.stringContaining('another API key')]);
  });

  it.each([
    ['a truncated checkpoint', (out: string) => truncateSync(`${out}.checkpoint`, 100), 'is damaged, or was changed'],
    ['a checkpoint of another version', (out: string) => writeFileSync(`${out}.checkpoint`, '{"version":1}'), 'has version 1'],
    ['a checkpoint that is too large', (out: string) => truncateSync(`${out}.checkpoint`, 2 ** 26), 'is damaged, or was changed'],
    ['a truncated file', (out: string) => truncateSync(`${out}.part`, 100), 'is missing, or differs from its checkpoint'],
    ['a missing file', (out: string) => rmSync(`${out}.part`), 'is missing, or differs from its checkpoint'],
    [
      'a file with another row',
      (out: string) => writeFileSync(`${out}.part`, readFileSync(`${out}.part`, 'utf8').replace('OPEN', 'SHUT')),
      'is missing, or differs from its checkpoint',
    ],
  ])('rejects %s, which --restart discards', async (_, damage, message) => {
    const out = await createStopped();
    damage(out);
    const { code, err } = await run([...ORDERS, '--out', out]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain('--restart');
    expect(await run([...ORDERS, '--restart', '--out', out])).toMatchObject({ code: 0 });
    expect(readIds(out)).toEqual(expected);
  });

  it('replaces an existing file only with --overwrite', async () => {
    const out = createOut();
    writeFileSync(out, 'precious');
    const [{ code, err }, calls] = await testGraph.recordCalls(() => run([...ORDERS, '--out', out]));
    expect([code, err, readFileSync(out, 'utf8')]).toEqual([1, `${out} exists. Choose another file, or use --overwrite.`, 'precious']);
    expect(calls).toEqual(['AnalyticsService/ListCatalog', 'AnalyticsService/ExecuteQuery']);
    expect(await run([...ORDERS, '--overwrite', '--out', out])).toMatchObject({ code: 0 });
    expect(readIds(out)).toEqual(expected);
  });
});
