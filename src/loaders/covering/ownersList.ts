import { isDeepStrictEqual } from 'node:util';
import DataLoader from 'dataloader';
import type { Operation } from '../../upstream/contract/operation.ts';
import { getRows, type ListRow } from '../../upstream/contract/rows.ts';
import type { Session } from '../../upstream/session.ts';
import type { RequestLists } from '../../upstream/traffic/coveringLists.ts';
import type { Loaders } from '../loaders.ts';
import { CoveredRead, getMaxPages } from './coveredRead.ts';

/** A page of a list. */
interface OverlappingPage {
  /** 1-based, in pages of this size. */
  readonly number: number;
  readonly size: number;
  /** Index of its first row in the list. */
  readonly offset: number;
}

/** Known pages, by maximum size. */
const known = new Map<number, OverlappingPage[]>();

/** Returns the page that starts at or before a row and extends furthest beyond it. */
function findFurthestPage(row: number, maxSize: number): OverlappingPage {
  let best: OverlappingPage = { number: 1, size: maxSize, offset: 0 };
  for (let size = maxSize; size > maxSize / 2; size -= 1) {
    const offset = Math.floor(row / size) * size;
    if (offset + size > best.offset + best.size) best = { number: offset / size + 1, size, offset };
  }
  return best;
}

/**
 * Returns one of the pages that cover a list from its start. Each starts with a row of the previous page: 100 rows, 99 from the 100th, 98 from the 197th. A row
 * that is added or removed between two calls moves all rows after it, so the pages no longer overlap in the same row.
 */
function getOverlappingPage(place: number, maxSize: number): OverlappingPage {
  const pages = known.get(maxSize) ?? [];
  known.set(maxSize, pages);
  for (let last = pages.at(-1); pages.length <= place; last = pages.at(-1))
    pages.push(findFurthestPage(last ? last.offset + last.size - 1 : 0, maxSize));
  return pages[place] as OverlappingPage;
}

/** Minimum number of owners for reading an unknown list. Chosen: this can waste two calls. */
export const MIN_OWNERS = 15;
/** Number of calls that find out whether an unknown list saves calls. */
export const OWNERS_PROBE_CALLS = 2;
/** Maximum length of a list's name and filters, in characters, because they are stored per API key. Chosen: fits several IDs, but no long text of a client. */
const MAX_KEY = 500;
/** Number of owners whose own lists are compared with the rows of all: one with rows and one without. */
const SAMPLES = 2;

/** Rows of each owner. Null if each owner's list must be fetched separately. */
type RowsByOwner<Entry> = ReadonlyMap<string, readonly Entry[]> | null;

/** The list of the rows of all owners. */
interface OwnersList<Entry> {
  readonly name: string;
  readonly maxSize: number;
  readonly fetchPage: (page: OverlappingPage) => Promise<{ readonly rows: readonly Entry[]; readonly hasMore: boolean }>;
  /** Fetches all rows of one owner. Null if they don't fit in one call. */
  readonly fetchOwn: (owner: string) => Promise<readonly Entry[] | null>;
  readonly getOwner: (row: Entry) => string;
  /** Returns a value that identifies the row. */
  readonly identify: (row: Entry) => unknown;
}

/**
 * A batch of owners: reads the whole list or nothing, because a row that is on no page can't be fetched by ID. Each page must start with a row of the
 * previous page.
 */
class OwnersBatch<Entry> {
  readonly #list: OwnersList<Entry>;
  readonly #read: CoveredRead;
  readonly #rows: Entry[] = [];
  #pages = 0;
  #isAtEnd = false;

  /** `key` is the name of the list and its filters. */
  constructor(list: OwnersList<Entry>, lists: RequestLists, key: string) {
    this.#list = list;
    this.#read = new CoveredRead(lists, list.name, key);
  }

