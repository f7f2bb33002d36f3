import { isDeepStrictEqual } from 'node:util';
import { operations } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation, Operation } from '../upstream/contract/operation.ts';
import type { Session } from '../upstream/session.ts';
import type { BatchProgress, KnownRecordList } from '../upstream/traffic/knownLists.ts';
import type { RequestLists } from '../upstream/traffic/requestLists.ts';
import { isFatal, pauseAfter } from './listFailures.ts';
import { readLargestPage } from './listScan.ts';
import { checkRecord, Loader, loaderFromGet, nullIfNotFound } from './loader.ts';

/** Number of records to compare with their list rows before distrusting a list. One mismatch may only mean that the record changed between the calls. */
const MAX_SAMPLES = 2;

/** A covering list: a list whose rows are complete records, so that its pages can serve gets by ID (compare a covering index). */
interface CoveringPages<Row> {
  readonly name: string;
  readonly maxPages: number;
  readonly fetchPage: (number: number) => Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>;
  readonly get: (id: string) => Promise<Row | null>;
  readonly getId: (row: Row) => string;
}

/** Pages of the list that this request has fetched so far, starting from page 1. */
class FetchedPages<Row> {
  readonly rows = new Map<string, Row>();
  count = 0;
  /** Settles when the batch that is fetching pages finishes. Batches take turns so that they don't fetch the same pages. */
  lock: Promise<unknown> = Promise.resolve();
}

/** A batch of IDs: fetches list pages while they save calls, then gets the remaining records individually. */
class CoveredBatch<Row> {
  readonly #list: CoveringPages<Row>;
  readonly #lists: RequestLists;
  readonly #known: KnownRecordList;
  readonly #fetched: FetchedPages<Row>;
  readonly #progress: BatchProgress;

  constructor(list: CoveringPages<Row>, lists: RequestLists, known: KnownRecordList, fetched: FetchedPages<Row>) {
    this.#list = list;
    this.#lists = lists;
    this.#known = known;
    this.#fetched = fetched;
    this.#progress = lists.open(0);
  }

