import { type GraphQLField, type GraphQLObjectType, getNamedType, isCompositeType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { decodeGlobalId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { START } from '../../sandbox/sandbox.ts';
import { parseCsv } from '../../support/csv.ts';
import { createOut, readManifest, readRows, runExport } from '../../support/exports.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { diversify, executeSearch, SEARCHES, type SearchTraits, schema, selectIndexFields } from '../search/searches.ts';

const testGraph = useTestGraph();

const ROOTS: Readonly<Record<string, string>> = { WorkOrder: 'work-orders' };
const getRoot = ({ type }: SearchTraits) => ROOTS[type] ?? `${type.toLowerCase()}s`;

beforeAll(() => {
  const { world } = testGraph.sandbox;
  diversify(world);
  // Texts that need quotes in CSV, and that spreadsheets would execute.
  world.store.run(`UPDATE customers SET title = '=1+1, "two"' || char(10) || 'lines' WHERE rowid % 7 = 0`);
});

// biome-ignore lint/suspicious/noExplicitAny: nodes of all types
type Node = Record<string, any>;

/** All nodes of a search, oldest first, with the fields that the index has. */
async function readNodes(traits: SearchTraits): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let after: string | null = null; ; ) {
    const args = { orderBy: { field: 'CREATED_AT', direction: 'ASC' as const }, first: 100, after };
    const selection = `nodes { id ${selectIndexFields(traits)} } pageInfo { hasNextPage endCursor }`;
    const { result, errors } = await executeSearch(testGraph, traits.name, args, selection);
    expect(errors).toBeUndefined();
    nodes.push(...result.nodes);
    if (!result.pageInfo.hasNextPage) return nodes;
    after = result.pageInfo.endCursor;
  }
}

const getFields = ({ type }: SearchTraits) => (schema.getType(type) as GraphQLObjectType).getFields();

/** Exports contain the ID of a portfolio as a customer. */
function toExportedId(id: string | null): string | null {
  const global = id === null ? null : decodeGlobalId(id);
  return global?.typename === 'Portfolio' ? toGlobalId('Customer', global.id) : id;
}

/** The column of a field, and its value. */
function toCell({ name, type }: GraphQLField<unknown, unknown>, value: unknown): [string, unknown] {
  if (!isCompositeType(getNamedType(type))) return [name, value];
  if (getNamedType(type).name !== 'Money') return [`${name}Id`, toExportedId((value as Node | null)?.id ?? null)];
  const money = value as { amount: string; currencyCode: string } | null;
  return [name, money && { amount: money.amount, currencyCode: money.currencyCode }];
}

/** The row of a node. Its fields are those of the selection. */
const toRow = (traits: SearchTraits, node: Node) =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => toCell(getFields(traits)[name] as GraphQLField<unknown, unknown>, value)));

const expectedRows = new Map<string, Promise<Node[]>>();

/** The rows of all nodes of a search. Read once. */
function readExpected(traits: SearchTraits): Promise<Node[]> {
  const rows = expectedRows.get(traits.name) ?? readNodes(traits).then((nodes) => nodes.map((node) => toRow(traits, node)));
  expectedRows.set(traits.name, rows);
  return rows;
}

/** Exports all columns, also those that aren't exported by default. */
async function exportAll(traits: SearchTraits, ...args: readonly string[]) {
  const [row = {}] = await readExpected(traits);
  const columns = Object.keys(row);
  const out = createOut();
  const result = await runExport(testGraph.sandbox.url, [getRoot(traits), '--out', out, '--columns', columns.join(','), ...args]);
  expect(result).toMatchObject({ code: 0 });
  return out;
}

