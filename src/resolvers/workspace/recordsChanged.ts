import { type Context, createContext, releaseContext } from '../../context.ts';
import { ForbiddenError, invalidInput, LiveDisabledError, RejectedError, ValidationError } from '../../failures/failures.ts';
import type { CallerRights } from '../../live/callerRights.ts';
import { createState, type LiveType } from '../../live/changes.ts';
import type { PolledRecords, PollSource } from '../../live/poller.ts';
import type { Access, Subject } from '../../live/rights.ts';
import { PaymentSearch } from '../../schema/billing/paymentSearch.ts';
import { CustomerSearch } from '../../schema/customers/customerSearch.ts';
import { builder } from '../../schema/kit/builder.ts';
import { decodeGlobalId, haveSameRecords, toRawId, withArticle } from '../../schema/kit/globalIds.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import type { SizeExtensions } from '../../schema/kit/valueSizes.ts';
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

type LiveSearch = Pick<Search<object>, 'index' | 'toRecord'> & { readonly target: Pick<Entity<object>, 'operation' | 'load'> };

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

/** Decodes the IDs of a subscription: the records that each can refer to. A raw ID can refer to a record of each type. */
function readIds(ids: readonly string[], types: ReadonlySet<LiveType>): readonly (readonly Subject[])[] {
  if (ids.length === 0) throw invalidInput(['ids'], 'REQUIRED', 'must contain at least one ID.');
  if (ids.length > MAX_IDS)
    throw invalidInput(['ids'], 'TOO_LONG', `must have at most ${MAX_IDS} entries, but has ${ids.length}.`, MAX_IDS);
  return ids.map((id, index) => {
    const path = ['ids', String(index)];
    const typename = decodeGlobalId(id)?.typename;
    const matching = [...types].filter((type) => typename === undefined || haveSameRecords(typename, type));
    if (matching.length === 0)
      throw invalidInput(
        path,
        'NOT_ALLOWED',
        `must be the ID of a record of one of the \`types\`, but is ${withArticle(String(typename))} ID.`,
      );
    return matching.map((type) => ({ type, id: toRawId(type, id, path) }));
  });
}

/** Returns the raw IDs by type. Throws ValidationError for IDs of records that the caller can't read. */
async function requireReadable(ids: readonly (readonly Subject[])[], rights: CallerRights): Promise<ReadonlyMap<LiveType, Set<string>>> {
  const subjects = ids.flat();
  const found = await rights.find(subjects);
  const readable = new Set(subjects.filter((_subject, index) => found[index] === 'GRANTED'));
  const message = 'must be the ID of a record that exists and that the API key can read.';
  const issues = ids.flatMap((candidates, index) =>
    candidates.some((subject) => readable.has(subject))
      ? []
      : [{ path: ['ids', String(index)], code: 'NOT_ALLOWED' as const, limit: null, message }],
  );
  if (issues.length > 0) throw new ValidationError(issues);
  const byType = Map.groupBy(readable, ({ type }) => type);
  return new Map(Array.from(byType, ([type, records]) => [type, new Set(records.map(({ id }) => String(id)))]));
}

/** Whether the upstream lets the caller query an index, which it only does for accounts with access to all of its records. */
async function checkQuery(type: LiveType, context: Context): Promise<Access> {
  const { index } = SEARCHES[type];
  await readCounts(index, [], compare(index.columns.id ?? 'id', 'EQ', { text: NIL_ID }), context);
  return 'GRANTED';
}

/** Reads what a key can access, with one call per record or type, or fewer if a list contains several of the records. */
async function readAccess(subjects: readonly Subject[], { upstream, ledger }: Context): Promise<readonly Access[]> {
  const context = createContext(upstream.fork(), ledger, 0);
  const read = async ({ type, id }: Subject): Promise<Access> => {
    try {
      if (id === null) return await checkQuery(type, context);
      return (await SEARCHES[type].target.load(id, context)) ? 'GRANTED' : 'MISSING';
    } catch (error) {
      if (error instanceof ForbiddenError) return 'DENIED';
      // The upstream rejects the ID, so it isn't that of a record.
      if (id !== null && (error instanceof ValidationError || error instanceof RejectedError)) return 'MISSING';
      throw error;
    }
  };
  try {
    // Cached responses can be older than rights may be. Queries aren't cached.
    if (subjects.some(({ id }) => id !== null)) context.upstream.forget('key');
    const calls = subjects.length;
    await context.upstream.admit({ maxCalls: calls, probeCalls: 0, minCalls: 0, expected: calls, isLowerBound: false });
    return await Promise.all(subjects.map(read));
  } finally {
    releaseContext(context);
  }
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
    const context = createContext(upstream.fork(), ledger, 0);
    const { rows, isTruncated } = await readMatching(index, Object.values(columns), query, context).finally(() => releaseContext(context));
    const records = rows.flatMap((row) => {
      const record = toRecord(row, columns) as PolledRow | null;
      return record ? [{ id: row.id, state: createState(row.id, record), updatedAt: Number(record.updatedAt) }] : [];
    });
    // A row whose values aren't available yet is found by a later poll.
    return { records, isTruncated };
  };
  return { poll, getQuota: () => upstream.quota };
}

/** Number of calls that check the rights of a subscription at its start. */
function countReads({ types, ids }: Readonly<Record<string, unknown>>) {
  const expensiveReads = new Set(types as readonly unknown[]).size;
  const reads = ((ids ?? []) as readonly string[]).slice(0, MAX_IDS).map((id) => (decodeGlobalId(id) ? 1 : expensiveReads));
  return { expensiveReads, reads: reads.reduce((sum, count) => sum + count, 0) };
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
          'Records to watch, which the caller must be able to read. 1–500 IDs. Default: all of the types, which requires `analytics:read` by name and an account with full access.',
        extensions: { maxItems: MAX_IDS } satisfies SizeExtensions,
      }),
    },
    extensions: { countReads },
    subscribe: async (_root, { types: listed, ids }, context) => {
      const { live } = context;
      if (!live) throw new LiveDisabledError();
      if (listed.length === 0) throw invalidInput(['types'], 'REQUIRED', 'must contain at least one type.');
      const types = new Set(listed);
      const candidates = ids ? readIds(ids, types) : null;
      const operations = Array.from(types, (type) => SEARCHES[type].target.operation);
      const rights = await live.openRights(operations, (subjects) => readAccess(subjects, context));
      const readable = candidates && (await requireReadable(candidates, rights));
      // Without polls, a subscription with IDs still receives the changes of this graph.
      const findPolled = () => (live.isPolling ? rights.findFullAccess(types).catch(() => []) : []);
      const polled = readable ? await findPolled() : await rights.requireFullAccess(types);
      const sources = new Map(live.isPolling ? polled.map((type) => [type, createSource(type, context)]) : []);
      return live.subscribe({ types, ids: readable }, rights, sources);
    },
    resolve: (signal) => {
      if (signal instanceof Error) throw signal;
      return signal;
    },
  }),
);
