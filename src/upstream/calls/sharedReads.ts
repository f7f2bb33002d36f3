import { ABANDONED } from '../../failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { CallBudget } from '../traffic/callBudget.ts';

/** An answer, and the length of its JSON. */
export interface SizedResponse {
  readonly value: object;
  readonly size: number;
}

/** Request that asks, by its budget: once its caller `isDisconnected`, it waits for nothing. */
type Requester = Pick<CallBudget, 'isDisconnected'>;

/** A call that reads. */
interface ReadCall {
  readonly keyHash: string;
  readonly operation: AnyOperation;
  readonly requester: Requester;
}

export interface SharedReadsOptions<Call> {
  readonly send: (call: Call) => Promise<SizedResponse>;
  /** Told when a call joins one that is under way. What it answers is told when the call waits no more. */
  readonly onJoin: (underWay: Call, other: Call) => (() => void) | undefined;
  /** Told when a request that waited for an answer has left; `waiting` are those that still do. Without any, neither answer nor failure is read. */
  readonly onLeave: (underWay: Call, waiting: readonly Call[]) => void;
  /** Whether a failure comes of the limits of the requester, so that others who ask the same may succeed. */
  readonly isOwn: (error: unknown) => boolean;
  /** Milliseconds for which an answer is kept; 0 keeps none. */
  readonly cacheMs: number;
  readonly clock: Clock;
}

/** Bounds of the cache: entries, and characters of their JSON. Ours. */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 16 * 1024 * 1024;

interface ReadUnderWay<Call> {
  readonly call: Call;
  readonly answer: Promise<SizedResponse>;
  /** Calls that have joined it; null for none. */
  joined: Call[] | null;
}

/** Id of an answer in the cache, of a single API key. */
const idOf = (keyHash: string, question: string) => `${keyHash} ${question}`;

interface Cached extends SizedResponse {
  readonly keyHash: string;
}

/**
 * Shared reads: reads that several requests of an API key ask at the same time are sent once. Answers may also be kept for a moment. A read that begins after
 * a write has begun or ended never gets an answer that was asked for before.
 */
export class SharedReads<Call extends ReadCall> {
  readonly #options: SharedReadsOptions<Call>;
  /** Reads under way that may be joined, by key hash, by question. A question is long: the text that its request keeps is not copied. */
  readonly #open = new Map<string, Map<string, ReadUnderWay<Call>>>();
  /** Reads under way that may not be joined any more, since something was written. */
  readonly #closed = new Set<ReadUnderWay<Call>>();
  /** Null where answers are not kept. */
  readonly #cache: BoundedCache<Cached> | null;

  constructor(options: SharedReadsOptions<Call>) {
    this.#options = options;
    const { cacheMs: ttlMs, clock } = options;
    const weight = { max: MAX_SIZE, weightOf: (_id: string, { size }: Cached) => size };
    this.#cache = ttlMs === 0 ? null : new BoundedCache({ entries: MAX_ENTRIES, weight, ttlMs, clock });
  }

  /** Shared read (2): answers a read from the cache, from a read under way, or by sending it. `question` is the same for calls that ask the same. */
  read(call: Call, question: string): Promise<object> {
    if (call.requester.isDisconnected) return Promise.reject(ABANDONED);
    const other = this.#underWay(call, question);
    if (other) return this.#join(question, call, other);
    const cached = this.#cached(call, question);
    return cached ? Promise.resolve(cached.value) : this.#send(question, call);
  }

  #underWay({ keyHash }: Call, question: string): ReadUnderWay<Call> | undefined {
    return this.#open.get(keyHash)?.get(question);
  }

  /** Waits for a read that is under way. When that fails for limits of its own requester, this call asks again. */
  async #join(question: string, call: Call, first: ReadUnderWay<Call>): Promise<object> {
    for (let other: ReadUnderWay<Call> | undefined = first; other; other = this.#underWay(call, question)) {
      if (other.joined) other.joined.push(call);
      else other.joined = [call];
      const onEnd = this.#options.onJoin(other.call, call);
      try {
        return (await other.answer).value;
      } catch (error) {
        if (!this.#options.isOwn(error)) throw error;
      } finally {
        onEnd?.();
      }
      if (call.requester.isDisconnected) throw ABANDONED;
      const cached = this.#cached(call, question);
      if (cached) return cached.value;
    }
    return this.#send(question, call);
  }

  /** A write of this key begins, or has ended. All keys ask anew from here on, since a key may see the records that another one writes. */
  onWrite(keyHash: string): void {
    for (const reads of this.#open.values()) for (const entry of reads.values()) this.#closed.add(entry);
    this.#open.clear();
    this.#dropKept(keyHash);
  }

  #dropKept(keyHash: string): void {
    this.#cache?.deleteWhere((cached) => cached.keyHash === keyHash);
  }

  /** The upstream accepts this key no more, or its records are to be read anew: its kept answers go, and its reads under way are neither joined nor kept. */
  forget(keyHash: string): void {
    for (const entry of this.#open.get(keyHash)?.values() ?? []) this.#closed.add(entry);
    this.#open.delete(keyHash);
    this.#dropKept(keyHash);
  }

  /** The caller of a request has left. Reads that no other request waits for cannot be joined any more. */
  leave(requester: Requester): void {
    for (const reads of this.#open.values()) {
      for (const [question, entry] of reads) if (this.#isDeserted(entry, requester)) this.#forget(entry.call.keyHash, question);
    }
    for (const entry of this.#closed) this.#isDeserted(entry, requester);
  }

  /** Whether no request waits for a read any more, now that this one has left. */
  #isDeserted({ call, joined }: ReadUnderWay<Call>, left: Requester): boolean {
    if (call.requester !== left && !joined?.some(({ requester }) => requester === left)) return false;
    const waiting = [call, ...(joined ?? [])].filter(({ requester }) => !requester.isDisconnected);
    this.#options.onLeave(call, waiting);
    return waiting.length === 0;
  }

  #send(question: string, call: Call): Promise<object> {
    const { keyHash } = call;
    const entry: ReadUnderWay<Call> = { call, answer: this.#options.send(call), joined: null };
    const reads = this.#open.get(keyHash);
    if (reads) reads.set(question, entry);
    else this.#open.set(keyHash, new Map([[question, entry]]));
    return entry.answer.then(
      (answer) => {
        if (this.#underWay(call, question) === entry) this.#keep(call, question, answer);
        this.#end(question, entry);
        return answer.value;
      },
      (error: unknown) => {
        this.#end(question, entry);
        throw error;
      },
    );
  }

  #end(question: string, entry: ReadUnderWay<Call>): void {
    if (this.#underWay(entry.call, question) === entry) this.#forget(entry.call.keyHash, question);
    else this.#closed.delete(entry);
  }

  #forget(keyHash: string, question: string): void {
    const reads = this.#open.get(keyHash);
    reads?.delete(question);
    if (reads?.size === 0) this.#open.delete(keyHash);
  }

  #cached({ keyHash }: Call, question: string): Cached | undefined {
    return this.#cache?.get(idOf(keyHash, question));
  }

  #keep({ keyHash }: Call, question: string, { value, size }: SizedResponse): void {
    this.#cache?.set(idOf(keyHash, question), { keyHash, value, size });
  }
}
