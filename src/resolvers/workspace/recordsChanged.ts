import type { Context } from '../../context.ts';
import { ForbiddenError, invalidInput, LiveDisabledError } from '../../failures/failures.ts';
import type { LiveType } from '../../live/changes.ts';
import type { RequestLive } from '../../live/requestLive.ts';
import { PaymentSearch } from '../../schema/billing/paymentSearch.ts';
import { CustomerSearch } from '../../schema/customers/customerSearch.ts';
import { builder } from '../../schema/kit/builder.ts';
import { decodeGlobalId, toRawId, withArticle } from '../../schema/kit/globalIds.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { OrderSearch } from '../../schema/sales/orderSearch.ts';
import { QuoteSearch } from '../../schema/sales/quoteSearch.ts';
import { compare } from '../../schema/search/conditions.ts';
import type { Search } from '../../schema/search/searches.ts';
import { AppointmentSearch } from '../../schema/work/appointmentSearch.ts';
import { ProblemSearch } from '../../schema/work/problemSearch.ts';
import { WorkOrderSearch } from '../../schema/work/workOrderSearch.ts';
import { LiveTypeEnum, RecordsChanged } from '../../schema/workspace/recordsChanged.ts';
import { readCounts } from '../kit/indexQueries.ts';

/** The searches of the types whose changes are signaled, which have the operations that read the records, and their indexes. */
const SEARCHES: Readonly<Record<LiveType, Pick<Search<never>, 'index'> & { readonly target: Pick<Entity<never>, 'operation'> }>> = {
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

/** Rejects a subscription to all records of a type that the caller may be unable to read. Costs a call per type, unless the result is known. */
async function requireFullAccess(types: ReadonlySet<LiveType>, live: RequestLive, context: Context): Promise<void> {
  const unknown = [...types].filter((type) => !live.hasFullAccess(type));
  if (unknown.length === 0) return;
  const { upstream } = context;
  try {
    await upstream.admit({ maxCalls: unknown.length, minCalls: 0, expected: unknown.length, isLowerBound: false });
    for (const type of unknown) {
      if (!(await canQuery(type, context))) {
        const needs = 'an API key with the scope `analytics:read` by name, and an account with full access';
        throw invalidInput(['ids'], 'REQUIRED', `must list the records to watch, because only ${needs}, can watch all records of a type.`);
      }
      live.onFullAccess(type);
    }
  } finally {
    upstream.finish();
  }
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
      const signals = await live.subscribe(
        interest,
        Array.from(types, (type) => SEARCHES[type].target.operation),
        () => (ids ? Promise.resolve() : requireFullAccess(types, live, context)),
      );
      return signals;
    },
    resolve: async (signal, _args, { live }) => ({ ...((await live?.deliver(signal)) ?? signal), staleness: null }),
  }),
);
