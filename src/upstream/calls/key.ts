import type { BoundedCache } from '../../lib/boundedCache.ts';
import { LinkedList, type LinkedNode } from '../../lib/linkedList.ts';
import type { GrantEntry, GrantKey, ReportedGrants } from '../access/grants.ts';
import type { KnownList, ListKey } from '../traffic/coveringLists.ts';
import type { KeyQueue, PermitKey } from '../traffic/permits.ts';
import type { QuotaKey, QuotaState } from '../traffic/quota.ts';
import type { Sender, SenderQueue } from '../traffic/senders.ts';
import type { CachedRead, InFlightRead, ReadKey } from './readCoalescer.ts';
import type { RetryKey } from './retry.ts';

/** All that this process knows about one API key. Each group of fields belongs to the file that its comment names. Contains no secret. */
export class Key implements GrantKey, QuotaKey, RetryKey, PermitKey, ReadKey, ListKey, Sender, LinkedNode<Key> {
  /** SHA-256 of the API key, by which other processes know it. */
  readonly hash: string;
  /** Sessions that are open (session.ts). */
  sessions = 0;
  /** access/grants.ts */
  grants: GrantEntry | null = null;
  reportedGrants: ReportedGrants | null = null;
  /** traffic/quota.ts */
  quota: QuotaState | null = null;
  /** calls/retry.ts */
  retryTokens: number | null = null;
  pausing = 0;
  /** traffic/permits.ts */
  running = 0;
  runningExpensive = 0;
  queue: KeyQueue | null = null;
  /** calls/readCoalescer.ts */
  reads: Map<string, InFlightRead> | null = null;
  readonly inFlight = new LinkedList<InFlightRead>();
  cached: Map<string, CachedRead> | null = null;
  /** traffic/coveringLists.ts */
  lists: BoundedCache<KnownList> | null = null;
  /** traffic/senders.ts */
  turns: SenderQueue | null = null;
  previous: Key | undefined;
  next: Key | undefined;
  readonly #strangers: Key;

  /** `strangers`: the sender that the key counts as until the upstream has accepted it. Default: it's a sender of its own. */
  constructor(hash: string, strangers?: Key) {
    this.hash = hash;
    this.#strangers = strangers ?? this;
  }

  /** Whether the upstream hasn't accepted the key since this process knows it, or has rejected it since. Fetches nothing to find out. */
  get isStranger(): boolean {
    return this.reportedGrants === null;
  }

  /** The sender of its requests. */
  get sender(): Sender {
    return this.isStranger ? this.#strangers : this;
  }

  /** Whether sessions or calls refer to this object, so that a second one must not be created for the key. */
  get isBusy(): boolean {
    return this.sessions > 0 || this.running > 0 || this.pausing > 0 || this.queue !== null || this.inFlight.first !== undefined;
  }
}

/** Maximum number of keys, unless all are busy. Chosen: an idle key takes 1.2 kB. */
const MAX_KEYS = 10_000;
/** Maximum number of keys that an eviction examines. Chosen: more than 100 busy or blocked keys in a row are rare, and examining them takes microseconds. */
const MAX_EXAMINED = 100;

export interface KeysOptions {
  readonly max?: number;
  /** Whether a key that isn't busy should be kept, because forgetting it costs a call. */
  readonly isWorthKeeping?: (key: Key) => boolean;
  /** Called for each key that is evicted. */
  readonly onEvict?: (key: Key) => void;
}

/**
 * The API keys of an upstream, by their hash. The least recently used key is evicted, but never one with requests or calls: if all are busy, their number is
 * limited only by that of requests.
 */
export class Keys implements Iterable<Key> {
  /** The key of all requests without an API key, which sends no calls. Also the sender of all requests with a key that the upstream hasn't accepted. */
  readonly none = new Key('');
  readonly #byHash = new Map<string, Key>();
  /** Least recently used first. */
  readonly #recency = new LinkedList<Key>();
  readonly #options: Required<KeysOptions>;

  constructor({ max = MAX_KEYS, isWorthKeeping = () => false, onEvict = () => {} }: KeysOptions = {}) {
    this.#options = { max, isWorthKeeping, onEvict };
  }

  get size(): number {
    return this.#byHash.size;
  }

  [Symbol.iterator](): Iterator<Key> {
    return this.#byHash.values();
  }

  /** Returns the key with this hash. Creates it if it isn't known. */
  get(hash: string): Key {
    const known = this.#byHash.get(hash);
    if (!known) return this.#add(new Key(hash, this.none));
    this.#touch(known);
    return known;
  }

  /** The sender of requests with the key that has this hash, or without a key. Doesn't create the key. */
  getSender(hash: string | null): Sender {
    return (hash === null ? undefined : this.#byHash.get(hash))?.sender ?? this.none;
  }

  #add(key: Key): Key {
    if (this.#byHash.size >= this.#options.max) this.#evict();
    this.#byHash.set(key.hash, key);
    this.#recency.add(key);
    return key;
  }

  #touch(key: Key): void {
    if (this.#recency.last === key) return;
    this.#recency.remove(key);
    this.#recency.add(key);
  }

  /** Evicts the least recently used key that is neither busy nor worth keeping. If there are too many of those, evicts one that is worth keeping. */
  #evict(): void {
    const { isWorthKeeping, onEvict } = this.#options;
    let victim: Key | undefined;
    for (let examined = 0; examined < MAX_EXAMINED; examined += 1) {
      const oldest = this.#recency.first;
      if (!oldest) break;
      if (!oldest.isBusy) {
        victim ??= oldest;
        if (!isWorthKeeping(oldest)) {
          victim = oldest;
          break;
        }
      }
      this.#touch(oldest);
    }
    if (!victim) return;
    this.#byHash.delete(victim.hash);
    this.#recency.remove(victim);
    onEvict(victim);
  }
}
