import { BoundedCache } from '../../lib/boundedCache.ts';
import { type Clock, ENDED, msLeftOf, type Span, spanOf, systemClock } from '../../lib/clock.ts';
import { GRANTS_MS } from '../access/grants.ts';

/** Rows that weigh as much as a call. Measured: a row takes a 25th to 100th of a call's time and a 40th of its bytes; this is the cautious end. */
const ROWS_PER_CALL = 25;
/** Wanted records from which a list is read that nothing is known of. Ours: twice what a full page must spare. */
const FIRST_LOOK = 10;
/** Calls that a batch may lose. Simulated: with 2 more are lost and none is gained. */
const SLACK = 1;
/** Previously saved calls that a batch may risk. Simulated: more gain nothing; 0 takes a fifth more rounds. */
const MAX_CREDIT = 16;
/** Pages that are read at a time. Ours: to parse so many takes some milliseconds. */
const MAX_WAVE = 16;
/** Ids that are known to be absent, and the characters of each: longer ones name nothing. Ours: some 25 kB a shape. */
const MAX_ABSENT = 200;
const MAX_ID = 64;
/** Wanted records that the yield remembers. Ours: a handful of batches. */
const MEMORY = 400;
/** Rows that an owner is taken to have where its list is weighed against pages of all. Ours. */
const ROWS_OF_ONE = 3;
/** Rest of a list after a failure, in milliseconds. Ours: as long as most outages. */
const REST_MS = 60_000;
/** Time of a page below which it is never too slow, in milliseconds. Ours: a batch of gets takes as much on a busy machine. */
const PATIENCE_MS = 1_000;
/** How many times as long as a get a page may take. Ours. */
const MAX_SLOWNESS = 4;

/** Shapes that are held at a time. Ours: 50 MB when each is as large as it can be. */
const MAX_SHAPES = 2_000;
/** Milliseconds that a shape is held. Ours: what the upstream changes about its lists is seen that much later, and learning costs two calls at most. */
const TTL_MS = 600_000;

/** Batch of wanted records, as far as it is. */
export interface Batch {
  /** Records that are wanted. */
  readonly wanted: number;
  /** Records that pages have shown. */
  readonly found: number;
  /** Calls that the pages took. */
  readonly calls: number;
  /** Pages of the list that the request has read. */
  readonly read: number;
  /** Whether only calls count, since few are left: rows weigh nothing, and no call is risked. */
  readonly isScarce: boolean;
  /** Pages that may be fetched in vain. */
  readonly spareCalls: number;
}

/** List that may stand for many calls, as one API key has seen it. */
class KnownList {
  protected readonly clock: Clock;
  #rest: Span = ENDED;
  /** Whether what it shows was seen to be what the calls answer that it stands for. */
  isVerified = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get isPaused(): boolean {
    return msLeftOf(this.#rest, this.clock.monotonicMs()) > 0;
  }

  /** The list is not read for so long. */
  pause(ms = REST_MS): void {
    this.#rest = spanOf(this.clock.monotonicMs(), ms);
  }

  /** The key may not read the list: it is not read until its scopes may have changed. */
  pauseUntilGrantsExpire(): void {
    this.pause(GRANTS_MS);
  }

  /** The list does not show what it should: it is not read for as long as that is known. */
  pauseLong(): void {
    this.pause(TTL_MS);
  }
}

/** A newer time counts as much as three before it. */
const smoothed = (before: number | null, now: number) => (before === null ? now : before + (now - before) / 4);

/**
 * Shape of a list as one API key has seen it: its end, and how much of what is wanted a page holds on average. Never a record: what it gets wrong costs a
 * call, and changes no answer.
 */
export class ListStats extends KnownList {
  readonly #pageSize: number;
  readonly #maxPages: number;
  /** Pages of the list; null until its end was seen. */
  #end: number | null = null;
  /** Wanted records, once for each page that was read for them, and those that the pages held. */
  #asked = 0;
  #found = 0;
  readonly #absent = new Set<string>();
  #credit = 0;
  #getMs: number | null = null;
  #pageMs: number | null = null;

  /** `maxPages`: those that the list has at most, so 1 when it has no further ones. */
  constructor(pageSize: number, maxPages: number, clock: Clock) {
    super(clock);
    this.#pageSize = pageSize;
    this.#maxPages = maxPages;
  }

