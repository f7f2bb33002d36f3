import { ABANDONED, ApiError, NotSentError, QueryTooExpensiveError, QuotaExceededError } from '../../failures/failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, getRemainingMs } from '../../lib/clock.ts';
import { ListCatalog } from '../contract/generated/operations.ts';
import { type AnyOperation, isRead } from '../contract/operation.ts';
import type { CallBudget } from '../traffic/callBudget.ts';
import type { RequestCall, Send } from './call.ts';

/** The request of a call, represented by its budget. */
type Requester = Pick<CallBudget, 'isDisconnected'>;

/** A call of a read operation. */
interface ReadCall {
  readonly keyHash: string;
  readonly operation: AnyOperation;
  readonly requestKey: string;
  readonly requester: Requester;
  /** Maximum age of a cached response, in milliseconds. */
  readonly maxAgeMs: number;
  /** Length of the response's JSON, in characters. 0 before the response. */
  readonly responseLength: number;
}

export interface ReadCoalescerOptions<Call> {
  /** Called when a call joins a read in flight. The returned function is called when the call stops waiting. */
  readonly onJoin: (inFlight: Call, other: Call) => (() => void) | undefined;
  /**
   * Called when a request that waited for a response has disconnected. `waiting` contains the calls that still wait. If there are none, the result is
   * discarded.
   */
  readonly onDisconnect: (inFlight: Call, waiting: readonly Call[]) => void;
  /** How long responses are cached, in milliseconds. 0 disables the cache, except for the operations of `STATIC_TTL_MS`. */
  readonly cacheMs: number;
  readonly clock: Clock;
}

/** Cache limits: number of responses, and total length of their JSON in characters. Chosen to use a small part of a process's memory. */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 16 * 1024 * 1024;

interface InFlightRead<Call> {
  readonly call: Call;
  readonly response: Promise<object>;
  /** Calls that have joined it. Null if there are none. */
  joined: Call[] | null;
}

/**
 * Operations whose responses are unaffected by writes, with the time to cache them in milliseconds. Chosen because the fields of the analytics catalog change
 * with releases of the upstream.
 */
const STATIC_TTL_MS: ReadonlyMap<string, number> = new Map([[ListCatalog.name, 5 * 60_000]]);

const getCacheKey = ({ keyHash, requestKey }: Pick<ReadCall, 'keyHash' | 'requestKey'>) => `${keyHash} ${requestKey}`;

interface Cached {
  readonly keyHash: string;
  readonly value: object;
  readonly size: number;
  /** On the monotonic clock. */
  readonly cachedAt: number;
  readonly isStatic: boolean;
}

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
export class ReadCoalescer<Call extends ReadCall> {
  readonly #options: ReadCoalescerOptions<Call>;
  /** Reads in flight that can be joined, by key hash, then by request key. Request keys are long, so they aren't copied into a combined key. */
  readonly #open = new Map<string, Map<string, InFlightRead<Call>>>();
  /** Reads in flight that can no longer be joined, because of a write. */
  readonly #closed = new Set<InFlightRead<Call>>();
  readonly #cache: BoundedCache<Cached>;

  constructor(options: ReadCoalescerOptions<Call>) {
    this.#options = options;
    const weight = { max: MAX_SIZE, weightOf: (_id: string, { size }: Cached) => size };
    this.#cache = new BoundedCache({ entries: MAX_ENTRIES, weight });
  }

  /** Resolves a read from the cache, from a read in flight, or by sending it. */
  read(call: Call, send: (call: Call) => Promise<object>): Promise<object> {
    if (call.requester.isDisconnected) return Promise.reject(ABANDONED);
    const other = this.#findInFlight(call);
    if (other) return this.#join(call, other, send);
    const cached = this.#findCached(call);
    return cached ? Promise.resolve(cached) : this.#send(call, send);
  }

