import { type Context, createContext } from '../../context.ts';
import { ForbiddenError, invalidInput, LiveDisabledError } from '../../failures/failures.ts';
import { createState, type Interest, type LiveType } from '../../live/changes.ts';
import type { PolledRecords, PollSource } from '../../live/poller.ts';
import type { RequestLive } from '../../live/requestLive.ts';
import { PaymentSearch } from '../../schema/billing/paymentSearch.ts';
import { CustomerSearch } from '../../schema/customers/customerSearch.ts';
import { builder } from '../../schema/kit/builder.ts';
import { decodeGlobalId, toRawId, withArticle } from '../../schema/kit/globalIds.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { OrderSearch } from '../../schema/sales/orderSearch.ts';
import { QuoteSearch } from '../../schema/sales/quoteSearch.ts';
import { compare } from '../../schema/search/conditions.ts';
import type { IndexQuery } from '../../schema/search/keyset.ts';
import type { Search } from '../../schema/search/searches.ts';
import { AppointmentSearch } from '../../schema/work/appointmentSearch.ts';
import { ProblemSearch } from '../../schema/work/problemSearch.ts';
import { WorkOrderSearch } from '../../schema/work/workOrderSearch.ts';
import { LiveTypeEnum, RecordsChanged } from '../../schema/workspace/recordsChanged.ts';
import { readCounts, readMatching } from '../kit/indexQueries.ts';

type LiveSearch = Pick<Search<object>, 'index' | 'toRecord'> & { readonly target: Pick<Entity<object>, 'operation'> };

/** What a poll reads of a record. */
interface PolledRow {
  readonly updatedAt: string;
  readonly status?: string;
}

/** The searches of the types whose changes are signaled, which have the operations that read the records, and their indexes. */
const SEARCHES: Readonly<Record<LiveType, LiveSearch>> = {
  Customer: CustomerSearch,
  Order: OrderSearch,
  Quote: QuoteSearch,
  Payment: PaymentSearch,
  WorkOrder: WorkOrderSearch,
  Problem: ProblemSearch,
  Appointment: AppointmentSearch,
};

/** Maximum number of IDs of a subscription. Chosen: more than a page displays. */
const MAX_IDS = 500;

/** An ID that no record has, so that a query for it reads nothing. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Decodes the IDs of a subscription. A raw ID counts for each of the types. */
function readIds(ids: readonly string[], types: ReadonlySet<LiveType>): ReadonlyMap<LiveType, ReadonlySet<string>> {
  if (ids.length > MAX_IDS)
    throw invalidInput(['ids'], 'TOO_LONG', `must have at most ${MAX_IDS} entries, but has ${ids.length}.`, MAX_IDS);
  const byType = new Map(Array.from(types, (type) => [type, new Set<string>()]));
  for (const [index, id] of ids.entries()) {
    const path = ['ids', String(index)];
    const typename = decodeGlobalId(id)?.typename;
    const matching = [...types].filter((type) => typename === undefined || typename === type);
    if (matching.length === 0)
      throw invalidInput(
        path,
        'NOT_ALLOWED',
        `must be the ID of a record of one of the \`types\`, but is ${withArticle(String(typename))} ID.`,
      );
    for (const type of matching) byType.get(type)?.add(toRawId(type, id, path));
  }
  return byType;
}

/** Whether the upstream lets the caller query an index, which it only does for accounts with access to all of its records. */
async function canQuery(type: LiveType, context: Context): Promise<boolean> {
  const { index } = SEARCHES[type];
  try {
    await readCounts(index, [], compare(index.columns.id ?? 'id', 'EQ', { text: NIL_ID }), context);
    return true;
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    throw error;
  }
}

