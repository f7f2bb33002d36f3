// Two graphs on one ledger under a mixed load, while calls meet faults and one graph is killed now and then: `npm run soak -- --minutes 2`.
// In the end the sandbox's data tell how often each act was done. Ends with 1 when anything happened that must not.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../sandbox/kernel/random.ts';
import { Store } from '../sandbox/kernel/store.ts';
import { openTestWorkspace, READ, WRITES } from '../test/support/faults/effects.ts';
import { killAll } from '../test/support/faults/process.ts';
import { openRedis } from '../test/support/faults/redisProcess.ts';
import { Load, type Workspace } from './soak/load.ts';
import { armFaults, killNowAndThen } from './soak/mischief.ts';
import { MortalGraph, startSandbox, type Usage } from './soak/processes.ts';
import { judge, type Totals, tally, wrongCallers } from './soak/report.ts';
import { askForTheRest, CONCURRENCY, forEach } from './soak/rest.ts';

/** Of the time, so much warms up: what the graphs hold then is compared with what they hold in the end. */
const WARM_UP = 0.2;
/** Until idle connections and collected memory are gone, in milliseconds. */
const COOL_DOWN_MS = 6_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string' }, redis: { type: 'boolean', default: false } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes must be a number above 0, and --seed must be an integer.');

interface Scene {
  readonly graphs: readonly [mortal: MortalGraph, lasting: MortalGraph];
  readonly workspaces: readonly Workspace[];
  readonly store: Store;
  readonly adminUrl: string;
}

async function setUp(folder: string): Promise<Scene> {
  const data = join(folder, 'sandbox.sqlite');
  const { url, adminUrl } = await startSandbox(data);
  const ledgerUrl = values.redis ? (await openRedis(true)).url : `file:${join(folder, 'ledger.sqlite')}`;
  const graphs = [new MortalGraph(url, ledgerUrl), new MortalGraph(url, ledgerUrl)] as const;
  await Promise.all(graphs.map((graph) => graph.start()));
  const store = new Store(data);
  const workspaces = await Promise.all(
    ['demo-owner', 'demo-neighbour'].map(async (owner) => ({
      owner,
      stage: await openTestWorkspace(url, owner, store),
      seenIds: new Set<string>(),
    })),
  );
  return { graphs, workspaces, store, adminUrl };
}

interface Ending {
  readonly load: Load;
  readonly deaths: number;
  readonly before: readonly (Usage | null)[];
  readonly after: readonly (Usage | null)[];
}

async function soak({ graphs, workspaces, adminUrl }: Scene, interrupted: AbortSignal): Promise<Ending> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([stop.signal, interrupted]);
  const [mortal] = graphs;
  const operations = ['*', 'Workspace/Me', ...[READ, ...WRITES].map(({ operation }) => operation)];
  const load = new Load(graphs, workspaces, new Random(seed));
  const wait = (share: number) => pause(minutes * 60_000 * share, undefined, { signal: stopped }).catch(() => {});
  const busy = [
    ...Array.from({ length: CONCURRENCY }, () => load.run(stopped)),
    armFaults(adminUrl, operations, new Random(seed + 1), stopped),
  ];
  const killing = killNowAndThen(mortal, new Random(seed + 2), stopped);
  try {
    // The race is only to fail early: load and faults end before their time when they fail, and never otherwise.
    await Promise.race([wait(WARM_UP), ...busy]);
    const before = await Promise.all(graphs.map((graph) => graph.usage()));
    await Promise.race([wait(1 - WARM_UP), ...busy]);
    stop.abort();
    const [deaths] = await Promise.all([killing, ...busy]);
    interrupted.throwIfAborted();
    await askForTheRest(load);
    await pause(COOL_DOWN_MS);
    await forEach(load.deeds, (deed) => load.readLedger(deed));
    const after = await Promise.all(graphs.map((graph) => graph.usage()));
    return { load, deaths, before, after };
  } finally {
    stop.abort();
  }
}

/** How much a graph may hold in the end beyond what it held when it was warm. Ours: its caches fill all the while, and garbage differs. */
const MAX_GROWTH = { heap: 1.5, heapMb: 16, handles: 64 };

/** Whether the graph that lasts has grown. Where the system tells, and only there, it counts when that is not known. */
function hasGrown({ before: [, before], after: [, after] }: Ending): boolean {
  if (!before || !after) return process.platform === 'linux';
  const { heap, heapMb, handles } = MAX_GROWTH;
  return after.heapMb > before.heapMb * heap + heapMb || after.handles > before.handles + handles;
}

const told = (usage: Usage | null | undefined) =>
  usage ? `heap ${usage.heapMb} MB, RSS ${usage.rssMb} MB, ${usage.handles} handles` : 'unknown';

function print(ending: Ending, totals: Totals, wrongCaller: number): void {
  const { load, deaths, before, after } = ending;
  const { asked, done, unknown, doubled, lost, failedButDone, otherwiseWrong, examples } = totals;
  console.log(`requests                 ${load.requests}
intended operations      ${asked}
applied                  ${done}
unknown outcome          ${unknown}
responses                ${tally(load.deeds)}
graph killed             ${deaths} times
must be 0:
  applied twice          ${doubled}
  lost                   ${lost}
  failed but applied     ${failedButDone}
  other violations       ${otherwiseWrong}
  data of other callers  ${wrongCaller}
  internal errors        ${[...load.unexpected.values()].reduce((sum, count) => sum + count, 0)}
  memory or handle leak  ${Number(hasGrown(ending))}
surviving graph          ${told(before[1])} after warm-up; ${told(after[1])} at the end
killed graph             ${told(before[0])} after warm-up; ${told(after[0])} at the end`);
  for (const line of [...examples, ...[...load.unexpected].map(([what, count]) => `${what} (${count} times)`)]) console.log(line);
}

async function main(): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort(new Error(`Stopped by ${signal}.`)));
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  try {
    console.log(`Running for ${minutes} minutes with --seed ${seed} and the ledger in ${values.redis ? 'Redis' : 'a file'}.`);
    const scene = await setUp(folder);
    const interrupted = once(interrupt.signal, 'abort').then(() => Promise.reject(interrupt.signal.reason));
    const ending = await Promise.race([soak(scene, interrupt.signal), interrupted]);
    const totals = judge(ending.load.deeds);
    const wrongCaller = wrongCallers(ending.load, scene.workspaces, scene.store);
    print(ending, totals, wrongCaller);
    const { doubled, lost, failedButDone, otherwiseWrong } = totals;
    const wrong = doubled + lost + failedButDone + otherwiseWrong + wrongCaller + ending.load.unexpected.size + Number(hasGrown(ending));
    return wrong === 0 ? 0 : 1;
  } finally {
    await killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
