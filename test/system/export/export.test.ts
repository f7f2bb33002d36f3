import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Random } from '../../../sandbox/kernel/random.ts';
import { demoId, openSandbox, START, type TestSandbox } from '../../sandbox/sandbox.ts';
import { parseCsv } from '../../support/csv.ts';
import { addOrders, createOut, listFiles, readManifest, readRows } from '../../support/exports.ts';
import { SEED } from '../../support/seeded.ts';

/** More than an export has between two checkpoints. */
const ADDED = 8_000;

let sandbox: TestSandbox;
/** Called after each call to the sandbox. */
let onCall = () => {};
beforeAll(async () => {
  sandbox = await openSandbox({ onCall: () => onCall() });
  addOrders(sandbox.world, ADDED, `${START - 1_000_000} + n / 4 * 300`);
});
afterAll(() => sandbox.close());

const HEAP_LIMITS = ['--max-old-space-size=128', '--max-semi-space-size=8'];
const FORMATS = ['jsonl', 'csv', 'parquet'] as const;
type Format = (typeof FORMATS)[number];
const COLUMNS = 'id,customerId,status,referenceNumber,totalOnce,createdAt,cancelledAt';

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node.js. */
  readonly execArgv?: readonly string[];
  /** Called with the process after each call to the sandbox. */
  readonly onCall?: (child: ChildProcess) => void;
}

