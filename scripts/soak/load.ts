import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../sandbox/kernel/random.ts';
import { type Effect, type PreparedOperation, type TestWorkspace, WRITES } from '../../test/support/faults/effects.ts';
import { fetchLedgerState, type MutationOutcome, postDocument, sendMutation } from '../../test/support/faults/sendMutation.ts';

/** A graph, or a balancer before several. */
export interface Server {
  readonly url: string;
}

/** A workspace, and the keys that act in it. */
export interface Workspace {
  /** The one of its keys that may do everything. */
  readonly owner: string;
  readonly stage: TestWorkspace;
  /** Every id that an answer to one of its keys has held. */
  readonly seenIds: Set<string>;
}

/** An act that was asked for. */
export interface Deed {
  readonly workspace: Workspace;
  readonly effect: Effect;
  readonly act: PreparedOperation;
  readonly key: string;
  /** In order; null for a request that was not answered. */
  readonly told: (Pick<MutationOutcome, 'outcome' | 'recordId'> | null)[];
  /** Requests for it that have not ended. */
  running: number;
  /** State of its idempotency key in the ledger at the end of the run. */
  ledger: string | null;
}

/** Prefix of all texts that are written in a workspace: an answer that holds another one's prefix is a leak. */
export const markOf = ({ owner }: Pick<Workspace, 'owner'>): string => `soak ${owner} `;

/** Keys that may do some of what the owner may. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
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

/** Of the requests, so many are of each kind; the rest are new acts. */
const SHARES = { reads: 0.4, repeats: 0.3 };
/** A request that is answered in no such time, in milliseconds, is one that the graph has lost. Ours: each of its calls ends within 2 s. */
const MAX_ANSWER_MS = 60_000;
/** Requests of which the caller leaves before they are answered. */
const LEAVES = 0.03;
/** Repeats are of one of so many acts that were asked for last. */
const RECENT = 200;
/** Times that the preparation of an act is tried, of which calls meet faults, too. */
const TRIES = 50;

/** A mixed load on several graphs: reads, acts, and acts again. */
export class Load {
  readonly deeds: Deed[] = [];
  requests = 0;
  /** Answers that held a mark of another workspace. */
  wrongCaller = 0;
  /** Requests that nobody answered, though their caller did not leave. */
  unanswered = 0;
  /** Answers to reads with errors. */
  failedReads = 0;
  /** Errors that no caller can act on. */
  readonly unexpected = new Map<string, number>();
  readonly #servers: readonly Server[];
  readonly #workspaces: readonly Workspace[];
  readonly #random: Random;
  readonly #leaves: number;
  #marks = 0;

  /** `leaves`: the share of requests of which the caller leaves before they are answered. */
  constructor(servers: readonly Server[], workspaces: readonly Workspace[], random: Random, leaves = LEAVES) {
    this.#servers = servers;
    this.#workspaces = workspaces;
    this.#random = random;
    this.#leaves = leaves;
  }

  /** Makes one request after the other until it is stopped. */
  async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const share = this.#random.next();
      const recent = this.deeds.slice(-RECENT).filter(mayRepeat);
      if (share < SHARES.reads) await this.#read();
      else if (share < SHARES.reads + SHARES.repeats && recent.length > 0) await this.askFor(this.#random.pick(recent));
      else await this.#begin();
    }
  }

  /** Asks for an act, or asks again. */
  async askFor(deed: Deed): Promise<void> {
    const { effect, act, key } = deed;
    deed.running += 1;
    const told = await this.#request((url, signal) =>
      sendMutation(url, effect, act, { key, signal, onResponse: this.#watch(deed.workspace) }),
    );
    deed.running -= 1;
    deed.told.push(told);
    if (told && (told.outcome === 'null' || told.outcome.startsWith('INTERNAL_SERVER_ERROR')))
      this.#count(`${effect.name}: ${told.outcome}`);
  }

  /** Asks what the ledger says of an act. */
  async readLedger(deed: Deed): Promise<void> {
    const { effect, act, key } = deed;
    deed.ledger = await this.#request((url, signal) => fetchLedgerState(url, effect, act, { key, signal }));
  }

  async #begin(): Promise<void> {
    const workspace = this.#random.pick(this.#workspaces);
    const effect = this.#random.pick(WRITES);
    this.#marks += 1;
    const mark = `${markOf(workspace)}${this.#marks}`;
    const act = await prepared(effect, workspace.stage, mark);
    const deed = { workspace, effect, act, key: this.#keyFor(workspace, effect), told: [], running: 0, ledger: null };
    this.deeds.push(deed);
    await this.askFor(deed);
  }

  async #read(): Promise<void> {
    const workspace = this.#random.pick(this.#workspaces);
    const { customerId, productId } = workspace.stage;
    const variables = { customer: customerId, product: productId, mark: markOf(workspace) };
    const body = { query: this.#random.pick(READS), variables };
    const caller = { key: workspace.owner, onAnswer: this.#watch(workspace) };
    const answer = await this.#request((url, signal) => postDocument(url, body, { ...caller, signal }));
    if (answer?.errors) this.failedReads += 1;
    for (const { extensions } of answer?.errors ?? []) {
      if (!extensions?.code || extensions.code === 'INTERNAL_SERVER_ERROR') this.#count(`query: ${extensions?.code}`);
    }
  }

  #keyFor({ owner }: Workspace, { field }: Effect): string {
    if (owner !== 'demo-owner' || this.#random.chance(0.5)) return owner;
    return Object.keys(HELPERS).find((helper) => HELPERS[helper]?.includes(field)) ?? owner;
  }

  /** Sends a request to one of the servers. Null when it is not answered. */
  async #request<Answer>(send: (url: string, signal: AbortSignal) => Promise<Answer>): Promise<Answer | null> {
    this.requests += 1;
    const leaving = new AbortController();
    const timer = this.#random.chance(this.#leaves) ? setTimeout(() => leaving.abort(), this.#random.integer(0, 50)) : undefined;
    const overdue = AbortSignal.timeout(MAX_ANSWER_MS);
    try {
      return await send(this.#random.pick(this.#servers).url, AbortSignal.any([leaving.signal, overdue]));
    } catch {
      // The graph has died, or the caller has left.
      if (!leaving.signal.aborted) this.unanswered += 1;
      if (overdue.aborted) this.#count(`no response within ${MAX_ANSWER_MS} ms`);
      await pause(this.#random.integer(1, 20));
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Looks through an answer for what is not its caller's. */
  #watch(workspace: Workspace): (text: string) => void {
    return (text) => {
      for (const [id] of text.matchAll(UUID)) workspace.seenIds.add(id);
      if (this.#workspaces.some((other) => other !== workspace && text.includes(markOf(other)))) this.wrongCaller += 1;
    };
  }

  #count(what: string): void {
    this.unexpected.set(what, (this.unexpected.get(what) ?? 0) + 1);
  }
}

/** Whether a caller may ask again: with a key always, without one when a repeat does nothing more. */
export function mayRepeat({ effect, act, told, running }: Deed): boolean {
  if (act.idempotencyKey !== null || effect.deduplication === 'state') return true;
  return running === 0 && told.at(-1)?.outcome.endsWith(' SAFE') === true;
}

async function prepared(effect: Effect, stage: TestWorkspace, mark: string): Promise<PreparedOperation> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await effect.prepare(stage, mark);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
