import { readFileSync, type Stats, statSync } from 'node:fs';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, getRemainingMs, systemClock, type TimeRange } from '../../lib/clock.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';

/** The API key of an account. */
export interface Assignment {
  readonly apiKey: string;
  /** Scopes that the account can use. Null for all scopes of the key. */
  readonly scopes: ReadonlySet<string> | null;
  /** Tokens that were issued earlier are refused, in Unix seconds. */
  readonly issuedAfter: number;
}

/** Assigns API keys to values of a token's claim. */
export interface KeyStore {
  /** Undefined if no key is assigned. Rejects if the store can't be read. */
  find(claimValue: string): Promise<Assignment | undefined>;
}

/** Where a key store is. */
export type StoreLocation =
  | { readonly kind: 'redis'; readonly url: string; readonly prefix: string }
  | { readonly kind: 'env'; readonly variable: string }
  | { readonly kind: 'file'; readonly path: string };

/** Parses a valid `AUTH_KEYS`. */
export function parseStoreLocation(location: string): StoreLocation {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(location) ?? [];
  if (scheme === 'env') return { kind: 'env', variable: rest };
  if (scheme === 'file') return { kind: 'file', path: rest };
  const url = new URL(location);
  const prefix = url.searchParams.get('prefix') ?? '';
  url.search = '';
  return { kind: 'redis', url: url.href, prefix };
}

/** An API key as it can be sent in a header. */
const KEY = /^[\x21-\x7e]{1,500}$/;

/** Returns the problem of an assignment, worded to follow its name. Undefined if it's valid. */
export function findAssignmentProblem(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'must be an object with `key`.';
  const { key, scopes, issuedAfter, ...others } = value;
  // Without its name, which can be a misplaced key. A misspelled `scopes` doesn't limit the account.
  if (Object.keys(others).length > 0) return 'must have no other members than `key`, `scopes` and `issuedAfter`.';
  if (typeof key !== 'string' || !KEY.test(key)) return 'must have a `key` of visible ASCII characters.';
  if (scopes !== undefined && !isStringArray(scopes)) return 'must have `scopes` that are an array of strings.';
  return issuedAfter === undefined || typeof issuedAfter === 'number' ? undefined : 'must have an `issuedAfter` in Unix seconds.';
}

const isStringArray = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Parses an assignment. Undefined if it's malformed, because a misspelled limit must not give an account all scopes. */
function toAssignment(value: unknown): Assignment | undefined {
  if (findAssignmentProblem(value) !== undefined) return undefined;
  const { key, scopes, issuedAfter = 0 } = value as { readonly key: string; readonly scopes?: string[]; readonly issuedAfter?: number };
  return { apiKey: key, scopes: scopes === undefined ? null : new Set(scopes), issuedAfter };
}

/** Parses a JSON object of assignments by claim value. Throws without quoting the text, which contains keys. */
export function parseAssignments(text: string, source: string): JsonObject {
  const json = parseJson(text);
  if (!isJsonObject(json)) throw new Error(`${source} must contain a JSON object of claim values and their assignments.`);
  return json;
}

/** A store in memory. `Object.hasOwn`, because `__proto__` and `constructor` are valid subjects. */
const findIn = (entries: JsonObject, claimValue: string) =>
  Object.hasOwn(entries, claimValue) ? toAssignment(entries[claimValue]) : undefined;

/** Assignments that are fixed when the process starts. */
export function createFixedStore(entries: JsonObject): KeyStore {
  return { find: async (claimValue) => findIn(entries, claimValue) };
}

/** Permissions of a file beyond those of its owner. */
const OTHERS = 0o077;
/** Kubernetes adds this permission to secrets of pods with `fsGroup`, whose files belong to root. */
const GROUP_READ = 0o040;

/** Whether only this process, and the administrator who mounted the file, can read it. */
const isPrivate = (mode: number, owner: number) =>
  (mode & OTHERS) === 0 || ((mode & OTHERS) === GROUP_READ && owner !== process.getuid?.());

/** Returns the problem of a file's permissions, worded to follow its path. Undefined if no other user can read it. */
export function findPermissionProblem(path: string, { mode, uid }: Stats): string | undefined {
  // Windows has no such permissions.
  return process.platform === 'win32' || isPrivate(mode, uid) ? undefined : `can be read by other users. Run: chmod 600 ${path}`;
}

