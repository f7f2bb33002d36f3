import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { from, type Money, type RowOf, UNAVAILABLE } from '../../../examples/client/analytics.gen.ts';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { CATALOG_QUERY } from '../../../src/cli/analyticsTypes/catalog.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
// Those of the demo data, and those that tests add.
beforeEach(() => testGraph.sandbox.world.store.exec('DELETE FROM unresolved_snapshots'));

/** Runs the program as `npm run analytics:types` does. */
async function run(args: readonly string[]) {
  const program = spawn(process.execPath, ['src/cli/main.ts', 'analytics-types', ...args], {
    env: { ...process.env, API_KEY: '', GRAPH_URL: '' },
  });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { output, errors: errors.trimEnd(), code };
}

const at = (key: string) => ['--url', `${testGraph.url}/graphql`, '--key', key];

describe('analytics:types', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workspace-graph-types-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Writes a file, and runs the program with it. */
  async function runWith(content: string) {
    const file = join(folder, 'catalog.json');
    await writeFile(file, content);
    return run(['--file', file]);
  }

  it('prints what is checked in, from the catalog that the graph answers: `vitest run -u` brings it up to date', async () => {
    const [{ output, errors, code }, calls] = await testGraph.recordCalls(() => run(at('demo-owner')));
    expect([errors, code, calls]).toEqual(['', 0, ['AnalyticsService/ListCatalog']]);
    await expect(output).toMatchFileSnapshot('../../../examples/client/analytics.gen.ts');
  });

  it('prints the same from a file with the graph’s answer', async () => {
    const { data } = await testGraph.execute(CATALOG_QUERY);
    const { output, code } = await runWith(JSON.stringify({ data }));
    expect(code).toBe(0);
    expect(output).toBe((await run(at('demo-owner'))).output);
  });

  it('says why there is no catalog', async () => {
    const regional = await run(at('demo-regional'));
    expect([regional.output, regional.code]).toEqual(['', 1]);
    expect(regional.errors).toMatch(/^Can’t read the catalog from http:\S+: .*boardAccess:FULL_ACCESS/);
    expect((await runWith('not JSON')).errors).toContain('catalog.json isn’t JSON: "not JSON".');
    expect((await runWith('{}')).errors).toContain('catalog.json: data.analyticsCatalog is missing.');
    expect((await run(['--url', 'http://127.0.0.1:9/graphql'])).errors).toBe(
      'Can’t reach http://127.0.0.1:9/graphql. Check that the graph is running there.',
    );
  });

  it('leaves out what the graph has no word for, and comments that would end too early', async () => {
    const field = {
      name: 'new-kind',
      description: 'Ends */ here.',
      valueType: 'TEXT',
      operators: ['EQ', 'OTHER'],
      aggregations: [],
      buckets: [],
      supportsCurrentMember: false,
      currencyField: null,
      words: [],
      isNullable: false,
    };
    const known = { entity: 'ORDERS', name: 'orders', description: '', fields: [field, { ...field, name: 'shape', valueType: 'OTHER' }] };
    const entities = [
      { ...known, relationships: [{ name: 'ships', entity: 'OTHER', description: '' }] },
      { ...known, entity: 'OTHER', name: 'ships', relationships: [] },
    ];
    const { output, errors } = await runWith(JSON.stringify({ data: { analyticsCatalog: { entities } } }));
    expect(errors).toBe('');
    expect(
      output.slice(output.indexOf('const textField'), output.lastIndexOf('/** Starts a query')),
    ).toBe(`const textField = { type: "TEXT", operators: ["EQ"], aggregations: [], buckets: [], isNullable: false, isMember: false } as const;

const ROOTS = {
  orders: {
    fields: {
      /** Ends * / here. */
      "new-kind": textField,
    },
    relationships: {
    },
  },
} as const satisfies Roots;

`);
  });
});

const ASK = `query ($query: AnalyticsQueryInput!) {
  analyticsQuery(query: $query) {
    __typename
    ... on AnalyticsResult { columns { name valueType } rows { cells { status value } } }
    ... on AnalyticsQueryError { message issues { path message } }
  }
}`;

interface Asked<Row> {
  readonly input: object;
  readonly rows: (result: never) => Row[];
}

/** Sends a query as a client would. */
async function ask<Row>({ input, rows }: Asked<Row>): Promise<Row[]> {
  const { data, errors } = await testGraph.execute(ASK, { query: input });
  if (errors || data.analyticsQuery.__typename !== 'AnalyticsResult') throw new Error(JSON.stringify(errors ?? data));
  return rows.call({}, data.analyticsQuery as never);
}

