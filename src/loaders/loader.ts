import DataLoader from 'dataloader';
import { NotFoundError, UpstreamInvalidError } from '../failures/failures.ts';

/** Converts a load failure to a per-ID result: null if the record doesn't exist, otherwise the error. */
export function nullIfNotFound(error: unknown): Error | null {
  if (error instanceof NotFoundError) return null;
  return error instanceof Error ? error : new Error(String(error));
}

/** The record of a response. A get reports a missing record as an error, so a response without one is invalid. */
export const checkRecord = <Entry>(record: Entry | undefined): Entry | UpstreamInvalidError =>
  record === undefined ? new UpstreamInvalidError('it doesn’t contain the record') : record;

/** Request-scoped loader: fetches each ID at most once. Resolves to null for missing records. */
export class Loader<Entry> extends DataLoader<string, Entry | null> {
  /** Loads by ID, and records that list fields have returned. These have no promise yet, because few of them are ever loaded by ID. */
  readonly #known: Map<string, Promise<Entry | null> | Entry>;

  constructor(batch: (ids: readonly string[]) => Promise<readonly (Entry | Error | null)[]>) {
    const known = new Map<string, Promise<Entry | null> | Entry>();
    // DataLoader only receives promises from it: `load` passes on IDs that it doesn't contain.
    super(batch, { cacheMap: known as Map<string, Promise<Entry | null>> });
    this.#known = known;
  }

  /** Returns the cached promise as is. DataLoader would wrap it in a new promise that waits for the next batch, which saves no calls here. */
  override load(id: string): Promise<Entry | null> {
    const known = this.#known.get(id);
    return known === undefined ? super.load(id) : Promise.resolve(known);
  }

  /** Adds a record that a list returned. As in DataLoader, the first value for an ID wins. */
  override prime(id: string, record: Entry): this {
    if (!this.#known.has(id)) this.#known.set(id, record);
    return this;
  }
}

/**
 * Creates a loader from a get operation. The upstream has no batch get, so a batch sends one call per distinct ID, in parallel, and a failed
 * call fails only its own ID. `extractRecord` extracts the record from a response: undefined is an error, and null means that it doesn't exist. Uses two
 * `then` callbacks rather than an async function: thousands of calls may be queued, and each async frame would stay in memory until its call finishes.
 */
export const loaderFromGet = <Response, Entry>(
  get: (id: string) => Promise<Response>,
  extractRecord: (response: Response) => Entry | null | undefined,
): Loader<Entry> => {
  const toEntry = (response: Response): Entry | Error | null => checkRecord(extractRecord(response));
  return new Loader<Entry>((ids) => Promise.all(ids.map((id) => get(id).then(toEntry, nullIfNotFound))));
};

/** The rows of a list, and whether the upstream has more that it doesn't return. */
interface ListContents<Entry> {
  readonly rows: readonly Entry[];
  readonly isTruncated: boolean;
}

/** Error for a record that a list doesn't contain, although it may exist: the list is cut off, and there is no operation that gets one by ID. */
export const createUnlistedError = (id: string, length: number) =>
  new NotFoundError(
    `${id} isn’t among the first ${length} records of its list, and the Workspace API has no lookup by ID. It may exist, so don’t treat it as deleted.`,
    id,
  );

/**
 * Creates a loader from a list, for records that no operation gets by ID. For an ID that isn't in the list, it resolves to null if the list is complete, and
 * rejects if it's cut off.
 */
export const loaderFromList = <Entry>(list: () => Promise<ListContents<Entry>>, getId: (entry: Entry) => string): Loader<Entry> =>
  new Loader<Entry>(async (ids) => {
    const { rows, isTruncated } = await list();
    const entries = new Map(rows.map((entry) => [getId(entry), entry]));
    return ids.map((id) => entries.get(id) ?? (isTruncated ? createUnlistedError(id, rows.length) : null));
  });

/** Creates a loader from an operation that returns its complete list in one call. */
export const loaderFromWholeList = <Entry>(list: () => Promise<readonly Entry[]>, getId: (entry: Entry) => string): Loader<Entry> =>
  loaderFromList(async () => ({ rows: await list(), isTruncated: false }), getId);
