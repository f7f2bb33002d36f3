import { AbandonedError, NotSentError } from '../../failures.ts';
import { Chain, type Linked } from '../../lib/chain.ts';
import { Deadlines, type Due } from '../../lib/deadlines.ts';
import type { Wait, Waiting } from '../../lib/wait.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** How many calls may run at a time. */
export interface SlotLimits {
  readonly all: number;
  readonly perKey: number;
  /** So that one slow service of the upstream never holds all. */
  readonly perService: number;
}

/** A document, as the queue sees it. */
export interface Caller {
  /** Calls that it has sent. */
  readonly sent: number;
}

/** A call that takes a slot. */
export interface Claim extends Waiting {
  readonly credential: string;
  readonly operation: AnyOperation;
  /** Whose turn it takes. */
  caller: Caller;
}

/** Calls that wait at a time. Ours: past it waiting would only make everybody late. */
const MAX_WAITING = 10_000;

/** What a connection pool of this size is shared as, where nothing else is said: one key takes half of it, one service three quarters. */
export const slotLimitsOf = (all: number): SlotLimits => ({
  all,
  perKey: Math.max(1, Math.ceil(all / 2)),
  perService: Math.max(1, Math.ceil((all * 3) / 4)),
});

/** What a map holds under a key; what is made for it, when it holds nothing. */
function entryOf<Name, Entry>(entries: Map<Name, Entry>, name: Name, make: () => Entry): Entry {
  let entry = entries.get(name);
  if (entry === undefined) {
    entry = make();
    entries.set(name, entry);
  }
  return entry;
}

const services = new Map<AnyOperation, string>();

/** `Quote`, of `Quote/ConfirmQuote`. */
export const serviceOf = (operation: AnyOperation): string =>
  entryOf(services, operation, () => operation.name.slice(0, operation.name.indexOf('/')));

interface Service {
  running: number;
  waiting: number;
}

/** Calls of a document to a service that wait, in the order in which they came. */
type Queue = Chain<Waiter>;

/** A key that has calls which run or wait. It stands in the round while some wait. */
class Key implements Linked<Key> {
  running = 0;
  /** Its calls that wait; null when none ever did, as with most keys. */
  waiting: Map<Caller, Map<Service, Queue>> | null = null;
  previous: Key | undefined;
  next: Key | undefined;
}

/** A call in the queue. */
class Waiter implements Wait, Due, Linked<Waiter> {
  readonly claim: Claim;
  readonly key: Key;
  readonly service: Service;
  readonly lateAt: number;
  /** Fulfilled when it is its turn. */
  readonly turn = Promise.withResolvers<void>();
  /** Where it stands. */
  queue: Queue | undefined;
  previous: Waiter | undefined;
  next: Waiter | undefined;
  readonly #leave: (waiter: Waiter) => void;

  constructor(claim: Claim, key: Key, service: Service, lateAt: number, leave: (waiter: Waiter) => void) {
    this.claim = claim;
    this.key = key;
    this.service = service;
    this.lateAt = lateAt;
    this.#leave = leave;
  }

  giveUp(): void {
    this.fail(new AbandonedError());
  }

  fail(error: Error): void {
    this.#leave(this);
    this.turn.reject(error);
  }
}