describe.each(SEARCHES)('export of $type', (traits) => {
  it('writes the values of the graph, oldest first', async () => {
    const expected = await readExpected(traits);
    const out = await exportAll(traits);
    const rows = readRows(out);
    const { unavailable, rows: counts, verified } = readManifest(out);
    expect(expected.length).toBeGreaterThan(5);
    expect([rows, unavailable]).toEqual([expected, {}]);
    expect([counts.written, counts.atStart, counts.atEnd, verified]).toEqual([rows.length, rows.length, rows.length, true]);
  });

  it('exports all columns without raw values of enums by default', async () => {
    const out = createOut();
    expect(await runExport(testGraph.sandbox.url, [getRoot(traits), '--out', out])).toMatchObject({ code: 0 });
    const selected = Object.keys((await readExpected(traits))[0] ?? {});
    const hasRawValue = (name: string) => name.endsWith('Text') && selected.includes(name.slice(0, -'Text'.length));
    expect(Object.keys(readRows(out)[0] ?? {}).toSorted()).toEqual(selected.filter((name) => !hasRawValue(name)).toSorted());
  });

  it('writes the same values as CSV, and raw IDs on request', async () => {
    const csv = createOut('out.csv');
    const out = await exportAll(traits, '--raw-ids');
    const columns = readManifest(out).columns?.map(({ name }) => name) ?? [];
    const json = readRows(out);
    const args = [getRoot(traits), '--raw-ids', '--columns', columns.join(','), '--format', 'csv', '--out', csv];
    expect(await runExport(testGraph.sandbox.url, args)).toMatchObject({ code: 0 });
    const [header = [], ...records] = parseCsv(csv);
    expect(header.slice(0, columns.length)).toEqual(columns);
    const expected = json.map((row) => columns.map((name) => (row[name] === null ? '' : String(row[name]?.amount ?? row[name]))));
    expect(records.map((record) => record.slice(0, columns.length))).toEqual(expected);
    const ids = json.flatMap((row) => columns.filter((name) => /^id$|Id$/.test(name)).map((name) => row[name]));
    expect(ids.filter((id) => id !== null && decodeGlobalId(id) !== null)).toEqual([]);
  });
});

describe('export of amounts that the index doesn’t have', () => {
  const GET_ORDER = 'Order/GetOrder';
  const UNSETTLED = 2;
  const AMOUNTS = ['totalOnce', 'totalMonthly', 'totalYearly'];
  const countNulls = (rows: readonly Node[]) => AMOUNTS.map((name) => rows.filter((row) => row[name] === null).length);

  async function exportOrders(fault?: Omit<Fault, 'operation'>) {
    const out = createOut();
    if (fault) testGraph.sandbox.faults.add({ operation: GET_ORDER, ...fault });
    const before = testGraph.sandbox.received.length;
    const { code } = await runExport(testGraph.sandbox.url, ['orders', '--out', out]);
    testGraph.sandbox.faults.clear();
    const received = testGraph.sandbox.received.slice(before).map(({ operation }) => operation);
    const reads = received.filter((operation) => operation === GET_ORDER).length;
    return { code, nulls: countNulls(readRows(out)), unavailable: readManifest(out).unavailable, reads };
  }

  it('reads the records that have them, and retries', async () => {
    expect(await exportOrders()).toEqual({ code: 0, nulls: [0, 0, 0], unavailable: {}, reads: UNSETTLED });
    expect(await exportOrders({ status: 503, times: 1 })).toEqual({ code: 0, nulls: [0, 0, 0], unavailable: {}, reads: UNSETTLED + 1 });
  });

  it.each([
    ['the key can’t read', { status: 403, body: '{"code":"permission_denied"}' }],
    ['no longer exist', { status: 404, body: '{"code":"not_found"}' }],
  ])('writes null for records that %s, and counts the values', async (_name, fault) => {
    const unavailable = Object.fromEntries(AMOUNTS.map((name) => [name, UNSETTLED]));
    expect(await exportOrders(fault)).toEqual({ code: 0, nulls: [UNSETTLED, UNSETTLED, UNSETTLED], unavailable, reads: UNSETTLED });
  });
});

describe('export of amounts as CSV', () => {
  it('adds a column with their currency', async () => {
    const out = createOut('out.csv');
    const args = ['orders', '--columns', 'id,totalOnce', '--format', 'csv', '--out', out];
    expect(await runExport(testGraph.sandbox.url, args)).toMatchObject({ code: 0 });
    const [header, ...records] = parseCsv(out);
    expect(header).toEqual(['id', 'totalOnce', 'currencyCode']);
    expect(new Set(records.map(([, , currency]) => currency))).toEqual(new Set(['EUR', 'USD', 'JPY']));
    // Yen have no decimal places.
    expect(records.filter(([, amount = '', currency]) => amount !== '' && amount.includes('.') === (currency === 'JPY'))).toEqual([]);
  });
});

