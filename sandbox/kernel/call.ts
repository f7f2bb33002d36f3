import type { Caller } from './keys.ts';
import type { Wide } from './store.ts';
import { shorten } from './texts.ts';
import type { World } from './world.ts';

export interface Page<Row> {
  readonly rows: Row[];
  readonly page: number;
  readonly pageSize: number;
  readonly hasMore: boolean;
}

/** Who sees a timeline event: everybody, or only members who may read the audit trail, or orders. */
export type TimelineAudience = 'everybody' | 'audit' | 'orders';

export interface TimelineEntry {
  readonly eventType: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly summary: string;
  readonly audience?: TimelineAudience;
  /** Unix seconds; now when absent. */
  readonly occurredAt?: number;
  /** What `transaction_id` filters by. */
  readonly transactionId?: string;
}

/** The longest summary of a timeline event, in characters. Ours, and the contract's limit of what a caller may write. */
const MAX_SUMMARY = 1_000;

/** What a handler works with: the state, and who is calling. Every query must name the caller's workspace. */
export class Call {
  readonly world: World;
  readonly caller: Caller;
  /** The defaults of the operation's page, when it is a list. */
  readonly #defaultSize: number;
  readonly baseUrl: string;

  constructor(world: World, caller: Caller, defaultSize: number, baseUrl: string) {
    this.world = world;
    this.caller = caller;
    this.#defaultSize = defaultSize;
    this.baseUrl = baseUrl;
  }

  get store() {
    return this.world.store;
  }

  get workspaceId() {
    return this.caller.workspaceId;
  }

  /** Unix seconds. */
  get now() {
    return this.world.now();
  }

  id(): string {
    return this.world.id();
  }

  /** A page of a query without LIMIT; zeros stand for the first page and the default size. It reads one row more than the page holds, to tell whether there are more. */
  page<Row>(
    request: { readonly page?: number; readonly pageSize: number },
    sql: string,
    bindings: Record<string, string | number | null> = {},
    wide: Wide<Row> = [],
  ): Page<Row> {
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
 * Writes a timeline event outside a call, as the demo data does. Answers its id. A summary that the sandbox composes of names is shortened
 * when those are long; the contract refuses such a one from a caller.
 */
export function writeTimeline(world: World, workspaceId: string, customerId: string, entry: TimelineEntry): string {
  const id = world.id();
  world.store.insert('timeline_events', {
    id,
    workspace_id: workspaceId,
    customer_id: customerId,
    event_type: entry.eventType,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    summary: shorten(entry.summary, MAX_SUMMARY).text,
    audience: entry.audience ?? 'everybody',
    transaction_id: entry.transactionId ?? null,
    occurred_at: entry.occurredAt ?? world.now(),
  });
  return id;
}

/** Finds text anywhere, without regard to the case of A to Z. `%` and `_` stand for themselves; use with `LIKE :pattern ESCAPE '\'`. */
export const containing = (query: string): string => `%${query.replace(/[\\%_]/g, '\\$&')}%`;
