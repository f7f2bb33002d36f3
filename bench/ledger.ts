// Compares two ways to commit the ledger's file: once per group, and once per change. Both use the same graph and upstream: `node bench/ledger.ts`. Commits
// take as long as the disk needs, optionally plus a few milliseconds. Only the ratio of concurrent measurements is meaningful, because machines are shared.
// `--seconds` and `--rounds` set the length and the number of the measurements, `--rate` the mutations per second, `--commits` the milliseconds that are added to
// commits, and `--folder` where the ledger files are.
import '../scripts/help.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Load } from './loads.ts';
import { createRequests, measure, sendRequest } from './measure.ts';
import { type ServerProcess, startServer, stopAll } from './processes.ts';
import { WORK, type Work } from './work.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    /** Folder of the ledger files, on the disk to measure. */
    folder: { type: 'string', default: '.' },
    commits: { type: 'string', default: '0,5,20' },
    /**
     * Mutations with idempotency keys per second, concurrent with queries. Chosen: if commits take 5 ms on the event loop's thread, they then use half of its
     * time.
     */
    rate: { type: 'string', default: '50' },
  },
});
const seconds = Number(options.seconds);

const LOAD: Load = { name: 'apart', description: '32 connections', connections: 32, keys: 64, latencyMs: 0 };
/** Queries per second whose latency is measured. They're sent on schedule, so that waiting ones count, too. */
const QUERY_RATE = 100;
/** Number of alternations between queries alone and queries with mutations, so that other activity of the machine affects both equally. */
const SLICES = 6;

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const findWork = (name: string): Work => {
  const found = WORK.find((work) => work.name === name);
  if (!found) throw new Error(`Unknown work ${name}. Use a name from work.ts.`);
  return found;
};
const [QUERY, MUTATION] = [findWork('a'), findWork('g')];

const getFirstRequest = (work: Work) => work.requests[0] ?? { query: '', variables: {} };
const isUp = async (url: string) => (await sendRequest(url, getFirstRequest(QUERY))).data !== undefined;

/** Sends a request at a constant rate, without waiting for responses. Returns the latencies in milliseconds. */
async function send(server: ServerProcess, work: Work, perSecond: number, until: AbortSignal): Promise<number[]> {
  const latencies: number[] = [];
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let sent = 0; !until.aborted; sent += 1) {
    const due = startedAt + (sent * 1000) / perSecond;
    await wait(Math.max(0, due - performance.now()));
    const request = sendRequest(server.url, getFirstRequest(work)).then(({ errors }) => {
      if (errors) throw new Error(`${work.name} returned an error: ${errors[0]?.message}`);
      latencies.push(performance.now() - due);
    });
    running.add(request);
    request.finally(() => running.delete(request)).catch(() => {});
  }
  await Promise.all(running);
  return latencies;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Latencies of queries with this number of concurrent mutations per second. */
async function measureQueries(server: ServerProcess, mutationsPerSecond: number): Promise<number[]> {
  const until = AbortSignal.timeout(Math.round((seconds * 1000) / SLICES));
  const [latencies] = await Promise.all([
    send(server, QUERY, QUERY_RATE, until),
    ...(mutationsPerSecond > 0 ? [send(server, MUTATION, mutationsPerSecond, until)] : []),
  ]);
  return latencies;
}

interface Row {
  readonly perSecond: number;
  readonly alone: number;
  readonly withMutations: number;
}

async function measureOne(server: ServerProcess, upstream: ServerProcess): Promise<Row> {
  const loading = { main: createRequests(MUTATION.requests, null), range: { least: 0, most: Number.POSITIVE_INFINITY } };
  const span = { warmSeconds: 0.5, seconds, responsesPerConnection: 1, maxSeconds: 30 };
  const { requestsPerSecond, fault } = await measure(server, upstream, LOAD, loading, span);
  if (fault) throw new Error(`The mutations couldn’t be measured: ${fault}`);
  const [alone, withMutations]: [number[], number[]] = [[], []];
  for (let slice = 0; slice < SLICES; slice += 1) {
    alone.push(...(await measureQueries(server, 0)));
    withMutations.push(...(await measureQueries(server, Number(options.rate))));
  }
  return { perSecond: requestsPerSecond, alone: quantile(alone, 0.99), withMutations: quantile(withMutations, 0.99) };
}

const median = (values: readonly number[]) => quantile(values, 0.5);
const formatNumber = (value: number) => value.toFixed(value < 10 ? 2 : 0);

async function measureAt(commitMs: string, folder: string, upstream: ServerProcess): Promise<void> {
  const start = (name: string) =>
    startServer(
      'server',
      [process.execPath, '--import', resolvePath('slowCommit.ts'), resolvePath('ledgerGraph.ts')],
      {
        LOG_LEVEL: 'warn',
        NODE_ENV: 'production',
        UPSTREAM_CONNECTIONS: '256',
        MAX_EVENT_LOOP_DELAY_MS: '60000',
        UPSTREAM_URL: upstream.url,
        LEDGER_URL: `file:${join(folder, `${name}-${commitMs}.sqlite`)}`,
        STORE: name,
        COMMIT_MS: commitMs,
      },
      isUp,
    );
  const servers = { each: await start('each'), groups: await start('groups') };
  const rows: Record<'each' | 'groups', Row[]> = { each: [], groups: [] };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const name of ['each', 'groups'] as const) rows[name].push(await measureOne(servers[name], upstream));
  }
  const getMedian = (name: 'each' | 'groups', member: keyof Row) => median(rows[name].map((row) => row[member]));
  const ratio = median(rows.groups.map(({ perSecond }, round) => perSecond / (rows.each[round]?.perSecond ?? Number.NaN)));
  for (const name of ['each', 'groups'] as const) {
    const slower = median(rows[name].map(({ alone, withMutations }) => withMutations / alone));
    const cells = [
      commitMs === '0' ? 'disk' : `disk + ${commitMs} ms`,
      name,
      formatNumber(getMedian(name, 'perSecond')),
      name === 'each' ? '' : formatNumber(ratio),
      formatNumber(getMedian(name, 'alone')),
      formatNumber(getMedian(name, 'withMutations')),
      formatNumber(slower),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

const folder = mkdtempSync(join(options.folder, '.bench-ledger-'));
try {
  const upstream = await startServer(
    'upstream',
    [process.execPath, resolvePath('stub.ts')],
    {},
    async (url) => (await fetch(`${url}/counts`)).ok,
  );
  console.log('| Commit | Store | Mutations/s | Ratio | Query p99 alone, ms | Query p99 with mutations, ms | Ratio |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const commitMs of options.commits.split(',')) await measureAt(commitMs, folder, upstream);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