  async load(ids: readonly string[]): Promise<(Row | Error | null)[]> {
    const missing = new Set<string>();
    for (const id of ids) {
      if (this.#fetched.rows.has(id)) continue;
      // The list is known not to contain this ID: get it in parallel with the pages.
      if (this.#known.isAbsent(id)) this.#get(id);
      else missing.add(id);
    }
    this.#progress.missing = missing.size;
    try {
      if (this.#pagesToFetch(Number.POSITIVE_INFINITY) > 0) await this.#lists.waitForSpareCalls();
      if (this.#pagesToFetch() > 0) await this.#withLock(() => this.#fetchTraced(missing));
      // A list row is authoritative even if the get would be denied: see docs/decisions/0016-covering-lists.md.
      return Promise.all(ids.map((id) => this.#fetched.rows.get(id) ?? this.#get(id)));
    } finally {
      this.#lists.close(this.#progress);
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

  #pagesToFetch(spareCalls = this.#lists.spareCalls): number {
    const { count } = this.#fetched;
    return count < this.#list.maxPages ? this.#known.countNextPages(this.#progress, count, spareCalls) : 0;
  }

  async #fetchTraced(missing: ReadonlySet<string>): Promise<void> {
    const onEnd = this.#lists.traceCoveredRead(this.#list.name);
    try {
      await this.#fetchPages(missing);
    } finally {
      onEnd?.(this.#progress.found);
    }
  }

  async #fetchPages(ids: ReadonlySet<string>): Promise<void> {
    const { rows } = this.#fetched;
    // The previous batch may have fetched some of these records.
    const missing = new Set([...ids].filter((id) => !rows.has(id)));
    this.#progress.missing = missing.size;
    let canContinue = true;
    for (let count = this.#pagesToFetch(); canContinue && count > 0; count = this.#pagesToFetch())
      canContinue = await this.#fetchNext(missing, count);
    if (canContinue) this.#known.recordBatch(this.#progress);
    if (this.#known.isComplete(this.#fetched.count)) for (const id of missing) if (!rows.has(id)) this.#known.markAbsent(id);
  }

  /** Fetches the next `count` pages in parallel. Returns whether more pages may be fetched afterwards. */
  async #fetchNext(missing: ReadonlySet<string>, count: number): Promise<boolean> {
    const first = this.#fetched.count + 1;
    this.#progress.pages += count;
    this.#progress.calls += count;
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const pages = await Promise.allSettled(numbers.map((number) => this.#list.fetchPage(number)));
    const rows = new Map<string, Row>();
    let failure: unknown;
    for (const [index, page] of pages.entries()) {
      if (page.status === 'rejected') failure ??= page.reason;
      else this.#addRows(first + index, page.value, rows);
    }
    if (isFatal(failure)) throw failure;
    if (failure !== undefined) pauseAfter(failure, this.#known);
    if (!(await this.#verify(rows, missing))) return false;
    for (const id of missing) if (rows.has(id) && !this.#fetched.rows.has(id)) this.#progress.found += 1;
    this.#progress.missing = missing.size - this.#progress.found;
    for (const [id, row] of rows) this.#fetched.rows.set(id, row);
    if (failure !== undefined) return false;
    this.#fetched.count += count;
    return true;
  }

  /** Adds the rows of a page to `target` and updates what is known about the list. */
  #addRows(
    number: number,
    { rows, hasMore }: { readonly rows: readonly Row[]; readonly hasMore: boolean },
    target: Map<string, Row>,
  ): void {
    for (const row of rows) {
      const id = this.#list.getId(row);
      if (!id) continue;
      target.set(id, row);
      this.#known.markPresent(id);
    }
    this.#known.recordPage(number, rows.length, hasMore);
  }

  /** Whether rows are complete records. Checked once per key and list by getting up to two of the records by ID: one must equal its row. */
  async #verify(rows: ReadonlyMap<string, Row>, missing: ReadonlySet<string>): Promise<boolean> {
    if (this.#known.isVerified) return true;
    const samples = [...missing].filter((id) => rows.has(id)).slice(0, MAX_SAMPLES);
    if (samples.length === 0) {
      this.#known.pause();
      return false;
    }
    let mismatches = 0;
    for (const id of samples) {
      const record = await this.#get(id);
      if (isFatal(record)) throw record;
      if (record instanceof Error) {
        pauseAfter(record, this.#known);
        return false;
      }
      if (isDeepStrictEqual(record, rows.get(id))) {
        this.#known.isVerified = true;
        // The page saved no call for the records that were also fetched by ID.
        this.#progress.calls += samples.indexOf(id) + 1;
        return true;
      }
      // A record that the get doesn't find says nothing about the other rows.
      if (record !== null) mismatches += 1;
    }
    if (mismatches < MAX_SAMPLES) this.#known.pause();
    else {
      this.#known.pauseLong();
      this.#lists.reportPartialRows(this.#list.name);
    }
    return false;
  }
}

/** Loader for records that a covering list contains. A write discards the fetched pages, but keeps what is known about the list. */
class CoveringLoader<Row> extends Loader<Row> {
  readonly #reset: () => void;

  constructor(list: CoveringPages<Row>, lists: RequestLists, findKnown: () => KnownRecordList) {
    let fetched = new FetchedPages<Row>();
    // Async because `findKnown` throws without an API key, and DataLoader treats a synchronous throw as a programming error.
    super(async (ids) => new CoveredBatch(list, lists, findKnown(), fetched).load(ids));
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
function coveringLoaderFor<Row extends object>(
  name: string,
  get: (session: Session, id: string) => Promise<Row | null>,
): (session: Session, lists: RequestLists) => Loader<Row> {
  const operation = operations.find((candidate) => candidate.name === name) as
    | Operation<object, Readonly<Record<string, readonly Row[]>>>
    | undefined;
  if (!operation) throw new Error(`Covering list ${name} is not a list operation of the contract.`);
  const request = unfilteredRequest(operation);
  return (session, lists) => {
    const fetchPage = async (number: number) => {
      const { rows, hasMore, isTruncated } = await readLargestPage(session, operation, request, number);
      return { rows: rows as Row[], hasMore: hasMore || isTruncated };
    };
    const list: CoveringPages<Row> = {
      name: operation.name,
      // A prefix has only one page.
      maxPages: operation.page?.kind === 'PREFIX' ? 1 : Number.POSITIVE_INFINITY,
      fetchPage,
      get: (id) => get(session, id),
      getId: (row) => (row as { readonly id: string }).id,
    };
    return new CoveringLoader(list, lists, () => lists.getRecordList(operation.name));
  };
}

const factories = new Map<AnyOperation, (upstream: Session) => Loader<object>>();

/** Returns the request field with the ID and the response member with the record. Throws at startup if there isn't exactly one of each. */
function findFields({ name, request, answers: records }: AnyOperation): readonly [id: string, member: string] {
  const [id, ...otherIds] = Object.keys(request.fields).filter((field) => request.fields[field]?.required);
  const [member, ...otherMembers] = Object.keys(records);
  if (id === undefined || member === undefined || otherIds.length > 0 || otherMembers.length > 0)
    throw new Error(`${name} must fetch one record by one ID. Give its entity its own loader.`);
  return [id, member];
}

/**
 * Returns the loader factory of an operation that gets one record by ID. There is one factory per operation, so that everything that reads by it shares the
 * records. If the contract has a covering list for the operation, its pages serve batches for which that takes fewer calls.
 */
export function loaderForOperation<Entry extends object>(operation: AnyOperation): (upstream: Session) => Loader<Entry> {
  const known = factories.get(operation);
  if (known) return known as (upstream: Session) => Loader<Entry>;
  const [idField, member] = findFields(operation);
  const get = (upstream: Session, id: string) =>
    upstream.call(operation as Operation<object, Readonly<Record<string, Entry | undefined>>>, { [idField]: id });
  const extractRecord = (response: Readonly<Record<string, Entry | undefined>>) => response[member];
  const fetchEntry = async (upstream: Session, id: string) => {
    const entry = checkRecord(extractRecord(await get(upstream, id)));
    if (entry instanceof Error) throw entry;
    return entry;
  };
  /** By covering list, which can differ between upstreams. */
  const covering = new Map<string, (upstream: Session, lists: RequestLists) => Loader<Entry>>();
  const getCoveringFactory = (list: string) => {
    const cover = covering.get(list) ?? coveringLoaderFor<Entry>(list, fetchEntry);
    covering.set(list, cover);
    return cover;
  };
  const factory = (upstream: Session) => {
    const { lists } = upstream;
    const list = upstream.operation(operation).cover?.list;
    return lists && list !== undefined
      ? getCoveringFactory(list)(upstream, lists)
      : loaderFromGet((id) => get(upstream, id), extractRecord);
  };
  factories.set(operation, factory);
  return factory;
}
