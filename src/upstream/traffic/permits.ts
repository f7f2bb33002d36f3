import { ABANDONED, NotSentError } from '../../failures/failures.ts';
import { Deadlines, type HasDeadline } from '../../lib/deadlines.ts';
import { LinkedList, type LinkedNode } from '../../lib/linkedList.ts';
import type { Wait, Waiting } from '../../lib/wait.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Limits of calls in flight. */
export interface PermitLimits {
  readonly all: number;
  readonly perKey: number;
  /** Per service of the upstream, so that a slow one never holds all connections. */
  readonly perService: number;
  /** For analytics queries, so that many of them don't block other reads. Defaults to the limits of any service. */
  readonly expensive?: ExpensiveLimits;
}

interface ExpensiveLimits {
  readonly all: number;
  readonly perKey: number;
}

/** A request. Among the calls of a key, those of the request that has `sent` the fewest go first. */
interface QueuedRequester {
  readonly sent: number;
}

/** An API key, with its calls in flight and in the queue. */
export interface PermitKey {
  running: number;
  /** Number of analytics queries in flight. */
  runningExpensive: number;
  /** Null while no call is queued, which is always for most keys. */
  queue: KeyQueue | null;
}

/** A call that needs a permit while it is in flight. */
export interface PermitHolder extends Waiting {
  readonly key: PermitKey;
  readonly operation: AnyOperation;
  /** Calls of the operation's service. Null before they are looked up. */
  service: PermitService | null;
  /** Request whose queue position the call uses. */
  queuedFor: QueuedRequester;
}

/** Maximum number of calls in the queue, of all keys and of one. Chosen: further ones would only time out. */
const MAX_WAITING = 10_000;
const MAX_WAITING_PER_KEY = MAX_WAITING / 2;

/**
 * Derives default limits from the number of connections: half of them per key, three quarters per service, and an eighth for analytics queries, of which four
 * per key, the maximum of an operation.
 */
export const derivePermitLimits = (all: number) => ({
  all,
  perKey: Math.max(1, Math.ceil(all / 2)),
  perService: Math.max(1, Math.ceil((all * 3) / 4)),
  expensive: { all: Math.max(1, Math.ceil(all / 8)), perKey: Math.max(1, Math.min(4, Math.ceil(all / 8))) },
});

/** Returns the entry of a map. Creates it if it's missing. */
function getOrCreate<Name, Entry>(entries: Map<Name, Entry>, name: Name, create: () => Entry): Entry {
  let entry = entries.get(name);
  if (entry === undefined) {
    entry = create();
    entries.set(name, entry);
  }
  return entry;
}

const services = new Map<AnyOperation, string>();

const isExpensive = ({ effect }: AnyOperation) => effect === 'EXPENSIVE_READ';

/** Returns the service of an operation: `Quote` for `Quote/ConfirmQuote`. The analytics queries of a service count as a separate service. */
export const getTrafficService = (operation: AnyOperation): string =>
  getOrCreate(
    services,
    operation,
    () => `${operation.name.slice(0, operation.name.indexOf('/'))}${isExpensive(operation) ? ' (expensive)' : ''}`,
  );

export interface PermitService {
  readonly isExpensive: boolean;
  running: number;
  waiting: number;
}

/** Queue of a request's calls to a service, in order of arrival. */
type Queue = LinkedList<QueuedCall>;

/** The queued calls of an API key. While it has any, it takes part in the round-robin. */
export class KeyQueue implements LinkedNode<KeyQueue> {
  readonly key: PermitKey;
  /** Number of calls. */
  length = 0;
  /** Queues by request and service. */
  readonly waiting = new Map<QueuedRequester, Map<PermitService, Queue>>();
  previous: KeyQueue | undefined;
  next: KeyQueue | undefined;

  constructor(key: PermitKey) {
    this.key = key;
  }
}

