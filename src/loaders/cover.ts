import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../upstream/client.ts';
import { operations } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation, Operation } from '../upstream/contract/operation.ts';
import { rowsOf } from '../upstream/contract/rows.ts';
import type { ListShape } from '../upstream/traffic/listShapes.ts';
import type { RequestLists } from '../upstream/traffic/requestLists.ts';
import { isFinal, restAfter } from './coverFailures.ts';
import { failureOf, Loader } from './loader.ts';

/** Records of a batch that are compared with their rows when one differs: a single one may have changed between the two calls. */
const MAX_COMPARED = 2;

/** List that covers a get, with the calls that both take. */
interface Cover<Row> {
  readonly name: string;
  readonly page: (number: number) => Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>;
  readonly get: (id: string) => Promise<Row | null>;
  readonly idOf: (row: Row) => string | undefined;
}

/** Pages of the list that the request has read, from the first one on. */
class HeldPages<Row> {
  readonly rows = new Map<string, Row>();
  count = 0;
  /** End of the batch that reads pages: another one waits for it, since both would read the same. */
  turn: Promise<unknown> = Promise.resolve();
}

/** Batch of ids: pages of the list while they spare calls, and a get for each id that is left. */
class CoveredBatch<Row> {
  readonly #cover: Cover<Row>;
  readonly #lists: RequestLists;
  readonly #shape: ListShape;
  readonly #held: HeldPages<Row>;
  readonly #asked = new Map<string, Promise<Row | Error | null>>();
  /** Records that pages have shown, and calls that those took. */
  #found = 0;
  #calls = 0;

  constructor(cover: Cover<Row>, lists: RequestLists, shape: ListShape, held: HeldPages<Row>) {
    this.#cover = cover;
    this.#lists = lists;
    this.#shape = shape;
    this.#held = held;
  }

