import { describe, expect, it } from 'vitest';
import { actionRequestTable } from '../../../sandbox/work/actionRequests.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const CUSTOMER = demoId('customer 0');

interface Row {
  readonly id: string;
  readonly status: string;
}

interface List {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

/** Selects a list of the document's root object. Returns the list, the errors, and the requests that were sent. */
async function read(document: string, variables: object = {}) {
  const before = testGraph.sandbox.received.length;
  const { data, errors = [], cost } = await testGraph.execute(document, variables);
  const requests = testGraph.sandbox.received.slice(before).filter(({ operation }) => operation.includes('/List'));
  const parent = data?.parent ?? data;
  return { list: parent?.list as List, errors, requests, cost };
}

const PAGE = '{ nodes { id status } pageInfo { hasNextPage endCursor } }';

describe.each([
  ['Customer.payments', 'Payment', `parent: customer(id: "${CUSTOMER}") { list: payments`, ['PAID', 'OPEN']],
  ['Order.payments', 'Payment', `parent: order(id: "${demoId('order 1')}") { list: payments`, ['PAID', 'PARTIALLY_PAID']],
  ['Customer.actionRequests', 'ActionRequest', `parent: customer(id: "${CUSTOMER}") { list: actionRequests`, ['PENDING', 'CANCELLED']],
  ['Customer.problems', 'Problem', `parent: customer(id: "${CUSTOMER}") { list: problems`, ['OPEN', 'RESOLVED']],
  ['Query.actionRequests', 'ActionRequest', 'list: actionRequests', ['PENDING', 'COMPLETED']],
  ['Query.problems', 'Problem', 'list: problems', ['OPEN', 'ARCHIVED']],
])('%s', (_field, type, selection, statuses) => {
  const end = selection.includes('{') ? '} }' : '}';
  const document = `query ($filter: ${type}FilterInput, $first: Int, $after: String) {
    ${selection}(filter: $filter, first: $first, after: $after) ${PAGE} ${end}`;

  it('returns the items with any of several statuses, in the order of the list', async () => {
    const { list: all } = await read(document, { first: 100 });
    const { list, errors, requests } = await read(document, { filter: { statuses }, first: 100 });
    expect(errors).toEqual([]);
    expect(list.nodes).not.toEqual([]);
    expect(list.nodes).toEqual(all.nodes.filter(({ status }) => statuses.includes(status)));
    // The whole list fits on one page.
    expect(requests).toMatchObject([{ request: { status: expect.stringMatching(/_UNSPECIFIED$/), page: 1, pageSize: 100 } }]);
  });

  it('paginates them without gaps or duplicates', async () => {
    const { list: whole } = await read(document, { filter: { statuses }, first: 100 });
    const rows: Row[] = [];
    for (let after: string | undefined; ; ) {
      const { list }: { list: List } = await read(document, { filter: { statuses }, first: 1, after });
      rows.push(...list.nodes);
      if (!list.pageInfo.hasNextPage) break;
      after = list.pageInfo.endCursor;
    }
    expect(rows).toEqual(whole.nodes);
  });

  it('sends a single status to the Workspace API, even without a list', async () => {
    const [status = ''] = statuses;
    for (const single of [status, [status], [status, status]]) {
      const { list, requests } = await read(document, { filter: { statuses: single }, first: 2 });
      expect(requests).toMatchObject([{ request: { status: expect.stringMatching(`_${status}$`), pageSize: 2 } }]);
      for (const row of list.nodes) expect(row.status).toBe(status);
    }
  });

  it.each([
    ['an empty list', { statuses: [] }, ['filter', 'statuses'], 'TOO_SHORT'],
    ['OTHER', { statuses: [statuses[0], 'OTHER'] }, ['filter', 'statuses', '1'], 'NOT_ALLOWED'],
  ])('rejects %s without an upstream call', async (_case, filter, path, code) => {
    const { errors, requests } = await read(document, { filter });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', issues: [{ path, code }] } }]);
    expect(requests.filter(({ operation }) => !operation.includes('Get'))).toEqual([]);
  });
});

it('returns rows with several statuses in the demo data', async () => {
  const { list } = await read(`{ list: problems(filter: { statuses: [OPEN, ARCHIVED] }) ${PAGE} }`);
  expect(new Set(list.nodes.map(({ status }) => status))).toEqual(new Set(['OPEN', 'ARCHIVED']));
});

it('reads the lists of many customers from one list', async () => {
  const document = '{ customers(first: 60) { nodes { payments(filter: { statuses: [OPEN, PAID] }) { nodes { status } } } } }';
  const key = makeKey(testGraph.sandbox.world);
  const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, document));
  expect(errors).toBeUndefined();
  const customers: readonly { readonly payments: List }[] = data.customers.nodes;
  expect(new Set(customers.flatMap(({ payments }) => payments.nodes.map(({ status }) => status)))).toEqual(new Set(['OPEN', 'PAID']));
  expect(calls.filter((name) => name === 'Payment/ListPayments')).toHaveLength(4);
});

it('rejects a list of more than 1,000 items with an alternative', async () => {
  const { store } = testGraph.sandbox.world;
  const { rowid: _own, ...template } = store.get<Record<string, never>>('SELECT * FROM action_requests LIMIT 1') ?? {};
  for (let index = 0; index < 1_001; index += 1) actionRequestTable.insert(store, { ...template, id: `request-${index}` } as never);
  const { errors, requests } = await read(`{ list: actionRequests(filter: { statuses: [PENDING, COMPLETED] }) ${PAGE} }`);
  expect(errors).toMatchObject([
    {
      message:
        'filter.statuses requires reading the whole list of action requests, but it has more than 1000. Filter by one status, or use the list of one customer.',
      extensions: { issues: [{ path: ['filter', 'statuses'], code: 'OUT_OF_RANGE', limit: 1_000 }] },
    },
  ]);
  expect(requests).toHaveLength(10);
});