const rowsOf = <Row>(sql: string) => testGraph.sandbox.world.store.all<Row>(sql, { workspace: demoId('workspace') });

describe('the query builder', () => {
  const revenue = from('orders')
    .timezone('UTC')
    .during('created_at', { calendar: { startDate: '2025-01-01', endDate: '2026-12-31' } })
    .where((order) => order.compare('status', 'NEQ', 'CANCELLED'))
    .groups()
    .byTime('created_at', 'MONTH', { name: 'month' })
    .by('currency')
    .measure('SUM', 'total_once', { name: 'revenue' })
    .count()
    .sort('month', 'DESC');

  it('asks what its types say, by one call, and types the rows', async () => {
    const [rows, calls] = await testGraph.recordCalls(() => ask(revenue));
    expect(calls.filter((name) => name !== 'AnalyticsService/ListCatalog')).toEqual(['AnalyticsService/ExecuteQuery']);
    const expected = rowsOf<{ month: string; cents: number; count: number }>(
      `SELECT strftime('%Y-%m-01', created_at, 'unixepoch') AS month, sum(total_once_minor) AS cents, count(*) AS count FROM orders
       WHERE workspace_id = :workspace AND status <> 3 AND created_at >= unixepoch('2025-01-01') GROUP BY month ORDER BY month DESC`,
    );
    expect(expected.length).toBeGreaterThan(1);
    const shown = rows.map(({ month, currency, revenue, count }) => ({ month, currency, amount: revenue?.amount, count }));
    expect(shown).toEqual(
      expected.map(({ month, cents, count }) => ({ month, currency: 'EUR', amount: (cents / 100).toFixed(2), count: BigInt(count) })),
    );
  });

  it('tells an amount that is not known from one that there is not', async () => {
    const [{ id, month } = { id: '', month: '' }] = rowsOf<{ id: string; month: string }>(
      `SELECT id, strftime('%Y-%m-01', created_at, 'unixepoch') AS month FROM orders WHERE workspace_id = :workspace AND status <> 3 AND created_at >= unixepoch('2025-01-01') LIMIT 1`,
    );
    unresolvedSnapshotTable.insert(testGraph.sandbox.world.store, { workspace_id: demoId('workspace'), kind: 'order', record_id: id });
    const unknown = (await ask(revenue)).find((row) => row.month === month);
    expect([unknown?.revenue, unknown?.[UNAVAILABLE]]).toEqual([null, ['revenue']]);
    const none = from('orders')
      .groups()
      .measure('MAX', 'created_at', { name: 'last', condition: (order) => order.compare('currency', 'EQ', 'XXX') });
    const [row] = await ask(none);
    expect([row?.last, row?.[UNAVAILABLE]]).toEqual([null, []]);
  });

  it('sends what takes relationships, the member behind the key, moments from now, numbers, ratios and percentiles', async () => {
    const query = from('appointments')
      .where((appointment) =>
        appointment.all(
          appointment.any(appointment.compare('member_id', 'EQ', { currentMember: true }), appointment.compare('member_id', 'IS_NOT_NULL')),
          appointment.compare('duration_minutes', 'IN', 30, 60n),
          appointment.compare('duration_hours', 'LT', '24.00'),
          appointment.compare('starts_at', 'GT', { nowOffsetSeconds: -4 * 365 * 86_400 }),
          appointment.related('customer', (customer) => customer.compare('title', 'CONTAINS', 'e')),
        ),
      )
      .groups()
      .count({ name: 'all' })
      .count({ name: 'done', condition: (appointment) => appointment.related('result') })
      .percentile('duration_minutes', '0.95')
      .ratio('done', 'all')
      .limit(1);
    const [row] = await ask(query);
    const share: string | null | undefined = row?.done_per_all;
    expect(row).toMatchObject({ all: expect.any(BigInt), percentile_disc_duration_minutes: expect.any(BigInt) });
    expect(Number(share)).toBeCloseTo(Number(row?.done) / Number(row?.all));
  });

  it('shows records, with a column for each field', async () => {
    const rows = await ask(from('problems').records('title', 'resolved_at', 'manual_solving_disabled').sort('title').limit(2));
    expect(rows).toHaveLength(2);
    const [first] = rows;
    const title: string | undefined = first?.title;
    const resolvedAt: string | null | undefined = first?.resolved_at;
    const isDisabled: boolean | undefined = first?.manual_solving_disabled;
    expect([typeof title, resolvedAt === null || typeof resolvedAt === 'string', typeof isDisabled]).toEqual(['string', true, 'boolean']);
  });

  it('refuses two columns of one name', () => {
    expect(() => from('orders').groups().count().count()).toThrow('The query already has a column count. Rename one of them.');
  });
});