describe('export --excel-safe', () => {
  it('prefixes texts that start like a formula', async () => {
    const out = createOut('out.csv');
    const args = ['customers', '--columns', 'title', '--format', 'csv', '--excel-safe', '--out', out];
    expect(await runExport(testGraph.sandbox.url, args)).toMatchObject({ code: 0 });
    const titles = parseCsv(out).flat();
    expect(titles.filter((title) => title.startsWith("'=1+1")).length).toBeGreaterThan(5);
    expect(titles.filter((title) => title.startsWith('='))).toEqual([]);
  });
});

describe('export of long texts', () => {
  it('requests fewer rows if a result is too large', async () => {
    const { store } = testGraph.sandbox.world;
    const before = store.all<{ readonly id: string; readonly title: string; readonly created_at: number }>(
      'SELECT id, title, created_at FROM customers',
    );
    store.run(`UPDATE customers SET title = title || ' ' || printf('%.4000c', 'x'), created_at = created_at % 1000 + ${START - 2_000}`);
    const out = createOut();
    const result = await runExport(testGraph.sandbox.url, ['customers', '--columns', 'id,title', '--out', out]);
    for (const row of before) store.run('UPDATE customers SET title = :title, created_at = :created_at WHERE id = :id', row);
    expect(result).toMatchObject({ code: 0 });
    expect(readRows(out).length).toBeGreaterThan(80);
    expect(readRows(out).filter(({ title }) => title.length < 4_000)).toEqual([]);
  });
});

describe('export --where', () => {
  it.each([
    ['orders', 'orderSearch', 'statuses: [OPEN, CANCELLED], currencyCodes: ["EUR"]'],
    ['orders', 'orderSearch', '{ or: [{ cancelledAt: { isNull: false } }, { payments: { statuses: [PAID] } }] }'],
    ['customers', 'customerSearch', 'orders: { statuses: [OPEN] }, createdAt: { gte: "2020-01-01T00:00:00Z" }'],
  ])('exports the %s that %s returns for %s', async (root, search, where) => {
    const { data } = await testGraph.execute(
      `{ ${search}(first: 100, filter: ${where.startsWith('{') ? where : `{ ${where} }`}) { totalCount nodes { id } } }`,
    );
    const out = createOut();
    expect(await runExport(testGraph.sandbox.url, [root, '--where', where, '--out', out])).toMatchObject({ code: 0 });
    const { totalCount, nodes } = data[search];
    expect(totalCount).toBeGreaterThan(0);
    expect(
      readRows(out)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(nodes.map(({ id }: Node) => id).toSorted());
    expect(readManifest(out).where).toBe(where);
  });

  it.each([
    ['statuses: [OPN]', 'Value "OPN" does not exist in "OrderStatus" enum. Did you mean the enum value "OPEN"?'],
    ['statuz: [OPEN]', 'Field "statuz" is not defined by type "OrderSearchFilterInput". Did you mean "statuses"?'],
    ['createdAt: { gte: "2026-01-01" }', 'RFC 3339'],
    [
      'or: [{ updatedAt: { gte: "2026-01-01T00:00:00Z", lt: "2026-01-01T00:00:00Z" } }]',
      'or.0.updatedAt.lt must be after `gte` (2026-01-01T00:00:00Z), but is 2026-01-01T00:00:00Z.',
    ],
    ['customerIds: []', 'customerIds must have at least 1 item. Omit it to match everything.'],
    ['statuses: [OPEN', 'Syntax Error'],
    ['status: $status', 'Unexpected variable "$status" in constant value'],
  ])('rejects %s before any call', async (where, message) => {
    const [{ code, err }, calls] = await testGraph.recordCalls(() =>
      runExport(testGraph.sandbox.url, ['orders', '--where', where, '--out', createOut()]),
    );
    expect(code).toBe(1);
    expect(err).toContain('--where is invalid: ');
    expect(err).toContain(message);
    expect(calls).toEqual([]);
  });
});