/**
 * Shares the connections. While there are too few, keys take turns; of the calls of one key, those of the document go first that has sent the
 * fewest, so that a small one need not wait for all of a big one. A call that finds a slot does not wait a tick.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #keys = new Map<string, Key>();
  readonly #services = new Map<string, Service>();
  /** The keys that have calls which wait, the next one first. */
  readonly #round = new Chain<Key>();
  #used = 0;
  #waiting = 0;
  readonly #deadlines = new Deadlines(
    () => this.#waiters(),
    (waiter: Waiter) => waiter.fail(new NotSentError('its turn did not come in time, since many requests wait already.')),
  );
  readonly #leave = (waiter: Waiter) => {
    this.#remove(waiter);
    this.#forget(waiter.claim.credential, waiter.key);
  };

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot; undefined when it was free. Otherwise fulfilled when it is the call's turn. Fails with NotSentError when that takes longer
   * than `timeoutMs`, or when too many wait; with AbandonedError when it is given up.
   */
  acquire(claim: Claim, timeoutMs: number): Promise<void> | undefined {
    const key = this.#keyOf(claim.credential);
    const service = this.#serviceOf(claim.operation);
    if (this.#used < this.#limits.all && this.#mayRun(key) && this.#isFree(service)) {
      this.#take(key, service);
      return undefined;
    }
    if (this.#waiting >= MAX_WAITING) {
      this.#forget(claim.credential, key);
      throw new NotSentError(`${MAX_WAITING} other requests wait already.`);
    }
    const waiter = new Waiter(claim, key, service, performance.now() + timeoutMs, this.#leave);
    this.#add(waiter);
    this.#deadlines.watch(waiter);
    return waiter.turn.promise;
  }

  /** Gives the slot back, to who is next. */
  release({ credential, operation }: Claim): void {
    const key = this.#keyOf(credential);
    this.#used -= 1;
    key.running -= 1;
    this.#serviceOf(operation).running -= 1;
    for (let next = this.#next(); next; next = this.#next()) {
      this.#remove(next);
      this.#take(next.key, next.service);
      next.turn.resolve();
    }
    this.#forget(credential, key);
  }

  /** Has a call take the turn of another document, when that one comes first. */
  promote(claim: Claim, caller: Caller): void {
    if (caller.sent < claim.caller.sent) this.handOn(claim, caller);
  }

  /** Has a call take the turn of another document, also while it waits. */
  handOn(claim: Claim, caller: Caller): void {
    if (claim.caller === caller) return;
    const waiter = claim.wait instanceof Waiter ? claim.wait : undefined;
    if (waiter) this.#remove(waiter);
    claim.caller = caller;
    if (waiter) this.#add(waiter);
  }

  *#waiters(): Iterable<Waiter> {
    for (const { waiting } of this.#round) {
      for (const queues of waiting?.values() ?? []) for (const queue of queues.values()) yield* queue;
    }
  }

  #keyOf(credential: string): Key {
    return entryOf(this.#keys, credential, () => new Key());
  }

  #serviceOf(operation: AnyOperation): Service {
    return entryOf(this.#services, serviceOf(operation), () => ({ running: 0, waiting: 0 }));
  }

  /** There are as many keys as callers bring: those of which nothing runs or waits are not kept. */
  #forget(credential: string, { running, waiting }: Key): void {
    if (running === 0 && !waiting?.size) this.#keys.delete(credential);
  }

  #mayRun({ running }: Key): boolean {
    return running < this.#limits.perKey;
  }

  #isFree({ running }: Service): boolean {
    return running < this.#limits.perService;
  }

  #take(key: Key, service: Service): void {
    this.#used += 1;
    key.running += 1;
    service.running += 1;
  }

  #add(waiter: Waiter): void {
    const { key, service, claim } = waiter;
    key.waiting ??= new Map();
    if (key.waiting.size === 0) this.#round.add(key);
    const queues = entryOf(key.waiting, claim.caller, () => new Map<Service, Queue>());
    waiter.queue = entryOf(queues, service, () => new Chain<Waiter>());
    waiter.queue.add(waiter);
    claim.wait = waiter;
    service.waiting += 1;
    this.#waiting += 1;
  }

  #remove(waiter: Waiter): void {
    const { key, service, claim, queue } = waiter;
    queue?.remove(waiter);
    if (!queue?.first) this.#close(key, claim.caller, service);
    claim.wait = null;
    service.waiting -= 1;
    this.#waiting -= 1;
  }

  /** A queue is empty. */
  #close(key: Key, caller: Caller, service: Service): void {
    const queues = key.waiting?.get(caller);
    queues?.delete(service);
    if (queues?.size === 0) key.waiting?.delete(caller);
    if (key.waiting?.size === 0) this.#round.remove(key);
  }

  #next(): Waiter | undefined {
    if (this.#used >= this.#limits.all || this.#waiting === 0) return undefined;
    // Spares the look at everybody while all of them wait for one slow service.
    if (!this.#isAnyFree()) return undefined;
    for (let key = this.#round.first; key; key = key.next) {
      const waiter = this.#mayRun(key) ? this.#firstOf(key) : undefined;
      if (!waiter) continue;
      // Its turn is over: it goes to the end of the round.
      this.#round.remove(key);
      this.#round.add(key);
      return waiter;
    }
    return undefined;
  }

  /** Whether one of the services that calls wait for has room. */
  #isAnyFree(): boolean {
    for (const service of this.#services.values()) if (service.waiting > 0 && this.#isFree(service)) return true;
    return false;
  }

  #firstOf({ waiting }: Key): Waiter | undefined {
    let first: Waiter | undefined;
    for (const [caller, queues] of waiting ?? []) {
      if (first && caller.sent >= first.claim.caller.sent) continue;
      for (const [service, queue] of queues) {
        if (!queue.first || !this.#isFree(service)) continue;
        first = queue.first;
        break;
      }
    }
    return first;
  }
}
