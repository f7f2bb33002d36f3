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
import { fc, scaleCases } from '../../support/seeded.ts';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

const RUNS = scaleCases(100);
/** Time in milliseconds after which a ledger retries a failed write. */
const RETRY_MS = 1_000;

/** Results of an upstream call. `dies`: the graph's process ends during the call, and never receives the response. */
const CALL_RESULTS = [
  'succeeds',
  'is not sent',
  'is rejected',
  'fails',
  'is lost before',
  'is lost after',
  'is corrupted',
  'is delayed',
  'dies before',
  'dies after',
] as const;
type CallResult = (typeof CALL_RESULTS)[number];

/** Results of a ledger's access to its store. `fails before` and `fails after` mean before and after the write. */
const STORE_RESULTS = ['succeeds', 'succeeds', 'succeeds', 'fails before', 'fails after'] as const;
type StoreResult = (typeof STORE_RESULTS)[number];

/** A request, which can run concurrently with others. */
interface Step {
  readonly operation: number;
  readonly graph: number;
  readonly apiKey: number;
  /** Results of its write calls, in order. Later calls succeed. */
  readonly results: readonly CallResult[];
  readonly canRead: boolean;
  readonly store: readonly StoreResult[];
  /** Event before the request: none, the ledger retries failed writes, or all leases expire. */
  readonly before: 'nothing' | 'ledger writes' | 'leases end';
}

// Excludes mutations without a key, because a repeated request is another operation for them.
const EFFECTS = WRITES.filter(({ deduplication }) => deduplication !== 'nothing');

