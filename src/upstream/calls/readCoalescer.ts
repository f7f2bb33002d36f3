import { ABANDONED, ApiError, NotSentError, QueryTooExpensiveError, QuotaExceededError } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, getRemainingMs } from '../../lib/clock.ts';
import type { LinkedList, LinkedNode } from '../../lib/linkedList.ts';
import { ListCatalog } from '../contract/generated/operations.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { CallTrace } from '../traffic/callTrace.ts';
import type { PermitHolder, Permits } from '../traffic/permits.ts';
import type { TurnRequester, Turns } from '../traffic/turns.ts';
import type { CallMeter } from './callMeter.ts';

/** A request that waits for the response to a read. */
interface ReadRequester extends TurnRequester {
  readonly sent: number;
  tryConsume(): boolean;
  release(): void;
}

/** An API key, with its reads. */
export interface ReadKey {
  /** Reads in flight that can be joined, by request key. Null before the first read. */
  reads: Map<string, InFlightRead> | null;
  /** All reads in flight. */
  readonly inFlight: LinkedList<InFlightRead>;
  /** Cached responses, by request key. Null before the first one. */
  cached: Map<string, CachedRead> | null;
}

/** A call of a read operation. */
interface ReadCall extends PermitHolder {
  readonly key: ReadKey & PermitHolder['key'];
  readonly requestKey: string;
  /** Maximum age of a cached response, in milliseconds. */
  readonly maxAgeMs: number;
  readonly requester: ReadRequester;
  readonly trace: CallTrace | null;
  /** Length of the response's JSON, in characters. 0 before the response. */
  readonly responseLength: number;
  chargedTo: ReadRequester;
  readonly isCharged: boolean;
  isAbandoned: boolean;
}

export interface ReadCoalescerOptions {
  /** The queue of calls, in which a call takes the position of the request that comes first. */
  readonly permits: Pick<Permits, 'promote' | 'requeueFor'>;
  /** The turns of the event loop, in which requests continue with their responses. */
  readonly turns: Pick<Turns, 'resume'>;
  readonly meter?: Pick<CallMeter, 'onCoalesced'>;
  /** How long responses are cached, in milliseconds. 0 disables the cache, except for the analytics catalog. */
  readonly cacheMs: number;
  readonly clock: Clock;
}

/** A read in flight. */
export class InFlightRead implements LinkedNode<InFlightRead> {
  readonly call: ReadCall;
  readonly response: Promise<object>;
  /** Number of writes that had started or ended before it. */
  readonly writes: number;
  /** Calls that have joined it. Null if there are none. */
  joined: ReadCall[] | null = null;
  previous: InFlightRead | undefined;
  next: InFlightRead | undefined;

  constructor(call: ReadCall, response: Promise<object>, writes: number) {
    this.call = call;
    this.response = response;
    this.writes = writes;
  }
}

/** A cached response. */
export interface CachedRead {
  readonly key: ReadKey;
  readonly requestKey: string;
  readonly value: object;
  readonly size: number;
  /** On the monotonic clock. */
  readonly cachedAt: number;
  /** Whether writes don't affect it. */
  readonly isStatic: boolean;
}

/** Cache limits: number of responses, and total length of their JSON and of their requests in characters. Chosen to use a small part of a process's memory. */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** The request can be longer than the response, such as a search with a filter of 100 IDs. */
const weighRead = ({ requestKey, size }: CachedRead) => requestKey.length + size;

/** The cached responses of all keys, which share the limits. */
class ReadCache {
  readonly #reads = new BoundedCache<CachedRead, CachedRead>({
    entries: MAX_ENTRIES,
    weight: { max: MAX_SIZE, weightOf: weighRead },
    onEvict: ({ key, requestKey }) => void key.cached?.delete(requestKey),
  });

  get({ cached }: ReadKey, requestKey: string): CachedRead | undefined {
    const read = cached?.get(requestKey);
    return read && this.#reads.get(read);
  }

  add(read: CachedRead): void {
    const { key, requestKey } = read;
    this.delete(key, requestKey);
    if (weighRead(read) > MAX_SIZE) return;
    this.#reads.set(read, read);
    key.cached ??= new Map();
    key.cached.set(requestKey, read);
  }

  delete({ cached }: ReadKey, requestKey: string): void {
    const read = cached?.get(requestKey);
    if (!read) return;
    cached?.delete(requestKey);
    this.#reads.delete(read);
  }
}

/** How long the analytics catalog is cached, which writes don't affect, in milliseconds. Chosen because its fields change with releases of the upstream. */
const STATIC_TTL_MS = 5 * 60_000;

const isStaticRead = ({ name }: AnyOperation) => name === ListCatalog.name;

/** Whether a failure was caused by the requester's own limits, so that the same call from another request may succeed. */
export const isRequesterLimit = (error: unknown): boolean =>
  error instanceof QueryTooExpensiveError ||
  error instanceof QuotaExceededError ||
  error instanceof NotSentError ||
  (error instanceof ApiError && error.code === 'UPSTREAM_TIMEOUT');

/**
 * Coalesces identical concurrent reads of an API key, and optionally caches responses for a short time. A read that starts after a write has started or ended
 * never gets a response that was requested before.
 */
export class ReadCoalescer {
  readonly #options: ReadCoalescerOptions;
  readonly #cache = new ReadCache();
  /** Number of writes that have started or ended, of all keys, because a key may see records that another key writes. */
  #writes = 0;

  constructor(options: ReadCoalescerOptions) {
    this.#options = options;
  }

