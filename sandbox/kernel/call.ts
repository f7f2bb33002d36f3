import type { Principal } from './keys.ts';
import type { Page, PageRequest } from './pages.ts';
import type { Bindings, Wide } from './store.ts';
import { type TimelineEntry, writeTimeline } from './timeline.ts';
import type { World } from './world.ts';

/** A call as its handler sees it: the state, and the principal. Every query must name the principal's workspace. */
export class CallContext {
  readonly world: World;
  readonly principal: Principal;
  /** The defaults of the operation's page, when it is a list. */
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

  /** A page of a query without LIMIT; zeros stand for the first page and the default size. Reads a row more than the page holds, to tell whether there are more. */
  page<Row>(request: PageRequest, sql: string, bindings: Bindings = {}, wide: Wide<Row> = []): Page<Row> {
    const page = request.page || 1;
    const pageSize = request.pageSize || this.#defaultSize;
    const part = { limit: pageSize + 1, offset: (page - 1) * pageSize };
    const rows = this.store.all<Row>(`${sql} LIMIT :limit OFFSET :offset`, { ...bindings, ...part }, wide);
    return { rows: rows.slice(0, pageSize), page, pageSize, hasMore: rows.length > pageSize };
  }

  /** Writes what happened to a customer's timeline. */
  timeline(customerId: string, entry: TimelineEntry): string {
    return writeTimeline(this.world, this.workspaceId, customerId, entry);
  }
}

/**
 * SQL condition: the value of `expression` contains the text that is bound as `:query`, or by another name. Ignores the case of A to Z; bind the text in lower
 * case (`lowerCase`). Not LIKE, which fails for patterns of more than 50,000 bytes.
 */
export const contains = (expression: string, text = ':query'): string => `instr(lower(${expression}), ${text}) > 0`;

/** Lower case of A to Z only, as SQLite's `lower`. */
export const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
