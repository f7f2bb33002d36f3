import { isDeepStrictEqual } from 'node:util';
import { operations } from '../../upstream/contract/generated/operations.ts';
import type { AnyOperation, Operation } from '../../upstream/contract/operation.ts';
import type { Session } from '../../upstream/session.ts';
import type { RequestLists } from '../../upstream/traffic/coveringLists.ts';
import { readLargestPage } from '../listScan.ts';
import { Loader, nullIfNotFound } from '../loader.ts';
import { CALLS_PER_PAGE, CoveredRead, getMaxPages } from './coveredRead.ts';

/** Minimum number of missing records for reading an unknown list. Chosen: far more than the one call that this can waste. */
export const MIN_RECORDS = 10;
/** Number of calls that reading an unknown list can waste. */
export const RECORDS_PROBE_CALLS = 1;
/** Number of records to compare with their list rows before distrusting a list. One mismatch may only mean that the record changed between the calls. */
const MAX_SAMPLES = 2;

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** A list whose rows are complete records. */
interface RecordList<Row> {
  readonly name: string;
  readonly maxPages: number;
  readonly fetchPage: (number: number) => Promise<Page<Row>>;
  readonly get: (id: string) => Promise<Row | null>;
}

/** Pages of the list that this request has fetched so far, starting from page 1. */
class FetchedPages<Row> {
  readonly rows = new Map<string, Row>();
  count = 0;
  /** Settles when the batch that is fetching pages finishes. Batches take turns so that they don't fetch the same pages. */
  lock: Promise<unknown> = Promise.resolve();
}

/** A batch of IDs: fetches list pages while they save calls, then gets the remaining records individually. */
class RecordBatch<Row extends { readonly id: string }> {
  readonly #list: RecordList<Row>;
  readonly #fetched: FetchedPages<Row>;
  readonly #read: CoveredRead;

  constructor(list: RecordList<Row>, lists: RequestLists, fetched: FetchedPages<Row>) {
    this.#list = list;
    this.#fetched = fetched;
    this.#read = new CoveredRead(lists, list.name);
  }

