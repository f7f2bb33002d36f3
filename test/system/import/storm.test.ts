import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { Random } from '../../../sandbox/kernel/random.ts';
import { openSandbox, post, type TestSandbox } from '../../sandbox/sandbox.ts';
import { SEED } from '../../support/seeded.ts';

/** Rows of the file. More with IMPORT_ROWS. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 400);
/** A fault follows this many calls, on average. */
const FAULT_INTERVAL = 10;
const CREATE = 'Customer/CreateCustomer';
const WRITES: readonly string[] = [CREATE, 'Customer/PatchCustomer'];

const FAULTS: readonly Omit<Fault, 'operation'>[] = [
  { cut: 'after' },
  { cut: 'before' },
  { status: 429, retryAfter: 1, body: '{"code":"resource_exhausted","message":"Slow down."}' },
  { status: 503, body: '{"code":"unavailable","message":"Restarting."}' },
];

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Finds a port, which the graph keeps when it's restarted. */
async function findPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

interface Result {
  readonly line: number;
  readonly status: string;
  readonly code?: string;
  readonly candidates?: readonly string[];
  readonly mutation?: string;
}

/** A process of the graph. */
interface Host {
  readonly port: number;
  /** Its storage of idempotency keys. */
  ledger: string;
  graph?: ChildProcess;
}

