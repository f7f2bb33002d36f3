// Three graphs on one Redis behind HAProxy: `npm run rolling`. Under load they are restarted one by one, and no request may fail; then each is killed, and no act
// may be done twice or lost. Ends with 1 when anything happened that must not. Takes a minute and a half.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../sandbox/kernel/random.ts';
import { Store } from '../sandbox/kernel/store.ts';
import { openTestWorkspace } from '../test/support/faults/effects.ts';
import { isSuccess } from '../test/support/faults/guarantees.ts';
import { type GraphProcess, killAll, startGraph } from '../test/support/faults/process.ts';
import { freePort, openRedis } from '../test/support/faults/redisProcess.ts';
import { CHECK_MS, startBalancer } from './rolling/balancer.ts';
import { type Deed, Load, type Workspace } from './soak/load.ts';
import { startSandbox, UPSTREAM_TIMEOUT_MS } from './soak/processes.ts';
import { judge, tally, wrongCallers } from './soak/report.ts';
import { askForTheRest, CONCURRENCY, forEach } from './soak/rest.ts';

const GRAPHS = 3;
/** After SIGTERM a graph takes requests for so long, in milliseconds: HAProxy asks for its health several times. */
const DRAIN_MS = 2_000;
/** Between two restarts or deaths, in milliseconds: HAProxy has seen the graph come back, and it has requests under way again. */
const BETWEEN_MS = 8 * CHECK_MS;
/** For every call of the upstream while graphs are killed, in milliseconds: so that each is killed amid several mutations. */
const LATENCY_MS = 100;

/** A graph at an address that outlives it. */
class Replica {
  readonly port: number;
  readonly #env: Readonly<Record<string, string>>;
  #process: GraphProcess | undefined;

  constructor(port: number, env: Readonly<Record<string, string>>) {
    this.port = port;
    this.#env = { ...env, PORT: String(port), SHUTDOWN_DRAIN_MS: String(DRAIN_MS), UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS) };
  }

  async start(): Promise<void> {
    this.#process = await startGraph(this.#env);
  }

  /** As a rolling restart does: the next one is started when this one has ended. */
  async restart(): Promise<void> {
    const status = await this.#process?.terminate();
    if (status !== 0) throw new Error(`The graph on port ${this.port} exited with status ${status} after SIGTERM, expected 0.`);
    await this.start();
  }

  /** As `kill -9` does. */
  async dieAndComeBack(): Promise<void> {
    await this.#process?.kill();
    await this.start();
  }
}

interface Scene {
  readonly replicas: readonly Replica[];
  readonly load: Load;
  readonly workspaces: readonly Workspace[];
  readonly store: Store;
  readonly adminUrl: string;
}

async function setUp(folder: string): Promise<Scene> {
  const data = join(folder, 'sandbox.sqlite');
  const [{ url, adminUrl }, redis] = await Promise.all([startSandbox(data), openRedis(true)]);
  const replicas: Replica[] = [];
  for (let count = 0; count < GRAPHS; count += 1)
    replicas.push(new Replica(await freePort(), { UPSTREAM_URL: url, LEDGER_URL: redis.url, LOG_LEVEL: 'info' }));
  await Promise.all(replicas.map((replica) => replica.start()));
  const ports = replicas.map(({ port }) => port);
  const store = new Store(data);
  const workspaces = await Promise.all(
    ['demo-owner', 'demo-neighbour'].map(async (owner) => ({
      owner,
      stage: await openTestWorkspace(url, owner, store),
      seenIds: new Set<string>(),
    })),
  );
  const load = new Load([{ url: await startBalancer(folder, ports) }], workspaces, new Random(1), 0);
  return { replicas, load, workspaces, store, adminUrl };
}

/** Keeps the load up while something is done to one graph after the other. */
async function underLoad({ load, replicas }: Scene, act: (replica: Replica) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const callers = Array.from({ length: CONCURRENCY }, () => load.run(stop.signal));
  try {
    await pause(BETWEEN_MS);
    for (const replica of replicas) {
      await act(replica);
      await pause(BETWEEN_MS);
    }
  } finally {
    stop.abort();
    await Promise.all(callers);
  }
}

/** Acts of which a request was cut off. */
const cutOff = (deeds: readonly Deed[]): number => deeds.filter(({ told }) => told.includes(null)).length;

/** Answers to acts that are neither a success nor say that the same act runs. */
const failedActs = (deeds: readonly Deed[]): number =>
  deeds
    .flatMap(({ told }) => told)
    .filter((answer) => answer && !isSuccess(answer.outcome) && !answer.outcome.startsWith('OPERATION_IN_PROGRESS')).length;

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rolling-'));
  try {
    const scene = await setUp(folder);
    const { load, workspaces, store, adminUrl } = scene;

    await underLoad(scene, (replica) => replica.restart());
    const restarted = { requests: load.requests, failed: load.unanswered + load.failedReads + failedActs(load.deeds) };
    console.log(`restarted one by one: ${restarted.requests} requests, ${restarted.failed} failed (must be 0)`);
    console.log(`  responses: ${tally(load.deeds)}`);

    const body = JSON.stringify({ operation: '*', latencyMs: LATENCY_MS });
    await fetch(`${adminUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await underLoad(scene, (replica) => replica.dieAndComeBack());
    await fetch(`${adminUrl}/faults`, { method: 'DELETE' });
    const cut = cutOff(load.deeds);
    await askForTheRest(load);
    await forEach(load.deeds, (deed) => load.readLedger(deed));

    const { asked, done, unknown, doubled, lost, failedButDone, otherwiseWrong, examples } = judge(load.deeds);
    const wrongCaller = wrongCallers(load, workspaces, store);
    console.log(`killed one by one: ${load.requests - restarted.requests} requests, ${cut} mutations interrupted (must be above 0)
total: ${asked} intended operations, ${done} applied, ${unknown} with an unknown outcome
  responses: ${tally(load.deeds)}
  must be 0: applied twice ${doubled}, lost ${lost}, failed but applied ${failedButDone}, other violations ${otherwiseWrong}, data of other callers ${wrongCaller}`);
    for (const line of [...examples, ...[...load.unexpected].map(([what, count]) => `${what} (${count} times)`)]) console.log(line);
    const wrong = restarted.failed + doubled + lost + failedButDone + otherwiseWrong + wrongCaller + load.unexpected.size;
    return wrong === 0 && cut > 0 ? 0 : 1;
  } finally {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
