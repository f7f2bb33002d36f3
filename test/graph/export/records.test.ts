import { describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { START } from '../../sandbox/sandbox.ts';
import { addOrders, createOut, readManifest, readRows, runExport } from '../../support/exports.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { SEARCHES } from '../search/searches.ts';

const testGraph = useTestGraph();
const record = async (args: readonly string[], settings = {}) => {
  const [result, calls] = await testGraph.recordCalls(() => runExport(testGraph.sandbox.url, args, settings));
  return { ...result, calls };
};

const LINE = 'id product { id } productName quantity priceType unitPrice { amount currencyCode } total { amount currencyCode }';
/** Fields that the index doesn't have. */
const SELECTIONS = {
  orders: ['Order', `id status customer { id } paid { amount currencyCode } lines { ${LINE} }`],
  quotes: ['Quote', `id title version lines { ${LINE} } discounts { name discount { id } amountOnce { amount currencyCode } }`],
  customers: ['Customer', 'id customerName email phone contact { id } customFields { name value }'],
} as const;

/** Leaves out what the other value doesn't have. */
function pick(value: unknown, shape: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shape)) return value.map((each, index) => pick(each, shape[index]));
  if (typeof value !== 'object' || value === null || typeof shape !== 'object' || shape === null) return value;
  return Object.fromEntries(
    Object.keys(shape).map((name) => [name, pick((value as Record<string, unknown>)[name], (shape as Record<string, unknown>)[name])]),
  );
}

describe('export --records', () => {
  it.each(Object.entries(SELECTIONS))('writes the %s of the graph', async (root, [type, selection]) => {
    const out = createOut();
    expect(await runExport(testGraph.sandbox.url, [root, '--records', '--out', out])).toMatchObject({ code: 0 });
    const rows = readRows(out);
    const ids = rows.map(({ id }) => id).slice(-50);
    const { data, errors } = await testGraph.execute(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { ${selection} } } }`, {
      ids,
    });
    expect([errors, ids.length]).toEqual([undefined, expect.any(Number)]);
    expect(rows.slice(-50).map((row, index) => pick(row, data.nodes[index]))).toEqual(data.nodes);
    expect(readManifest(out)).toMatchObject({ verified: true, columns: null, rows: { written: rows.length, atEnd: rows.length } });
  });

  /** Matches all records, so that they're read by ID. */
  const ALL = 'createdAt: { gte: "2000-01-01T00:00:00Z" }';

  it.each(SEARCHES)('reads each $type with one call, and nothing else', async ({ type, get }) => {
    const root = type === 'WorkOrder' ? 'work-orders' : `${type.toLowerCase()}s`;
    const out = createOut();
    const { code, calls } = await record([root, '--records', '--raw-ids', '--where', ALL, '--out', out]);
    const rows = readRows(out);
    expect([code, rows.length]).toEqual([0, calls.filter((name) => name === get).length]);
    expect(new Set(calls)).toEqual(new Set(['AnalyticsService/ListCatalog', 'AnalyticsService/ExecuteQuery', get]));
    expect(rows.filter(({ rawId, id }) => typeof rawId !== 'string' || id !== undefined)).toEqual([]);
  });

  it.each([
    ['orders', 'Order/ListOrders', 'Order/GetOrder'],
    ['quotes', 'Quote/ListQuotes', 'Quote/GetQuote'],
  ])('reads %s by customer if that takes fewer calls', async (root, list, get) => {
    const [byCustomer, byId] = [createOut(), createOut()];
    const { code, calls } = await record([root, '--records', '--out', byCustomer]);
    expect(code).toBe(0);
    const byOwner = Object.values(Object.groupBy(readRows(byCustomer), ({ customer }) => customer.id));
    // A customer of the demo data has more quotes than a page.
    const pages = byOwner.reduce((sum, records = []) => sum + Math.ceil(records.length / 100), 0);
    expect(calls.filter((name) => name === list).length).toBe(pages);
    expect(calls).not.toContain(get);
    expect(await runExport(testGraph.sandbox.url, [root, '--records', '--where', ALL, '--out', byId])).toMatchObject({ code: 0 });
    const sort = (out: string) => readRows(out).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(sort(byCustomer)).toEqual(sort(byId));
  });

  it('reads orders by ID if the key can’t read customers', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== 'customer:read') });
    const { code, calls } = await record(['orders', '--records', '--out', createOut()], { key });
    expect([code, calls.includes('Order/GetOrder'), calls.includes('Order/ListOrders')]).toEqual([0, true, false]);
  });

  it('requires --yes for more than 10,000 calls, which the plan states', async () => {
    addOrders(testGraph.sandbox.world, 10_000, `${START - 1_000_000} + n`);
    const plan = await record(['orders', '--records', '--where', ALL, '--plan']);
    expect([plan.code, plan.out]).toEqual([0, expect.stringMatching(/^Calls: +about 10,\d{3},/m)]);
    const rejected = await record(['orders', '--records', '--where', ALL, '--out', createOut()]);
    expect([rejected.code, rejected.err]).toEqual([
      1,
      expect.stringMatching(/take about 10,\d{3} calls \(at least \d+s\)\. Add --yes to start\.$/),
    ]);
    expect(rejected.calls.length).toBe(4);
  });

  it('rejects columns and other formats', async () => {
    for (const option of [
      ['--columns', 'id'],
      ['--format', 'csv'],
    ])
      expect(await record(['orders', '--records', ...option, '--out', 'x'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('Omit --columns'),
      });
  });
});
