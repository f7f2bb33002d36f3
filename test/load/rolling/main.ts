// Runs three graphs with one Redis behind HAProxy: `npm run rolling`. Restarts them one by one under load, during which no request may fail and each graph
// must signal the changes of the others. Then kills each, after which no mutation may be applied twice or lost. Exits with 1 if a guarantee is violated. Takes
// two minutes. With `--before <checkout>`, the first graphs are those of another checkout with its packages, such as that of the previous release, and the
// restart replaces them by those of this one. `--file` shares a ledger file instead of Redis, without signals.
import '../../../scripts/help.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../../../sandbox/kernel/random.ts';
import { Store } from '../../../sandbox/kernel/store.ts';
import { openTestWorkspace } from '../../support/faults/effects.ts';
import { isSuccess } from '../../support/faults/guarantees.ts';
import { type GraphProcess, killAll, startGraph } from '../../support/faults/process.ts';
import { findFreePort, openRedis } from '../../support/faults/redisProcess.ts';
import { type IntendedOperation, Load, type Workspace } from '../soak/load.ts';
import { startSandbox, UPSTREAM_TIMEOUT_MS } from '../soak/processes.ts';
import { calculateTotals, countLeaks, formatOutcomes } from '../soak/report.ts';
import { CONCURRENCY, forEach, retryUnfinished } from '../soak/retries.ts';
import { CHECK_MS, startBalancer } from './balancer.ts';
import { countLostSignals } from './signals.ts';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string', default: '.' },
    file: { type: 'boolean', default: false },
  },
});

const GRAPHS = 3;
/** How long a graph accepts requests after SIGTERM, in milliseconds. Long enough for several health checks of HAProxy. */
const DRAIN_MS = 2_000;
/** Interval between two restarts or kills, in milliseconds. Long enough for HAProxy to detect that the graph is back and to send it requests. */
const INTERVAL_MS = 8 * CHECK_MS;
/** Latency of every upstream call while graphs are killed, in milliseconds, so that each kill interrupts several mutations. */
const LATENCY_MS = 100;

/** The version and the commit of a checkout. */
function describeCheckout(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { stdout } = spawnSync('git', ['-C', folder, 'describe', '--always', '--dirty', '--exclude=*'], { encoding: 'utf8' });
  return `${version} (${stdout?.trim() || 'unknown commit'})`;
}

/** A graph on a fixed port that can be restarted. */
class Replica {
  readonly port: number;
  readonly #env: Readonly<Record<string, string>>;
  #checkout = options.before;
  #process: GraphProcess | undefined;

  constructor(port: number, env: Readonly<Record<string, string>>) {
    this.port = port;
    this.#env = { ...env, PORT: String(port), SHUTDOWN_DRAIN_MS: String(DRAIN_MS), UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS) };
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.#process = await startGraph(this.#env, [], join(this.#checkout, 'src/main.ts'));
  }

  /** Replaces the graph by one of this checkout, as in a rolling restart: starts the next process once the previous one has exited. */
  async restart(): Promise<void> {
    const status = await this.#process?.terminate();
    if (status !== 0) throw new Error(`The graph on port ${this.port} exited with status ${status} after SIGTERM, expected 0.`);
    this.#checkout = '.';
    await this.start();
  }

  /** Kills the graph with SIGKILL and starts it again. */
  async killAndRestart(): Promise<void> {
    await this.#process?.kill();
    await this.start();
  }
}

interface Environment {
  readonly replicas: readonly Replica[];
  readonly load: Load;
  readonly workspaces: readonly Workspace[];
  readonly store: Store;
  readonly adminUrl: string;
}

