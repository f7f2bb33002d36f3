import { isDeepStrictEqual } from 'node:util';
import DataLoader from 'dataloader';
import type { Session } from '../upstream/client.ts';
import type { Operation } from '../upstream/contract/operation.ts';
import { type Row, rowsOf } from '../upstream/contract/rows.ts';
import type { PartsStats } from '../upstream/traffic/listStats.ts';
import type { BatchProgress, RequestLists } from '../upstream/traffic/requestLists.ts';
import { isFatal, pauseAfter } from './coverFailures.ts';
import type { Loaders } from './loaders.ts';
import { type OverlappingPage, overlappingPage } from './overlappingPages.ts';

/** Owners from which a list is read that nothing is known of. Ours: three pages pay for them, and two calls may be lost. */
const FIRST_LOOK = 15;
/** Times that a list was other than those of its owners before it is not believed any more: once, a row may have changed between two calls. */
const MAX_DOUBTS = 2;
/** Owners whose own lists are compared with the list of all: one with rows and one without. */
const SAMPLES = 2;

/** Rows of each owner; null where each owner's list is to be asked for by itself. */
type RowsByOwner<Entry> = ReadonlyMap<string, readonly Entry[]> | null;

/** List of the rows of all owners, with the calls that it takes. */
interface Whole<Entry> {
  readonly name: string;
  readonly maxSize: number;
  readonly page: (page: OverlappingPage) => Promise<{ readonly rows: readonly Entry[]; readonly hasMore: boolean }>;
  /** All rows of one owner; null when a call does not show them all. */
  readonly listOf: (owner: string) => Promise<readonly Entry[] | null>;
  readonly ownerOf: (row: Entry) => string;
  /** Tells rows apart. */
  readonly identify: (row: Entry) => unknown;
}

/**
 * Batch of owners: the whole list, or nothing, since a row that no page shows cannot be asked for. Each page must begin with a row that the page before
 * has shown.
 */
class ChildrenBatch<Entry> {
  readonly #list: Whole<Entry>;
  readonly #lists: RequestLists;
  readonly #shape: PartsStats;
  readonly #rows: Entry[] = [];
  #pages = 0;
  readonly #progress: BatchProgress;
  #isAtEnd = false;

  constructor(list: Whole<Entry>, lists: RequestLists, shape: PartsStats) {
    this.#list = list;
    this.#lists = lists;
    this.#shape = shape;
    this.#progress = lists.open(0);
  }