const TODAY = { relative: { period: 'TODAY' } } as const;
const orders = from('orders');
const ofYear = orders.during('created_at', { relative: { period: 'THIS_YEAR' } });
const revenue = ofYear.groups().byTime('created_at', 'MONTH').by('currency').measure('SUM', 'total_once').count();

/** Orders that are counted when they satisfy a condition. */
const where = (condition: Parameters<typeof orders.where>[0]) => orders.where(condition).groups().count();

/** Queries that must not compile: `tsc` fails where one does. */
const WRONG: readonly (() => { readonly input: object })[] = [
  // @ts-expect-error There is no such root.
  () => from('invoices').records('id'),
  // @ts-expect-error There is no such field.
  () => where((order) => order.compare('colour', 'EQ', 'red')),
  // @ts-expect-error Amounts are not compared.
  () => where((order) => order.compare('total_once', 'GT', '1')),
  // @ts-expect-error Texts have no order.
  () => where((order) => order.compare('reference_number', 'GT', 'O-1')),
  // @ts-expect-error It takes a value.
  () => where((order) => order.compare('status', 'EQ')),
  // @ts-expect-error It takes no value.
  () => where((order) => order.compare('cancelled_at', 'IS_NULL', '2026-01-01T00:00:00Z')),
  // @ts-expect-error It is never NULL.
  () => where((order) => order.compare('created_at', 'IS_NULL')),
  // @ts-expect-error A customer is no member.
  () => where((order) => order.compare('customer_id', 'EQ', { currentMember: true })),
  // @ts-expect-error There is no such relationship.
  () => where((order) => order.related('problems')),
  // @ts-expect-error Currencies are no moments.
  () => orders.during('currency', TODAY).groups().count(),
  // @ts-expect-error Months take a stretch of time.
  () => orders.groups().byTime('created_at', 'MONTH').count(),
  // @ts-expect-error Currencies have no months.
  () => ofYear.groups().byTime('currency', 'MONTH').count(),
  // @ts-expect-error Amounts take the dimension of their currency.
  () => orders.groups().measure('SUM', 'total_once'),
  // @ts-expect-error Texts are not added up.
  () => orders.groups().by('currency').measure('SUM', 'reference_number'),
  // @ts-expect-error There is no more than all.
  () => from('workorders').groups().percentile('task_count', '1.5'),
  // @ts-expect-error Amounts are not divided.
  () => revenue.ratio('sum_total_once', 'count'),
  // @ts-expect-error There is no such column.
  () => revenue.sort('month'),
  // @ts-expect-error There is no such field.
  () => orders.records('colour'),
];

/** Types that must not compile, and queries that the graph could not tell from right ones. */
const unsound = (row: RowOf<typeof revenue>) => {
  const typed: readonly [string, string, Money | null, bigint] = [row.created_at_month, row.currency, row.sum_total_once, row.count];
  return [
    typed,
    // @ts-expect-error
    row.sum_total_monthly,
    // @ts-expect-error
    row.sum_total_once.amount,
    // @ts-expect-error
    orders.where((order) => order.compare('status', 'EQ', 'EATEN')),
    // @ts-expect-error
    orders.where((order) => order.related('customer', () => order.compare('currency', 'EQ', 'EUR'))),
  ];
};

describe('what does not compile', () => {
  it.each(WRONG.map((query) => [String(query), query] as const))('is refused by the graph as well: %s', async (_code, query) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(ASK, { query: query().input }));
    expect(errors ? 'AnalyticsQueryError' : data.analyticsQuery.__typename).toBe('AnalyticsQueryError');
    expect(calls).not.toContain('AnalyticsService/ExecuteQuery');
  });

  it('has rows of other types than those that come', async () => {
    const [row] = await ask(revenue);
    if (!row) throw new Error('The demo data has no order of this year.');
    const amount = expect.stringMatching(/^\d+\.\d\d$/);
    const [typed, monthly, once] = unsound(row);
    expect(typed).toEqual([expect.stringMatching(/^2026-\d\d-01$/), 'EUR', { amount, currencyCode: 'EUR' }, expect.any(BigInt)]);
    expect([monthly, once]).toEqual([undefined, amount]);
  });
});