  async load(ids: readonly string[]): Promise<(Row | Error | null)[]> {
    this.#setMissing(ids);
    // The list is known not to contain these: get them in parallel with the pages.
    for (const id of ids) if (this.#read.known.isAbsent(id)) this.#get(id);
    try {
      const reading = this.#read.run(this.#countNextPages, () => this.#withLock(() => this.#fetchPages(ids)));
      if (reading) await reading;
      // A list row is authoritative even if the get would be denied: see docs/decisions/0016-covering-lists.md.
      return Promise.all(ids.map((id) => this.#fetched.rows.get(id) ?? this.#get(id)));
    } finally {
      this.#read.close();
    }
  }

  /** Gets a record. The session sends a repeated get only once. */
  #get(id: string): Promise<Row | Error | null> {
    return this.#list.get(id).catch(nullIfNotFound);
  }

  async #withLock(task: () => Promise<void>): Promise<void> {
    const done = this.#fetched.lock.then(task);
    this.#fetched.lock = done.catch(() => {});
    await done;
  }

  /** Sets the IDs that pages can still return, among these. */
  #setMissing(ids: readonly string[]): Set<string> {
    const { known, progress } = this.#read;
    const missing = new Set(ids.filter((id) => !this.#fetched.rows.has(id) && !known.isAbsent(id)));
    progress.missing = missing.size;
    return missing;
  }

  /** Number of pages to read next in parallel. 0 if gets are cheaper. */
  readonly #countNextPages = (spareCalls = this.#read.spareCalls): number => {
    const { known, progress } = this.#read;
    const { missing, found, pages } = progress;
    const most = getMaxPages(missing, spareCalls);
    if (known.isPaused || most < 1 || this.#fetched.count >= this.#list.maxPages) return 0;
    if (known.pages !== null) {
      const unread = Math.max(0, known.pages - this.#fetched.count);
      return unread <= most ? unread : 0;
    }
    if (pages === 0) return missing >= MIN_RECORDS && this.#read.canProbe(RECORDS_PROBE_CALLS) ? 1 : 0;
    if (found < CALLS_PER_PAGE * pages) return 0;
    // As many as the missing records need at the same rate, but no more than the number of saved calls.
    return Math.min(Math.ceil((missing * pages) / found), found - pages, most);
  };

  async #fetchPages(ids: readonly string[]): Promise<void> {
    const { known, progress } = this.#read;
    // The previous batch may have fetched some of these records.
    const missing = this.#setMissing(ids);
    for (let count = this.#countNextPages(); count > 0; count = this.#countNextPages()) {
      if (!(await this.#fetchNext(missing, count))) return;
    }
    if (known.pages !== null && this.#fetched.count >= known.pages) for (const id of missing) known.markAbsent(id);
    // The batch lost calls, or found too little in a list whose end it didn't reach.
    if (progress.found < (known.pages === null ? CALLS_PER_PAGE * progress.pages : progress.calls)) known.pause();
  }

  /** Fetches the next `count` pages in parallel. Returns whether more pages may be fetched afterwards. */
  async #fetchNext(missing: Set<string>, count: number): Promise<boolean> {
    const { progress } = this.#read;
    const first = this.#fetched.count + 1;
    progress.pages += count;
    progress.calls += count;
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const pages = await Promise.allSettled(numbers.map((number) => this.#list.fetchPage(number)));
    const rows = new Map<string, Row>();
    let failure: unknown;
    for (const [index, page] of pages.entries()) {
      if (page.status === 'rejected') failure ??= page.reason;
      else this.#addRows(first + index, page.value, rows);
    }
    if (failure !== undefined) this.#read.pauseAfter(failure);
    if (!(await this.#verify(rows, missing))) return false;
    for (const [id, row] of rows) {
      this.#fetched.rows.set(id, row);
      if (missing.delete(id)) progress.found += 1;
    }
    progress.missing = missing.size;
    if (failure !== undefined) return false;
    this.#fetched.count += count;
    return true;
  }

  /** Adds the rows of a page to `target`, and updates the length of the list. */
  #addRows(number: number, { rows, hasMore }: Page<Row>, target: Map<string, Row>): void {
    const { known } = this.#read;
    for (const row of rows) {
      if (!row.id) continue;
      target.set(row.id, row);
      known.markPresent(row.id);
    }
    if (!hasMore || rows.length === 0) {
      const end = rows.length === 0 ? Math.max(1, number - 1) : number;
      if (known.pages === null || end < known.pages || number === known.pages) known.pages = end;
    } else if (known.pages !== null && number >= known.pages) {
      known.pages = null;
    }
  }

  /** Whether rows are complete records. Checked once per key and list by getting up to two of the records by ID: one must equal its row. */
  async #verify(rows: ReadonlyMap<string, Row>, missing: ReadonlySet<string>): Promise<boolean> {
    const { known, progress } = this.#read;
    if (known.isVerified) return true;
    const samples = [...missing].filter((id) => rows.has(id)).slice(0, MAX_SAMPLES);
    let mismatches = 0;
    for (const [index, id] of samples.entries()) {
      const record = await this.#get(id);
      if (record instanceof Error) {
        this.#read.pauseAfter(record);
        return false;
      }
      if (isDeepStrictEqual(record, rows.get(id))) {
        known.isVerified = true;
        // The page saved no call for the records that were also fetched by ID.
        progress.calls += index + 1;
        return true;
      }
      // A record that the get doesn't find says nothing about the other rows.
      if (record !== null) mismatches += 1;
    }
    this.#read.rejectRows(mismatches);
    return false;
  }
}

/** Loader for records that a covering list contains. A write discards the fetched pages, but keeps what is known about the list. */
class CoveringLoader<Row extends { readonly id: string }> extends Loader<Row> {
  readonly #reset: () => void;

  constructor(list: RecordList<Row>, lists: RequestLists) {
    let fetched = new FetchedPages<Row>();
    // Async because DataLoader treats a synchronous throw as a programming error.
    super(async (ids) => new RecordBatch(list, lists, fetched).load(ids));
    this.#reset = () => {
      // Replaced rather than cleared: a batch in flight must not add rows that it fetched before the write.
      fetched = new FetchedPages();
    };
  }

  override clearAll(): this {
    this.#reset();
    return super.clearAll();
  }
}

/** The list request without filters or paging, in the same form as the list's own connection sends it, so that the two are coalesced. */
function unfilteredRequest({ name, request }: AnyOperation): object {
  const fields = Object.entries(request.fields).filter(([field]) => field !== 'page' && field !== 'pageSize');
  const required = fields.find(([, field]) => field.required);
  if (required)
    throw new Error(`${name} cannot be a covering list because it requires ${required[0]}. Remove the "cover" option from the contract.`);
  return Object.fromEntries(
    fields.filter(([, { kind, presence }]) => kind === 'string' && presence === 'implicit').map(([field]) => [field, '']),
  );
}

/** Creates a factory of loaders that serve a batch of gets from pages of the covering list `name` where that saves calls. Records are matched by `id`. */
export function coveringLoaderFor<Row extends object>(
  name: string,
  get: (session: Session, id: string) => Promise<Row | null>,
): (session: Session, lists: RequestLists) => Loader<Row> {
  type Identified = Row & { readonly id: string };
  const operation = operations.find((candidate) => candidate.name === name) as
    | Operation<object, Readonly<Record<string, readonly Identified[]>>>
    | undefined;
  if (!operation) throw new Error(`Covering list ${name} is not a list operation of the contract.`);
  const request = unfilteredRequest(operation);
  return (session, lists) => {
    const list: RecordList<Identified> = {
      name: operation.name,
      // A prefix has only one page.
      maxPages: operation.page?.kind === 'PREFIX' ? 1 : Number.POSITIVE_INFINITY,
      fetchPage: async (number) => {
        const { rows, hasMore, isTruncated } = await readLargestPage(session, operation, request, number);
        return { rows: rows as Identified[], hasMore: hasMore || isTruncated };
      },
      get: (id) => get(session, id) as Promise<Identified | null>,
    };
    return new CoveringLoader(list, lists) as Loader<Row>;
  };
}