  async answer(ids: readonly string[]): Promise<(Row | Error | null)[]> {
    const wanted = new Set<string>();
    for (const id of ids) {
      if (this.#held.rows.has(id)) continue;
      // No page shows it: it is asked for beside them.
      if (this.#shape.isAbsent(id)) this.#get(id);
      else wanted.add(id);
    }
    if (this.#nextPages(wanted) > 0) await this.#inTurn(() => this.#readInPlace(wanted));
    // A row that the list shows is the record, also where the get refuses it: see docs/decisions/0016-covers.md.
    return Promise.all(ids.map((id) => this.#held.rows.get(id) ?? this.#asked.get(id) ?? this.#get(id)));
  }

  #get(id: string): Promise<Row | Error | null> {
    const get = () => this.#cover.get(id);
    // The first tells how long they take: of thousands none else is measured.
    const asked = (this.#asked.size === 0 ? this.#shape.timed(get) : get()).catch(failureOf);
    this.#asked.set(id, asked);
    return asked;
  }

  async #inTurn(read: () => Promise<void>): Promise<void> {
    const turn = this.#held.turn.then(read);
    this.#held.turn = turn.catch(() => {});
    await turn;
  }

  #nextPages(wanted: ReadonlySet<string>): number {
    const isScarce = this.#lists.isScarceFor(wanted.size);
    return this.#shape.nextPages({ wanted: wanted.size, found: this.#found, calls: this.#calls, read: this.#held.count, isScarce });
  }

  async #readInPlace(wanted: ReadonlySet<string>): Promise<void> {
    const onEnd = this.#lists.readInPlace(this.#cover.name);
    try {
      await this.#readPages(wanted);
    } finally {
      onEnd?.(this.#found);
    }
  }

  async #readPages(all: ReadonlySet<string>): Promise<void> {
    const { rows } = this.#held;
    // The batch before may have read them.
    const wanted = new Set([...all].filter((id) => !rows.has(id)));
    for (let count = this.#nextPages(wanted); count > 0; count = this.#nextPages(wanted)) {
      const isGoingOn = await this.#readWave(wanted, count);
      if (!isGoingOn) break;
    }
    if (this.#shape.isWhole(this.#held.count)) for (const id of wanted) if (!rows.has(id)) this.#shape.noteAbsent(id);
    const spared = this.#found - this.#calls;
    this.#shape.settle(spared);
    this.#lists.noteSpared(spared);
  }

  /** Reads the next pages, all at once. Whether more may be read after them. */
  async #readWave(wanted: ReadonlySet<string>, count: number): Promise<boolean> {
    const first = this.#held.count + 1;
    this.#calls += count;
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const pages = await Promise.allSettled(numbers.map((number) => this.#shape.timedPage(() => this.#cover.page(number))));
    const shown = new Map<string, Row>();
    let failure: unknown;
    for (const [index, page] of pages.entries()) {
      if (page.status === 'rejected') failure ??= page.reason;
      else this.#learn(first + index, page.value, wanted, shown);
    }
    if (isFinal(failure)) throw failure;
    if (failure !== undefined) restAfter(failure, this.#shape);
    if (!(await this.#areWhole(shown, wanted))) return false;
    for (const id of wanted) if (shown.has(id) && !this.#held.rows.has(id)) this.#found += 1;
    for (const [id, row] of shown) this.#held.rows.set(id, row);
    if (failure !== undefined) return false;
    this.#held.count += count;
    return true;
  }

  #learn(
    number: number,
    { rows, hasMore }: { readonly rows: readonly Row[]; readonly hasMore: boolean },
    wanted: ReadonlySet<string>,
    shown: Map<string, Row>,
  ): void {
    let found = 0;
    for (const row of rows) {
      const id = this.#cover.idOf(row);
      if (!id) continue;
      if (wanted.has(id) && !shown.has(id)) found += 1;
      shown.set(id, row);
      this.#shape.notePresent(id);
    }
    this.#shape.learn(number, rows.length, hasMore, wanted.size, found);
  }

  /** Whether rows are whole records. Once for each key and list: records that pages show are asked for by id as well, and must be the same. */
  async #areWhole(shown: ReadonlyMap<string, Row>, wanted: ReadonlySet<string>): Promise<boolean> {
    if (this.#shape.isVerified) return true;
    const samples = [...wanted].filter((id) => shown.has(id)).slice(0, MAX_COMPARED);
    if (samples.length === 0) return false;
    let differing = 0;
    for (const id of samples) {
      const record = await this.#get(id);
      if (isFinal(record)) throw record;
      if (record instanceof Error) {
        restAfter(record, this.#shape);
        return false;
      }
      if (isDeepStrictEqual(record, shown.get(id))) {
        this.#shape.isVerified = true;
        // Nothing was spared by those.
        this.#calls += samples.indexOf(id) + 1;
        return true;
      }
      // A record that its get does not find tells nothing of the others.
      if (record !== null) differing += 1;
    }
    if (differing < MAX_COMPARED) this.#shape.rest();
    else {
      this.#shape.restLong();
      this.#lists.tellPartialRows(this.#cover.name);
    }
    return false;
  }
}

/** Loader of records that a list shows, too. A change forgets the pages, and not what they told of the list. */
class CoveringLoader<Row> extends Loader<Row> {
  readonly #forget: () => void;

  constructor(cover: Cover<Row>, lists: RequestLists, shape: () => ListShape) {
    let held = new HeldPages<Row>();
    // Async, since the session may refuse to tell the shape: DataLoader takes what is thrown at once for a fault of the program.
    super(async (ids) => new CoveredBatch(cover, lists, shape(), held).answer(ids));
    this.#forget = () => {
      // Another one: a batch that is under way must not fill it with what was read before the change.
      held = new HeldPages();
    };
  }

  override clearAll(): this {
    this.#forget();
    return super.clearAll();
  }
}

/** The request of a list that leaves nothing out, without its page: as the list's own connection asks it, so that both are one question. */
function unfiltered({ name, request }: AnyOperation): object {
  const fields = Object.entries(request.fields).filter(([field]) => field !== 'page' && field !== 'pageSize');
  const needed = fields.find(([, { required }]) => required);
  if (needed) throw new Error(`${name} must list all records to cover a get, but it wants ${needed[0]}: take the cover from the contract.`);
  return Object.fromEntries(
    fields.filter(([, { kind, presence }]) => kind === 'string' && presence === 'implicit').map(([field]) => [field, '']),
  );
}

/** The factory of a loader that answers a batch by pages of the list that covers a get, where these spare calls. A record is told by its `id`. */
export function coveredBy<Row extends object>(
  name: string,
  get: (session: Session, id: string) => Promise<Row | null>,
): (session: Session, lists: RequestLists) => Loader<Row> {
  const list = operations.find((operation) => operation.name === name) as
    | Operation<object, Readonly<Record<string, readonly Row[]>>>
    | undefined;
  if (!list) throw new Error(`${name} must be a list of the contract, to cover a get.`);
  const rest = unfiltered(list);
  return (session, lists) => {
    const { kind, maxSize: pageSize = 0 } = session.operation(list).page ?? {};
    // A list that is cut off after so many rows has a first page and no other.
    const isPrefix = kind === 'PREFIX';
    const page = async (number: number) => {
      const paging = isPrefix ? { pageSize } : { page: number, pageSize };
      const { rows, hasMore, isCut = rows.length >= pageSize } = rowsOf(list, await session.call(list, { ...rest, ...paging }), paging);
      return { rows: rows as Row[], hasMore: isPrefix ? isCut : hasMore };
    };
    const cover: Cover<Row> = { name: list.name, page, get: (id) => get(session, id), idOf: (row) => (row as { readonly id?: string }).id };
    return new CoveringLoader(cover, lists, () => lists.shapeOf(list.name, pageSize, isPrefix ? 1 : Number.POSITIVE_INFINITY));
  };
}