  async load(owners: readonly string[]): Promise<RowsByOwner<Entry>> {
    const { progress } = this.#read;
    progress.missing = owners.length;
    let byOwner: RowsByOwner<Entry> = null;
    try {
      const reading = this.#read.run(
        (spareCalls) => this.#maxPages(owners.length, spareCalls),
        async (maxPages) => {
          byOwner = await this.#readRows(owners, maxPages);
          if (byOwner) progress.found = owners.length;
        },
      );
      if (reading) await reading;
    } catch (error) {
      this.#read.pauseAfter(error);
    } finally {
      this.#read.close();
    }
    return byOwner;
  }

  /** Maximum number of pages to read instead of the lists of this many owners. 0 if they save no calls or the request has too few calls left. */
  #maxPages(owners: number, spareCalls: number): number {
    const { isVerified, isPaused, pages, longerThan } = this.#read.known;
    if (isPaused || (pages === null && (owners < MIN_OWNERS || !this.#read.canProbe(OWNERS_PROBE_CALLS)))) return 0;
    const most = getMaxPages(owners, spareCalls - (isVerified && pages !== null ? 0 : SAMPLES));
    return most < (pages ?? 1) || most <= longerThan ? 0 : most;
  }

  async #readRows(owners: readonly string[], maxPages: number): Promise<RowsByOwner<Entry>> {
    if (!(await this.#readAll(maxPages))) return null;
    this.#read.known.pages = this.#pages;
    const byOwner = Map.groupBy(this.#rows, this.#list.getOwner);
    return (await this.#verify(owners, byOwner)) ? byOwner : null;
  }

  /** Reads the list to its end. Returns false if it's longer than that, or if its pages don't overlap. */
  async #readAll(maxPages: number): Promise<boolean> {
    const { pages } = this.#read.known;
    if (!(pages === null ? await this.#readFirst(maxPages) : await this.#readNext(pages))) return false;
    for (let count = 2; !this.#isAtEnd; count += 1) {
      const left = maxPages - this.#pages;
      if (left <= 0) return this.#recordTooLong(maxPages);
      if (!(await this.#readNext(Math.min(count, left)))) return false;
    }
    return true;
  }

  /** Reads the first page of an unknown list and, in parallel, the first page that would save no call, which must be empty. */
  async #readFirst(maxPages: number): Promise<boolean> {
    const { maxSize } = this.#list;
    const [overlaps, beyond] = await Promise.all([this.#readNext(1), this.#fetchPage(getOverlappingPage(maxPages, maxSize))]);
    if (!overlaps) return false;
    return (beyond.rows.length === 0 && !beyond.hasMore) || this.#recordTooLong(maxPages);
  }

  #recordTooLong(maxPages: number): false {
    this.#read.known.pages = null;
    this.#read.known.longerThan = maxPages;
    return false;
  }

  #fetchPage(page: OverlappingPage) {
    this.#read.progress.calls += 1;
    return this.#list.fetchPage(page);
  }

  /** Reads the next `count` pages in parallel. Returns whether each overlaps the previous one. */
  async #readNext(count: number): Promise<boolean> {
    const pages = Array.from({ length: count }, (_, index) => getOverlappingPage(this.#pages + index, this.#list.maxSize));
    const responses = await Promise.all(pages.map((page) => this.#fetchPage(page)));
    for (const [index, { rows, hasMore }] of responses.entries()) {
      if (this.#isAtEnd) break;
      const { size, offset } = pages[index] as OverlappingPage;
      if (!this.#overlaps(rows, offset) || (hasMore && rows.length !== size)) {
        this.#read.known.pause();
        return false;
      }
      for (const [place, row] of rows.entries()) this.#rows[offset + place] = row;
      this.#pages += 1;
      this.#isAtEnd = !hasMore;
    }
    return true;
  }

  /** Whether a page starts with the rows that previous pages returned from this offset on. */
  #overlaps(rows: readonly Entry[], offset: number): boolean {
    const { identify } = this.#list;
    return this.#rows.slice(offset).every((known, place) => {
      const row = rows[place];
      const identity = identify(known);
      return row !== undefined && identity !== undefined && identify(row) === identity;
    });
  }

  /** Compares the rows with the own lists of two owners, one with rows and one without. Once per key and list. */
  async #verify(owners: readonly string[], byOwner: ReadonlyMap<string, readonly Entry[]>): Promise<boolean> {
    const { known, progress } = this.#read;
    if (known.isVerified) return true;
    const samples = [owners.find((owner) => byOwner.has(owner)), owners.find((owner) => !byOwner.has(owner))].filter(
      (owner) => owner !== undefined,
    );
    progress.calls += samples.length;
    const lists = await Promise.all(samples.map((owner) => this.#list.fetchOwn(owner)));
    known.isVerified = samples.every((owner, index) => lists[index] === null || isDeepStrictEqual(lists[index], byOwner.get(owner) ?? []));
    if (!known.isVerified) this.#read.rejectRows(1);
    return known.isVerified;
  }
}

type OwnersLoader<Entry> = DataLoader<string, readonly Entry[] | null>;

/**
 * Loads the rows of one owner from the list of all owners, if that takes fewer calls for all owners that are loaded together. Null if it doesn't: the owner's list
 * must then be fetched. Undefined if the contract names no such list, or its filters are
 * too long. `parent` is the request field with the ID of the object that has the list.
 */
export function loadOwnerRows<Request, Response>(
  operation: Operation<Request, Response>,
  request: object,
  parent: string | undefined,
  identify: ((row: ListRow<Response>) => unknown) | undefined,
  upstream: Session,
  loaders: Loaders,
): Promise<readonly ListRow<Response>[] | null> | undefined {
  const { name, parts, page } = upstream.operation(operation);
  const { lists } = upstream;
  if (!parts || !page || !identify || !lists) return undefined;
  const fields = request as Readonly<Record<string, unknown>>;
  // A list can be limited to several owners. Its siblings have other parents, so that is the one that they differ in.
  const by = parts.owners.find((field) => (parent === undefined ? fields[field] : field === parent));
  const owner = by === undefined ? undefined : fields[by];
  if (by === undefined || typeof owner !== 'string' || owner === '') return undefined;
  const rest = { ...request, [by]: '' };
  const key = `${name} by ${by} ${JSON.stringify(rest)}`;
  if (key.length > MAX_KEY) return undefined;
  return loaders
    .getKeyed(key, () => {
      const read = async (fields: object, paging: { readonly page: number; readonly pageSize: number }) =>
        getRows(operation, await upstream.call(operation, { ...rest, ...fields, ...paging } as Request), paging);
      const list: OwnersList<ListRow<Response>> = {
        name,
        maxSize: page.maxSize,
        fetchPage: ({ number, size }) => read({}, { page: number, pageSize: size }),
        fetchOwn: async (of) => {
          const { rows, hasMore } = await read({ [by]: of }, { page: 1, pageSize: page.maxSize });
          return hasMore ? null : rows;
        },
        getOwner: (row) => String((row as Readonly<Record<string, unknown>>)[by]),
        identify,
      };
      const loader: OwnersLoader<ListRow<Response>> = new DataLoader(async (owners) => {
        const byOwner = await new OwnersBatch(list, lists, key).load(owners);
        return owners.map((each) => (byOwner ? (byOwner.get(each) ?? []) : null));
      });
      return loader;
    })
    .load(owner);
}
