import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LedgerUnavailableError } from '../../../src/failures/failures.ts';
import type { Expected, LedgerDraft, LedgerStore } from '../../../src/ledger/entry.ts';
import { SqliteLedgerStore } from '../../../src/ledger/sqliteStore.ts';
import { type Transport, TransportError, type UpstreamRequest, type UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { type Effect, type PreparedOperation, WRITES } from '../../support/faults/effects.ts';
import { findViolations, type OperationHistory } from '../../support/faults/guarantees.ts';
import {
  Clock,
  type DurableSandbox,
  type Graph,
  LEASE_MS,
  openDurableSandbox,
  openGraph,
  useFolder,
} from '../../support/faults/harness.ts';
import { fetchLedgerState, sendMutation } from '../../support/faults/sendMutation.ts';
import { cases, fc } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const RUNS = cases(100);
/** How often a ledger tries again to write what it could not, in milliseconds. */
const RETRY_MS = 1_000;

/** Fates of an upstream call. `dies`: the graph's process ends during the call, and never learns the answer. */
const FATES = [
  'answered',
  'never sent',
  'refused',
  'fails',
  'lost before',
  'lost after',
  'garbled',
  'late',
  'dies before',
  'dies after',
] as const;
type Fate = (typeof FATES)[number];

/** Fates of a ledger's access to its store: it succeeds, or fails before or after the write. */
const STORE_FATES = ['works', 'works', 'works', 'fails before', 'fails after'] as const;
type StoreFate = (typeof STORE_FATES)[number];

/** A request, which may run at the same time as others. */
interface Step {
  readonly act: number;
  readonly graph: number;
  readonly apiKey: number;
  /** Of its calls that change something, in order; those beyond are answered. */
  readonly fates: readonly Fate[];
  readonly canRead: boolean;
  readonly store: readonly StoreFate[];
  /** Event before the request: none, the ledger writes the entries that it could not write before, or all leases end. */
  readonly before: 'nothing' | 'ledger writes' | 'leases end';
}

// Without a key a repeat is another act.
const EFFECTS = WRITES.filter(({ deduplication }) => deduplication !== 'nothing');

const plan = fc.record({
  effects: fc.array(fc.constantFrom(...EFFECTS), { minLength: 1, maxLength: 2 }),
  steps: fc.array(
    fc.record<Step>({
      act: fc.nat(1),
      graph: fc.nat(1),
      apiKey: fc.nat(1),
      fates: fc.array(fc.constantFrom(...FATES), { maxLength: 3 }),
      canRead: fc.boolean(),
      store: fc.array(fc.constantFrom(...STORE_FATES), { maxLength: 3 }),
      before: fc.constantFrom('nothing', 'nothing', 'ledger writes', 'leases end'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

/** A store of which the next accesses may fail. */
class FlakyStore implements LedgerStore {
  readonly #store: LedgerStore;
  fates: StoreFate[] = [];

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  claim(ids: readonly string[], draft: LedgerDraft, ttlMs: number) {
    return this.#access(() => this.#store.claim(ids, draft, ttlMs));
  }

  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number) {
    return this.#access(() => this.#store.move(ids, expected, draft, ttlMs));
  }

  find(ids: readonly string[]) {
    return this.#store.find(ids);
  }

  sweep() {
    return this.#store.sweep();
  }

  close() {
    return this.#store.close();
  }

  async #access<Result>(act: () => Promise<Result>): Promise<Result> {
    const fate = this.fates.shift() ?? 'works';
    if (fate === 'fails before') throw new LedgerUnavailableError();
    const result = await act();
    if (fate === 'fails after') throw new LedgerUnavailableError();
    return result;
  }
}

const folder = useFolder();
const clock = new Clock();
let sandbox: DurableSandbox;
let keys: readonly string[];
let stores: readonly FlakyStore[];
let graphs: readonly Graph[];
beforeAll(async () => {
  // The ledgers try again when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  sandbox = await openDurableSandbox(folder.path);
  keys = ['demo-owner', makeKey(sandbox.world, { scopes: ALL_SCOPES })];
  stores = [0, 1].map(() => new FlakyStore(new SqliteLedgerStore(join(folder.path, 'ledger.sqlite'), clock)));
  graphs = await Promise.all(stores.map((store) => openGraph({ upstreamUrl: sandbox.url, clock, store }, keys)));
});
afterAll(async () => {
  vi.useRealTimers();
  await Promise.all(graphs.map((graph) => graph.close()));
  await sandbox.close();
});

/** A request that runs. */
interface Running {
  readonly step: Step;
  readonly fates: Fate[];
  readonly died: PromiseWithResolvers<'died'>;
  /** How often the upstream has done what its calls asked for. */
  caused: number;
}

const REFUSED: UpstreamResponse = { status: 429, headers: {}, body: '{"code":"resource_exhausted"}' };
const FAILED: UpstreamResponse = { status: 503, headers: {}, body: '{"code":"unavailable"}' };

/** The way between graphs and upstream, where each call meets its fate. */
class Way implements Transport {
  readonly requests = new Map<string, Running>();
  readonly #direct: Transport;
  readonly #operations: ReadonlySet<string>;
  readonly #scheduler: fc.Scheduler;
  readonly #late: UpstreamRequest[] = [];
  readonly #end = Promise.withResolvers<never>();

  constructor(direct: Transport, operations: ReadonlySet<string>, scheduler: fc.Scheduler) {
    this.#direct = direct;
    this.#operations = operations;
    this.#scheduler = scheduler;
    this.#end.promise.catch(() => {});
  }

  async send(request: UpstreamRequest): Promise<UpstreamResponse> {
    const operation = request.path.replace(/^.*publicapi\.v1\./, '');
    const running = this.requests.get(request.requestId);
    if (!running || operation === 'Workspace/Me') return this.#direct.send(request);
    if (!this.#operations.has(operation)) {
      if (running.step.canRead) return this.#direct.send(request);
      throw new TransportError(true, true);
    }
    const fate = running.fates.shift() ?? 'answered';
    await this.#scheduler.schedule(Promise.resolve(), `${request.requestId} sets off: ${fate}`);
    return this.#meet(fate, request, running);
  }

  async #meet(fate: Fate, request: UpstreamRequest, running: Running): Promise<UpstreamResponse> {
    if (fate === 'never sent') throw new TransportError(false, false);
    if (fate === 'lost before') throw new TransportError(true, false);
    if (fate === 'refused') return REFUSED;
    if (fate === 'fails') return FAILED;
    if (fate === 'dies before') return this.#die(running);
    if (fate === 'late') {
      this.#late.push(request);
      throw new TransportError(true, true);
    }
    const answer = await this.#deliver(request);
    await this.#scheduler.schedule(Promise.resolve(), `${request.requestId} comes back`);
    if (fate === 'lost after') throw new TransportError(true, false);
    if (fate === 'dies after') return this.#die(running);
    return fate === 'garbled' ? { ...answer, body: answer.body.slice(0, -1) } : answer;
  }

  async #deliver(request: UpstreamRequest): Promise<UpstreamResponse> {
    const answer = await this.#direct.send(request);
    const running = this.requests.get(request.requestId);
    if (running && answer.status < 300) running.caused += 1;
    return answer;
  }

  #die({ died }: Running): Promise<never> {
    died.resolve('died');
    return this.#end.promise;
  }

  /** Delivers delayed requests. */
  async arrive(): Promise<void> {
    for (const request of this.#late.splice(0)) await this.#deliver(request);
  }

  /** Nobody waits any more for what died. */
  async close(): Promise<void> {
    this.#end.reject(new TransportError(true, true));
  }
}

const settle = () => vi.advanceTimersByTime(RETRY_MS);

interface Asked {
  readonly effect: Effect;
  readonly act: PreparedOperation;
  readonly told: { readonly outcome: string; readonly recordId: string | null; readonly running: Running | null }[];
}

let requests = 0;

async function request(step: Step, way: Way, asked: readonly Asked[]): Promise<void> {
  const { effect, act, told } = asked[step.act % asked.length] as Asked;
  const graph = graphs[step.graph] as Graph;
  if (step.before === 'ledger writes') settle();
  if (step.before === 'leases end') clock.advance(LEASE_MS);
  stores[step.graph]?.fates.push(...step.store);
  requests += 1;
  const requestId = `request-${requests}`;
  const running: Running = { step, fates: [...step.fates], died: Promise.withResolvers(), caused: 0 };
  way.requests.set(requestId, running);
  const gone = new AbortController();
  const answer = sendMutation(graph.url, effect, act, { key: keys[step.apiKey] ?? '', requestId, signal: gone.signal });
  const answered = await Promise.race([answer, running.died.promise]);
  if (answered !== 'died') return void told.push({ ...answered, running });
  gone.abort();
  await answer.catch(() => {});
}

/** When all has come to rest: all leases have ended, what was late has arrived, and all is asked for twice more, without a fault. */
async function rest(way: Way, asked: readonly Asked[]): Promise<OperationHistory[]> {
  for (const store of stores) store.fates = [];
  settle();
  clock.advance(LEASE_MS);
  await way.arrive();
  const [graph] = graphs as [Graph];
  const known: OperationHistory[] = [];
  for (const { effect, act, told } of asked) {
    for (const key of keys) told.push({ ...(await sendMutation(graph.url, effect, act, { key })), running: null });
    known.push({
      responses: told.map(({ outcome, recordId, running }) => ({ outcome, recordId, applied: running?.caused ?? 0 })),
      applied: act.countApplied(),
      ledgerState: await fetchLedgerState(graph.url, effect, act),
    });
  }
  return known;
}

it(
  'No act is ever done twice, none is reported failed that was done, and none is lost, in whatever order things happen',
  async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(plan, fc.scheduler(), async ({ effects, steps }, scheduler) => {
        const asked: Asked[] = await Promise.all(
          effects.map(async (effect, index) => ({
            effect,
            act: await effect.prepare(sandbox.workspace, `mark ${requests} ${index}`),
            told: [],
          })),
        );
        requests += 1;
        const way = new Way((graphs[0] as Graph).direct, new Set(effects.map(({ operation }) => operation)), scheduler);
        for (const graph of graphs) {
          await graph.reset();
          await graph.intercept(way);
        }
        const running = steps.map((step) => scheduler.schedule(Promise.resolve(), 'a request').then(() => request(step, way, asked)));
        await scheduler.waitFor(Promise.all(running));
        const known = await rest(way, asked);
        expect(known.map(findViolations)).toEqual(known.map(() => []));
        for (const { outcome } of known.flatMap(({ responses }) => responses)) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        for (const graph of graphs) await graph.intercept(null);
      }),
      { numRuns: RUNS },
    );
    // All kinds of ends have come up.
    for (const outcome of [
      'done',
      'replayed',
      'reconciled',
      'OUTCOME_UNKNOWN SAME_KEY',
      'OPERATION_IN_PROGRESS SAME_KEY',
      'RATE_LIMITED SAFE',
    ]) {
      expect([outcome, seen.get(outcome) ?? 0]).not.toEqual([outcome, 0]);
    }
  },
  LONG_TEST_MS,
);