async function createEnvironment(folder: string): Promise<Environment> {
  const data = join(folder, 'sandbox.sqlite');
  const ledger = options.file ? `file:${join(folder, 'ledger.sqlite')}` : (await openRedis(true)).url;
  const { url, adminUrl } = await startSandbox(data);
  const replicas: Replica[] = [];
  for (let count = 0; count < GRAPHS; count += 1)
    replicas.push(new Replica(await findFreePort(), { UPSTREAM_URL: url, LEDGER_URL: ledger, LIVE: 'on', LOG_LEVEL: 'info' }));
  await Promise.all(replicas.map((replica) => replica.start()));
  const ports = replicas.map(({ port }) => port);
  const store = new Store(data);
  const workspaces = await Promise.all(
    ['demo-owner', 'demo-neighbour'].map(async (owner) => ({
      owner,
      testWorkspace: await openTestWorkspace(url, owner, store),
      seenIds: new Set<string>(),
    })),
  );
  const load = new Load([{ url: await startBalancer(folder, ports) }], workspaces, new Random(1), 0);
  return { replicas, load, workspaces, store, adminUrl };
}

/** Runs an action on each graph in turn, under continuous load. */
async function runUnderLoad({ load, replicas }: Environment, action: (replica: Replica) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const callers = Array.from({ length: CONCURRENCY }, () => load.run(stop.signal));
  try {
    await pause(INTERVAL_MS);
    for (const replica of replicas) {
      await action(replica);
      await pause(INTERVAL_MS);
    }
  } finally {
    stop.abort();
    await Promise.all(callers);
  }
}

/** Number of mutations with an interrupted request. */
const countInterrupted = (operations: readonly IntendedOperation[]): number =>
  operations.filter(({ outcomes }) => outcomes.includes(null)).length;

/** Number of mutation responses other than success or OPERATION_IN_PROGRESS. */
const countFailedMutations = (operations: readonly IntendedOperation[]): number =>
  operations
    .flatMap(({ outcomes }) => outcomes)
    .filter((response) => response && !isSuccess(response.outcome) && !response.outcome.startsWith('OPERATION_IN_PROGRESS')).length;

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-'));
  try {
    const environment = await createEnvironment(folder);
    const { replicas, load, workspaces, store, adminUrl } = environment;
    console.log(`graphs: ${describeCheckout(options.before)}, replaced by ${describeCheckout('.')}`);

    let lostSignals = 0;
    await runUnderLoad(environment, async (replica) => {
      await replica.restart();
      if (!options.file) lostSignals += await countLostSignals(replicas, workspaces);
    });
    const restarted = { requests: load.requests, failed: load.unanswered + load.failedReads + countFailedMutations(load.operations) };
    console.log(`restarted one by one: ${restarted.requests} requests
  responses: ${formatOutcomes(load.operations)}
  must be 0: failed ${restarted.failed}${options.file ? '' : `, signals lost ${lostSignals}`}`);

    const body = JSON.stringify({ operation: '*', latencyMs: LATENCY_MS });
    await fetch(`${adminUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await runUnderLoad(environment, (replica) => replica.killAndRestart());
    await fetch(`${adminUrl}/faults`, { method: 'DELETE' });
    const cut = countInterrupted(load.operations);
    await retryUnfinished(load);
    await forEach(load.operations, (operation) => load.fetchLedgerState(operation));

    const { intended, applied, unknown, appliedTwice, lost, failedButApplied, otherViolations, examples } = calculateTotals(
      load.operations,
    );
    const wrongCaller = countLeaks(load, workspaces, store);
    console.log(`killed one by one: ${load.requests - restarted.requests} requests, ${cut} mutations interrupted (must be above 0)
total: ${intended} intended operations, ${applied} applied, ${unknown} with an unknown outcome
  responses: ${formatOutcomes(load.operations)}
  must be 0: applied twice ${appliedTwice}, lost ${lost}, failed but applied ${failedButApplied}, other violations ${otherViolations}, data of other callers ${wrongCaller}`);
    for (const line of [...examples, ...[...load.unexpected].map(([what, count]) => `${what} (${count} times)`)]) console.log(line);
    const wrong =
      restarted.failed + lostSignals + appliedTwice + lost + failedButApplied + otherViolations + wrongCaller + load.unexpected.size;
    return wrong === 0 && cut > 0 ? 0 : 1;
  } finally {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
