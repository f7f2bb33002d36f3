import type { Principal } from './keys.ts';
import type { Page, PageRequest } from './pages.ts';
import type { Bindings, Wide } from './store.ts';
import { type TimelineEntry, writeTimeline } from './timeline.ts';
import type { World } from './world.ts';

/** Context of a handler: the state of the sandbox, and the principal of the call. Every query must filter by the principal's workspace. */
export class CallContext {
  readonly world: World;
  readonly principal: Principal;
  /** Default page size of a list operation. */
  readonly #defaultSize: number;
  readonly baseUrl: string;

  constructor(world: World, principal: Principal, defaultSize: number, baseUrl: string) {
    this.world = world;
    this.principal = principal;
    this.#defaultSize = defaultSize;
    this.baseUrl = baseUrl;
  }

  get store() {
    return this.world.store;
  }

  get workspaceId() {
    return this.principal.workspaceId;
  }

  /** Unix seconds. */
  get now() {
    return this.world.now();
  }

  id(): string {
    return this.world.id();
  }

  /**
   * One page of a query without LIMIT. A page number of zero selects the first page, and a size of zero the default size. Fetches one extra row to find out
   * whether there are more.
   */
  page<Row>(request: PageRequest, sql: string, bindings: Bindings = {}, wide: Wide<Row> = []): Page<Row> {
    const page = request.page || 1;
    const pageSize = request.pageSize || this.#defaultSize;
    const part = { limit: pageSize + 1, offset: (page - 1) * pageSize };
    const rows = this.store.all<Row>(`${sql} LIMIT :limit OFFSET :offset`, { ...bindings, ...part }, wide);
    return { rows: rows.slice(0, pageSize), page, pageSize, hasMore: rows.length > pageSize };
  }

  /** Adds an event to a customer's timeline. */
  timeline(customerId: string, entry: TimelineEntry): string {
    return writeTimeline(this.world, this.workspaceId, customerId, entry);
  }
}

/**
 * SQL condition: `expression` contains the text bound as `:query`, or under another name. Ignores the case of A to Z if the bound text is in lower case
 * (`toAsciiLowerCase`). Doesn't use LIKE, which fails for patterns of more than 50,000 bytes.
 */
export const createContainsSql = (expression: string, text = ':query'): string => `instr(lower(${expression}), ${text}) > 0`;

/** Converts only A to Z to lower case, like `lower` in SQLite. */
export const toAsciiLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