/** A call in the queue. */
class QueuedCall implements Wait, HasDeadline, LinkedNode<QueuedCall> {
  readonly holder: PermitHolder;
  readonly service: PermitService;
  readonly deadline: number;
  /** Resolves when the permit is granted. */
  readonly permit = Promise.withResolvers<void>();
  /** The queue that contains it. */
  queue: Queue | undefined;
  previous: QueuedCall | undefined;
  next: QueuedCall | undefined;
  readonly #dequeue: (waiter: QueuedCall) => void;

  constructor(holder: PermitHolder, service: PermitService, deadline: number, dequeue: (waiter: QueuedCall) => void) {
    this.holder = holder;
    this.service = service;
    this.deadline = deadline;
    this.#dequeue = dequeue;
  }

  abandon(): void {
    this.fail(ABANDONED);
  }

  fail(error: Error): void {
    this.#dequeue(this);
    this.permit.reject(error);
  }
}

/**
 * Distributes permits for connections. If there are too few, keys are served round-robin. Among the calls of a key, those of the request that has sent the
 * fewest go first, so that a small request doesn't wait for all of a large one. A call for which a permit is free doesn't wait for a tick.
 */
export class Permits {
  readonly #limits: PermitLimits;
  readonly #services = new Map<string, PermitService>();
  /** The queues of all keys, in round-robin order. */
  readonly #roundRobin = new LinkedList<KeyQueue>();
  #used = 0;
  #waiting = 0;
  readonly #deadlines = new Deadlines(
    () => this.#waiters(),
    (waiter: QueuedCall) => waiter.fail(new NotSentError('it timed out in the queue behind other requests.')),
  );
  readonly #dequeue = (waiter: QueuedCall) => this.#remove(waiter);

  constructor(limits: PermitLimits) {
    this.#limits = limits;
  }

  /** Number of queued calls. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Acquires a permit. Undefined if one was free. Otherwise, resolves when it's the call's turn. Throws NotSentError if the queue is full. Rejects with
   * NotSentError after `timeoutMs`, or with AbandonedError if the call is abandoned.
   */
  acquire(holder: PermitHolder, timeoutMs: number): Promise<void> | undefined {
    const { key } = holder;
    const service = this.#getService(holder);
    if (this.#used < this.#limits.all && this.#isBelowKeyLimit(key) && this.#canRun(service, key)) {
      this.#grant(key, service);
      return undefined;
    }
    if (key.queue && key.queue.length >= MAX_WAITING_PER_KEY)
      throw new NotSentError(`the queue already has ${MAX_WAITING_PER_KEY} calls of this API key.`);
    if (this.#waiting >= MAX_WAITING) throw new NotSentError(`the queue is full with ${MAX_WAITING} other requests.`);
    const waiter = new QueuedCall(holder, service, performance.now() + timeoutMs, this.#dequeue);
    this.#add(waiter);
    this.#deadlines.watch(waiter);
    return waiter.permit.promise;
  }

  /** Releases the permit and grants it to the next call. */
  release(holder: PermitHolder): void {
    const { key } = holder;
    this.#used -= 1;
    const service = this.#getService(holder);
    key.running -= 1;
    service.running -= 1;
    if (service.isExpensive) key.runningExpensive -= 1;
    for (let next = this.#findNext(); next; next = this.#findNext()) {
      this.#remove(next);
      this.#grant(next.holder.key, next.service);
      next.permit.resolve();
    }
  }

  /** Moves a call to the queue position of another request, if that comes first. */
  promote(holder: PermitHolder, queuedFor: QueuedRequester): void {
    if (queuedFor.sent < holder.queuedFor.sent) this.requeueFor(holder, queuedFor);
  }

  /** Moves a call to the queue position of another request, also while it's queued. */
  requeueFor(holder: PermitHolder, queuedFor: QueuedRequester): void {
    if (holder.queuedFor === queuedFor) return;
    const waiter = holder.wait instanceof QueuedCall ? holder.wait : undefined;
    if (waiter) this.#remove(waiter);
    holder.queuedFor = queuedFor;
    if (waiter) this.#add(waiter);
  }

  *#waiters(): Iterable<QueuedCall> {
    for (const { waiting } of this.#roundRobin) {
      for (const queues of waiting.values()) for (const queue of queues.values()) yield* queue;
    }
  }

  #getService(holder: PermitHolder): PermitService {
    const { operation } = holder;
    holder.service ??= getOrCreate(this.#services, getTrafficService(operation), () => ({
      isExpensive: isExpensive(operation),
      running: 0,
      waiting: 0,
    }));
    return holder.service;
  }

  #isBelowKeyLimit({ running }: PermitKey): boolean {
    return running < this.#limits.perKey;
  }

  #isBelowServiceLimit({ isExpensive, running }: PermitService): boolean {
    const { expensive, perService } = this.#limits;
    return running < (isExpensive && expensive ? expensive.all : perService);
  }

  #canRun(service: PermitService, { runningExpensive }: PermitKey): boolean {
    const { expensive } = this.#limits;
    return this.#isBelowServiceLimit(service) && !(service.isExpensive && expensive && runningExpensive >= expensive.perKey);
  }

  #grant(key: PermitKey, service: PermitService): void {
    this.#used += 1;
    key.running += 1;
    service.running += 1;
    if (service.isExpensive) key.runningExpensive += 1;
  }

  #add(waiter: QueuedCall): void {
    const { service, holder } = waiter;
    const { key } = holder;
    if (!key.queue) {
      key.queue = new KeyQueue(key);
      this.#roundRobin.add(key.queue);
    }
    const queues = getOrCreate(key.queue.waiting, holder.queuedFor, () => new Map<PermitService, Queue>());
    waiter.queue = getOrCreate(queues, service, () => new LinkedList<QueuedCall>());
    waiter.queue.add(waiter);
    holder.wait = waiter;
    service.waiting += 1;
    key.queue.length += 1;
    this.#waiting += 1;
  }

  #remove(waiter: QueuedCall): void {
    const { service, holder, queue } = waiter;
    queue?.remove(waiter);
    holder.wait = null;
    service.waiting -= 1;
    this.#waiting -= 1;
    const { queue: keyQueue } = holder.key;
    if (!keyQueue) return;
    keyQueue.length -= 1;
    if (!queue?.first) this.#removeQueue(keyQueue, holder.queuedFor, service);
  }

  /** Removes an empty queue. */
  #removeQueue(keyQueue: KeyQueue, queuedFor: QueuedRequester, service: PermitService): void {
    const { waiting, key } = keyQueue;
    const queues = waiting.get(queuedFor);
    queues?.delete(service);
    if (queues?.size === 0) waiting.delete(queuedFor);
    if (waiting.size > 0) return;
    this.#roundRobin.remove(keyQueue);
    key.queue = null;
  }

  #findNext(): QueuedCall | undefined {
    if (this.#used >= this.#limits.all || this.#waiting === 0) return undefined;
    // Avoids iterating over all keys while all of them wait for the same slow service.
    if (!this.#hasRunnableService()) return undefined;
    for (let queue = this.#roundRobin.first; queue; queue = queue.next) {
      const waiter = this.#isBelowKeyLimit(queue.key) ? this.#findFirst(queue) : undefined;
      if (!waiter) continue;
      // Moves the key to the end of the round-robin.
      this.#roundRobin.remove(queue);
      this.#roundRobin.add(queue);
      return waiter;
    }
    return undefined;
  }

  /** Whether a service with queued calls has free permits. */
  #hasRunnableService(): boolean {
    for (const service of this.#services.values()) if (service.waiting > 0 && this.#isBelowServiceLimit(service)) return true;
    return false;
  }

  #findFirst({ key, waiting }: KeyQueue): QueuedCall | undefined {
    let first: QueuedCall | undefined;
    for (const [queuedFor, queues] of waiting) {
      if (first && queuedFor.sent >= first.holder.queuedFor.sent) continue;
      for (const [service, queue] of queues) {
        if (!queue.first || !this.#canRun(service, key)) continue;
        first = queue.first;
        break;
      }
    }
    return first;
  }
}
