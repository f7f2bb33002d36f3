// Runs two graphs on one ledger under a mixed load, while upstream calls fail and one graph is killed repeatedly: `npm run soak -- --minutes 2`. Afterwards,
// counts in the sandbox's data how often each mutation was applied. Exits with 1 if a guarantee is violated.
// `--seed` repeats a run, and `--redis` uses a ledger in Redis.
import '../../../scripts/help.ts';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../../../sandbox/kernel/random.ts';
import { Store } from '../../../sandbox/kernel/store.ts';
import { openTestWorkspace, READ, WRITES } from '../../support/faults/effects.ts';
import { killAll } from '../../support/faults/process.ts';
import { openRedis } from '../../support/faults/redisProcess.ts';
import { armFaults, killRepeatedly } from './faults.ts';
import { Load, type Workspace } from './load.ts';
import { RestartableGraph, startSandbox, type Usage } from './processes.ts';
import { calculateTotals, countLeaks, formatOutcomes, type Totals } from './report.ts';
import { CONCURRENCY, forEach, retryUnfinished } from './retries.ts';

/** Share of the run for the warm-up. Resource usage after it is compared with the usage at the end. */
const WARM_UP = 0.2;
/** Time for idle connections to close and for garbage collection, in milliseconds. */
const COOL_DOWN_MS = 6_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string' }, redis: { type: 'boolean', default: false } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes must be a number above 0, and --seed must be an integer.');

interface Environment {
  readonly graphs: readonly [killed: RestartableGraph, surviving: RestartableGraph];
  readonly workspaces: readonly Workspace[];
  readonly store: Store;
  readonly adminUrl: string;
}

async function createEnvironment(folder: string): Promise<Environment> {
  const data = join(folder, 'sandbox.sqlite');
  const { url, adminUrl } = await startSandbox(data);
  const ledgerUrl = values.redis ? (await openRedis(true)).url : `file:${join(folder, 'ledger.sqlite')}`;
  const graphs = [new RestartableGraph(url, ledgerUrl), new RestartableGraph(url, ledgerUrl)] as const;
  await Promise.all(graphs.map((graph) => graph.start()));
  const store = new Store(data);
  const workspaces = await Promise.all(
    ['demo-owner', 'demo-neighbour'].map(async (owner) => ({
      owner,
      testWorkspace: await openTestWorkspace(url, owner, store),
      seenIds: new Set<string>(),
    })),
  );
  return { graphs, workspaces, store, adminUrl };
}

interface SoakResult {
  readonly load: Load;
  readonly kills: number;
  readonly before: readonly (Usage | null)[];
  readonly after: readonly (Usage | null)[];
}

async function soak({ graphs, workspaces, adminUrl }: Environment, interrupted: AbortSignal): Promise<SoakResult> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([stop.signal, interrupted]);
  const [killed] = graphs;
  const operations = ['*', 'Workspace/Me', ...[READ, ...WRITES].map(({ operation }) => operation)];
  const load = new Load(graphs, workspaces, new Random(seed));
  const wait = (share: number) => pause(minutes * 60_000 * share, undefined, { signal: stopped }).catch(() => {});
  const busy = [
    ...Array.from({ length: CONCURRENCY }, () => load.run(stopped)),
    armFaults(adminUrl, operations, new Random(seed + 1), stopped),
  ];
  const killing = killRepeatedly(killed, new Random(seed + 2), stopped);
  try {
    // Races only to fail early: load and fault injection end before the wait only if they fail.
    await Promise.race([wait(WARM_UP), ...busy]);
    const before = await Promise.all(graphs.map((graph) => graph.measureUsage()));
    await Promise.race([wait(1 - WARM_UP), ...busy]);
    stop.abort();
    const [kills] = await Promise.all([killing, ...busy]);
    interrupted.throwIfAborted();
    await retryUnfinished(load);
    await pause(COOL_DOWN_MS);
    await forEach(load.operations, (operation) => load.fetchLedgerState(operation));
    const after = await Promise.all(graphs.map((graph) => graph.measureUsage()));
    return { load, kills, before, after };
  } finally {
    stop.abort();
  }
}

/** Maximum growth of a graph's resources after the warm-up. Chosen: its caches keep filling, and garbage varies. */
const MAX_GROWTH = { heap: 1.5, heapMb: 16, handles: 64 };

/** Whether the surviving graph has grown. On Linux, unknown usage counts as growth; other systems don't report usage. */
function hasGrown({ before: [, before], after: [, after] }: SoakResult): boolean {
  if (!before || !after) return process.platform === 'linux';
  const { heap, heapMb, handles } = MAX_GROWTH;
  return after.heapMb > before.heapMb * heap + heapMb || after.handles > before.handles + handles;
}

const formatUsage = (usage: Usage | null | undefined) =>
  usage ? `heap ${usage.heapMb} MB, RSS ${usage.rssMb} MB, ${usage.handles} handles` : 'unknown';

function printResult(result: SoakResult, totals: Totals, wrongCaller: number): void {
  const { load, kills, before, after } = result;
  const { intended, applied, unknown, appliedTwice, lost, failedButApplied, otherViolations, examples } = totals;
  console.log(`requests                 ${load.requests}
intended operations      ${intended}
applied                  ${applied}
unknown outcome          ${unknown}
responses                ${formatOutcomes(load.operations)}
graph killed             ${kills} times
must be 0:
  applied twice          ${appliedTwice}
  lost                   ${lost}
  failed but applied     ${failedButApplied}
  other violations       ${otherViolations}
  data of other callers  ${wrongCaller}
  internal errors        ${[...load.unexpected.values()].reduce((sum, count) => sum + count, 0)}
  memory or handle leak  ${Number(hasGrown(result))}
surviving graph          ${formatUsage(before[1])} after warm-up; ${formatUsage(after[1])} at the end
killed graph             ${formatUsage(before[0])} after warm-up; ${formatUsage(after[0])} at the end`);
  for (const line of [...examples, ...[...load.unexpected].map(([what, count]) => `${what} (${count} times)`)]) console.log(line);
}

async function main(): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort(new Error(`Stopped by ${signal}.`)));
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  try {
    console.log(`Running for ${minutes} minutes with --seed ${seed} and the ledger in ${values.redis ? 'Redis' : 'a file'}.`);
    const environment = await createEnvironment(folder);
    const interrupted = once(interrupt.signal, 'abort').then(() => Promise.reject(interrupt.signal.reason));
    const result = await Promise.race([soak(environment, interrupt.signal), interrupted]);
    const totals = calculateTotals(result.load.operations);
    const wrongCaller = countLeaks(result.load, environment.workspaces, environment.store);
    printResult(result, totals, wrongCaller);
    const { appliedTwice, lost, failedButApplied, otherViolations } = totals;
    const wrong =
      appliedTwice + lost + failedButApplied + otherViolations + wrongCaller + result.load.unexpected.size + Number(hasGrown(result));
    return wrong === 0 ? 0 : 1;
  } finally {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
