import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CATALOG_QUERY } from '../../../cli/analyticsTypes/command.ts';
import { from, type Money, type RowOf, UNAVAILABLE } from '../../../examples/client/analytics.gen.ts';
import { unresolvedSnapshotTable } from '../../../sandbox/analytics/snapshots.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
// Removes the unresolved snapshots of the demo data and of earlier tests.
beforeEach(() => testGraph.sandbox.world.store.exec('DELETE FROM unresolved_snapshots'));

/** Runs the program like `workspace-graph analytics-types`. */
async function run(args: readonly string[]) {
  const program = spawn(process.execPath, ['cli/main.ts', 'analytics-types', ...args], {
    env: { ...process.env, API_KEY: '', GRAPH_URL: '' },
  });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { output, errors: errors.trimEnd(), code };
}

const createArguments = (key: string) => ['--url', `${testGraph.url}/graphql`, '--key', key];

describe('analytics-types', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workspace-graph-types-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Writes a file and runs the program with it. */
  async function runWithFile(content: string) {
    const file = join(folder, 'catalog.json');
    await writeFile(file, content);
    return run(['--file', file]);
  }

  it('prints the checked-in types from the graph’s catalog: `vitest run -u` updates them', async () => {
    const [{ output, errors, code }, calls] = await testGraph.recordCalls(() => run(createArguments('demo-owner')));
    expect([errors, code, calls]).toEqual(['', 0, ['AnalyticsService/ListCatalog']]);
    await expect(output).toMatchFileSnapshot('../../../examples/client/analytics.gen.ts');
  });

  it('prints the same types from a file with the graph’s response', async () => {
    const { data } = await testGraph.execute(CATALOG_QUERY);
    const { output, code } = await runWithFile(JSON.stringify({ data }));
    expect(code).toBe(0);
    expect(output).toBe((await run(createArguments('demo-owner'))).output);
  });

  it('explains why there is no catalog', async () => {
    const regional = await run(createArguments('demo-regional'));
    expect([regional.output, regional.code]).toEqual(['', 1]);
    expect(regional.errors).toMatch(/^Can’t read the catalog from http:\S+: .*boardAccess:FULL_ACCESS/);
    expect((await runWithFile('not JSON')).errors).toContain('catalog.json isn’t JSON: "not JSON".');
    expect((await runWithFile('{}')).errors).toContain('catalog.json: data.analyticsCatalog is missing.');
    expect((await run(['--url', 'http://127.0.0.1:9/graphql'])).errors).toMatch(
      /^No graph can be reached at http:\/\/127\.0\.0\.1:9\/graphql: \w+\. Start one, or set --url\.$/,
    );
  });

  it('omits unknown enum values and escapes the end of comments', async () => {
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
    const { output, errors } = await runWithFile(JSON.stringify({ data: { analyticsCatalog: { entities } } }));
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

const QUERY = `query ($query: AnalyticsQueryInput!) {
  analyticsQuery(query: $query) {
    __typename
    ... on AnalyticsResult { columns { name valueType } rows { cells { status value } } }
    ... on AnalyticsQueryError { message issues { path message } }
  }
}`;

interface TypedQuery<Row> {
  readonly input: object;
  readonly rows: (result: never) => Row[];
}

/** Sends a query like a client. */
async function executeQuery<Row>({ input, rows }: TypedQuery<Row>): Promise<Row[]> {
  const { data, errors } = await testGraph.execute(QUERY, { query: input });
  if (errors || data.analyticsQuery.__typename !== 'AnalyticsResult') throw new Error(JSON.stringify(errors ?? data));
  return rows.call({}, data.analyticsQuery as never);
}

const selectRows = <Row>(sql: string) => testGraph.sandbox.world.store.all<Row>(sql, { workspace: demoId('workspace') });

describe('query builder', () => {
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

  it('sends the typed query with one call and returns typed rows', async () => {
    const [rows, calls] = await testGraph.recordCalls(() => executeQuery(revenue));
    expect(calls.filter((name) => name !== 'AnalyticsService/ListCatalog')).toEqual(['AnalyticsService/ExecuteQuery']);
    const expected = selectRows<{ month: string; cents: number; count: number }>(
      `SELECT strftime('%Y-%m-01', created_at, 'unixepoch') AS month, sum(total_once_minor) AS cents, count(*) AS count FROM orders
       WHERE workspace_id = :workspace AND status <> 3 AND created_at >= unixepoch('2025-01-01') GROUP BY month ORDER BY month DESC`,
    );
    expect(expected.length).toBeGreaterThan(1);
    const actual = rows.map(({ month, currency, revenue, count }) => ({ month, currency, amount: revenue?.amount, count }));
    expect(actual).toEqual(
      expected.map(({ month, cents, count }) => ({ month, currency: 'EUR', amount: (cents / 100).toFixed(2), count: BigInt(count) })),
    );
  });

  it('distinguishes an unknown amount from a missing one', async () => {
    const [{ id, month } = { id: '', month: '' }] = selectRows<{ id: string; month: string }>(
      `SELECT id, strftime('%Y-%m-01', created_at, 'unixepoch') AS month FROM orders WHERE workspace_id = :workspace AND status <> 3 AND created_at >= unixepoch('2025-01-01') LIMIT 1`,
    );
    unresolvedSnapshotTable.insert(testGraph.sandbox.world.store, { workspace_id: demoId('workspace'), kind: 'order', record_id: id });
    const unknown = (await executeQuery(revenue)).find((row) => row.month === month);
    expect([unknown?.revenue, unknown?.[UNAVAILABLE]]).toEqual([null, ['revenue']]);
    const none = from('orders')
      .groups()
      .measure('MAX', 'created_at', { name: 'last', condition: (order) => order.compare('currency', 'EQ', 'XXX') });
    const [row] = await executeQuery(none);
    expect([row?.last, row?.[UNAVAILABLE]]).toEqual([null, []]);
  });

  it('supports relationships, the current member, relative timestamps, numbers, ratios, and percentiles', async () => {
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
    const [row] = await executeQuery(query);
    const share: string | null | undefined = row?.done_per_all;
    expect(row).toMatchObject({ all: expect.any(BigInt), percentile_disc_duration_minutes: expect.any(BigInt) });
    expect(Number(share)).toBeCloseTo(Number(row?.done) / Number(row?.all));
  });

  it('returns records with a column per field', async () => {
    const rows = await executeQuery(from('problems').records('title', 'resolved_at', 'manual_solving_disabled').sort('title').limit(2));
    expect(rows).toHaveLength(2);
    const [first] = rows;
    const title: string | undefined = first?.title;
    const resolvedAt: string | null | undefined = first?.resolved_at;
    const isDisabled: boolean | undefined = first?.manual_solving_disabled;
    expect([typeof title, resolvedAt === null || typeof resolvedAt === 'string', typeof isDisabled]).toEqual(['string', true, 'boolean']);
  });

  it('rejects duplicate column names', () => {
    expect(() => from('orders').groups().count().count()).toThrow('The query already has a column count. Rename one of them.');
  });
});

const TODAY = { relative: { period: 'TODAY' } } as const;
const orders = from('orders');
const ofYear = orders.during('created_at', { relative: { period: 'THIS_YEAR' } });
const revenue = ofYear.groups().byTime('created_at', 'MONTH').by('currency').measure('SUM', 'total_once').count();

/** Counts the orders that satisfy a condition. */
const countOrders = (condition: Parameters<typeof orders.where>[0]) => orders.where(condition).groups().count();

/** Queries that must not compile: `tsc` fails if one does. */
const INVALID_QUERIES: readonly (() => { readonly input: object })[] = [
  // @ts-expect-error Unknown root.
  () => from('invoices').records('id'),
  // @ts-expect-error Unknown field.
  () => countOrders((order) => order.compare('color', 'EQ', 'red')),
  // @ts-expect-error Amounts can't be compared.
  () => countOrders((order) => order.compare('total_once', 'GT', '1')),
  // @ts-expect-error Text can't be ordered.
  () => countOrders((order) => order.compare('reference_number', 'GT', 'O-1')),
  // @ts-expect-error EQ requires a value.
  () => countOrders((order) => order.compare('status', 'EQ')),
  // @ts-expect-error IS_NULL accepts no value.
  () => countOrders((order) => order.compare('cancelled_at', 'IS_NULL', '2026-01-01T00:00:00Z')),
  // @ts-expect-error The field is never NULL.
  () => countOrders((order) => order.compare('created_at', 'IS_NULL')),
  // @ts-expect-error A customer isn't a member.
  () => countOrders((order) => order.compare('customer_id', 'EQ', { currentMember: true })),
  // @ts-expect-error Unknown relationship.
  () => countOrders((order) => order.related('problems')),
  // @ts-expect-error A currency isn't a timestamp.
  () => orders.during('currency', TODAY).groups().count(),
  // @ts-expect-error Months require a time range.
  () => orders.groups().byTime('created_at', 'MONTH').count(),
  // @ts-expect-error A currency has no months.
  () => ofYear.groups().byTime('currency', 'MONTH').count(),
  // @ts-expect-error Amounts require a dimension of their currency.
  () => orders.groups().measure('SUM', 'total_once'),
  // @ts-expect-error Text can't be summed.
  () => orders.groups().by('currency').measure('SUM', 'reference_number'),
  // @ts-expect-error The maximum percentile is 1.
  () => from('workorders').groups().percentile('task_count', '1.5'),
  // @ts-expect-error Amounts can't be divided.
  () => revenue.ratio('sum_total_once', 'count'),
  // @ts-expect-error Unknown column.
  () => revenue.sort('month'),
  // @ts-expect-error Unknown field.
  () => orders.records('color'),
];

/** Types that must not compile, and queries that the graph can't distinguish from valid ones. */
const unsoundRow = (row: RowOf<typeof revenue>) => {
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

describe('code that doesn’t compile', () => {
  it.each(INVALID_QUERIES.map((query) => [String(query), query] as const))('fails in the graph as well: %s', async (_code, query) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(QUERY, { query: query().input }));
    expect(errors ? 'AnalyticsQueryError' : data.analyticsQuery.__typename).toBe('AnalyticsQueryError');
    expect(calls).not.toContain('AnalyticsService/ExecuteQuery');
  });

  it('declares other types than those of the returned rows', async () => {
    const [row] = await executeQuery(revenue);
    if (!row) throw new Error('The demo data has no order of this year.');
    const amount = expect.stringMatching(/^\d+\.\d\d$/);
    const [typed, monthly, once] = unsoundRow(row);
    expect(typed).toEqual([expect.stringMatching(/^2026-\d\d-01$/), 'EUR', { amount, currencyCode: 'EUR' }, expect.any(BigInt)]);
    expect([monthly, once]).toEqual([undefined, amount]);
  });
});
