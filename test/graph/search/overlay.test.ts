import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listOverlayChanges } from '../../../scripts/contract/overlayChanges.ts';
import { readOverlay } from '../../../src/upstream/contract/overlay.ts';
import type { UpstreamResponse } from '../../../src/upstream/transport/transport.ts';
import { createOut, readRows, runExport } from '../../support/exports.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { createSortOptions } from '../../support/searchWalk.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const folder = mkdtempSync(join(tmpdir(), 'index-overlay-'));

function writeOverlay(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const RENAMED = `
operations: { AnalyticsService/ExecuteQuery: { sortDirection: SQL } }
enums: { PublicOrderStatus: { prefix: ORDER_, words: { PUBLIC_ORDER_STATUS_OPEN: ACTIVE } } }
indexes:
  orders: { root: sales_orders, columns: { customer_id: client_id, total_once: one_off }, relationships: { offer: quote } }
`;

/** Names of the contract, and of the upstream. No other root has them, except \`customer_id\`. */
const NAMES = [
  ['orders', 'sales_orders'],
  ['total_once', 'one_off'],
  ['offer', 'quote'],
  ['customer_id', 'client_id'],
] as const;

const REJECTION: UpstreamResponse = {
  status: 400,
  headers: {},
  body: JSON.stringify({ code: 'invalid_argument', message: 'query has a name of the contract.' }),
};

const toOwnStatus = (text: string) => text.replaceAll('"ACTIVE"', '"ORDER_OPEN"').replaceAll(/"ORDER_/g, '"PUBLIC_ORDER_STATUS_');
const toOtherStatus = (text: string) => text.replaceAll('PUBLIC_ORDER_STATUS_OPEN', 'ACTIVE').replaceAll('PUBLIC_ORDER_STATUS_', 'ORDER_');

/** The sandbox behind an upstream with other names for orders, in the catalog, queries and results. It rejects the names of the contract. */
const renamedUpstream = interceptCalls(async (request, usual) => {
  const withOwnStatus = (body: string) =>
    toOwnStatus(body).replaceAll("'ACTIVE'", "'PUBLIC_ORDER_STATUS_OPEN'").replaceAll("'ORDER_", "'PUBLIC_ORDER_STATUS_");
  const withOtherStatus = (response: UpstreamResponse) => ({ ...response, body: toOtherStatus(response.body) });
  if (!request.path.includes('.AnalyticsService/')) return withOtherStatus(await usual(request));
  if (request.path.endsWith('/ListCatalog')) {
    const response = await usual(request);
    const { entities, ...rest } = JSON.parse(response.body);
    const orders = entities.find(({ name }: { name: string }) => name === 'orders');
    const renamed = JSON.parse(NAMES.reduce((text, [own, other]) => text.replaceAll(`"${own}"`, `"${other}"`), JSON.stringify(orders)));
    return withOtherStatus({
      ...response,
      body: JSON.stringify({ ...rest, entities: entities.map((each: unknown) => (each === orders ? renamed : each)) }),
    });
  }
  const isOfOrders = /"entity":"sales_orders"|FROM sales_orders WHERE svc/.test(request.body);
  const isOwnName = (name: string) => new RegExp(`["\\s(.]${name}["\\s.,]`).test(request.body);
  if (isOfOrders && ['orders', 'total_once', 'PUBLIC_ORDER_STATUS_OPEN'].some(isOwnName)) return REJECTION;
  const toOwn = (text: string) => NAMES.reduce((body, [own, other]) => body.replaceAll(new RegExp(`\\b${other}\\b`, 'g'), own), text);
  const response = await usual({ ...request, body: withOwnStatus(toOwn(request.body)) });
  if (!isOfOrders) return withOtherStatus(response);
  return withOtherStatus({
    ...response,
    body: response.body.replaceAll('"id":"customer_id"', '"id":"client_id"').replaceAll('"id":"total_once"', '"id":"one_off"'),
  });
});

const plain = useTestGraph();
const renamed = useTestGraph({}, undefined, {
  transport: renamedUpstream,
  env: { CONTRACT_OVERLAY: writeOverlay('renamed.yaml', RENAMED) },
});

const FIELDS = 'id status statusText totalOnce { minorUnits } createdAt customer { id }';
describe('index with other names', () => {
  it.each([
    'orderSearch(first: 30)',
    'orderSearch(first: 30, orderBy: { field: CREATED_AT, direction: ASC })',
    'orderSearch(first: 30, orderBy: { field: STATUS, direction: DESC })',
    'orderSearch(filter: { statuses: [OPEN, CANCELLED], customer: { title: { contains: "a" } } }, orderBy: { field: UPDATED_AT, direction: ASC })',
    'orderSearch(filter: { statuses: [OPEN], quote: { statuses: [CONFIRMED] } })',
    'orderSearch(query: "a")',
  ])('returns the same pages: %s', async (search) => {
    const query = `{ ${search} { totalCount facets { byStatus { status count } } nodes { ${FIELDS} } } }`;
    const [expected, found] = [await plain.execute(query), await renamed.execute(query)];
    expect(found.errors).toBeUndefined();
    expect(expected.data.orderSearch.nodes.length).toBeGreaterThan(0);
    expect(found.data).toEqual(expected.data);
  });

  it('filters by a renamed column', async () => {
    const { data } = await plain.execute('{ orderSearch(first: 1) { nodes { customer { id } } } }');
    const query = `{ orderSearch(filter: { customerIds: ["${data.orderSearch.nodes[0].customer.id}"] }) { nodes { ${FIELDS} } } }`;
    expect((await renamed.execute(query)).data).toEqual((await plain.execute(query)).data);
  });

  it('filters other searches by a renamed relationship', async () => {
    const query =
      '{ quoteSearch(filter: { order: { statuses: [OPEN] } }, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { id } } }';
    expect((await renamed.execute(query)).data).toEqual((await plain.execute(query)).data);
  });
});

describe('export of an index with other names', () => {
  it('writes the same rows, also if the upstream sorts only in ascending order', async () => {
    const [expected, out] = [createOut(), createOut()];
    const args = ['orders', '--where', 'statuses: [OPEN, CANCELLED], quote: { statuses: [CONFIRMED] }'];
    expect(await runExport(plain.sandbox.url, [...args, '--out', expected])).toMatchObject({ code: 0 });
    expect(readRows(expected).length).toBeGreaterThan(5);
    const renamedIndex = { transport: renamedUpstream, env: { CONTRACT_OVERLAY: join(folder, 'renamed.yaml') } };
    for (const settings of [renamedIndex, createSortOptions('ASCENDING')]) {
      expect(await runExport(plain.sandbox.url, [...args, '--overwrite', '--out', out], settings)).toMatchObject({ code: 0 });
      expect(readRows(out)).toEqual(readRows(expected));
    }
  });
});

const REDUCED = `
indexes:
  problems: null
  orders: { columns: { reference_number: null, currency: null }, relationships: { payments: null } }
`;
const reduced = useTestGraph({}, undefined, { env: { CONTRACT_OVERLAY: writeOverlay('reduced.yaml', REDUCED) } });

describe('index that an overlay removes parts of', () => {
  it.each([
    ['problemSearch', 'This search isn’t available, because the contract overlay of this server switches problems off.'],
    [
      'customerSearch(filter: { and: [{ problems: {} }] })',
      '`filter.and.0.problems` isn’t available, because the contract overlay of this server switches problems off.',
    ],
    [
      'orderSearch(filter: { referenceNumber: { eq: "1" } })',
      '`filter.referenceNumber` isn’t available, because the contract overlay of this server removes orders.reference_number.',
    ],
    ['orderSearch(query: "a")', '`query` isn’t available, because the contract overlay of this server removes orders.reference_number.'],
    [
      'orderSearch(filter: { payments: {} })',
      '`filter.payments` isn’t available, because the contract overlay of this server removes the relationship payments of orders.',
    ],
  ])('rejects %s without a call', async (search, message) => {
    const [{ errors }, calls] = await reduced.recordCalls(() => reduced.execute(`{ ${search} { nodes { id } } }`));
    expect(errors).toEqual([expect.objectContaining({ message, extensions: expect.objectContaining({ code: 'UPSTREAM_UNSUPPORTED' }) })]);
    expect(calls).toEqual([]);
  });

  it.each([
    ['status createdAt', 0],
    ['referenceNumber', 5],
    ['totalOnce { minorUnits }', 5],
  ])('reads records for the fields that it lacks: %s', async (fields, records) => {
    const query = `{ orderSearch(first: 5) { nodes { id ${fields} } } }`;
    const [found, calls] = await reduced.recordCalls(() => reduced.execute(query));
    expect(found.data).toEqual((await plain.execute(query)).data);
    expect(calls.filter((name) => name === 'Order/GetOrder')).toHaveLength(records);
    expect(found.cost?.predictedCalls).toBe(10 + records);
  });

  it('returns the counts that it has, and an error for those that it lacks', async () => {
    const { data, errors } = await reduced.execute(
      '{ orderSearch { totalCount facets { byStatus { count } } } other: orderSearch { facets { byCurrency { count } } } }',
    );
    expect(data.orderSearch.facets.byStatus.length).toBeGreaterThan(1);
    expect(data.other.facets).toBeNull();
    expect(errors?.map(({ extensions: { code }, path }) => ({ code, path }))).toEqual([
      { code: 'UPSTREAM_UNSUPPORTED', path: ['other', 'facets', 'byCurrency'] },
    ]);
  });
});

describe('export of an index that an overlay removes parts of', () => {
  const run = (...args: readonly string[]) =>
    runExport(plain.sandbox.url, args, { env: { CONTRACT_OVERLAY: join(folder, 'reduced.yaml') } });

  it('leaves out the columns that the upstream lacks, and amounts without a currency', async () => {
    const out = createOut();
    expect(await run('orders', '--out', out)).toMatchObject({ code: 0 });
    const [row = {}] = readRows(out);
    expect(Object.keys(row)).toEqual(['id', 'customerId', 'quoteId', 'status', 'createdAt', 'updatedAt', 'cancelledAt']);
    expect(await run('orders', '--columns', 'id,totalOnce', '--out', out)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Unknown column totalOnce.'),
    });
  });

  it('rejects a root that the overlay switches off', async () => {
    const message = 'This search isn’t available, because the contract overlay of this server switches problems off.';
    expect(await run('problems', '--out', createOut())).toMatchObject({ code: 1, err: message });
  });
});

const WITHOUT_REFERENCE = `
operations: { AnalyticsService/ExecuteQuery: { sortDirection: SQL } }
indexes: { orders: { columns: { quote_id: null } } }
`;
const withoutReference = useTestGraph({}, undefined, { env: { CONTRACT_OVERLAY: writeOverlay('reference.yaml', WITHOUT_REFERENCE) } });

describe('SQL without the column of a relationship', () => {
  const createSearch = (direction: string) =>
    `{ orderSearch(filter: { quote: { statuses: [CONFIRMED] } }, orderBy: { field: CREATED_AT, direction: ${direction} }) { nodes { id } } }`;

  it('rejects filters by the relationship in descending order only', async () => {
    const { errors } = await withoutReference.execute(createSearch('DESC'));
    const message =
      'The Workspace API sorts in descending order only in its SQL, which can’t express the relationship offer of orders without the column orders.quote_id. Sort in ascending order.';
    expect(errors).toEqual([expect.objectContaining({ message, extensions: expect.objectContaining({ code: 'UPSTREAM_UNSUPPORTED' }) })]);
    expect((await withoutReference.execute(createSearch('ASC'))).data).toEqual((await plain.execute(createSearch('ASC'))).data);
  });
});

describe('section indexes of an overlay', () => {
  it('reports all of its problems', () => {
    const reading = readOverlay(`
operations:
  AnalyticsService/ExecuteQuery: { sortDirection: DOWN }
  AnalyticsService/ExecuteSQL: { sortDirection: SQL }
indexes:
  invoices: null
  orders: { root: 1, columns: { client: a, id: null, status: 'a b', currency: status, quote_id: status }, relationships: { offer: customer }, sort: x }
  offers: { root: payments }`);
    expect('problems' in reading && reading.problems).toEqual([
      'operations.AnalyticsService/ExecuteQuery.sortDirection must be one of TYPED, SQL, ASCENDING, but is "DOWN".',
      'operations.AnalyticsService/ExecuteSQL.sortDirection applies only to AnalyticsService/ExecuteQuery.',
      'indexes.invoices isn’t a known index. Known names include appointments, customers, payments, orders, problems, offers, workorders.',
      'indexes.orders.sort isn’t a known property of an index. Known names include root, columns, relationships.',
      'indexes.orders.root must be a name of the analytics catalog, but is 1.',
      expect.stringMatching(/^indexes\.orders\.columns\.client isn’t a known column of orders\./),
      'indexes.orders.columns.id must be a name of the analytics catalog, but is null.',
      'indexes.orders.columns.status must be a name of the analytics catalog, but is "a b".',
      'the overlay maps payments and offers to the same root of the catalog, payments. Map each to its own.',
      'indexes.orders.columns maps quote_id and status and currency to the same name, status. Map each to its own.',
      'indexes.orders.relationships maps customer and offer to the same name, customer. Map each to its own.',
    ]);
  });

  it('appears in the output of scripts/contract/coverage.ts', () => {
    const listChanges = (text: string) => {
      const reading = readOverlay(text);
      return 'overlay' in reading ? listOverlayChanges(reading.overlay) : [];
    };
    expect(listChanges(RENAMED)).toEqual(
      expect.arrayContaining([
        'AnalyticsService/ExecuteQuery sortDirection: TYPED -> SQL',
        'index orders: sales_orders',
        'index orders.customer_id: client_id',
        'index orders.total_once: one_off',
        'index orders, relationship offer: quote',
      ]),
    );
    expect(listChanges(REDUCED)).toEqual([
      'index orders.reference_number: none',
      'index orders.currency: none',
      'index orders, relationship payments: none',
      'index problems: none',
    ]);
  });
});