/** A JSON file, which is read again when it changes. */
export class FileKeyStore implements KeyStore {
  readonly #path: string;
  #read: { readonly version: string; readonly entries: JsonObject } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The assignments of the file. Throws if the file can't be read, isn't valid, or can be read by others. */
  load(): JsonObject {
    const stats = statSync(this.#path);
    const problem = findPermissionProblem(this.#path, stats);
    if (problem) throw new Error(`${this.#path} ${problem}`);
    const version = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    if (this.#read?.version !== version) this.#read = { version, entries: parseAssignments(readFileSync(this.#path, 'utf8'), this.#path) };
    return this.#read.entries;
  }

  async find(claimValue: string): Promise<Assignment | undefined> {
    return findIn(this.load(), claimValue);
  }
}

/** The command of Redis that the store needs. */
interface RedisReader {
  get(key: string): Promise<string | null>;
}

/** Assignments in Redis: each a JSON text under the prefix and the claim value. */
export function createRedisStore(redis: RedisReader, prefix: string): KeyStore {
  return {
    find: async (claimValue) => {
      const text = await redis.get(prefix + claimValue);
      return text === null ? undefined : toAssignment(parseJson(text));
    },
  };
}

/** How long an assignment is cached, in milliseconds: as long as the grants of a key. And how long a missing one is, which may be about to be added. */
const FRESH_MS = 30_000;
const MISSING_MS = 5_000;
/** Interval between attempts to read an assignment while the store can't be read, in milliseconds. */
const RETRY_MS = 5_000;
/** Maximum number of cached claim values, and their total length in characters. */
const MAX_CACHED = 10_000;
const MAX_CACHED_CHARACTERS = 100 * MAX_CACHED;

interface CachedAssignment {
  readonly assignment: Assignment | undefined;
  readonly fresh: TimeRange;
  readonly usable: TimeRange;
}

/**
 * Caches the assignments of a store. While the store can't be read, an assignment is used for up to `staleMs`. A claim value is looked up once at a time.
 */
export class CachedKeyStore implements KeyStore {
  readonly #store: KeyStore;
  readonly #staleMs: number;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #cached = new BoundedCache<CachedAssignment>({
    entries: MAX_CACHED,
    weight: { max: MAX_CACHED_CHARACTERS, weightOf: (claimValue) => claimValue.length },
  });
  readonly #pending = new Map<string, Promise<Assignment | undefined>>();
  /** Incremented by `clear`, so that lookups in flight aren't cached. */
  #generation = 0;

  constructor(store: KeyStore, staleMs: number, onFailure: (error: unknown) => void, clock: Clock = systemClock) {
    this.#store = store;
    this.#staleMs = staleMs;
    this.#onFailure = onFailure;
    this.#clock = clock;
  }

  /** Returns a fresh assignment that is cached. Undefined if it must be looked up, or if there is none. */
  getKnown(claimValue: string): Assignment | undefined {
    const cached = this.#cached.get(claimValue);
    return cached && this.#isWithin(cached.fresh) ? cached.assignment : undefined;
  }

  find(claimValue: string): Promise<Assignment | undefined> {
    const cached = this.#cached.get(claimValue);
    if (cached && this.#isWithin(cached.fresh)) return Promise.resolve(cached.assignment);
    const pending = this.#pending.get(claimValue) ?? this.#lookUp(claimValue);
    this.#pending.set(claimValue, pending);
    return pending;
  }

  /** Discards all cached assignments, so that removed ones have no effect anymore. */
  clear(): void {
    this.#generation += 1;
    this.#cached.deleteWhere(() => true);
    this.#pending.clear();
  }

  #isWithin(range: TimeRange): boolean {
    return getRemainingMs(range, this.#clock.monotonicMs()) > 0;
  }

  async #lookUp(claimValue: string): Promise<Assignment | undefined> {
    const generation = this.#generation;
    try {
      const assignment = await this.#store.find(claimValue);
      const now = this.#clock.monotonicMs();
      const fresh = createTimeRange(now, assignment ? FRESH_MS : MISSING_MS);
      if (generation === this.#generation) this.#cached.set(claimValue, { assignment, fresh, usable: createTimeRange(now, this.#staleMs) });
      return assignment;
    } catch (error) {
      this.#onFailure(error);
      const cached = this.#cached.get(claimValue);
      if (!cached?.assignment || !this.#isWithin(cached.usable)) throw error;
      // Otherwise, each request would read from the store again.
      this.#cached.set(claimValue, { ...cached, fresh: createTimeRange(this.#clock.monotonicMs(), RETRY_MS) });
      return cached.assignment;
    } finally {
      if (generation === this.#generation) this.#pending.delete(claimValue);
    }
  }
}