  /**
   * Called when a write of this key starts or has ended. Discards the key's cached responses, except static ones. Reads in flight of all keys can no longer be
   * joined, because a key may see records that another key writes.
   */
  onWrite(keyHash: string): void {
    for (const reads of this.#open.values()) for (const entry of reads.values()) this.#closed.add(entry);
    this.#open.clear();
    this.#cache.deleteWhere((cached) => cached.keyHash === keyHash && !cached.isStatic);
  }

  /** Discards everything about a key that was revoked or whose records must be read again. Its reads in flight are neither joined nor cached. */
  forget(keyHash: string): void {
    for (const entry of this.#open.get(keyHash)?.values() ?? []) this.#closed.add(entry);
    this.#open.delete(keyHash);
    this.#cache.deleteWhere((cached) => cached.keyHash === keyHash);
  }

  /** Discards a cached response that is known to be outdated. */
  discard(keyHash: string, requestKey: string): void {
    this.#cache.delete(getCacheKey({ keyHash, requestKey }));
  }

  /** Called when the client of a request has disconnected. Reads that no other request waits for can no longer be joined. */
  disconnect(requester: Requester): void {
    for (const reads of this.#open.values()) {
      for (const entry of reads.values()) if (this.#removeRequester(entry, requester)) this.#close(entry.call);
    }
    for (const entry of this.#closed) this.#removeRequester(entry, requester);
  }

  #findInFlight({ keyHash, requestKey }: Call): InFlightRead<Call> | undefined {
    return this.#open.get(keyHash)?.get(requestKey);
  }

  /** Waits for a read in flight. If that fails because of its requester's limits, sends this call. */
  async #join(call: Call, first: InFlightRead<Call>, send: (call: Call) => Promise<object>): Promise<object> {
    for (let other: InFlightRead<Call> | undefined = first; other; other = this.#findInFlight(call)) {
      if (other.joined) other.joined.push(call);
      else other.joined = [call];
      const onEnd = this.#options.onJoin(other.call, call);
      try {
        return await other.response;
      } catch (error) {
        if (!isRequesterLimit(error)) throw error;
      } finally {
        onEnd?.();
      }
      if (call.requester.isDisconnected) throw ABANDONED;
      const cached = this.#findCached(call);
      if (cached) return cached;
    }
    return this.#send(call, send);
  }

  /** Handles the disconnect of a requester, if it waits for this read. Returns whether no request waits for it anymore. */
  #removeRequester({ call, joined }: InFlightRead<Call>, disconnected: Requester): boolean {
    if (call.requester !== disconnected && !joined?.some(({ requester }) => requester === disconnected)) return false;
    const waiting = [call, ...(joined ?? [])].filter(({ requester }) => !requester.isDisconnected);
    this.#options.onDisconnect(call, waiting);
    return waiting.length === 0;
  }

  #send(call: Call, send: (call: Call) => Promise<object>): Promise<object> {
    const { keyHash, requestKey } = call;
    const entry: InFlightRead<Call> = { call, response: send(call), joined: null };
    const reads = this.#open.get(keyHash);
    if (reads) reads.set(requestKey, entry);
    else this.#open.set(keyHash, new Map([[requestKey, entry]]));
    return entry.response.then(
      (value) => {
        if (this.#findInFlight(call) === entry) this.#store(call, value);
        this.#finish(entry);
        return value;
      },
      (error: unknown) => {
        this.#finish(entry);
        throw error;
      },
    );
  }

  #finish(entry: InFlightRead<Call>): void {
    if (this.#findInFlight(entry.call) === entry) this.#close(entry.call);
    else this.#closed.delete(entry);
  }

  #close({ keyHash, requestKey }: Call): void {
    const reads = this.#open.get(keyHash);
    reads?.delete(requestKey);
    if (reads?.size === 0) this.#open.delete(keyHash);
  }

  #getTtlMs({ operation }: Call): number {
    return STATIC_TTL_MS.get(operation.name) ?? this.#options.cacheMs;
  }

  #findCached(call: Call): object | undefined {
    const maxAgeMs = Math.min(this.#getTtlMs(call), call.maxAgeMs);
    if (maxAgeMs === 0) return undefined;
    const cached = this.#cache.get(getCacheKey(call));
    return cached && getRemainingMs(createTimeRange(cached.cachedAt, maxAgeMs), this.#options.clock.monotonicMs()) > 0
      ? cached.value
      : undefined;
  }

  #store(call: Call, value: object): void {
    if (this.#getTtlMs(call) === 0) return;
    const { keyHash, operation, responseLength: size } = call;
    const cachedAt = this.#options.clock.monotonicMs();
    this.#cache.set(getCacheKey(call), { keyHash, value, size, cachedAt, isStatic: STATIC_TTL_MS.has(operation.name) });
  }
}

export interface DeduplicateOptions {
  readonly reads: ReadCoalescer<RequestCall>;
}

/** Coalesces identical reads of a key until something is written. Analytics queries are never coalesced. */
export const deduplicate =
  ({ reads }: DeduplicateOptions, next: Send): Send<RequestCall> =>
  (call) => {
    if (call.operation.effect === 'EXPENSIVE_READ') return next(call);
    if (isRead(call.operation)) return reads.read(call, next);
    reads.onWrite(call.keyHash);
    return next(call).finally(() => reads.onWrite(call.keyHash));
  };
