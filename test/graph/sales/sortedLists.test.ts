import { beforeEach, describe, expect, it } from 'vitest';
import { toCompositeId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { type Columns, CREATED, createSalesLists, INVOICES, ORDERS, QUOTES, toDateTime } from '../../support/salesLists.ts';
import { fc, scaleCases } from '../../support/seeded.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const lists = createSalesLists(testGraph);
const { add, read, tryRead, readAll, readAllBackwards } = lists;
beforeEach(() => lists.createCustomer());

const STATUSES = ['OPEN', 'FULFILLED', 'CANCELLED'];

type Range = { readonly gte?: number; readonly lt?: number };

/** Sort fields, with their columns. */
const FIELDS = {
  CREATED_AT: 'created_at',
  UPDATED_AT: 'updated_at',
  CANCELLED_AT: 'cancelled_at',
  TOTAL_ONCE: 'total_once_minor',
  TOTAL_MONTHLY: 'total_monthly_minor',
  TOTAL_YEARLY: 'total_yearly_minor',
} as const;

interface Search {
  readonly statuses: readonly string[] | undefined;
  readonly createdAt: Range | undefined;
  readonly cancelledAt: Range | undefined;
  readonly totalOnce: { readonly currencyCode: string; readonly range: Range } | undefined;
  readonly orderBy: { readonly field: keyof typeof FIELDS; readonly direction: 'ASC' | 'DESC' } | undefined;
}

const isWithin = (value: number | null, { gte = -Infinity, lt = Infinity }: Range) => value !== null && value >= gte && value < lt;

/** The expected IDs. */
function search(rows: readonly Columns[], { statuses, createdAt, cancelledAt, totalOnce, orderBy }: Search): string[] {
  const { field, direction } = orderBy ?? { field: 'CREATED_AT', direction: 'DESC' };
  const sign = direction === 'ASC' ? 1 : -1;
  const order = <Value extends number | string>(one: Value, other: Value) => (one === other ? 0 : one < other ? -1 : 1);
  return rows
    .filter((row) => !statuses || statuses.includes(STATUSES[row.status - 1] ?? ''))
    .filter((row) => !createdAt || isWithin(row.created_at, createdAt))
    .filter((row) => !cancelledAt || Object.keys(cancelledAt).length === 0 || isWithin(row.cancelled_at, cancelledAt))
    .filter((row) => !totalOnce || (row.currency === totalOnce.currencyCode && isWithin(row.total_once_minor, totalOnce.range)))
    .toSorted((one, other) => {
      const [a, b] = [one[FIELDS[field]], other[FIELDS[field]]];
      const missing = Number(a === null) - Number(b === null);
      const currency = field.startsWith('TOTAL') ? order(one.currency, other.currency) : 0;
      return missing || currency || sign * (order(a ?? 0, b ?? 0) || order(one.created_at, other.created_at) || order(one.id, other.id));
    })
    .map(({ id }) => id);
}

const mapRange = (range: Range | undefined, convert: (value: number) => string) =>
  range && Object.fromEntries(Object.entries(range).map(([limit, value]) => [limit, convert(value)]));

const toArgs = ({ statuses, createdAt, cancelledAt, totalOnce, orderBy }: Search) => ({
  orderBy,
  filter: {
    statuses,
    createdAt: mapRange(createdAt, toDateTime),
    cancelledAt: mapRange(cancelledAt, toDateTime),
    totalOnce: totalOnce && { currencyCode: totalOnce.currencyCode, minorUnits: mapRange(totalOnce.range, String) },
  },
});

const rangeOf = (from: number, to: number): fc.Arbitrary<Range> =>
  fc.tuple(fc.integer({ min: from, max: to }), fc.integer({ min: 1, max: to - from }), fc.nat(3)).map(([gte, length, kind]) => ({
    ...(kind !== 1 && { gte }),
    ...(kind !== 2 && { lt: gte + length }),
  }));

const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 });