  /** Resolves a read from the cache, from a read in flight, or by sending it. */
  read<Call extends ReadCall>(call: Call, send: (call: Call) => Promise<object>): Promise<object> {
    if (call.requester.isDisconnected) return Promise.reject(ABANDONED);
    const other = this.#findInFlight(call);
    if (other) return this.#join(call, other, send);
    const cached = this.#findCached(call);
    return cached ? Promise.resolve(this.#options.turns.resume(cached, call.requester)) : this.#send(call, send);
  }

  /** Called when a write of this key starts or has ended. Discards the key's cached responses, except static ones. Reads in flight can no longer be joined. */
  onWrite(key: ReadKey): void {
    this.#writes += 1;
    for (const { requestKey, isStatic } of key.cached?.values() ?? []) if (!isStatic) this.#cache.delete(key, requestKey);
  }

  /** Discards everything about a key that was revoked or whose records must be read again. Its reads in flight are neither joined nor cached. */
  forget(key: ReadKey): void {
    key.reads = null;
    for (const requestKey of key.cached?.keys() ?? []) this.#cache.delete(key, requestKey);
  }

  /** Discards a cached response that is known to be outdated. */
  discard(key: ReadKey, requestKey: string): void {
    this.#cache.delete(key, requestKey);
  }

  /** Called when the client of a request has disconnected. Reads that no other request waits for can no longer be joined. */
  disconnect(key: ReadKey, requester: ReadRequester): void {
    for (const read of key.inFlight) if (this.#removeRequester(read, requester)) this.#close(read);
  }

  /** The read in flight that a call can join. */
  #findInFlight({ key, requestKey }: ReadCall): InFlightRead | undefined {
    const read = key.reads?.get(requestKey);
    return read?.writes === this.#writes ? read : undefined;
  }

  /** Waits for a read in flight. If that fails because of its requester's limits, sends this call. */
  async #join<Call extends ReadCall>(call: Call, first: InFlightRead, send: (call: Call) => Promise<object>): Promise<object> {
    const { permits, turns, meter } = this.#options;
    for (let other: InFlightRead | undefined = first; other; other = this.#findInFlight(call)) {
      if (other.joined) other.joined.push(call);
      else other.joined = [call];
      meter?.onCoalesced();
      permits.promote(other.call, call.requester);
      const endWait = call.trace?.join(other.call.trace);
      try {
        return await turns.resume(await other.response, call.requester);
      } catch (error) {
        if (!isRequesterLimit(error)) throw error;
      } finally {
        endWait?.();
      }
      if (call.requester.isDisconnected) throw ABANDONED;
      const cached = this.#findCached(call);
      if (cached) return turns.resume(cached, call.requester);
    }
    return this.#send(call, send);
  }

  /** Handles the disconnect of a requester, if it waits for this read. Returns whether no request waits for it anymore. */
  #removeRequester({ call, joined }: InFlightRead, disconnected: ReadRequester): boolean {
    if (call.requester !== disconnected && !joined?.some(({ requester }) => requester === disconnected)) return false;
    const waiting = [call, ...(joined ?? [])].map(({ requester }) => requester).filter(({ isDisconnected }) => !isDisconnected);
    const [successor] = waiting.sort((left, right) => left.sent - right.sent);
    if (successor) this.#transfer(call, successor);
    else {
      call.isAbandoned = true;
      call.wait?.abandon();
    }
    return !successor;
  }

  /** Gives a call the queue position of another request, which has sent the fewest calls of those that wait for it. It is charged for the call if needed. */
  #transfer(call: ReadCall, successor: ReadRequester): void {
    this.#options.permits.requeueFor(call, successor);
    if (!call.chargedTo.isDisconnected || (call.isCharged && !successor.tryConsume())) return;
    if (call.isCharged) call.chargedTo.release();
    call.chargedTo = successor;
  }

  #send<Call extends ReadCall>(call: Call, send: (call: Call) => Promise<object>): Promise<object> {
    const { key, requestKey } = call;
    const read = new InFlightRead(call, send(call), this.#writes);
    key.inFlight.add(read);
    key.reads ??= new Map();
    key.reads.set(requestKey, read);
    return read.response.then(
      (value) => {
        if (this.#findInFlight(call) === read) this.#store(call, value);
        this.#end(read);
        return this.#options.turns.resume(value, call.requester);
      },
      (error: unknown) => {
        this.#end(read);
        throw error;
      },
    );
  }

  #end(read: InFlightRead): void {
    read.call.key.inFlight.remove(read);
    this.#close(read);
  }

  /** Prevents further calls from joining a read. */
  #close(read: InFlightRead): void {
    const { key, requestKey } = read.call;
    if (key.reads?.get(requestKey) === read) key.reads.delete(requestKey);
  }

  #getTtlMs({ operation }: ReadCall): number {
    return isStaticRead(operation) ? STATIC_TTL_MS : this.#options.cacheMs;
  }

  #findCached(call: ReadCall): object | undefined {
    const { key, requestKey } = call;
    if (!key.cached) return undefined;
    const maxAgeMs = Math.min(this.#getTtlMs(call), call.maxAgeMs);
    const read = maxAgeMs > 0 ? this.#cache.get(key, requestKey) : undefined;
    if (!read) return undefined;
    return getRemainingMs(createTimeRange(read.cachedAt, maxAgeMs), this.#options.clock.monotonicMs()) > 0 ? read.value : undefined;
  }

  #store(call: ReadCall, value: object): void {
    if (this.#getTtlMs(call) === 0) return;
    const { key, requestKey, operation, responseLength: size } = call;
    const cachedAt = this.#options.clock.monotonicMs();
    this.#cache.add({ key, requestKey, value, size, cachedAt, isStatic: isStaticRead(operation) });
  }
}
