import DataLoader from 'dataloader';
import { NotFoundError } from '../failures.ts';

/** Result for the id alone of a record that could not be got: null for one that is missing. */
export function failureOf(error: unknown): Error | null {
  if (error instanceof NotFoundError) return null;
  return error instanceof Error ? error : new Error(String(error));
}

/** Loads records by id, each at most once per request. A missing one is null. */
export class Loader<Entry> extends DataLoader<string, Entry | null> {
  readonly #asked: Map<string, Promise<Entry | null>>;
  /** Records that lists have shown. Their promises are made when they are asked for, which few are. */
  readonly #shown = new Map<string, Entry>();

  constructor(readAll: (ids: readonly string[]) => Promise<readonly (Entry | Error | null)[]>) {
    const asked = new Map<string, Promise<Entry | null>>();
    super(readAll, { cacheMap: asked });
    this.#asked = asked;
  }

  /** DataLoader would make a promise of its own for each that asks again, to wait for others that ask for the first time: no call is spared by that. */
  override load(id: string): Promise<Entry | null> {
    return this.#asked.get(id) ?? this.#loadShown(id) ?? super.load(id);
  }

  #loadShown(id: string): Promise<Entry | null> | undefined {
    const shown = this.#shown.get(id);
    if (shown === undefined) return undefined;
    const loaded = Promise.resolve(shown);
    this.#asked.set(id, loaded);
    return loaded;
  }

  /** Takes over a record that a list has shown, unless the record was asked for before. */
  show(id: string, record: Entry): void {
    if (!this.#shown.has(id)) this.#shown.set(id, record);
  }

  override clearAll(): this {
    this.#shown.clear();
    return super.clearAll();
  }
}

/**
 * A loader over a get operation. The upstream has no batch get, so a batch is one call per distinct id, at once; a failure is that id's
 * alone. `entryIn` is the record in an answer, undefined when there is none. Two functions and none that waits for the other: thousands of
 * calls may wait, and each would keep one.
 */
export const byId = <Response, Entry>(
  get: (id: string) => Promise<Response>,
  entryIn: (response: Response) => Entry | undefined,
): Loader<Entry> => {
  const read = (response: Response) => entryIn(response) ?? null;
  return new Loader((ids) => Promise.all(ids.map((id) => get(id).then(read, failureOf))));
};

/** A loader over a list that comes whole: one call for all ids. */
export const fromList = <Entry>(list: () => Promise<readonly Entry[]>, idOf: (entry: Entry) => string | undefined): Loader<Entry> =>
  new Loader(async (ids) => {
    const entries = new Map((await list()).map((entry) => [idOf(entry), entry]));
    return ids.map((id) => entries.get(id) ?? null);
  });
