import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../sandbox/kernel/random.ts';
import { type Effect, type PreparedOperation, type TestWorkspace, WRITES } from '../../support/faults/effects.ts';
import { fetchLedgerState, type MutationOutcome, postDocument, sendMutation } from '../../support/faults/sendMutation.ts';

/** A graph, or a load balancer in front of several. */
export interface Server {
  readonly url: string;
}

/** A workspace and its API keys. */
export interface Workspace {
  /** The key that has all permissions. */
  readonly owner: string;
  readonly testWorkspace: TestWorkspace;
  /** Every ID in a response to one of its keys. */
  readonly seenIds: Set<string>;
}

/** An intended operation: a mutation that can be sent several times. */
export interface IntendedOperation {
  readonly workspace: Workspace;
  readonly effect: Effect;
  readonly prepared: PreparedOperation;
  readonly key: string;
  /** Outcomes of the requests, in order. Null for a request without a response. */
  readonly outcomes: (Pick<MutationOutcome, 'outcome' | 'recordId'> | null)[];
  /** Number of requests in flight. */
  running: number;
  /** State of its idempotency key in the ledger at the end of the run. */
  ledger: string | null;
}

/** Prefix of all strings that are written in a workspace. A response to another workspace that contains it is a leak. */
export const getMarker = ({ owner }: Pick<Workspace, 'owner'>): string => `soak ${owner} `;

/** Keys that have only some of the owner's permissions, with the mutations that they can send. */
const LIMITED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'demo-sales': ['contactCreate', 'contactUpdate', 'quoteUpdate', 'quoteConfirm'],
  'demo-warehouse': ['inventoryMove', 'inventoryReceiptCreate', 'inventoryAdjust'],
};

/** Queries of the load. The keys of both workspaces send the same ones. */
const READS = [
  '{ viewer { workspace { name } } contacts(first: 20) { nodes { rawId lastName } } }',
  'query ($mark: String) { contacts(query: $mark, first: 50) { nodes { rawId lastName firstName } } }',
  `query ($customer: ID!) { customer(id: $customer) { rawId title quotes(first: 10) {
     nodes { rawId title version lines { product { rawId name } } order { rawId refunded { amount } } } } } }`,
  'query ($customer: ID!) { customer(id: $customer) { orders(first: 10) { nodes { rawId status customer { rawId } } } } }',
  'query ($product: ID!) { product(id: $product) { rawId name inventoryBalances { nodes { onHand location { rawId name } } } } }',
  '{ inventoryMovements(first: 30) { nodes { operationId reason reference } } inventoryLocations { nodes { rawId } } }',
];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Shares of the kinds of requests. The rest are new operations. */
const SHARES = { reads: 0.4, repeats: 0.3 };
/** Time after which a request without a response counts as lost, in milliseconds. Chosen: each of its calls ends within 2 s. */
const MAX_RESPONSE_MS = 60_000;
/** Share of requests that the client aborts. */
const ABORT_SHARE = 0.03;
/** Number of latest operations that repeats are picked from. */
const MAX_RECENT = 200;
/** Maximum attempts to prepare an operation, because faults also affect those calls. */
const MAX_TRIES = 50;

/** A mixed load on several graphs: queries, mutations, and repeated mutations. */
export class Load {
  readonly operations: IntendedOperation[] = [];
  requests = 0;
  /** Number of responses that contained a marker of another workspace. */
  leakedResponses = 0;
  /** Number of requests without a response that the client didn't abort. */
  unanswered = 0;
  /** Number of responses to queries with errors. */
  failedReads = 0;
  /** Counts of errors that a client can't act on. */
  readonly unexpected = new Map<string, number>();
  readonly #servers: readonly Server[];
  readonly #workspaces: readonly Workspace[];
  readonly #random: Random;
  readonly #abortShare: number;
  #markers = 0;

  /** `abortShare` is the share of requests that the client aborts. */
  constructor(servers: readonly Server[], workspaces: readonly Workspace[], random: Random, leaves = ABORT_SHARE) {
    this.#servers = servers;
    this.#workspaces = workspaces;
    this.#random = random;
    this.#abortShare = leaves;
  }

