import type { Context } from '../../context.ts';
import { readLargestPage } from '../../loaders/listScan.ts';
import { Loader, nullIfNotFound } from '../../loaders/loader.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { Operation } from '../../upstream/contract/operation.ts';
import type { ListRow } from '../../upstream/contract/rows.ts';

/** Rows of the first page of a list, by ID, and whether they are the whole list. */
interface FirstPage<RecordShape> {
  readonly byId: ReadonlyMap<string, RecordShape>;
  readonly isComplete: boolean;
}

/**
 * Loads records that other records refer to by ID. Reads the first page of their list if that saves calls, and fetches records by ID that the page doesn't
 * contain.
 */
class ReferencedRecords<Request, Response> {
  readonly #list: Operation<Request, Response>;
  readonly #target: Entity<ListRow<Response>>;
  readonly #context: Context;

  constructor(list: Operation<Request, Response>, target: Entity<ListRow<Response>>, context: Context) {
    this.#list = list;
    this.#target = target;
    this.#context = context;
  }

  async load(ids: readonly string[]): Promise<(ListRow<Response> | Error | null)[]> {
    const page = await this.#firstPage(ids);
    return Promise.all(
      ids.map((id) => {
        const record = page?.byId.get(id);
        // The list is complete, so the record was deleted.
        if (record || page?.isComplete) return record ?? null;
        return this.#target.load(id, this.#context).catch(nullIfNotFound);
      }),
    );
  }

  async #firstPage(ids: readonly string[]): Promise<FirstPage<ListRow<Response>> | undefined> {
    const { upstream } = this.#context;
    const known = upstream.lists?.getKnown(this.#list.name);
    if (ids.length < 2 || known?.isPaused) return undefined;
    const { rows, hasMore, isTruncated } = await readLargestPage(upstream, this.#list, {} as Request);
    for (const row of rows) this.#target.prime(row, this.#context);
    const byId = new Map(rows.map((row) => [this.#target.getId(row), row]));
    if (ids.filter((id) => byId.has(id)).length < 2) known?.pause();
    return { byId, isComplete: !hasMore && !isTruncated };
  }
}

/** Returns the loader of records that other records refer to by ID. One per list and request. */
export const getReferenceLoader = <Request, Response>(
  list: Operation<Request, Response>,
  target: Entity<ListRow<Response>>,
  context: Context,
): Loader<ListRow<Response>> =>
  context.loaders.getKeyed(`${list.name} by ID`, () => {
    const records = new ReferencedRecords(list, target, context);
    return new Loader((ids) => records.load(ids));
  });