const plan = fc.record({
  effects: fc.array(fc.constantFrom(...EFFECTS), { minLength: 1, maxLength: 2 }),
  steps: fc.array(
    fc.record<Step>({
      operation: fc.nat(1),
      graph: fc.nat(1),
      apiKey: fc.nat(1),
      results: fc.array(fc.constantFrom(...CALL_RESULTS), { maxLength: 3 }),
      canRead: fc.boolean(),
      store: fc.array(fc.constantFrom(...STORE_RESULTS), { maxLength: 3 }),
      before: fc.constantFrom('nothing', 'nothing', 'ledger writes', 'leases end'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

/** A store whose next accesses can fail. */
class FlakyStore implements LedgerStore {
  readonly #store: LedgerStore;
  results: StoreResult[] = [];

  constructor(store: LedgerStore) {
    this.#store = store;
  }

  claim(...claim: Parameters<LedgerStore['claim']>) {
    return this.#access(() => this.#store.claim(...claim));
  }

  move(ids: readonly string[], expected: Expected, draft: LedgerDraft, ttlMs: number) {
    return this.#access(() => this.#store.move(ids, expected, draft, ttlMs));
  }

  check(...check: Parameters<LedgerStore['check']>) {
    return this.#access(() => this.#store.check(...check));
  }

  remove(ids: readonly string[], expected: Expected) {
    return this.#access(() => this.#store.remove(ids, expected));
  }

  find(ids: readonly string[]) {
    return this.#store.find(ids);
  }

  getId() {
    return this.#store.getId();
  }

  sweep() {
    return this.#store.sweep();
  }

  close() {
    return this.#store.close();
  }

  async #access<Result>(access: () => Promise<Result>): Promise<Result> {
    const result = this.results.shift() ?? 'succeeds';
    if (result === 'fails before') throw new LedgerUnavailableError();
    const value = await access();
    if (result === 'fails after') throw new LedgerUnavailableError();
    return value;
  }
}

const folder = useFolder();
const clock = new Clock();
let sandbox: DurableSandbox;
let keys: readonly string[];
let stores: readonly FlakyStore[];
let graphs: readonly Graph[];
beforeAll(async () => {
  // The test decides when ledgers retry.
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

/** A running request. */
interface Running {
  readonly step: Step;
  readonly results: CallResult[];
  readonly crashed: PromiseWithResolvers<'died'>;
  /** How often the upstream has applied it. */
  applied: number;
}

const REFUSED: UpstreamResponse = { status: 429, headers: {}, body: '{"code":"resource_exhausted"}' };
const FAILED: UpstreamResponse = { status: 503, headers: {}, body: '{"code":"unavailable"}' };

/** A transport between graphs and the upstream that decides the result of each call. */
class FaultyTransport implements Transport {
  readonly requests = new Map<string, Running>();
  readonly #direct: Transport;
  readonly #operations: ReadonlySet<string>;
  readonly #scheduler: fc.Scheduler;
  readonly #delayed: UpstreamRequest[] = [];
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
    const result = running.results.shift() ?? 'succeeds';
    await this.#scheduler.schedule(Promise.resolve(), `${request.requestId} is sent: ${result}`);
    return this.#simulate(result, request, running);
  }

  async #simulate(result: CallResult, request: UpstreamRequest, running: Running): Promise<UpstreamResponse> {
    if (result === 'is not sent') throw new TransportError(false, false);
    if (result === 'is lost before') throw new TransportError(true, false);
    if (result === 'is rejected') return REFUSED;
    if (result === 'fails') return FAILED;
    if (result === 'dies before') return this.#crash(running);
    if (result === 'is delayed') {
      this.#delayed.push(request);
      throw new TransportError(true, true);
    }
    const response = await this.#deliver(request);
    await this.#scheduler.schedule(Promise.resolve(), `${request.requestId} returns`);
    if (result === 'is lost after') throw new TransportError(true, false);
    if (result === 'dies after') return this.#crash(running);
    return result === 'is corrupted' ? { ...response, body: response.body.slice(0, -1) } : response;
  }

  async #deliver(request: UpstreamRequest): Promise<UpstreamResponse> {
    const response = await this.#direct.send(request);
    const running = this.requests.get(request.requestId);
    if (running && response.status < 300) running.applied += 1;
    return response;
  }

  #crash({ crashed }: Running): Promise<never> {
    crashed.resolve('died');
    return this.#end.promise;
  }

  /** Delivers delayed requests. */
  async deliverDelayed(): Promise<void> {
    for (const request of this.#delayed.splice(0)) await this.#deliver(request);
  }

  /** Fails the calls of graphs that have died, which never return otherwise. */
  async close(): Promise<void> {
    this.#end.reject(new TransportError(true, true));
  }
}

const retryLedgerWrites = () => vi.advanceTimersByTime(RETRY_MS);

interface OperationUnderTest {
  readonly effect: Effect;
  readonly prepared: PreparedOperation;
  readonly outcomes: { readonly outcome: string; readonly recordId: string | null; readonly running: Running | null }[];
}

let requests = 0;

async function sendRequest(step: Step, transport: FaultyTransport, operations: readonly OperationUnderTest[]): Promise<void> {
  const { effect, prepared, outcomes } = operations[step.operation % operations.length] as OperationUnderTest;
  const graph = graphs[step.graph] as Graph;
  if (step.before === 'ledger writes') retryLedgerWrites();
  if (step.before === 'leases end') clock.advance(LEASE_MS);
  stores[step.graph]?.results.push(...step.store);
  requests += 1;
  const requestId = `request-${requests}`;
  const running: Running = { step, results: [...step.results], crashed: Promise.withResolvers(), applied: 0 };
  transport.requests.set(requestId, running);
  const disconnect = new AbortController();
  const response = sendMutation(graph.url, effect, prepared, { key: keys[step.apiKey] ?? '', requestId, signal: disconnect.signal });
  const outcome = await Promise.race([response, running.crashed.promise]);
  if (outcome !== 'died') return void outcomes.push({ ...outcome, running });
  disconnect.abort();
  await response.catch(() => {});
}

/** Expires all leases, delivers delayed requests, and repeats each operation with each key, without faults. Returns everything known about each operation. */
async function settle(transport: FaultyTransport, operations: readonly OperationUnderTest[]): Promise<OperationHistory[]> {
  for (const store of stores) store.results = [];
  retryLedgerWrites();
  clock.advance(LEASE_MS);
  await transport.deliverDelayed();
  const [graph] = graphs as [Graph];
  const known: OperationHistory[] = [];
  for (const { effect, prepared, outcomes } of operations) {
    for (const key of keys) outcomes.push({ ...(await sendMutation(graph.url, effect, prepared, { key })), running: null });
    known.push({
      responses: outcomes.map(({ outcome, recordId, running }) => ({ outcome, recordId, applied: running?.applied ?? 0 })),
      applied: prepared.countApplied(),
      ledgerState: await fetchLedgerState(graph.url, effect, prepared),
    });
  }
  return known;
}

it(
  'applies no operation twice, reports no applied operation as failed, and loses none, in any order of events',
  async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(plan, fc.scheduler(), async ({ effects, steps }, scheduler) => {
        const operations: OperationUnderTest[] = await Promise.all(
          effects.map(async (effect, index) => ({
            effect,
            prepared: await effect.prepare(sandbox.workspace, `mark ${requests} ${index}`),
            outcomes: [],
          })),
        );
        requests += 1;
        const transport = new FaultyTransport((graphs[0] as Graph).direct, new Set(effects.map(({ operation }) => operation)), scheduler);
        for (const graph of graphs) {
          await graph.reset();
          await graph.intercept(transport);
        }
        const running = steps.map((step) =>
          scheduler.schedule(Promise.resolve(), 'a request').then(() => sendRequest(step, transport, operations)),
        );
        await scheduler.waitFor(Promise.all(running));
        const known = await settle(transport, operations);
        expect(known.map(findViolations)).toEqual(known.map(() => []));
        for (const { outcome } of known.flatMap(({ responses }) => responses)) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        for (const graph of graphs) await graph.intercept(null);
      }),
      { numRuns: RUNS },
    );
    // All kinds of outcomes occurred.
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
