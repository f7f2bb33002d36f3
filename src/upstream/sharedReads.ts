import { canonicalJson } from './canonical.ts';
import type { AnyOperation } from './operation.ts';

/** An answer, and the length of its JSON. */
export interface Sized {
  readonly value: object;
  readonly size: number;
}

/** What a read is told apart by, beside its request. */
interface Asked {
  readonly credential: string;
  readonly operation: AnyOperation;
}

export interface SharedReadsOptions<Call> {
  readonly send: (call: Call) => Promise<Sized>;
  /** Another call waits for the answer of one that is under way. */
  readonly onJoin: (underWay: Call, other: Call) => void;
  /** Whether a failure is the asker's own, and says nothing to others who ask the same. */
  readonly isOwn: (error: unknown) => boolean;
  /** How long an answer is kept, in milliseconds; 0 keeps none. */
  readonly cacheMs: number;
  readonly now: () => number;
}

/** What the cache holds at most: entries, and characters of their JSON. Ours. */
const MAX_ENTRIES = 10_000;
const MAX_SIZE = 64 * 1024 * 1024;

interface InFlight<Call> {
  readonly call: Call;
  readonly answer: Promise<Sized>;
}

interface Cached extends Sized {
  readonly credential: string;
  readonly until: number;
}

/**
 * Reads that several requests ask at the same time are sent once, for each key by itself. Answers may also be kept for a moment. A read
 * that begins after a write has begun or ended never gets an answer that was asked for before.
 */
export class SharedReads<Call extends Asked> {
  readonly #options: SharedReadsOptions<Call>;
  readonly #inFlight = new Map<string, InFlight<Call>>();
  readonly #cache = new Map<string, Cached>();
  #cachedSize = 0;

  constructor(options: SharedReadsOptions<Call>) {
    this.#options = options;
  }

  /** Answers a read: from what is kept or under way for this key, or by sending it. */
  async read(call: Call, request: object): Promise<object> {
    const id = `${call.credential} ${call.operation.name} ${canonicalJson(request)}`;
    for (;;) {
      const cached = this.#cached(id);
      if (cached) return cached.value;
      const other = this.#inFlight.get(id);
      if (!other) return (await this.#send(id, call)).value;
      this.#options.onJoin(other.call, call);
      try {
        return (await other.answer).value;
      } catch (error) {
        if (!this.#options.isOwn(error)) throw error;
      }
    }
  }

  /** A write of this key begins, or has ended. What any key asks for from here on is asked anew, since a key may see what another one writes. */
  onWrite(credential: string): void {
    this.#inFlight.clear();
    for (const [id, cached] of this.#cache) if (cached.credential === credential) this.#drop(id, cached);
  }

  async #send(id: string, call: Call): Promise<Sized> {
    const entry: InFlight<Call> = { call, answer: this.#options.send(call) };
    this.#inFlight.set(id, entry);
    try {
      const answer = await entry.answer;
      if (this.#inFlight.get(id) === entry) this.#keep(id, call.credential, answer);
      return answer;
    } finally {
      if (this.#inFlight.get(id) === entry) this.#inFlight.delete(id);
    }
  }

  #cached(id: string): Cached | undefined {
    const cached = this.#cache.get(id);
    if (!cached || cached.until > this.#options.now()) return cached;
    this.#drop(id, cached);
    return undefined;
  }

  #keep(id: string, credential: string, { value, size }: Sized): void {
    const { cacheMs, now } = this.#options;
    if (cacheMs === 0 || size > MAX_SIZE) return;
    const before = this.#cache.get(id);
    if (before) this.#drop(id, before);
    this.#cache.set(id, { credential, value, size, until: now() + cacheMs });
    this.#cachedSize += size;
    for (const [oldest, cached] of this.#cache) {
      if (this.#cache.size <= MAX_ENTRIES && this.#cachedSize <= MAX_SIZE) break;
      this.#drop(oldest, cached);
    }
  }

  #drop(id: string, { size }: Cached): void {
    this.#cache.delete(id);
    this.#cachedSize -= size;
  }
}