function start(args: readonly string[], { env = {}, execArgv = HEAP_LIMITS, onCall: listener = () => {} }: RunOptions = {}) {
  const child = spawn(process.execPath, [...execArgv, '--import', './test/support/fileFaults.ts', 'cli/main.ts', 'export', ...args], {
    env: { ...process.env, UPSTREAM_URL: sandbox.url, WORKSPACE_API_KEY: 'demo-owner', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  onCall = () => listener(child);
  return child;
}

/** Runs an export of orders until it exits. */
async function run(args: readonly string[], options: RunOptions = {}) {
  const child = start(args, options);
  const [err, [code, signal]] = await Promise.all([readText(child.stderr as NodeJS.ReadableStream), once(child, 'exit')]);
  return { err, end: (signal ?? code) as NodeJS.Signals | number };
}

const createArgs = (format: Format, out: string) => ['orders', '--raw-ids', '--columns', COLUMNS, '--format', format, '--out', out];

/** Rows of the database, as text. */
function listExpected(): string[][] {
  const sql = `SELECT id, customer_id, status, reference_number, currency, total_once_minor, created_at, cancelled_at
    FROM orders WHERE workspace_id = :id ORDER BY created_at, id`;
  const rows = sandbox.world.store.all<Record<string, string | number | null>>(sql, { id: demoId('workspace') });
  const toTime = (seconds: unknown) => (seconds ? new Date(Number(seconds) * 1_000).toISOString().replace('.000', '') : '');
  const statuses = ['', 'OPEN', 'FULFILLED', 'CANCELLED'];
  return rows.map((row) => [
    String(row.id),
    String(row.customer_id),
    statuses[Number(row.status)] ?? '',
    String(row.reference_number),
    String(row.total_once_minor),
    toTime(row.created_at),
    toTime(row.cancelled_at),
  ]);
}

/** All currencies of these orders have two decimal places. */
const toMinor = (amount: string) => (amount === '' ? '' : String(BigInt(amount.replace('.', ''))));

/** Queries with DuckDB, which shares no code with the writer of the files. */
async function queryParquet(sql: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const READERS: Readonly<Record<Format, (out: string) => string[][] | Promise<string[][]>>> = {
  jsonl: (out) =>
    readRows(out).map((row) =>
      COLUMNS.split(',').map((name) => (name === 'totalOnce' ? toMinor(row[name]?.amount ?? '') : String(row[name] ?? ''))),
    ),
  csv: (out) =>
    parseCsv(out)
      .slice(1)
      .map((record) => record.slice(0, -1).map((cell, index) => (index === 4 ? toMinor(cell) : cell))),
  parquet: async (out) => {
    const time = (name: string) => `coalesce(strftime(make_timestamp(epoch_us(${name})), '%Y-%m-%dT%H:%M:%SZ'), '')`;
    const amount = "coalesce(CAST(totalOnceMinorUnits AS VARCHAR), '')";
    const rows = await queryParquet(
      `SELECT id, customerId, status, referenceNumber, ${amount}, ${time('createdAt')}, ${time('cancelledAt')} FROM '${out}'`,
    );
    return rows.map((row) => row.map(String));
  },
};

async function expectExact(format: Format, out: string): Promise<void> {
  expect(listFiles(out)).toEqual(['', '.manifest.json']);
  expect(await READERS[format](out)).toEqual(listExpected());
  expect(readManifest(out)).toMatchObject({ verified: true, rows: { written: listExpected().length } });
}

/**
 * Functions of node:fs, with the number of the call after which each run is killed: the steps of the first checkpoint (rows, their sync, the new checkpoint, its
 * name, the sync of the folder), of the last ones, of the manifest, and the name of the file.
 */
const STEPS = [
  'writeSync:1',
  'fdatasyncSync:1',
  'fsyncSync:1',
  // The first one renames the lock of the process that was killed.
  'renameSync:2',
  'fsyncSync:2',
  'fdatasyncSync:2',
  'renameSync:3',
  // The manifest, and the sync of its folder.
  'renameSync:2',
  'fsyncSync:2',
  'renameSync:3',
];

describe('export', () => {
  it('writes each row once if it’s killed after each step of a checkpoint', async () => {
    const out = createOut('out.parquet');
    for (const step of STEPS) {
      const { end } = await run(createArgs('parquet', out), { env: { KILL_AFTER: step } });
      expect([step, end]).toEqual([step, 'SIGKILL']);
    }
    // The lock is stale.
    expect(listFiles(out)).toEqual(['', '.checkpoint', '.lock', '.manifest.json']);
    expect(await run(createArgs('parquet', out))).toMatchObject({ end: 0 });
    await expectExact('parquet', out);
  });

  it.each(FORMATS)('writes each row once as %s if it’s killed at random times', async (format) => {
    const out = createOut(`out.${format}`);
    const random = new Random(SEED);
    // After the first checkpoint, and while the export continues after it.
    for (const [earliest, latest] of [
      [65, 85],
      [2, 30],
    ] as const) {
      let left = random.nextInteger(earliest, latest);
      const { end } = await run(createArgs(format, out), {
        onCall: (child) => {
          left -= 1;
          if (left === 0) child.kill('SIGKILL');
        },
      });
      expect([end, listFiles(out)]).toEqual(['SIGKILL', ['.part', '.checkpoint', '.lock']]);
    }
    expect(await run(createArgs(format, out))).toMatchObject({ end: 0 });
    await expectExact(format, out);
  });

  it.each([
    ['jsonl', 'a checkpoint', 'writeFileSync:1'],
    ['parquet', 'rows', 'writeSync:1'],
  ] as const)('writes each row once as %s after the disk was full when it wrote %s', async (format, _, call) => {
    const out = createOut(`out.${format}`);
    const { end, err } = await run(createArgs(format, out), { env: { FULL_AFTER: call } });
    expect([end, err]).toEqual([1, expect.stringContaining('its disk is full')]);
    expect(await run(createArgs(format, out))).toMatchObject({ end: 0 });
    await expectExact(format, out);
  });

  it('saves a checkpoint on SIGINT and SIGTERM, and limits its heap', async () => {
    const out = createOut();
    let commandLine = '';
    const stopAfter = (calls: number, signal: NodeJS.Signals) => (child: ChildProcess) => {
      calls -= 1;
      if (calls !== 0) return;
      commandLine = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8');
      child.kill(signal);
    };
    expect(await run(createArgs('jsonl', out), { execArgv: [], onCall: stopAfter(20, 'SIGINT') })).toMatchObject({ end: 130 });
    for (const flag of HEAP_LIMITS) expect(commandLine).toContain(flag);
    expect(listFiles(out)).toEqual(['.part', '.checkpoint']);
    const resumed = await run(createArgs('jsonl', out), { onCall: stopAfter(20, 'SIGTERM') });
    expect(resumed).toMatchObject({ end: 143, err: expect.stringContaining('Continuing after') });
    expect(await run(createArgs('jsonl', out))).toMatchObject({ end: 0 });
    await expectExact('jsonl', out);
  });

  it('writes Parquet columns with their types', async () => {
    const out = createOut('out.parquet');
    const args = [
      'orders',
      '--where',
      'statuses: [CANCELLED]',
      '--columns',
      'status,totalOnce,createdAt',
      '--format',
      'parquet',
      '--out',
      out,
    ];
    expect(await run(args)).toMatchObject({ end: 0 });
    const columns = await queryParquet(`DESCRIBE SELECT * FROM '${out}'`);
    expect(columns.map(([name, type]) => [name, type])).toEqual([
      ['status', 'VARCHAR'],
      ['totalOnceMinorUnits', 'BIGINT'],
      ['createdAt', 'TIMESTAMP WITH TIME ZONE'],
      ['currencyCode', 'VARCHAR'],
      ['currencyDigits', 'INTEGER'],
    ]);
    expect(await queryParquet(`SELECT DISTINCT status, currencyCode, currencyDigits FROM '${out}'`)).toEqual([['CANCELLED', 'EUR', 2]]);
    const problems = createOut('out.parquet');
    expect(await run(['problems', '--where', 'title: { eq: "none" }', '--format', 'parquet', '--out', problems])).toMatchObject({ end: 0 });
    expect(await queryParquet(`SELECT count(*), typeof(any_value(isManualSolvingDisabled)) FROM '${problems}'`)).toEqual([
      ['0', 'BOOLEAN'],
    ]);
  });

  it('names the package that Parquet requires if it isn’t installed', async () => {
    const out = createOut('out.parquet');
    const { end, err } = await run(createArgs('parquet', out), { env: { MISSING_PACKAGE: 'hyparquet-writer' } });
    const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([end, err]).toEqual([1, expect.stringContaining(`npm install hyparquet-writer@${peerDependencies['hyparquet-writer']}`)]);
    expect(listFiles(out)).toEqual([]);
  });

  it('rejects a second process that writes the same file', async () => {
    const out = createOut();
    const reached = Promise.withResolvers<void>();
    let calls = 0;
    const first = start(createArgs('jsonl', out), {
      onCall: () => {
        calls += 1;
        if (calls !== 20) return;
        first.kill('SIGSTOP');
        reached.resolve();
      },
    });
    const ended = once(first, 'exit');
    await reached.promise;
    const second = await run([...createArgs('jsonl', out), '--restart']);
    expect(second).toMatchObject({
      end: 1,
      err: expect.stringContaining(`Another process may export to the same file (process ${first.pid} on `),
    });
    first.kill('SIGCONT');
    expect((await ended)[0]).toBe(0);
    await expectExact('jsonl', out);
  });
});
