import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, createTimeRange, EXPIRED, getRemainingMs, systemClock, type TimeRange } from '../../lib/clock.ts';
import { GRANTS_MS } from '../access/grants.ts';

/** Number of calls that a page must replace on average. Chosen: a page of 100 rows takes as long as two to five gets. */
const CALLS_PER_PAGE = 3;
/** Minimum number of missing records for reading an unknown list. Chosen: far more than the one call that this can waste. */
const MIN_RECORDS = 10;
/** Maximum number of IDs known to be absent, and their maximum length in characters. Chosen: about 25 kB per list. */
const MAX_ABSENT = 200;
const MAX_ID = 64;
/** Pause after a failure or a wasted read, in milliseconds. Chosen: as long as most outages. */
const PAUSE_MS = 60_000;

/** Maximum number of lists, over all keys. Chosen: at most 50 MB. */
const MAX_LISTS = 2_000;
/** How long a list is known, in milliseconds. Chosen: changes of the upstream's behavior are noticed after this time, and learning again costs a call or two. */
const TTL_MS = 600_000;

/** Progress of a batch of records that pages of a list can serve. */
export interface BatchProgress {
  /** Records to fetch that no page has returned. */
  missing: number;
  /** Records that pages have returned. */
  found: number;
  /** Number of pages that were read. */
  pages: number;
  /** Calls for the pages and for verifying them. */
  calls: number;
}

/** Maximum number of pages that can replace this many calls. */
const getMaxPages = (calls: number): number => Math.floor(calls / CALLS_PER_PAGE);

/** What an API key has learned about a list that can replace other calls: its length, and whether it can be used. Contains no rows. */
export class KnownList {
  readonly #clock: Clock;
  #pause: TimeRange = EXPIRED;
  /** Number of pages. Null if the end hasn't been read. */
  pages: number | null = null;
  /** Whether its rows have been compared with the calls that it replaces. */
  isVerified = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isPaused(): boolean {
    return getRemainingMs(this.#pause, this.#clock.monotonicMs()) > 0;
  }

  /** Disables the list for at least this time. */
  pause(ms = PAUSE_MS): void {
    const now = this.#clock.monotonicMs();
    if (getRemainingMs(this.#pause, now) < ms) this.#pause = createTimeRange(now, ms);
  }

  /** Disables a list that the key can't read until its grants are fetched again. */
  pauseUntilGrantsExpire(): void {
    this.pause(GRANTS_MS);
  }

  /** Disables a list whose rows differ from what they should equal, until everything about it expires. */
  pauseLong(): void {
    this.pause(TTL_MS);
  }
}

/** A list whose rows are complete records. */
export class KnownRecordList extends KnownList {
  readonly #absent = new Set<string>();

  /** Number of pages to read next in parallel for a batch. 0 if gets are cheaper. `read` is the number of pages that the request has already read. */
  countNextPages({ missing, found, pages }: Readonly<BatchProgress>, read: number, spareCalls: number): number {
    const most = Math.min(getMaxPages(missing), spareCalls);
    if (this.isPaused || most < 1) return 0;
    if (this.pages !== null) {
      const unread = Math.max(0, this.pages - read);
      return unread <= most ? unread : 0;
    }
    if (pages === 0) return missing >= MIN_RECORDS ? 1 : 0;
    if (found < CALLS_PER_PAGE * pages) return 0;
    // As many as the missing records need at the same rate, but no more than the number of saved calls.
    return Math.min(Math.ceil((missing * pages) / found), found - pages, most);
  }

  /** Updates the length from page `number`. */
  recordPage(number: number, rows: number, hasMore: boolean): void {
    if (!hasMore || rows === 0) {
      const end = rows === 0 ? Math.max(1, number - 1) : number;
      if (this.pages === null || end < this.pages || number === this.pages) this.pages = end;
    } else if (this.pages !== null && number >= this.pages) {
      this.pages = null;
    }
  }

  /** Pauses the list if a batch lost calls, or found too little in a list whose end it didn't reach. */
  recordBatch({ found, pages, calls }: Readonly<BatchProgress>): void {
    if (found < (this.pages === null ? CALLS_PER_PAGE * pages : calls)) this.pause();
  }

  /** Whether this many pages are the whole list. */
  isComplete(pages: number): boolean {
    return this.pages !== null && pages >= this.pages;
  }

  isAbsent(id: string): boolean {
    return this.#absent.has(id);
  }

  /** Records that the whole list was read without finding this ID. */
  markAbsent(id: string): void {
    if (id.length > MAX_ID) return;
    this.#absent.add(id);
    const [oldest] = this.#absent;
    if (this.#absent.size > MAX_ABSENT && oldest !== undefined) this.#absent.delete(oldest);
  }

  markPresent(id: string): void {
    this.#absent.delete(id);
  }
}

/** A list that consists of the lists of many owners. */
export class KnownOwnersList extends KnownList {
  /** Number of pages that didn't reach its end. */
  longerThan = 0;
  /** How often it differed from the lists of owners. */
  mismatches = 0;

  /** Maximum number of pages to read for this many owners. 0 if calls per owner are cheaper. */
  getMaxPages(owners: number, spareCalls: number): number {
    const most = Math.min(getMaxPages(owners), spareCalls);
    return this.isPaused || most < (this.pages ?? 1) || most <= this.longerThan ? 0 : most;
  }
}

function getOrCreate<List extends {}>(cache: BoundedCache<List>, key: string, create: () => List): List {
  const known = cache.get(key);
  if (known) return known;
  const list = create();
  cache.set(key, list);
  return list;
}

/** What each API key has learned about lists. Not shared between keys, because keys can see different rows. */
export class KnownLists {
  readonly #clock: Clock;
  readonly #records: BoundedCache<KnownRecordList>;
  readonly #owners: BoundedCache<KnownOwnersList>;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#records = new BoundedCache({ entries: MAX_LISTS, ttlMs: TTL_MS, clock });
    this.#owners = new BoundedCache({ entries: MAX_LISTS, ttlMs: TTL_MS, clock });
  }

  /** Returns what is known about a list of complete records. */
  getRecordList(keyHash: string, list: string): KnownRecordList {
    return getOrCreate(this.#records, `${keyHash} ${list}`, () => new KnownRecordList(this.#clock));
  }

  /** Returns what is known about a list of many owners' rows. `list` is its name and its filters. */
  getOwnersList(keyHash: string, list: string): KnownOwnersList {
    return getOrCreate(this.#owners, `${keyHash} ${list}`, () => new KnownOwnersList(this.#clock));
  }
}
