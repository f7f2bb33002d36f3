import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeGlobalId, toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { createCountQuery, executeQuery, executeSql, QUERY, SQL } from './queries.ts';

const testGraph = useTestGraph();

const GET_CUSTOMER = 'Customer/GetCustomer';

/** The customers with the highest revenue in euros. */
const TOP_CUSTOMERS = {
  entity: 'ORDERS',
  filter: { compare: { field: 'currency', operator: 'EQ', values: [{ text: 'EUR' }] } },
  select: {
    aggregate: {
      measures: [{ sum: { field: 'total_once', name: 'revenue' } }, { countDistinct: { field: 'quote_id' } }],
      dimensions: [{ field: 'customer_id', name: 'buyer' }, { field: 'currency' }],
    },
  },
  sort: [{ column: 'revenue', direction: 'DESC' }],
  limit: 5,
};

const selectRecords = (entity: string, fields: readonly string[], more: object = {}) => ({
  entity,
  select: { records: fields },
  limit: 5,
  ...more,
});

/** Fetches the catalog, so that the calls of a test don't depend on its predecessors. */
const cacheCatalog = (key?: string) => executeQuery(testGraph, createCountQuery('ORDERS'), 'status', key);

describe('AnalyticsRow.record', () => {
  beforeAll(() => {
    // No appointment of the demo data has a work order.
    testGraph.sandbox.world.store.run('UPDATE appointments SET work_order_id = :workOrderId', {
      workOrderId: demoId('work order 1'),
    });
  });

  it('returns the titles of the top customers by revenue with one get per customer', async () => {
    await cacheCatalog();
    const { result, errors, calls, cost } = await executeQuery(
      testGraph,
      TOP_CUSTOMERS,
      'rows { revenue: cell(column: "revenue") { money { amount } } id: cell(column: "buyer") { text } record(column: "buyer") { __typename ... on Customer { rawId title } } }',
    );
    expect(errors).toBeUndefined();
    expect(calls.toSorted()).toEqual([QUERY, ...Array(5).fill(GET_CUSTOMER)]);
    expect(result.rows).toHaveLength(5);
    for (const { id, record } of result.rows) {
      const { data } = await testGraph.execute(`{ customer(id: "${id.text}") { title } }`);
      expect(record).toEqual({ __typename: 'Customer', rawId: id.text, title: data.customer.title });
    }
    // The query counts as ten calls.
    expect([cost?.predictedCalls, cost?.actualCalls]).toEqual([15, 6]);
  });

  it('returns keys and the edges that they serve without reading the record', async () => {
    await cacheCatalog();
    const { result, errors, calls, cost } = await executeQuery(
      testGraph,
      TOP_CUSTOMERS,
      'rows { id: cell(column: "buyer") { text } record(column: "buyer") { __typename id } }',
    );
    expect([errors, calls, cost?.predictedCalls]).toEqual([undefined, [QUERY], 10]);
    for (const { id, record } of result.rows) expect(record).toEqual({ __typename: 'Customer', id: toGlobalId('Customer', id.text) });
    const edges = await executeQuery(
      testGraph,
      { ...TOP_CUSTOMERS, limit: 1 },
      'rows { record(column: "buyer") { ... on Customer { orders(first: 1) { nodes { rawId } } } } }',
    );
    expect([edges.errors, edges.calls, edges.cost?.predictedCalls]).toEqual([undefined, [QUERY, 'Order/ListOrders'], 11]);
  });

  it('reads a record once, however many rows and fields refer to it', async () => {
    await cacheCatalog();
    const customer = { compare: { field: 'customer_id', operator: 'EQ', values: [{ text: demoId('customer 0') }] } };
    const { result, calls } = await executeQuery(
      testGraph,
      selectRecords('ORDERS', ['id', 'customer_id'], { filter: customer }),
      'rows { a: record(column: "customer_id") { ... on Customer { title } } b: record(column: "customer_id") { ... on CustomerRecord { email } } }',
    );
    expect(result.rows.length).toBeGreaterThan(1);
    expect(calls).toEqual([QUERY, GET_CUSTOMER]);
  });

  it.each([
    ['CUSTOMERS', 'Customer', { contact_id: 'Contact' }],
    [
      'APPOINTMENTS',
      'Appointment',
      {
        agenda_id: 'Agenda',
        appointment_type_id: 'AppointmentType',
        member_id: 'Member',
        customer_id: 'Customer',
        work_order_id: 'WorkOrder',
      },
    ],
    ['ORDERS', 'Order', { customer_id: 'Customer', quote_id: 'Quote' }],
    ['OFFERS', 'Quote', { customer_id: 'Customer', order_id: 'Order' }],
    ['WORKORDERS', 'WorkOrder', { customer_id: 'Customer', work_order_template_id: 'WorkOrderTemplate' }],
    ['PROBLEMS', 'Problem', { portfolio_id: 'Portfolio', customer_id: 'Customer', problem_template_id: 'ProblemTemplate' }],
    ['PAYMENTS', 'Payment', { order_id: 'Order', customer_id: 'Customer' }],
    [
      'APPOINTMENT_RESULTS',
      'Appointment',
      { appointment_type_id: 'AppointmentType', member_id: 'Member', recorder_id: 'Member', customer_id: 'Customer' },
    ],
  ])('follows every column of IDs of %s, and `id` by default', async (entity, type, columns) => {
    const { data } = await testGraph.execute('{ analyticsCatalog { entities { entity fields { name } } } }');
    const { fields } = data.analyticsCatalog.entities.find((each: { entity: string }) => each.entity === entity);
    const ids: string[] = fields.map(({ name }: { name: string }) => name).filter((name: string) => name.endsWith('_id'));
    // The upstream has no operation that returns one of these by ID.
    expect(ids.filter((name) => name !== 'journey_status_id' && name !== 'result_code_id').toSorted()).toEqual(
      Object.keys(columns).toSorted(),
    );
    for (const [column, target] of [['id', type], ...Object.entries(columns)] as const) {
      const given = column === 'id' ? '' : `(column: "${column}")`;
      const { result, errors } = await executeQuery(
        testGraph,
        { entity, select: { aggregate: { measures: [{ count: {} }], dimensions: [{ field: column }] } } },
        `rows { cell(column: "${column}") { text } record${given} { __typename id } }`,
      );
      const { cell, record } = result.rows.find((row: { cell: { text: string | null } }) => row.cell.text !== null);
      expect([column, errors, record.__typename, decodeGlobalId(record.id)]).toEqual([
        column,
        undefined,
        target,
        { typename: target, id: cell.text },
      ]);
      const read = await testGraph.execute('query ($id: ID!) { node(id: $id) { __typename } }', { id: record.id });
      expect([column, read.data.node]).toEqual([column, { __typename: target }]);
    }
  });

  it('returns null without reading for a cell without a value', async () => {
    await cacheCatalog();
    const { result, errors, calls } = await executeQuery(
      testGraph,
      selectRecords('OFFERS', ['order_id'], { filter: { compare: { field: 'order_id', operator: 'IS_NULL' } } }),
      'rows { record(column: "order_id") { ... on Order { status } } }',
    );
    expect([errors, calls, result.rows]).toEqual([undefined, [QUERY], Array(5).fill({ record: null })]);
  });

  it.each([
    ['currency', 'NOT_ALLOWED', 'must be one of the columns of IDs, buyer, but is "currency".'],
    ['revenue', 'NOT_ALLOWED', 'must be one of the columns of IDs, buyer, but is "revenue".'],
    ['count_distinct_quote_id', 'NOT_ALLOWED', 'must be one of the columns of IDs, buyer, but is "count_distinct_quote_id".'],
    ['buyers', 'UNKNOWN_NAME', 'must be one of the columns of IDs, buyer, but is "buyers". Did you mean buyer?'],
    ['id', 'UNKNOWN_NAME', 'must be one of the columns of IDs, buyer, but is "id".'],
  ])('rejects the column %s, which contains no IDs', async (column, code, message) => {
    await cacheCatalog();
    const { result, errors, calls } = await executeQuery(
      testGraph,
      { ...TOP_CUSTOMERS, limit: 1 },
      `rows { record(column: "${column}") { id ... on Customer { title } } }`,
    );
    expect([result.rows, calls]).toEqual([[{ record: null }], [QUERY]]);
    expect(errors).toMatchObject([
      {
        path: ['analyticsQuery', 'rows', 0, 'record'],
        extensions: { code: 'BAD_USER_INPUT', issues: [{ path: ['column'], code, message }] },
      },
    ]);
  });

  it('rejects all columns of a result without IDs', async () => {
    const { errors } = await executeQuery(testGraph, createCountQuery('ORDERS'), 'rows { record(column: "count") { id } }');
    expect(errors).toMatchObject([
      {
        extensions: {
          issues: [{ path: ['column'], message: expect.stringMatching(/^must be a column of IDs, but is "count"\. Select one/) }],
        },
      },
    ]);
  });

  it('requires the scope of the record only if it is read', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['analytics:read', 'me:read'] });
    await cacheCatalog(key);
    const query = { ...TOP_CUSTOMERS, limit: 1 };
    const keys = await executeQuery(testGraph, query, 'rows { record(column: "buyer") { id } }', key);
    expect([keys.errors, keys.result.rows]).toEqual([undefined, [{ record: { id: expect.any(String) } }]]);
    const { result, errors, calls } = await executeQuery(
      testGraph,
      query,
      'rows { cell(column: "revenue") { status } record(column: "buyer") { ... on Customer { title } } }',
      key,
    );
    expect([result.rows, calls]).toEqual([[{ cell: { status: 'READY' }, record: null }], [QUERY]]);
    expect(errors).toMatchObject([
      { path: ['analyticsQuery', 'rows', 0, 'record'], extensions: { code: 'FORBIDDEN', missingScopes: ['customer:read'] } },
    ]);
  });

  it('follows the columns of SQL, and assumes 100 rows', async () => {
    const sql =
      "SELECT customer_id AS buyer, count(*) AS orders FROM orders WHERE svc.timezone('UTC') GROUP BY customer_id ORDER BY orders DESC LIMIT 2";
    const { result, errors, calls, cost } = await executeSql(
      testGraph,
      sql,
      'rows { cell(column: "buyer") { text } record(column: "buyer") { ... on Customer { rawId title } } }',
    );
    expect([errors, calls]).toEqual([undefined, [SQL, GET_CUSTOMER, GET_CUSTOMER]]);
    for (const { cell, record } of result.rows) expect(record).toEqual({ rawId: cell.text, title: expect.any(String) });
    expect([result.rows.length, cost?.predictedCalls, cost?.actualCalls]).toEqual([2, 110, 3]);
  });
});

