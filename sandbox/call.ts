import { invalid } from './errors.ts';
import type { Caller } from './keys.ts';
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

/** The longest summary of a timeline event, in characters. Our own bound: the upstream only says that there is one. */
const MAX_SUMMARY = 300;

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

  /** One page of a query without LIMIT. It reads one row more than the page holds, to tell whether there are more. */
  page<Row>(
    request: { readonly page?: number | undefined; readonly pageSize?: number | undefined },
    sql: string,
    bindings: Record<string, string | number | null> = {},
  ): Page<Row> {
    const page = request.page ?? 1;
    const pageSize = request.pageSize ?? this.#defaultSize;
    const rows = this.store.all<Row>(`${sql} LIMIT :limit OFFSET :offset`, {
      ...bindings,
      limit: pageSize + 1,
      offset: (page - 1) * pageSize,
    });
    return { rows: rows.slice(0, pageSize), page, pageSize, hasMore: rows.length > pageSize };
  }

  /** Writes what happened to a customer's timeline. */
  timeline(customerId: string, entry: TimelineEntry): string {
    return writeTimeline(this.world, this.workspaceId, customerId, entry);
  }
}

/** Writes a timeline event outside a call, as the demo data does. Answers its id. */
export function writeTimeline(world: World, workspaceId: string, customerId: string, entry: TimelineEntry): string {
  const id = world.id();
  world.store.insert('timeline_events', {
    id,
    workspace_id: workspaceId,
    customer_id: customerId,
    event_type: entry.eventType,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    summary: entry.summary.slice(0, MAX_SUMMARY),
    audience: entry.audience ?? 'everybody',
    transaction_id: entry.transactionId ?? null,
    occurred_at: entry.occurredAt ?? world.now(),
  });
  return id;
}

/** The most that one quantity may be. Ours: sums of quantities must stay exact in a JavaScript number. */
const MAX_QUANTITY = 1_000_000_000_000n;

/** A 64-bit quantity as a number. */
export function quantityOf(value: bigint, field: string): number {
  if (value > MAX_QUANTITY || value < -MAX_QUANTITY) throw invalid(`${field} must be at most ${MAX_QUANTITY}, but is ${value}.`);
  return Number(value);
}

/** The longest text to search for, in characters. Ours: SQLite refuses patterns above 50,000 bytes. */
const MAX_QUERY = 10_000;

/** Finds text anywhere, without regard to the case of A to Z. `%` and `_` stand for themselves; use with `LIKE :pattern ESCAPE '\'`. */
export function containing(query: string): string {
  if (query.length > MAX_QUERY) throw invalid(`The text to search for must be at most ${MAX_QUERY} characters, but has ${query.length}.`);
  return `%${query.replace(/[\\%_]/g, '\\$&')}%`;
}
