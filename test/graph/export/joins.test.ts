import { beforeAll, describe, expect, it } from 'vitest';
import { decodeGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { createOut, readManifest, readRows, runExport } from '../../support/exports.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { diversify } from '../search/searches.ts';

const testGraph = useTestGraph();
/** Roots, by the columns of other roots that refer to their records. */
const REFERENCES: Readonly<Record<string, string>> = {
  customerId: 'customers',
  portfolioId: 'customers',
  quoteId: 'quotes',
  orderId: 'orders',
  workOrderId: 'work-orders',
};
/** Columns that refer to records without a root: contacts, and configuration. */
const UNLISTED = ['contactId', 'journeyStatusId', 'templateId', 'agendaId', 'appointmentTypeId', 'memberId'];
const ROOTS = ['orders', 'quotes', 'customers', 'payments', 'work-orders', 'problems', 'appointments'];

interface Exported {
  readonly rows: ReturnType<typeof readRows>;
  readonly idColumns: readonly string[];
}

const exported = new Map<string, Exported>();

beforeAll(async () => {
  diversify(testGraph.sandbox.world);
  for (const root of ROOTS) {
    const out = createOut();
    expect(await runExport(testGraph.sandbox.url, [root, '--out', out])).toMatchObject({ code: 0 });
    const columns = readManifest(out).columns ?? [];
    exported.set(root, {
      rows: readRows(out),
      idColumns: columns.flatMap(({ name, type }) => (type === 'ID' && name !== 'id' ? [name] : [])),
    });
  }
});

/** The references of an export that aren't the `id` of a row of the root that they refer to, and the number of the others. */
function joinReferences() {
  const ids = new Map([...exported].map(([root, { rows }]) => [root, new Set(rows.map(({ id }) => id))]));
  const [joined, dangling] = [new Map<string, number>(), [] as string[]];
  for (const [root, { rows, idColumns }] of exported)
    for (const column of idColumns.filter((name) => !UNLISTED.includes(name)))
      for (const { [column]: id } of rows) {
        if (id === null) continue;
        const name = `${root}.${column}`;
        if (ids.get(REFERENCES[column] ?? '')?.has(id)) joined.set(name, (joined.get(name) ?? 0) + 1);
        else dangling.push(`${name} ${decodeGlobalId(id)?.typename ?? id}`);
      }
  return { joined, dangling };
}

describe('export of all roots', () => {
  it('contains references that equal the IDs of their records', () => {
    const { joined, dangling } = joinReferences();
    expect(dangling).toEqual([]);
    expect([...joined.keys()].toSorted()).toEqual([
      'appointments.customerId',
      'appointments.workOrderId',
      'orders.customerId',
      'orders.quoteId',
      'payments.customerId',
      'payments.orderId',
      'problems.customerId',
      'problems.portfolioId',
      'quotes.customerId',
      'quotes.orderId',
      'work-orders.customerId',
    ]);
  });

  it('contains the same IDs with --records', async () => {
    const problems = createOut();
    await runExport(testGraph.sandbox.url, ['problems', '--records', '--out', problems]);
    const ids = new Set(exported.get('customers')?.rows.map(({ id }) => id));
    const portfolios = readRows(problems).map(({ portfolio }) => portfolio.id);
    expect([portfolios.length > 5, portfolios.filter((id) => !ids.has(id))]).toEqual([true, []]);
  });

  it('accept an exported ID of a portfolio in --where, in searches, and in lookups', async () => {
    const { rows = [] } = exported.get('problems') ?? {};
    const { portfolioId } = rows[0] ?? {};
    const expected = rows.filter((row) => row.portfolioId === portfolioId).length;
    const filtered = createOut();
    await runExport(testGraph.sandbox.url, ['problems', '--where', `portfolioIds: ["${portfolioId}"]`, '--out', filtered]);
    expect(readRows(filtered)).toHaveLength(expected);
    const { data, errors } = await testGraph.execute(
      `query ($id: ID!) {
        problemSearch(filter: { portfolioIds: [$id] }) { totalCount nodes { portfolio { id customer { id } } } }
        portfolio(id: $id) { customer { id } }
      }`,
      { id: portfolioId },
    );
    expect(errors).toBeUndefined();
    expect(data.problemSearch.totalCount).toBe(expected);
    // A portfolio is an object of its own in the graph.
    expect(data.problemSearch.nodes[0].portfolio).toEqual({ id: expect.not.stringMatching(portfolioId), customer: { id: portfolioId } });
    expect(data.portfolio).toEqual({ customer: { id: portfolioId } });
  });
});