describe('predicted calls of AnalyticsRow.record', () => {
  it.each([
    ['the limit', selectRecords('ORDERS', ['id']), 15],
    ['100 rows without a limit', { ...selectRecords('ORDERS', ['id']), limit: null }, 110],
    ['one row of an aggregate without dimensions', createCountQuery('ORDERS'), 11],
    ['at most 100 rows', { ...selectRecords('ORDERS', ['id']), limit: 1_000_000 }, 110],
  ])('count %s', async (_title, query, expected) => {
    const { cost } = await executeQuery(testGraph, query, 'rows { record { ... on Order { status } } }');
    expect(cost?.predictedCalls).toBe(expected);
    expect(cost?.actualCalls).toBeLessThanOrEqual(expected);
  });

  it('count the fields below the record', async () => {
    const { errors, cost } = await executeQuery(
      testGraph,
      selectRecords('ORDERS', ['id']),
      'rows { record { ... on Order { status customer { title } reservations(first: 1) { nodes { quantity } } } } }',
    );
    expect([errors, cost?.predictedCalls]).toEqual([undefined, 10 + 5 * 3]);
    expect(cost?.actualCalls).toBeLessThanOrEqual(25);
    expect(cost?.actualCalls).toBeGreaterThan(10);
  });
});

describe('AnalyticsRow.record of a member who left', () => {
  const changed = useTestGraph();

  it('returns null, while the cell still contains the ID', async () => {
    const member = demoId('member planner');
    const query = selectRecords('APPOINTMENTS', ['id', 'member_id'], {
      filter: { compare: { field: 'member_id', operator: 'EQ', values: [{ text: member }] } },
      limit: 1,
    });
    const selection = 'rows { cell(column: "member_id") { text } record(column: "member_id") { ... on Member { displayName } } }';
    const before = await executeQuery(changed, query, selection);
    expect(before.result.rows).toEqual([{ cell: { text: member }, record: { displayName: expect.any(String) } }]);
    await changed.execute('mutation ($input: MemberRemoveInput!) { memberRemove(input: $input) { __typename } }', {
      input: { memberId: member, idempotencyKey: randomUUID() },
    });
    const { result, errors } = await executeQuery(changed, query, selection);
    expect([errors, result.rows]).toEqual([undefined, [{ cell: { text: member }, record: null }]]);
  });
});
