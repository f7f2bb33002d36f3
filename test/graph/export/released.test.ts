import { createHmac } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { START } from '../../sandbox/sandbox.ts';
import { addOrders, createOut, readManifest, readRows, runExport } from '../../support/exports.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const FOLDER = 'test/graph/export/released';
/** Only matches the added orders, whose values don't depend on the demo data. */
const WHERE = ['--where', 'createdAt: { lt: "1999-01-01T00:00:00Z" }'];
const ADDED = 400;
/** Rows of each stored file. It ends between orders with the same timestamp. */
const STORED = 207;

beforeAll(() => addOrders(testGraph.sandbox.world, ADDED, `${START - 1_000_000_000} + n / 3 * 100`));

/** Copies the files of an export that version 0.2.0 stopped, as if its upstream had been the sandbox of this test. */
function copyStopped(name: string, out: string): void {
  const [json = ''] = readFileSync(`${FOLDER}/${name}.checkpoint`, 'utf8').split('\n');
  const moved = json.replace(/"upstream":"[^"]*"/, `"upstream":"${testGraph.sandbox.url}"`);
  const signature = createHmac('sha256', 'demo-owner').update(`2 ${moved}`).digest('hex');
  writeFileSync(`${out}.checkpoint`, `${moved}\n${signature}\n`, { mode: 0o600 });
  copyFileSync(`${FOLDER}/${name}.part`, `${out}.part`);
}

const readParquet = async (out: string) => parquetReadObjects({ file: await asyncBufferFromFile(out) });

describe('export of version 0.2.0', () => {
  it.each([
    ['jsonl', ['--columns', 'id,status,totalOnce,createdAt'], readRows],
    ['parquet', ['--raw-ids', '--format', 'parquet', '--columns', 'id,status,totalOnce,createdAt'], readParquet],
    ['incremental', ['--raw-ids', '--columns', 'id,status,updatedAt', '--incremental'], readRows],
  ] as const)('continues after its checkpoint: %s', async (name, options, read) => {
    const args = ['orders', ...WHERE, ...options];
    const createArgs = (out: string) => [...args, ...(name === 'incremental' ? [`${out}.state`] : []), '--out', out];
    const [out, whole] = [createOut(), createOut()];
    copyStopped(name, out);
    const { code, err } = await runExport(testGraph.sandbox.url, createArgs(out));
    expect([code, err]).toEqual([0, expect.stringContaining(`Continuing after ${STORED} rows.`)]);
    expect(readManifest(out)).toMatchObject({ verified: true, rows: { written: ADDED, atStart: ADDED, atEnd: ADDED } });
    expect(await runExport(testGraph.sandbox.url, createArgs(whole))).toMatchObject({ code: 0 });
    const [rows, expected] = [await read(out), await read(whole)];
    expect(rows).toHaveLength(ADDED);
    // Rows with the same timestamp of updates were sorted by ID, and are now sorted by their creation first.
    const sort = (each: typeof rows) => each.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
    expect(name === 'incremental' ? sort(rows) : rows).toEqual(name === 'incremental' ? sort(expected) : expected);
  });

  it('leaves a state from which the next incremental export starts', async () => {
    const state = JSON.parse(readFileSync(`${FOLDER}/state.json`, 'utf8'));
    const out = createOut();
    writeFileSync(`${out}.state`, JSON.stringify({ ...state, upstream: testGraph.sandbox.url }), { mode: 0o600 });
    const { store } = testGraph.sandbox.world;
    const [row] = store.all<{ readonly id: string }>(`SELECT id FROM main.orders WHERE created_at = ${START - 1_000_000_000} LIMIT 1`);
    store.run('UPDATE orders SET updated_at = :at WHERE id = :id', { id: row?.id ?? '', at: state.watermark - 30 });
    const args = ['orders', ...WHERE, '--raw-ids', '--columns', 'id,status,updatedAt', '--incremental', `${out}.state`, '--out', out];
    expect(await runExport(testGraph.sandbox.url, args)).toMatchObject({ code: 0 });
    expect(readRows(out).map(({ id }) => id)).toEqual([row?.id]);
  });
});
