import { AbandonedError } from '../../failures.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** An answer, and the length of its JSON. */
export interface Sized {
  readonly value: object;
  readonly size: number;
}

/** The document of a read, as far as it matters here. */
interface Document {
  /** Whether its caller has left: then it waits for nothing any more. */
  readonly hasLeft: boolean;
}

/** What a read is told apart by, beside its request, and for whom it is. */
interface Asked {
  readonly credential: string;
  readonly operation: AnyOperation;
  readonly document: Document;
}

export interface SharedReadsOptions<Call> {
  readonly send: (call: Call) => Promise<Sized>;
  /** Another call waits for the answer of one that is under way. */
  readonly onJoin: (underWay: Call, other: Call) => void;
  /** One who waited for the answer has left; these wait still. Without any, nobody will ask for it, or for what it fails with. */
  readonly onLeave: (underWay: Call, waiting: readonly Call[]) => void;
  /** Whether a failure is the asker's own, and says nothing to others who ask the same. */
  readonly isOwn: (error: unknown) => boolean;
  /** How long an answer is kept, in milliseconds; 0 keeps none. */
  readonly cacheMs: number;
  readonly clock: Clock;
}

/** What the cache holds at most: entries, and characters of their JSON. Ours. */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 16 * 1024 * 1024;

interface InFlight<Call> {
  readonly call: Call;
  readonly answer: Promise<Sized>;
  /** The calls that have joined it; null when there are none. */
  joined: Call[] | null;
}

/** The id of what is kept: a key's alone. */
const idOf = (credential: string, question: string) => `${credential} ${question}`;

interface Cached extends Sized {
  readonly credential: string;
}

/**
 * Reads that several requests ask at the same time are sent once, for each key by itself. Answers may also be kept for a moment. A read
 * that begins after a write has begun or ended never gets an answer that was asked for before.
 */
export class SharedReads<Call extends Asked> {
  readonly #options: SharedReadsOptions<Call>;
  /** By credential, by question: what a call is told apart by is kept once, as its request keeps it. */
  readonly #inFlight = new Map<string, Map<string, InFlight<Call>>>();
  /** Reads under way that nobody may join any more, since something was written. */
  readonly #closed = new Set<InFlight<Call>>();
  /** Null where answers are not kept. */
  readonly #cache: BoundedCache<Cached> | null;

  constructor(options: SharedReadsOptions<Call>) {
    this.#options = options;
    const { cacheMs: ttlMs, clock } = options;
    const weight = { max: MAX_SIZE, weightOf: (_id: string, { size }: Cached) => size };
    this.#cache = ttlMs === 0 ? null : new BoundedCache({ entries: MAX_ENTRIES, weight, ttlMs, clock });
  }

  /** Answers a read: from what is kept or under way for this key, or by sending it. `question` is the same for calls that ask the same. */
  read(call: Call, question: string): Promise<object> {
    if (call.document.hasLeft) return Promise.reject(new AbandonedError());
    const other = this.#underWay(call, question);
    if (other) return this.#join(question, call, other);
    const cached = this.#cached(call, question);
    return cached ? Promise.resolve(cached.value) : this.#send(question, call);
  }

  #underWay({ credential }: Call, question: string): InFlight<Call> | undefined {
    return this.#inFlight.get(credential)?.get(question);
  }

  /** Waits for a read that is under way. What it fails with for its own limits says nothing to this one, which asks again. */
  async #join(question: string, call: Call, first: InFlight<Call>): Promise<object> {
    for (let other: InFlight<Call> | undefined = first; other; other = this.#underWay(call, question)) {
      if (other.joined) other.joined.push(call);
      else other.joined = [call];
      this.#options.onJoin(other.call, call);
      try {
        return (await other.answer).value;
      } catch (error) {
        if (!this.#options.isOwn(error)) throw error;
      }
      if (call.document.hasLeft) throw new AbandonedError();
      const cached = this.#cached(call, question);
      if (cached) return cached.value;
    }
    return this.#send(question, call);
  }

  /** A write of this key begins, or has ended. What any key asks for from here on is asked anew, since a key may see what another one writes. */
  onWrite(credential: string): void {
    for (const reads of this.#inFlight.values()) for (const entry of reads.values()) this.#closed.add(entry);
    this.#inFlight.clear();
    this.#dropKept(credential);
  }

  #dropKept(credential: string): void {
    this.#cache?.deleteWhere((cached) => cached.credential === credential);
  }

  /** The upstream does not take this key any more: what is kept for it goes, and what is under way is not for others to join, or to be kept. */
  forget(credential: string): void {
    for (const entry of this.#inFlight.get(credential)?.values() ?? []) this.#closed.add(entry);
    this.#inFlight.delete(credential);
    this.#dropKept(credential);
  }

  /** A document `hasLeft`. A read that nobody else waits for is not there for others to join any more. */
  leave(document: Document): void {
    for (const reads of this.#inFlight.values()) {
      for (const [question, entry] of reads) if (this.#isDeserted(entry, document)) this.#forget(entry.call.credential, question);
    }
    for (const entry of this.#closed) this.#isDeserted(entry, document);
  }

  /** Whether nobody waits for a read any more, now that this document has left. */
  #isDeserted({ call, joined }: InFlight<Call>, left: Document): boolean {
    if (call.document !== left && !joined?.some(({ document }) => document === left)) return false;
    const waiting = [call, ...(joined ?? [])].filter(({ document }) => !document.hasLeft);
    this.#options.onLeave(call, waiting);
    return waiting.length === 0;
  }

  #send(question: string, call: Call): Promise<object> {
    const { credential } = call;
    const entry: InFlight<Call> = { call, answer: this.#options.send(call), joined: null };
    const reads = this.#inFlight.get(credential);
    if (reads) reads.set(question, entry);
    else this.#inFlight.set(credential, new Map([[question, entry]]));
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

  #end(question: string, entry: InFlight<Call>): void {
    if (this.#underWay(entry.call, question) === entry) this.#forget(entry.call.credential, question);
    else this.#closed.delete(entry);
  }

  #forget(credential: string, question: string): void {
    const reads = this.#inFlight.get(credential);
    reads?.delete(question);
    if (reads?.size === 0) this.#inFlight.delete(credential);
  }

  #cached({ credential }: Call, question: string): Cached | undefined {
    return this.#cache?.get(idOf(credential, question));
  }

  #keep({ credential }: Call, question: string, { value, size }: Sized): void {
    this.#cache?.set(idOf(credential, question), { credential, value, size });
  }
}
