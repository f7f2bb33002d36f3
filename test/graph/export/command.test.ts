import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { listSearches } from '../../../src/schema/search/searches.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { START } from '../../sandbox/sandbox.ts';
import { addOrders, createOut, listFiles, readManifest, readRows, runExport } from '../../support/exports.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const run = (args: readonly string[], settings = {}) => runExport(testGraph.sandbox.url, args, settings);
const record = async (args: readonly string[], settings = {}) => {
  const [result, calls] = await testGraph.recordCalls(() => run(args, settings));
  return { ...result, calls };
};

describe('export --plan', () => {
  it('prints rows, calls and scopes after four calls, and creates no file', async () => {
    const { code, out, calls } = await record(['work-orders', '--where', 'statuses: [OPEN]', '--plan']);
    expect([code, calls.length]).toEqual([0, 4]);
    expect(out).toMatch(
      /^Root: +work-orders where statuses: \[OPEN\]\nUpstream: +http.*\nRows: +\d+ until 2026-03-02T08:59:58Z\nColumns: +id, /,
    );
    expect(out).toMatch(
      /^Calls: +about \d+, at most 500000 of 1000000 per window\nTime: +at least 0s\nScopes: +analytics:read, work_order:read\n/m,
    );
  });
});

describe('export with invalid arguments', () => {
  it.each([
    [['--out', 'x'], 'Specify one root, such as orders.'],
    [['orders'], 'Missing --out FILE.'],
    [['invoices', '--out', 'x'], 'Unknown root invoices. Expected one of '],
    [['orders', '--out', 'x', '--share', '0'], '--share must be a number from 0.01 to 1, but is 0.'],
    [['orders', '--out', 'x', '--share', '1e-1'], '--share must be a number from 0.01 to 1, but is 1e-1.'],
    [['orders', '--out', 'x', '--format', 'xml'], '--format must be jsonl or csv or parquet, but is xml.'],
    [
      ['orders', '--out', 'x', '--columns', 'id,paid'],
      'Unknown column paid. The columns of this root are id, customerId, quoteId, status,',
    ],
    [['orders', '--out', 'x', '--key', 'secret'], "Unknown option '--key'"],
    [['orders', '--out', 'x', '--key-file', '/nonexistent'], 'Can’t read /nonexistent (--key-file): ENOENT.'],
    [['orders', '--out', '/nonexistent/x'], 'Can’t use /nonexistent/x (--out): its folder doesn’t exist.'],
  ])('rejects %j', async (args, message) => {
    const { code, err } = await run(args);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('rejects a missing key', async () => {
    const { code, err } = await run(['orders', '--out', 'x'], { key: '' });
    expect([code, err]).toEqual([1, 'Missing API key. Set WORKSPACE_API_KEY, or pass --key-file.']);
  });

  it('prints its usage, with all roots', async () => {
    const { code, out } = await run(['--help']);
    expect([code, listSearches().length]).toEqual([0, 7]);
    expect(out).toContain('Roots: orders, quotes, customers, payments, work-orders, problems, appointments.');
  });
});

describe('export with a narrow key', () => {
  it.each([
    ['analytics:read', 'orders'],
    ['problem:read', 'problems'],
  ])('rejects a key without %s before any call', async (scope, root) => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });
    const out = createOut();
    const { code, err, calls } = await record([root, '--out', out], { key });
    expect([code, err, calls, listFiles(out)]).toEqual([1, expect.stringContaining(scope), [], []]);
  });

  it('reads the key from a file', async () => {
    const file = createOut('key');
    writeFileSync(file, 'demo-owner\n');
    const { code } = await run(['problems', '--key-file', file, '--out', createOut()], { key: '' });
    rmSync(file);
    expect(code).toBe(0);
  });
});

describe('export of nothing', () => {
  it.each([
    ['jsonl', ''],
    ['csv', 'id,status\r\n'],
  ])('creates an empty %s file', async (format, text) => {
    const out = createOut();
    const args = ['orders', '--where', 'referenceNumber: { eq: "none" }', '--columns', 'id,status', '--format', format, '--out', out];
    expect(await run(args)).toMatchObject({ code: 0 });
    expect(readFileSync(out, 'utf8')).toBe(text);
    expect(readManifest(out)).toMatchObject({ rows: { written: 0, atStart: 0, atEnd: 0 }, verified: true, bytes: text.length });
  });
});