const SEARCHES: fc.Arbitrary<Search> = fc.record({
  statuses: optional(fc.subarray(STATUSES, { minLength: 1 })),
  createdAt: optional(rangeOf(CREATED, CREATED + 12)),
  cancelledAt: optional(fc.oneof(fc.constant({}), rangeOf(CREATED, CREATED + 12))),
  totalOnce: optional(fc.record({ currencyCode: fc.constantFrom('EUR', 'USD'), range: rangeOf(0, 6) })),
  orderBy: optional(
    fc.record({
      field: fc.constantFrom(...(Object.keys(FIELDS) as (keyof typeof FIELDS)[])),
      direction: fc.constantFrom('ASC' as const, 'DESC' as const),
    }),
  ),
});

const COLUMNS = fc.record({
  status: fc.integer({ min: 1, max: 3 }),
  currency: fc.constantFrom('EUR', 'EUR', 'USD'),
  created_at: fc.integer({ min: CREATED, max: CREATED + 12 }),
  updated_at: fc.integer({ min: CREATED, max: CREATED + 12 }),
  cancelled_at: fc.option(fc.integer({ min: CREATED, max: CREATED + 12 })),
  total_once_minor: fc.nat(6),
  total_monthly_minor: fc.nat(2),
  total_yearly_minor: fc.nat(100_000_000_000),
});

/** Whether the upstream returns the list as requested. Rows with equal timestamps are then in the upstream’s order. */
const isNative = ({ statuses = [], createdAt, cancelledAt = {}, totalOnce, orderBy }: Search) =>
  statuses.length < 2 &&
  !createdAt &&
  Object.keys(cancelledAt).length === 0 &&
  !totalOnce &&
  (!orderBy || (orderBy.field === 'CREATED_AT' && orderBy.direction === 'DESC'));

describe('Customer.orders with conditions and a sort order', () => {
  it('equals brute force on all pages, forward and backward', async () => {
    const rows = add('orders', fc.sample(COLUMNS, 130));
    const property = fc.asyncProperty(SEARCHES, fc.integer({ min: 50, max: 100 }), async (searched, size) => {
      const expected = search(rows, searched);
      const args = toArgs(searched);
      const ids = await readAll(args, size);
      if (isNative(searched)) {
        expect(ids.toSorted()).toEqual(expected.toSorted());
        return;
      }
      expect(ids).toEqual(expected);
      expect(await readAllBackwards(args, size)).toEqual(expected);
      expect((await read({ ...args, first: 1 })).totalCount).toBe(expected.length);
    });
    await fc.assert(property, { numRuns: scaleCases(30) });
  });

  it('sorts equal values by creation time and ID in the same direction', async () => {
    const rows = add('orders', [
      { total_once_minor: 5, created_at: CREATED },
      { total_once_minor: 5, created_at: CREATED },
      { total_once_minor: 5, created_at: CREATED + 1 },
      { total_once_minor: 4, created_at: CREATED + 9 },
    ]).map(({ id }) => id);
    const ascending = [rows[3], rows[0], rows[1], rows[2]];
    expect(await readAll({ orderBy: { field: 'TOTAL_ONCE', direction: 'ASC' } }, 1)).toEqual(ascending);
    expect(await readAll({ orderBy: { field: 'TOTAL_ONCE' } }, 1)).toEqual(ascending.toReversed());
  });

  it('matches no amount in another currency and sorts amounts within their currency', async () => {
    const [euro, dollar, cheap] = add('orders', [
      { total_once_minor: 500 },
      { total_once_minor: 900, currency: 'USD' },
      { total_once_minor: 100 },
    ]).map(({ id }) => id);
    const gte = { filter: { totalOnce: { currencyCode: 'EUR', minorUnits: { gte: '200' } } } };
    expect((await read(gte)).ids).toEqual([euro]);
    expect((await read({ filter: { totalOnce: { currencyCode: 'USD' } } })).ids).toEqual([dollar]);
    expect((await read({ orderBy: { field: 'TOTAL_ONCE' } })).ids).toEqual([euro, cheap, dollar]);
    expect((await read({ orderBy: { field: 'TOTAL_ONCE', direction: 'ASC' } })).ids).toEqual([cheap, euro, dollar]);
  });

  it('compares amounts beyond 2^53 and timestamps with fractions exactly', async () => {
    const [, large] = add('orders', [{ total_once_minor: 2 ** 53 - 2 }, { total_once_minor: 2 ** 53 - 1 }]).map(({ id }) => id);
    expect(
      (await read({ filter: { totalOnce: { currencyCode: 'EUR', minorUnits: { gte: '9007199254740991', lt: '9223372036854775807' } } } }))
        .ids,
    ).toEqual([large]);
    const gte = toDateTime(CREATED - 1).replace('.000Z', '.5Z');
    expect((await read({ filter: { createdAt: { gte } } })).totalCount).toBe(1);
    expect((await read({ filter: { createdAt: { lt: gte } } })).totalCount).toBe(1);
  });
});

