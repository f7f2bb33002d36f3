import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { Random } from '../../../sandbox/kernel/random.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { SEED } from '../../support/seeded.ts';

/** Rows of the file. More with IMPORT_ROWS. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 400);
/** A fault follows this many calls, on average. */
const FAULT_INTERVAL = 10;
const CREATE = 'Customer/CreateCustomer';

const FAULTS: readonly Omit<Fault, 'operation'>[] = [
  { cut: 'after' },
  { cut: 'before' },
  { status: 429, retryAfter: 1, body: '{"code":"resource_exhausted","message":"Slow down."}' },
  { status: 503, body: '{"code":"unavailable","message":"Restarting."}' },
];

/** Finds a port, which the graph keeps when it's restarted. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Result {
  readonly line: number;
  readonly status: string;
  readonly code?: string;
  readonly candidates?: readonly string[];
}

/** What happens to the graph's storage of idempotency keys when the graph is killed, the number of rows, and a seed. */
const STORMS = [
  ['keeps', ROWS, SEED],
  ['can lose or restore', ROWS / 4, SEED + 2],
] as const;

describe.each(STORMS)('import through a graph that %s its storage', { timeout: 300_000 + ROWS * 100 }, (mode, count, seed) => {
  const random = new Random(seed);
  const keepsStorage = mode === 'keeps';
  /** Calls between two kills, at most. */
  const killInterval = count / 5;
  const folder = mkdtempSync(join(tmpdir(), 'import-storm-'));
  const file = join(folder, 'customers.csv');
  const createEmail = (index: number) => `storm${index}@example.com`;

  let sandbox: TestSandbox;
  /** Called after each creation. */
  let onCreation = () => {};
  /** Creations whose outcome the graph can't know: those without a usable response, or in flight when a process was killed. */
  let uncertain = 0;
  let kills = 0;
  let url = '';
  let graph: ChildProcess;
  let ledger = join(folder, 'ledger-0.sqlite');
  const ledgers = [ledger];

  async function startGraph(): Promise<void> {
    const env = {
      PORT: new URL(url).port,
      UPSTREAM_URL: sandbox.url,
      LEDGER_URL: `file:${ledger}`,
      UPSTREAM_TIMEOUT_MS: '5000',
    };
    graph = spawn(process.execPath, ['src/main.ts'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const chunk of (graph.stdout as Readable).iterator({ destroyOnReturn: false }))
      if (String(chunk).includes('"listening"')) break;
    graph.stdout?.resume();
  }

  /** Replaces the ledger by a new one, or by a copy of an earlier one. */
  function replaceLedger(): void {
    const earlier = ledgers[random.nextInteger(0, ledgers.length)];
    ledger = join(folder, `ledger-${ledgers.length}.sqlite`);
    if (earlier !== undefined)
      for (const suffix of ['', '-wal']) if (existsSync(earlier + suffix)) copyFileSync(earlier + suffix, ledger + suffix);
    ledgers.push(ledger);
  }

  beforeAll(async () => {
    sandbox = await openSandbox({
      onCall: ({ operation }) => {
        if (operation === CREATE) onCreation();
      },
    });
    // Ahead of the graph's clock: a record must not seem older than its request.
    sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
    url = `http://127.0.0.1:${await findPort()}/graphql`;
    writeFileSync(file, `title,email\n${Array.from({ length: count }, (_, index) => `Storm ${index},${createEmail(index)}\n`).join('')}`);
    await startGraph();
  });
  afterAll(async () => {
    graph.kill('SIGKILL');
    await sandbox.close();
  });

  /** Runs the import until it exits, or until `kill` is called with it. */
  async function run() {
    const args = ['cli/main.ts', 'import', file, '--mutation', 'customerCreate', '--url', url, '--share', '1'];
    const env = { ...process.env, WORKSPACE_API_KEY: 'demo-owner' };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let left = random.nextInteger(killInterval / 4, killInterval);
    let restarting: Promise<void> | undefined;
    onCreation = () => {
      left -= 1;
      if (random.nextInteger(1, FAULT_INTERVAL) === 1) {
        const fault = FAULTS[random.nextInteger(0, FAULTS.length - 1)] ?? {};
        // After a reset connection or 503, it isn't known whether the call took effect.
        if (fault.status !== 429) uncertain += 1;
        sandbox.faults.add({ operation: CREATE, times: 1, ...fault });
      }
      if (left !== 0) return;
      // Requests that are in flight, or all rows of a batch if their keys are lost.
      uncertain += keepsStorage ? 16 : 100;
      kills += 1;
      if (random.nextInteger(1, 2) === 1) child.kill('SIGKILL');
      else {
        left = random.nextInteger(killInterval / 4, killInterval);
        const ended = once(graph, 'exit');
        graph.kill('SIGKILL');
        restarting = ended.then(() => {
          if (!keepsStorage) replaceLedger();
          return startGraph();
        });
      }
    };
    const [err, [code, signal]] = await Promise.all([readText(child.stderr), once(child, 'exit')]);
    await restarting;
    return { err, end: (signal ?? code) as NodeJS.Signals | number };
  }

  const readResults = (): Result[] =>
    readFileSync(`${file}.results.jsonl`, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);

  it('applies each row once, and reports what it can’t know, while it, its graph, and calls are killed', async () => {
    for (let runs = 0; runs < 40; runs += 1) {
      const { end, err } = await run();
      expect(['SIGKILL', 0, 1, 3], err).toContain(end);
      if (end === 0 || end === 3) break;
    }
    sandbox.faults.clear();
    onCreation = () => {};
    // Rows whose key is lost aren't sent again, so fewer calls remain.
    expect(kills).toBeGreaterThan(keepsStorage ? 2 : 0);
    // What can be asked for again is known now, except for mutations of a killed graph until their lease has ended.
    for (let isRunning = true, runs = 0; isRunning && runs < 40; runs += 1) {
      const { end, err } = await run();
      expect([0, 3], err).toContain(end);
      isRunning = readResults().some(({ code }) => code === 'OPERATION_IN_PROGRESS');
    }
    const rows = sandbox.world.store.all<{ readonly id: string; readonly email: string }>(
      "SELECT id, email FROM customers WHERE email LIKE 'storm%'",
    );
    const ids = new Map(rows.map(({ email, id }) => [email, id]));
    const results = readResults();
    expect([results.length, new Set(rows.map(({ email }) => email)).size]).toEqual([count, rows.length]);
    const toRawId = (id: string) => Buffer.from(id, 'base64').toString().split(':').at(-1);
    const wrong = results.filter(({ line, status, candidates = [] }) => {
      const id = ids.get(createEmail(line - 2));
      // Another storage knows no candidates.
      if (status === 'OUTCOME_UNKNOWN')
        return keepsStorage && id !== undefined && !candidates.some((candidate) => toRawId(candidate) === id);
      return (id !== undefined) !== ['DONE', 'REPLAYED', 'RECONCILED'].includes(status);
    });
    expect(wrong).toEqual([]);
    const unknown = results.filter(({ status }) => status === 'OUTCOME_UNKNOWN').length;
    expect(unknown).toBeLessThanOrEqual(uncertain);
    const countCreations = () => sandbox.received.filter(({ operation }) => operation === CREATE).length;
    const creations = countCreations();
    expect(creations).toBeGreaterThanOrEqual(rows.length);
    await run();
    expect(countCreations()).toBe(creations);
    if (ROWS > 400) console.log({ rows: count, kills, unknown, uncertain, creations });
  });
});
