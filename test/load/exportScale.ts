// Exports many orders in each format, killed three times each, and compares the files with the database: `npm run export:scale`. Takes about ten minutes and 3 GB
// for a million orders. `--data FILE` uses an existing database of the sandbox.
// `--orders` sets the number of orders, and `--format`, which can be repeated, selects a format: jsonl, csv or parquet.
import '../../scripts/help.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    format: { type: 'string', multiple: true, default: ['jsonl', 'csv', 'parquet'] },
  },
});

const KILLS = 3;
/** Maximum memory of an export, in MB. Documented in docs/export.md. */
const MAX_MB = 300;
const PORT = 4_310;
const COLUMNS = 'id,referenceNumber,totalOnce,createdAt';

const folder = mkdtempSync(join(tmpdir(), 'export-scale-'));
const data = options.data ?? join(folder, 'sandbox.sqlite');

/** Starts the sandbox, and waits until it listens. */
async function startSandbox(): Promise<ChildProcess> {
  const env = { SANDBOX_DATA: data, SANDBOX_EXTRA_ORDERS: options.orders, SANDBOX_PORT: String(PORT), SANDBOX_RATE_LIMIT: '1000000' };
  const child = spawn(process.execPath, ['sandbox/main.ts'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) if (chunk.toString().includes('Sandbox on')) break;
  return child;
}

/** Peak memory of a process, in MB. */
function readPeakMb({ pid }: ChildProcess): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Runs an export until it ends or is killed. */
async function run(format: string, out: string, killAfterMs: number | null) {
  const args = ['cli/main.ts', 'export', 'orders', '--raw-ids', '--columns', COLUMNS, '--format', format, '--share', '1', '--out', out];
  const env = { ...process.env, UPSTREAM_URL: `http://127.0.0.1:${PORT}`, WORKSPACE_API_KEY: 'demo-owner' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peakMb = 0;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, readPeakMb(child));
  }, 100);
  const killing = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code, signal] = await once(child, 'exit');
  clearInterval(sampling);
  clearTimeout(killing);
  return { end: signal ?? code, peakMb };
}

type Row = readonly [id: string, referenceNumber: string, minorUnits: string | null, createdAt: number];

async function* readLines(out: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(out) });
}

const toMinor = (amount: string | undefined) => (amount ? String(BigInt(amount.replace('.', ''))) : null);

async function* readRows(format: string, out: string): AsyncGenerator<Row> {
  if (format === 'parquet') {
    const file = await asyncBufferFromFile(out);
    const metadata = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      for (const { id, referenceNumber, totalOnceMinorUnits, createdAt } of await parquetReadObjects({ file, metadata, rowStart, rowEnd }))
        yield [id, referenceNumber, totalOnceMinorUnits === null ? null : String(totalOnceMinorUnits), createdAt.getTime() / 1_000];
      rowStart = rowEnd;
    }
    return;
  }
  let isHeader = format === 'csv';
  for await (const line of readLines(out)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    if (format === 'csv') {
      const [id = '', referenceNumber = '', amount, createdAt = ''] = line.trimEnd().split(',');
      yield [id, referenceNumber, toMinor(amount), Date.parse(createdAt) / 1_000];
    } else {
      const { id, referenceNumber, totalOnce, createdAt } = JSON.parse(line);
      yield [id, referenceNumber, toMinor(totalOnce?.amount), Date.parse(createdAt) / 1_000];
    }
  }
}

/** Compares a file with the database. Returns the number of rows. Throws at the first difference. */
async function compare(format: string, out: string): Promise<number> {
  const database = new DatabaseSync(data, { readOnly: true });
  const sql = `SELECT id, reference_number, CASE WHEN id IN (SELECT record_id FROM unresolved_snapshots) THEN NULL ELSE total_once_minor END, created_at FROM orders
    WHERE workspace_id = (SELECT workspace_id FROM orders GROUP BY 1 ORDER BY count(*) DESC LIMIT 1) ORDER BY created_at, id`;
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const expected = statement.iterate() as unknown as IterableIterator<[string, string, number | null, number]>;
  let count = 0;
  for await (const row of readRows(format, out)) {
    const { value } = expected.next();
    const wanted = value && [value[0], value[1], value[2] === null ? null : String(value[2]), value[3]];
    if (JSON.stringify(row) !== JSON.stringify(wanted))
      throw new Error(`Row ${count} differs: ${JSON.stringify(row)}, expected ${JSON.stringify(wanted)}.`);
    count += 1;
  }
  if (!expected.next().done) throw new Error(`Rows are missing after ${count}.`);
  database.close();
  return count;
}

const sandbox = await startSandbox();
try {
  for (const format of options.format) {
    const out = join(folder, `orders.${format}`);
    const started = performance.now();
    let peakMb = 0;
    for (let kills = 0; ; kills += 1) {
      const result = await run(format, out, kills < KILLS ? 5_000 + Math.random() * 15_000 : null);
      peakMb = Math.max(peakMb, result.peakMb);
      if (result.end === 0) break;
      if (result.end !== 'SIGKILL') throw new Error(`The export as ${format} ended with ${result.end}.`);
    }
    const seconds = Math.round((performance.now() - started) / 1_000);
    const count = await compare(format, out);
    console.log(`${format}: ${count} rows equal the database, ${seconds} s, up to ${Math.round(peakMb)} MB.`);
    if (peakMb > MAX_MB) throw new Error(`The export as ${format} needed ${Math.round(peakMb)} MB, more than ${MAX_MB} MB.`);
  }
} finally {
  sandbox.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