describe('export --progress json', () => {
  it('prints objects at intervals and at the end', async () => {
    // The clock advances by a minute before each call, as with a slow upstream.
    let minutes = 0;
    const clock = { unixMs: Date.now, monotonicMs: () => minutes * 60_000 };
    const transport = interceptCalls(async (request, usual) => {
      minutes += 1;
      return usual(request);
    });
    const { code, err } = await run(['customers', '--progress', 'json', '--out', createOut()], { transport, clock });
    expect(code).toBe(0);
    const reports = err
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(reports.length).toBeGreaterThan(1);
    const { expected } = reports[0];
    expect(reports.at(-1)).toMatchObject({ rows: expected, expected, retries: 0, secondsLeft: 0 });
  });
});

describe('export --incremental', () => {
  const update = (id: string, at: number) =>
    testGraph.sandbox.world.store.run('UPDATE orders SET updated_at = :at WHERE id = :id', { id, at });
  let all: string[] = [];
  beforeAll(() => addOrders(testGraph.sandbox.world, 200, `${START - 4_000} + n * 10`));

  /** Exports orders with a state. Returns the raw IDs. */
  async function exportSince(state: string, ...args: readonly string[]): Promise<string[]> {
    const out = createOut();
    const result = await run(['orders', '--raw-ids', '--columns', 'id,updatedAt', '--incremental', state, ...args, '--out', out]);
    expect(result).toMatchObject({ code: 0 });
    return readRows(out).map(({ id }) => id);
  }

  it('exports everything first, then what was updated since, with an overlap of a minute', async () => {
    const state = createOut('state.json');
    all = await exportSince(state);
    const [first = '', second = '', third = ''] = all;
    expect(all.length).toBeGreaterThan(200);
    const until = START - 2;
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ version: 1, root: 'orders', watermark: until });
    update(first, until - 61);
    update(second, until - 60);
    update(third, until + 1_000);
    // The upstream's clock decides what belongs to an export.
    testGraph.sandbox.now = START + 500;
    expect(await exportSince(state)).toEqual([second]);
    testGraph.sandbox.now = START + 2_000;
    expect(await exportSince(state)).toEqual([third]);
    expect(await exportSince(state)).toEqual([]);
  });

  it('keeps the state if the export fails or lacks rows, and rejects the state of another export', async () => {
    const state = createOut('state.json');
    await exportSince(state, '--where', 'statuses: [OPEN]');
    const before = readFileSync(state, 'utf8');
    testGraph.sandbox.now += 10_000;
    const failing = interceptCalls(async (request, usual) =>
      request.path.endsWith('/ExecuteQuery')
        ? { status: 401, headers: {}, body: '{"code":"unauthenticated","message":"Revoked."}' }
        : usual(request),
    );
    const args = ['orders', '--incremental', state, '--out', createOut()];
    expect(await run([...args, '--where', 'statuses: [OPEN]'], { transport: failing })).toMatchObject({ code: 1 });
    // Rows are missing, according to the last count.
    testGraph.sandbox.world.store.run('UPDATE orders SET updated_at = :at WHERE status = 1', { at: testGraph.sandbox.now - 10 });
    const missing = interceptCalls(async (request, usual) => {
      const response = await usual(request);
      return request.body.includes('"aggregate"')
        ? { ...response, body: response.body.replace(/"integer":"\d+"/, '"integer":"999"') }
        : response;
    });
    const unverified = ['orders', '--where', 'statuses: [OPEN]', '--incremental', state, '--out', createOut()];
    expect(await run(unverified, { transport: missing })).toMatchObject({ code: 3 });
    expect(await run(args)).toMatchObject({ code: 1, err: `${state} belongs to an export with another where. Use another file.` });
    expect(readFileSync(state, 'utf8')).toBe(before);
    writeFileSync(state, '{}');
    expect(await run(args)).toMatchObject({ code: 1, err: expect.stringContaining('isn’t a state of --incremental') });
    expect(existsSync(state)).toBe(true);
  });
});