/** The types of which the caller can read all records. Costs a call per type, unless the result is known. */
async function findFullAccess(types: ReadonlySet<LiveType>, live: RequestLive, context: Context): Promise<readonly LiveType[]> {
  const { upstream } = context;
  const unknown = [...types].filter((type) => !live.hasFullAccess(type));
  if (unknown.length > 0) {
    try {
      await upstream.admit({ maxCalls: unknown.length, minCalls: 0, expected: unknown.length, isLowerBound: false });
      for (const type of unknown) if (await canQuery(type, context)) live.onFullAccess(type);
    } finally {
      upstream.finish();
    }
  }
  return [...types].filter((type) => live.hasFullAccess(type));
}

/** Maximum number of records that a poll reads. Source: the upstream's limit. */
const MAX_POLLED = 100;

/** Polls an index with the key of a request, independently of the request's own session, which is limited to its calls. */
function createSource(type: LiveType, { upstream, ledger }: Context): PollSource {
  const { index, toRecord } = SEARCHES[type];
  const { id = 'id', updatedAt = 'updated_at', status } = index.columns;
  const columns = { id, updatedAt, ...(status && { status }) };
  const poll = async (since: number): Promise<PolledRecords> => {
    const query: IndexQuery = {
      condition: compare(updatedAt, 'GTE', { timestamp: new Date(since * 1000).toISOString() }),
      sort: [updatedAt, id].map((column) => ({ column, direction: 'ASC' })),
      limit: MAX_POLLED,
    };
    const { rows, isTruncated } = await readMatching(index, Object.values(columns), query, createContext(upstream.fork(), ledger, 0));
    const records = rows.flatMap((row) => {
      const record = toRecord(row, columns) as PolledRow | null;
      return record ? [{ id: row.id, state: createState(row.id, record), updatedAt: Number(record.updatedAt) }] : [];
    });
    // A row whose values aren't available yet is found by a later poll.
    return { records, isTruncated };
  };
  return { poll, getQuota: () => upstream.quota };
}

/** Checks whether a caller can subscribe, and returns the indexes that can be polled with its key. */
async function checkAccess({ types, ids }: Interest, live: RequestLive, context: Context): Promise<ReadonlyMap<LiveType, PollSource>> {
  if (ids && !live.isPolling) return new Map();
  const readable = await findFullAccess(types, live, context).catch((error: unknown) => {
    // Without polls, the subscription still receives the changes of this graph.
    if (ids) return [];
    throw error;
  });
  if (!ids && readable.length < types.size) {
    const needs = 'an API key with the scope `analytics:read` by name, and an account with full access';
    throw invalidInput(['ids'], 'REQUIRED', `must list the records to watch, because only ${needs}, can watch all records of a type.`);
  }
  return new Map(live.isPolling ? readable.map((type) => [type, createSource(type, context)]) : []);
}

builder.subscriptionField('recordsChanged', (t) =>
  t.field({
    type: RecordsChanged,
    nullable: false,
    description:
      'Signals that records may have changed, so that clients refetch them. Not every change is signaled. The first signal always says to refetch. Requires `LIVE=on`.',
    args: {
      types: t.arg({ type: [LiveTypeEnum], required: true, description: 'Types of the records. Requires the scopes to read them.' }),
      ids: t.arg.idList({
        required: false,
        description:
          'Records to watch. Up to 500 IDs. Default: all of the types, which requires `analytics:read` by name and an account with full access.',
      }),
    },
    subscribe: async (_root, { types: listed, ids }, context) => {
      const { live } = context;
      if (!live) throw new LiveDisabledError();
      if (listed.length === 0) throw invalidInput(['types'], 'REQUIRED', 'must contain at least one type.');
      const types = new Set(listed);
      const interest = { types, ids: ids ? readIds(ids, types) : null };
      const operations = Array.from(types, (type) => SEARCHES[type].target.operation);
      return live.subscribe(interest, operations, () => checkAccess(interest, live, context));
    },
    resolve: (signal, _args, { live }) => live?.deliver(signal) ?? { ...signal, staleness: null },
  }),
);