  /** The number of pages to read next, at once; 0 when gets are cheaper. `found + slack + credit` bounds the calls of a batch, whatever is known. */
  nextPages({ wanted, found, calls, read, isScarce, spareCalls }: Batch): number {
    if (this.isPaused || read >= this.#maxPages || spareCalls < 1) return 0;
    if (this.#asked === 0) return wanted >= FIRST_LOOK ? 1 : 0;
    const left = wanted - found;
    const perPage = (wanted * this.#found) / this.#asked;
    if (Math.min(left, perPage) <= this.#pageInGets(isScarce)) return 0;
    const unread = this.#end === null ? Math.ceil(left / perPage) : this.#end - read;
    const room = found + SLACK + (isScarce ? 0 : this.#credit) - calls;
    return Math.max(0, Math.min(unread, room, spareCalls, MAX_WAVE, this.#maxPages - read));
  }

  /** Whether the first page is expected to save calls for so many records, if its rows are free. Assumed while nothing is known about the list. */
  savesCalls(wanted: number): boolean {
    return !this.isPaused && (this.#asked === 0 || (wanted * this.#found) / this.#asked > 1);
  }

  /** Gets that take as much as a page. */
  #pageInGets(isScarce: boolean): number {
    return isScarce ? 1 : (1 + this.#pageSize / ROWS_PER_CALL) / (1 + 1 / ROWS_PER_CALL);
  }

  /** Learns from page `number`, which showed `found` of the `wanted` records. */
  recordPage(number: number, rows: number, hasMore: boolean, wanted: number, found: number): void {
    const kept = Math.min(1, MEMORY / (this.#asked + wanted));
    this.#asked = this.#asked * kept + wanted;
    this.#found = this.#found * kept + found;
    if (hasMore && rows > 0) {
      if (this.#end !== null && number >= this.#end) this.#end = null;
      return;
    }
    const end = rows === 0 ? Math.max(1, number - 1) : number;
    if (this.#end === null || number <= this.#end) this.#end = end;
  }

  /** Whether so many pages are all. */
  isComplete(pages: number): boolean {
    return this.#end !== null && pages >= this.#end;
  }

  /** Adds the calls that a finished batch saved; later batches may risk them. */
  addCredit(savedCalls: number): void {
    this.#credit = Math.max(0, Math.min(MAX_CREDIT, this.#credit + savedCalls));
  }

  isAbsent(id: string): boolean {
    return this.#absent.has(id);
  }

  /** The whole list was read, and did not show this record. */
  markAbsent(id: string): void {
    if (id.length > MAX_ID) return;
    this.#absent.add(id);
    const [oldest] = this.#absent;
    if (this.#absent.size > MAX_ABSENT && oldest !== undefined) this.#absent.delete(oldest);
  }

  markPresent(id: string): void {
    this.#absent.delete(id);
  }

  /** Measures a get. */
  timeGet<Answer>(get: () => Promise<Answer>): Promise<Answer> {
    return this.#measured(get, (ms) => {
      this.#getMs = smoothed(this.#getMs, ms);
    });
  }

  /** Measures a page. The list rests when pages take much longer than gets. */
  timePage<Answer>(page: () => Promise<Answer>): Promise<Answer> {
    return this.#measured(page, (ms) => {
      this.#pageMs = smoothed(this.#pageMs, ms);
      if (this.#getMs === null || this.#pageMs <= Math.max(PATIENCE_MS, MAX_SLOWNESS * this.#getMs)) return;
      this.#pageMs = null;
      this.pause();
    });
  }

  async #measured<Answer>(act: () => Promise<Answer>, note: (ms: number) => void): Promise<Answer> {
    const from = this.clock.monotonicMs();
    try {
      return await act();
    } finally {
      note(Math.max(0, this.clock.monotonicMs() - from));
    }
  }
}

/** Shape of a list that is the lists of many owners, as one API key has seen it. Never a row. */
export class PartsStats extends KnownList {
  /** Pages that cover it; null until its end was seen. */
  pages: number | null = null;
  /** Pages that did not reach its end. */
  longerThan = 0;
  /** Times that it was other than the lists of owners. */
  doubts = 0;

  /** Pages that take less than a call for each of so many owners. */
  affordable(owners: number, pageSize: number, isScarce: boolean): number {
    const pages = isScarce ? owners - 1 : Math.floor((owners * (1 + ROWS_OF_ONE / ROWS_PER_CALL)) / (1 + pageSize / ROWS_PER_CALL));
    return Math.min(pages, MAX_WAVE);
  }
}

/** Shapes of lists, of each API key for itself: what a key may see is its own. */
export class ListStatsStore {
  readonly #clock: Clock;
  readonly #records: BoundedCache<ListStats>;
  readonly #parts: BoundedCache<PartsStats>;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#records = new BoundedCache({ entries: MAX_SHAPES, ttlMs: TTL_MS, clock });
    this.#parts = new BoundedCache({ entries: MAX_SHAPES, ttlMs: TTL_MS, clock });
  }

  ofRecords(keyHash: string, list: string, pageSize: number, maxPages: number): ListStats {
    return this.#of(this.#records, `${keyHash} ${list}`, () => new ListStats(pageSize, maxPages, this.#clock));
  }

  /** `list` is its name, with what it is filtered by. */
  ofParts(keyHash: string, list: string): PartsStats {
    return this.#of(this.#parts, `${keyHash} ${list}`, () => new PartsStats(this.#clock));
  }

  #of<Shape extends KnownList>(shapes: BoundedCache<Shape>, id: string, make: () => Shape): Shape {
    const known = shapes.get(id);
    if (known) return known;
    const shape = make();
    shapes.set(id, shape);
    return shape;
  }
}