/** Passes connections on to the host that `getPort` returns, as a load balancer does that has found others to be down. */
class Balancer {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(getPort: () => number) {
    this.#server = createServer((client) => {
      const upstream = connect(getPort(), '127.0.0.1');
      this.#sockets.add(client);
      pipeline(client, upstream, client, () => this.#sockets.delete(client));
    });
  }

  listen(): Promise<number> {
    return listen(this.#server);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** Whether killed graphs keep their storage of idempotency keys, the number of hosts, the number of rows, whether half of them match records, and a seed. */
const STORMS = [
  ['a graph that keeps its storage', true, 1, ROWS, true, SEED],
  ['a graph that can lose or restore its storage', false, 1, ROWS / 4, false, SEED + 2],
  ['hosts with separate storages', false, 2, ROWS / 4, false, SEED + 4],
] as const;

describe.each(STORMS)('import through %s', { timeout: 300_000 + ROWS * 100 }, (_name, keepsStorage, hostCount, count, matches, seed) => {
  const random = new Random(seed);
  /** Calls between two kills, at most. */
  const killInterval = count / 5;
  const folder = mkdtempSync(join(tmpdir(), 'import-storm-'));
  const file = join(folder, 'customers.csv');
  const createEmail = (index: number) => `storm${index}@example.com`;

  let sandbox: TestSandbox;
  /** Called after each write. */
  let onWrite = (_operation: string) => {};
  /** Writes whose outcome the graph can't know: those without a usable response, or in flight when a process was killed. */
  let uncertain = 0;
  let kills = 0;
  let url = '';
  const hosts: Host[] = [];
  /** Index of the host that receives requests. */
  let current = 0;
  const balancer = new Balancer(() => hosts[current]?.port ?? 0);
  const ledgers: string[] = [];

  /** A new storage, or a copy of an earlier one. */
  function createLedger(earlier?: string): string {
    const ledger = join(folder, `ledger-${ledgers.length}.sqlite`);
    if (earlier !== undefined)
      for (const suffix of ['', '-wal']) if (existsSync(earlier + suffix)) copyFileSync(earlier + suffix, ledger + suffix);
    ledgers.push(ledger);
    return ledger;
  }

  async function startGraph(host: Host): Promise<void> {
    const env = {
      PORT: String(host.port),
      UPSTREAM_URL: sandbox.url,
      LEDGER_URL: `file:${host.ledger}`,
      UPSTREAM_TIMEOUT_MS: '5000',
    };
    host.graph = spawn(process.execPath, ['src/main.ts'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    const { stdout } = host.graph;
    for await (const chunk of (stdout as Readable).iterator({ destroyOnReturn: false })) if (String(chunk).includes('"listening"')) break;
    stdout?.resume();
  }

  /** Kills the graph of the current host, and starts it again. Meanwhile, another host receives the requests. */
  async function restartGraph(): Promise<void> {
    const host = hosts[current];
    if (!host?.graph) return;
    const ended = once(host.graph, 'exit');
    host.graph.kill('SIGKILL');
    current = (current + 1) % hosts.length;
    await ended;
    if (!keepsStorage && hosts.length === 1) host.ledger = createLedger(ledgers[random.nextInteger(0, ledgers.length)]);
    await startGraph(host);
  }

  beforeAll(async () => {
    sandbox = await openSandbox({
      onCall: ({ operation }) => {
        if (WRITES.includes(operation)) onWrite(operation);
      },
    });
    // Ahead of the graph's clock: a record must not seem older than its request.
    sandbox.now = Math.floor(Date.now() / 1_000) + 3_600;
    while (hosts.length < hostCount) hosts.push({ port: await findPort(), ledger: createLedger() });
    url = `http://127.0.0.1:${hostCount > 1 ? await balancer.listen() : hosts[0]?.port}/graphql`;
    for (let index = 0; matches && index < count; index += 2) {
      const email = createEmail(index).toUpperCase();
      expect(await post(sandbox.url, 'demo-owner', CREATE, { title: 'Before', email })).toMatchObject({ status: 201 });
    }
    writeFileSync(file, `title,email\n${Array.from({ length: count }, (_, index) => `Storm ${index},${createEmail(index)}\n`).join('')}`);
    await Promise.all(hosts.map(startGraph));
  });
  afterAll(async () => {
    balancer.close();
    for (const { graph } of hosts) graph?.kill('SIGKILL');
    await sandbox.close();
  });

  /** Runs the import until it exits, or until `kill` is called with it. */
  async function run() {
    const args = ['cli/main.ts', 'import', file, '--mutation', 'customerCreate', '--url', url, '--share', '1'];
    if (matches) args.push('--match', 'email');
    const env = { ...process.env, WORKSPACE_API_KEY: 'demo-owner' };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let left = random.nextInteger(killInterval / 4, killInterval);
    let restarting: Promise<void> | undefined;
    onWrite = (operation) => {
      left -= 1;
      if (random.nextInteger(1, FAULT_INTERVAL) === 1) {
        const fault = FAULTS[random.nextInteger(0, FAULTS.length - 1)] ?? {};
        // After a reset connection or 503, it isn't known whether the call took effect.
        if (fault.status !== 429) uncertain += 1;
        sandbox.faults.add({ operation, times: 1, ...fault });
      }
      if (left !== 0) return;
      // Requests that are in flight, or all rows of a batch if their keys are lost.
      uncertain += keepsStorage ? 16 : 32;
      kills += 1;
      if (random.nextInteger(1, 2) === 1) child.kill('SIGKILL');
      else {
        left = random.nextInteger(killInterval / 4, killInterval);
        restarting = restartGraph();
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
    onWrite = () => {};
    // Rows whose key is lost aren't sent again, so fewer calls remain.
    expect(kills).toBeGreaterThan(keepsStorage ? 2 : 0);
    // What can be asked for again is known now, except for mutations of a killed graph until their lease has ended.
    for (let isRunning = true, runs = 0; isRunning && runs < 40; runs += 1) {
      const { end, err } = await run();
      expect([0, 3], err).toContain(end);
      isRunning = readResults().some(({ code }) => code === 'OPERATION_IN_PROGRESS');
    }
    const rows = sandbox.world.store.all<{ readonly id: string; readonly email: string; readonly title: string }>(
      "SELECT id, email, title FROM customers WHERE email LIKE 'storm%'",
    );
    const applied = rows.filter(({ title }) => title.startsWith('Storm '));
    const ids = new Map(applied.map(({ email, id }) => [email, id]));
    const results = readResults();
    expect([results.length, new Set(rows.map(({ email }) => email.toLowerCase())).size]).toEqual([count, rows.length]);
    const toRawId = (id: string) => Buffer.from(id, 'base64').toString().split(':').at(-1);
    const wrong = results.filter(({ line, status, mutation, candidates = [] }) => {
      const id = ids.get(createEmail(line - 2));
      // Another storage knows no candidates, and updates have none.
      const hasCandidates = keepsStorage && mutation !== 'customerUpdate';
      if (status === 'OUTCOME_UNKNOWN')
        return hasCandidates && id !== undefined && !candidates.some((candidate) => toRawId(candidate) === id);
      return (id !== undefined) !== ['DONE', 'REPLAYED', 'RECONCILED'].includes(status);
    });
    expect(wrong).toEqual([]);
    const unknown = results.filter(({ status }) => status === 'OUTCOME_UNKNOWN').length;
    expect(unknown).toBeLessThanOrEqual(uncertain);
    const countWrites = () => sandbox.received.filter(({ operation }) => WRITES.includes(operation)).length;
    const writes = countWrites();
    expect(writes).toBeGreaterThanOrEqual(applied.length);
    await run();
    expect(countWrites()).toBe(writes);
    if (ROWS > 400) console.log({ rows: count, kills, unknown, uncertain, writes });
  });
});