describe('Customer.quotes with conditions and a sort order', () => {
  it('filters by several statuses and sorts by amount', async () => {
    const rows = add(
      'quotes',
      [1, 2, 3, 1, 2].map((status, index) => ({ status, total_monthly_minor: index % 3 })),
    ).map(({ id }) => id);
    const args = { filter: { statuses: ['CONCEPT', 'DISCARDED'] }, orderBy: { field: 'TOTAL_MONTHLY' } };
    const [page, calls] = await testGraph.recordCalls(() => read(args, QUOTES));
    expect([page.ids, calls]).toEqual([[rows[2], rows[0], rows[3]], ['Quote/ListQuotes']]);
  });

  it('names quoteSearch if the list is too long', async () => {
    add('quotes', Array(1_001).fill({}));
    const { error } = await tryRead({ orderBy: { field: 'UPDATED_AT' } }, QUOTES);
    expect(error?.message).toMatch(/more than 1000\. Use `quoteSearch\(filter: \{ customerId \}\)`/);
  });
});

describe('Customer.invoices with conditions and a sort order', () => {
  it('filters by status, although the upstream doesn’t, and puts drafts last by the time of sending', async () => {
    const toId = ({ id }: Columns) => toCompositeId('Invoice', [id, demoId('accounting connection 0'), '1']);
    const store = testGraph.sandbox.world.store;
    const rows = add('invoices', [{ status: 1 }, { status: 2, cancelled_at: CREATED + 5 }, { status: 2, cancelled_at: CREATED + 9 }]);
    store.run('UPDATE invoices SET integration_id = :integration, order_version = 1 WHERE customer_id = :customer', {
      integration: demoId('accounting connection 0'),
      customer: lists.customer,
    });
    const [draft, early, late] = rows.map(toId);
    const [sent, calls] = await testGraph.recordCalls(() => read({ filter: { statuses: ['SENT'] } }, INVOICES));
    expect([sent.ids, sent.totalCount, calls]).toEqual([[early, late], 2, ['Invoice/ListInvoices']]);
    expect((await read({ orderBy: { field: 'SENT_AT' } }, INVOICES)).ids).toEqual([late, early, draft]);
    expect((await read({ orderBy: { field: 'SENT_AT', direction: 'ASC' } }, INVOICES)).ids).toEqual([early, late, draft]);
    expect((await read({ filter: { sentAt: { lt: toDateTime(CREATED + 6) } } }, INVOICES)).ids).toEqual([early]);
  });
});

describe('Customer.orders of a restricted member', () => {
  it('filters and sorts the orders of a visible customer, although analytics refuses the member', async () => {
    const id = demoId('customer 0');
    const analytics = await testGraph.executeAs('demo-regional', '{ analyticsSql(sql: "SELECT id FROM orders") { __typename } }');
    expect(analytics.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const variables = { id, first: 100, filter: { statuses: ['OPEN', 'CANCELLED'] }, orderBy: { field: 'TOTAL_ONCE' } };
    const [regional, owner] = await Promise.all([
      testGraph.executeAs('demo-regional', ORDERS, variables),
      testGraph.execute(ORDERS, variables),
    ]);
    expect(regional.errors).toBeUndefined();
    expect(regional.data.customer.list.totalCount).toBeGreaterThan(5);
    expect(regional.data).toEqual(owner.data);
    const hidden = await testGraph.executeAs('demo-regional', ORDERS, { ...variables, id: toGlobalId('Customer', demoId('customer 1')) });
    expect(hidden.data.customer.list).toBeNull();
  });
});