  async answer(owners: readonly string[]): Promise<RowsByOwner<Entry>> {
    this.#progress.missing = owners.length;
    let byOwner: RowsByOwner<Entry> = null;
    try {
      byOwner = await this.#read(owners);
      if (byOwner) this.#progress.found = owners.length;
    } catch (error) {
      if (isFatal(error)) throw error;
      pauseAfter(error, this.#shape);
    } finally {
      this.#lists.close(this.#progress);
    }
    return byOwner;
  }

  async #read(owners: readonly string[]): Promise<RowsByOwner<Entry>> {
    const shape = this.#shape;
    if (this.#affordable(owners.length, Number.POSITIVE_INFINITY) === 0) return null;
    await this.#lists.whenSpareIsKnown();
    const affordable = this.#affordable(owners.length, this.#lists.spareCalls);
    if (affordable === 0) return null;
    const onEnd = this.#lists.traceCoveredRead(this.#list.name);
    let isWhole = false;
    try {
      isWhole = await this.#readAll(affordable);
    } finally {
      onEnd?.(isWhole ? owners.length : 0);
    }
    if (!isWhole) return null;
    shape.pages = this.#pages;
    const byOwner = Map.groupBy(this.#rows, this.#list.ownerOf);
    return (await this.#isTrue(owners, byOwner)) ? byOwner : null;
  }

  /** Number of pages to fetch instead of the lists of `owners` records. 0 if they would save no calls, or the request has too few calls left. */
  #affordable(owners: number, spareCalls: number): number {
    const { isPaused, isVerified, pages, longerThan } = this.#shape;
    if (isPaused || (pages === null && owners < FIRST_LOOK)) return 0;
    const samples = isVerified && pages !== null ? 0 : SAMPLES;
    const most = this.#shape.affordable(owners, this.#list.maxSize, this.#lists.hasFewCallsLeft(owners));
    const affordable = Math.min(most, spareCalls - samples);
    return affordable < (pages ?? 1) || affordable <= longerThan ? 0 : affordable;
  }

  async #readAll(affordable: number): Promise<boolean> {
    const { pages } = this.#shape;
    if (!(pages === null ? await this.#look(affordable) : await this.#readWave(pages))) return false;
    for (let count = 2; !this.#isAtEnd; count += 1) {
      const left = affordable - this.#pages;
      if (left <= 0) return this.#isTooLong(affordable);
      if (!(await this.#readWave(Math.min(count, left)))) return false;
    }
    return true;
  }

  /** Nothing is known of the list: reads its first page and, beside it, the first that would not pay, which must be empty. */
  async #look(affordable: number): Promise<boolean> {
    const { maxSize } = this.#list;
    const [fits, beyond] = await Promise.all([this.#readWave(1), this.#page(overlappingPage(affordable, maxSize))]);
    if (!fits) return false;
    return (beyond.rows.length === 0 && !beyond.hasMore) || this.#isTooLong(affordable);
  }

  #isTooLong(affordable: number): false {
    this.#shape.pages = null;
    this.#shape.longerThan = affordable;
    return false;
  }

  #page(page: OverlappingPage) {
    this.#progress.calls += 1;
    return this.#list.page(page);
  }

  /** Reads so many more pages at once. Whether they fit together. */
  async #readWave(count: number): Promise<boolean> {
    const wave = Array.from({ length: count }, (_, index) => overlappingPage(this.#pages + index, this.#list.maxSize));
    const answers = await Promise.all(wave.map((page) => this.#page(page)));
    for (const [index, { rows, hasMore }] of answers.entries()) {
      if (this.#isAtEnd) break;
      const { size, offset } = wave[index] as OverlappingPage;
      if (!this.#meets(rows, offset) || (hasMore && rows.length !== size)) {
        this.#shape.pause();
        return false;
      }
      for (const [place, row] of rows.entries()) this.#rows[offset + place] = row;
      this.#pages += 1;
      this.#isAtEnd = !hasMore;
    }
    return true;
  }

  /** Whether a page begins with the rows that are known from there on. */
  #meets(rows: readonly Entry[], offset: number): boolean {
    const { identify } = this.#list;
    return this.#rows.slice(offset).every((known, place) => {
      const row = rows[place];
      const identity = identify(known);
      return row !== undefined && identity !== undefined && identify(row) === identity;
    });
  }

  /** Whether the list shows what those of owners show. Once for each key and list: seen of an owner that has rows, and of one that has none. */
  async #isTrue(owners: readonly string[], byOwner: ReadonlyMap<string, readonly Entry[]>): Promise<boolean> {
    const shape = this.#shape;
    if (shape.isVerified) return true;
    const samples = [owners.find((owner) => byOwner.has(owner)), owners.find((owner) => !byOwner.has(owner))].filter(
      (owner) => owner !== undefined,
    );
    this.#progress.calls += samples.length;
    const lists = await Promise.all(samples.map((owner) => this.#list.listOf(owner)));
    shape.isVerified = samples.every((owner, index) => lists[index] === null || isDeepStrictEqual(lists[index], byOwner.get(owner) ?? []));
    if (shape.isVerified) return true;
    shape.doubts += 1;
    if (shape.doubts < MAX_DOUBTS) shape.pause();
    else {
      shape.pauseLong();
      this.#lists.reportPartialRows(this.#list.name);
    }
    return false;
  }
}

type ChildLoader<Entry> = DataLoader<string, readonly Entry[] | null>;

/**
 * The rows that a list shows of one owner, out of the list of all owners, where that takes fewer calls for all owners that are asked for together. Null where
 * it does not: then the list is to be asked for. Undefined for lists that the contract does not say it of.
 */
export function childrenOf<Request, Response>(
  operation: Operation<Request, Response>,
  request: object,
  identify: ((row: Row<Response>) => unknown) | undefined,
  upstream: Session,
  loaders: Loaders,
): Promise<readonly Row<Response>[] | null> | undefined {
  const { name, parts, page } = upstream.operation(operation);
  const { lists } = upstream;
  if (!parts || !page || !identify || !lists) return undefined;
  const owner = (request as Readonly<Record<string, unknown>>)[parts.of];
  if (typeof owner !== 'string' || owner === '') return undefined;
  const rest = { ...request, [parts.of]: '' };
  const key = `${name} ${JSON.stringify(rest)}`;
  return loaders
    .keyed(key, () => {
      const read = async (fields: object, paging: { readonly page: number; readonly pageSize: number }) =>
        rowsOf(operation, await upstream.call(operation, { ...rest, ...fields, ...paging } as Request), paging);
      const list: Whole<Row<Response>> = {
        name,
        maxSize: page.maxSize,
        page: ({ number, size }) => read({}, { page: number, pageSize: size }),
        listOf: async (of) => {
          const { rows, hasMore } = await read({ [parts.of]: of }, { page: 1, pageSize: page.maxSize });
          return hasMore ? null : rows;
        },
        ownerOf: (row) => String((row as Readonly<Record<string, unknown>>)[parts.of]),
        identify,
      };
      const loader: ChildLoader<Row<Response>> = new DataLoader(async (owners) => {
        const byOwner = await new ChildrenBatch(list, lists, lists.partsStatsFor(key)).answer(owners);
        return owners.map((each) => (byOwner ? (byOwner.get(each) ?? []) : null));
      });
      return loader;
    })
    .load(owner);
}