  /** Sends one request after the other until it's stopped. */
  async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const share = this.#random.next();
      const recent = this.operations.slice(-MAX_RECENT).filter(canRepeat);
      if (share < SHARES.reads) await this.#sendQuery();
      else if (share < SHARES.reads + SHARES.repeats && recent.length > 0) await this.attempt(this.#random.pick(recent));
      else await this.#startOperation();
    }
  }

  /** Sends an operation, for the first time or again. */
  async attempt(operation: IntendedOperation): Promise<void> {
    const { effect, prepared, key } = operation;
    operation.running += 1;
    const outcome = await this.#sendToServer((url, signal) =>
      sendMutation(url, effect, prepared, { key, signal, onResponse: this.#createResponseCheck(operation.workspace) }),
    );
    operation.running -= 1;
    operation.outcomes.push(outcome);
    if (outcome && (outcome.outcome === 'null' || outcome.outcome.startsWith('INTERNAL_SERVER_ERROR')))
      this.#count(`${effect.name}: ${outcome.outcome}`);
  }

  /** Fetches the state of an operation's idempotency key. */
  async fetchLedgerState(operation: IntendedOperation): Promise<void> {
    const { effect, prepared, key } = operation;
    operation.ledger = await this.#sendToServer((url, signal) => fetchLedgerState(url, effect, prepared, { key, signal }));
  }

  async #startOperation(): Promise<void> {
    const workspace = this.#random.pick(this.#workspaces);
    const effect = this.#random.pick(WRITES);
    this.#markers += 1;
    const marker = `${getMarker(workspace)}${this.#markers}`;
    const prepared = await prepareOperation(effect, workspace.testWorkspace, marker);
    const operation = { workspace, effect, prepared, key: this.#pickKey(workspace, effect), outcomes: [], running: 0, ledger: null };
    this.operations.push(operation);
    await this.attempt(operation);
  }

  async #sendQuery(): Promise<void> {
    const workspace = this.#random.pick(this.#workspaces);
    const { customerId, productId } = workspace.testWorkspace;
    const variables = { customer: customerId, product: productId, mark: getMarker(workspace) };
    const body = { query: this.#random.pick(READS), variables };
    const caller = { key: workspace.owner, onResponse: this.#createResponseCheck(workspace) };
    const response = await this.#sendToServer((url, signal) => postDocument(url, body, { ...caller, signal }));
    if (response?.errors) this.failedReads += 1;
    for (const { extensions } of response?.errors ?? []) {
      if (!extensions?.code || extensions.code === 'INTERNAL_SERVER_ERROR') this.#count(`query: ${extensions?.code}`);
    }
  }

  #pickKey({ owner }: Workspace, { field }: Effect): string {
    if (owner !== 'demo-owner' || this.#random.nextBoolean(0.5)) return owner;
    return Object.keys(LIMITED_KEYS).find((key) => LIMITED_KEYS[key]?.includes(field)) ?? owner;
  }

  /** Sends a request to one of the servers. Null if there was no response. */
  async #sendToServer<Result>(send: (url: string, signal: AbortSignal) => Promise<Result>): Promise<Result | null> {
    this.requests += 1;
    const leaving = new AbortController();
    const timer = this.#random.nextBoolean(this.#abortShare)
      ? setTimeout(() => leaving.abort(), this.#random.nextInteger(0, 50))
      : undefined;
    const overdue = AbortSignal.timeout(MAX_RESPONSE_MS);
    try {
      return await send(this.#random.pick(this.#servers).url, AbortSignal.any([leaving.signal, overdue]));
    } catch {
      // The graph was killed, or the client aborted.
      if (!leaving.signal.aborted) this.unanswered += 1;
      if (overdue.aborted) this.#count(`no response within ${MAX_RESPONSE_MS} ms`);
      await pause(this.#random.nextInteger(1, 20));
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Creates a function that checks responses for data of other workspaces. */
  #createResponseCheck(workspace: Workspace): (text: string) => void {
    return (text) => {
      for (const [id] of text.matchAll(UUID)) workspace.seenIds.add(id);
      if (this.#workspaces.some((other) => other !== workspace && text.includes(getMarker(other)))) this.leakedResponses += 1;
    };
  }

  #count(what: string): void {
    this.unexpected.set(what, (this.unexpected.get(what) ?? 0) + 1);
  }
}

/** Whether a client can repeat an operation: always with a key, and without one if a repeat has no further effect. */
export function canRepeat({ effect, prepared, outcomes, running }: IntendedOperation): boolean {
  if (prepared.idempotencyKey !== null || effect.deduplication === 'state') return true;
  return running === 0 && outcomes.at(-1)?.outcome.endsWith(' SAFE') === true;
}

async function prepareOperation(effect: Effect, testWorkspace: TestWorkspace, marker: string): Promise<PreparedOperation> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await effect.prepare(testWorkspace, marker);
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
    }
  }
}
