import { afterEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../support/clock.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import {
  CATALOG,
  executeSearch,
  getError,
  getTraits,
  QUERY,
  SEARCH_CUSTOMERS,
  type SearchArguments,
  type SearchName,
  selectIndexFields,
} from './searches.ts';

// biome-ignore lint/suspicious/noExplicitAny: the catalog is modified before it is parsed
type Catalog = any;

const MINUTE_MS = 60_000;
const clock = new TestClock();
let change: (catalog: Catalog) => void = () => {};
const testGraph = useTestGraph({}, undefined, {
  upstream: { clock },
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    if (!request.path.endsWith(CATALOG) || response.status !== 200) return response;
    const catalog = JSON.parse(response.body);
    change(catalog);
    return { ...response, body: JSON.stringify(catalog) };
  }),
});
afterEach(() => {
  change = () => {};
  testGraph.sandbox.faults.clear();
});

const findEntity = ({ entities }: Catalog, root: string) => entities.find(({ name }: Catalog) => name === root);
const removeRoot = (root: string) => (catalog: Catalog) => {
  catalog.entities = catalog.entities.filter(({ name }: Catalog) => name !== root);
};
const removeColumn = (root: string, column: string) => (catalog: Catalog) => {
  const entity = findEntity(catalog, root);
  entity.fields = entity.fields.filter(({ name }: Catalog) => name !== column);
};
const removeRelationship = (root: string, relationship: string) => (catalog: Catalog) => {
  const entity = findEntity(catalog, root);
  entity.relationships = entity.relationships.filter(({ name }: Catalog) => name !== relationship);
};
const removeOperator = (root: string, column: string, operator: string) => (catalog: Catalog) => {
  const field = findEntity(catalog, root).fields.find(({ name }: Catalog) => name === column);
  field.operators = field.operators.filter((each: string) => each !== `ANALYTICS_OPERATOR_${operator}`);
};

/** Executes a search with a catalog that is fetched again. Returns the calls, including those for the catalog. */
async function execute(name: SearchName, args: SearchArguments, selection = 'nodes { id }') {
  const [outcome, calls] = await testGraph.recordCalls(() => executeSearch(testGraph, name, args, selection));
  return { ...outcome, calls };
}

/** What is missing, a search that needs it, and parts of the message. */
const MISSING: readonly (readonly [string, (catalog: Catalog) => void, SearchName, SearchArguments, readonly string[]])[] = [
  ['a root', removeRoot('problems'), 'problemSearch', {}, ['problems', 'orderBy.field']],
  [
    'a root that a relationship leads to',
    removeRoot('customers'),
    'orderSearch',
    { filter: { customer: { title: { eq: 'x' } } } },
    ['customers.title', 'filter.customer.title'],
  ],
  [
    'a column of a filter in an alternative',
    removeColumn('orders', 'quote_id'),
    'orderSearch',
    { filter: { or: [{ statuses: ['OPEN'] }, { quoteIds: ['UXVvdGU6eA'] }] } },
    ['orders.quote_id', 'filter.or.1.quoteId'],
  ],
  [
    'a column of a time filter',
    removeColumn('orders', 'cancelled_at'),
    'orderSearch',
    { filter: { cancelledAt: { isNull: true } } },
    ['orders.cancelled_at', 'filter.cancelledAt'],
  ],
  [
    'a column of `isViewer`',
    removeColumn('appointments', 'member_id'),
    'appointmentSearch',
    { filter: { isViewer: true } },
    ['appointments.member_id', 'filter.isViewer'],
  ],
  [
    'a column of the sort order',
    removeColumn('orders', 'updated_at'),
    'orderSearch',
    { orderBy: { field: 'UPDATED_AT' } },
    ['orders.updated_at', 'orderBy.field'],
  ],
  [
    'the column that breaks ties',
    removeColumn('orders', 'created_at'),
    'orderSearch',
    { orderBy: { field: 'STATUS' } },
    ['orders.created_at', 'orderBy.field'],
  ],
  [
    'a column of `query`',
    removeColumn('orders', 'reference_number'),
    'orderSearch',
    { query: 'x' },
    ['orders.reference_number', '`query`'],
  ],
  [
    'a column of `query` on another root',
    removeColumn('customers', 'title'),
    'orderSearch',
    { query: 'x' },
    ['customers.title', '`query`'],
  ],
  [
    'the column of customers that match `query`',
    removeColumn('orders', 'customer_id'),
    'orderSearch',
    { query: 'x' },
    ['orders.customer_id', 'IN', '`query`'],
  ],
  ['a relationship of `query`', removeRelationship('orders', 'customer'), 'orderSearch', { query: 'x' }, ['customer of orders', '`query`']],
  [
    'a relationship of a filter',
    removeRelationship('orders', 'payments'),
    'orderSearch',
    { filter: { and: [{ payments: {} }] } },
    ['payments of orders', 'filter.and.0.payments'],
  ],
  [
    'a nested relationship',
    removeRelationship('customers', 'offers'),
    'orderSearch',
    { filter: { customer: { quotes: { statuses: ['CONFIRMED'] } } } },
    ['offers of customers', 'filter.customer.quotes'],
  ],
  [
    'an operator of a filter',
    removeOperator('orders', 'created_at', 'GTE'),
    'orderSearch',
    { filter: { createdAt: { gte: '2026-01-01T00:00:00Z' } } },
    ['orders.created_at', 'GTE', 'filter.createdAt.gte'],
  ],
  [
    'an operator of a text',
    removeOperator('customers', 'title', 'CONTAINS'),
    'customerSearch',
    { query: 'x' },
    ['customers.title', 'CONTAINS', '`query`'],
  ],
  [
    'an operator of the sort order',
    removeOperator('orders', 'updated_at', 'LT'),
    'orderSearch',
    { orderBy: { field: 'UPDATED_AT' } },
    ['orders.updated_at', 'LT', 'orderBy.field'],
  ],
  [
    'an operator that continues after a row',
    removeOperator('orders', 'created_at', 'EQ'),
    'orderSearch',
    {},
    ['orders.created_at', 'EQ', 'orderBy.field'],
  ],
];

describe('catalog of the workspace', () => {
  it.each(MISSING)('reports the argument that needs %s, and executes nothing without it', async (_title, nextChange, name, args, parts) => {
    clock.now += 6 * MINUTE_MS;
    change = nextChange;
    const { result, errors, calls } = await execute(name, args);
    expect([result, calls]).toEqual([null, [CATALOG]]);
    const { code, path, message } = getError(errors);
    expect([code, path]).toEqual(['UPSTREAM_UNSUPPORTED', ['result']]);
    for (const part of parts) expect(message).toContain(part);
  });

  it('may lack what a search doesn’t use', async () => {
    clock.now += 6 * MINUTE_MS;
    change = (catalog) => {
      removeRoot('problems')(catalog);
      removeRelationship('orders', 'payments')(catalog);
      removeOperator('orders', 'updated_at', 'LT')(catalog);
    };
    const { errors, calls } = await execute(
      'orderSearch',
      { filter: { customer: { title: { contains: 'a' } } } },
      'totalCount nodes { id }',
    );
    expect([errors, calls.toSorted()]).toEqual([undefined, [QUERY, QUERY, CATALOG].toSorted()]);
  });

  it('may list no operators at all', async () => {
    clock.now += 6 * MINUTE_MS;
    change = ({ entities }) => {
      for (const { fields } of entities) for (const field of fields) delete field.operators;
    };
    const { errors, calls } = await execute('orderSearch', { query: 'a', filter: { statuses: ['OPEN'] } });
    expect([errors, calls]).toEqual([undefined, [CATALOG, SEARCH_CUSTOMERS, QUERY]]);
  });

  it('counts without the columns that only pages need', async () => {
    clock.now += 6 * MINUTE_MS;
    change = removeOperator('orders', 'created_at', 'GT');
    expect((await execute('orderSearch', {}, 'totalCount')).errors).toBeUndefined();
    expect(getError((await execute('orderSearch', {}, 'nodes { id }')).errors).code).toBe('UPSTREAM_UNSUPPORTED');
  });

  it('refreshes before a rejection unless it’s a few seconds old', async () => {
    clock.now += 6 * MINUTE_MS;
    change = removeColumn('orders', 'updated_at');
    const args = { first: 1, orderBy: { field: 'UPDATED_AT' } } as const;
    expect((await execute('orderSearch', args)).calls).toEqual([CATALOG]);
    expect((await execute('orderSearch', args)).calls).toEqual([]);
    clock.now += MINUTE_MS;
    expect((await execute('orderSearch', args)).calls).toEqual([CATALOG]);
    change = () => {};
    clock.now += MINUTE_MS;
    const regained = await execute('orderSearch', args);
    expect([regained.errors, regained.calls]).toEqual([undefined, [CATALOG, QUERY]]);
  });

  it('leaves the decision to the upstream if it can’t be fetched', async () => {
    clock.now += 6 * MINUTE_MS;
    testGraph.sandbox.faults.add({ operation: CATALOG, status: 500 });
    const { errors, calls, result } = await execute('orderSearch', { first: 1, filter: { statuses: ['OPEN'] } });
    expect([errors, result.nodes.length, calls.at(-1)]).toEqual([undefined, 1, QUERY]);
  });
});

describe('facet whose column the catalog lacks', () => {
  it('fails alone, without the total or other facets', async () => {
    const usual = await execute('orderSearch', {}, 'totalCount facets { byStatus { status count } }');
    clock.now += 6 * MINUTE_MS;
    change = removeColumn('orders', 'currency');
    const selection = 'totalCount facets { byStatus { status count } } all: facets { byCurrency { count } }';
    const { result, errors, calls } = await execute('orderSearch', {}, selection);
    expect(calls).toEqual([CATALOG, QUERY]);
    expect(result).toEqual({ ...usual.result, all: null });
    expect(getError(errors)).toMatchObject({ code: 'UPSTREAM_UNSUPPORTED', path: ['result', 'all', 'byCurrency'] });
    expect(getError(errors).message).toContain('orders.currency');
  });
});

describe('column that only the record’s fields need', () => {
  it.each(['total_yearly', 'customer_id', 'cancelled_at'])('comes from the records if the catalog lacks %s', async (column) => {
    const fields = selectIndexFields(getTraits('orderSearch'));
    const usual = await execute('orderSearch', { first: 3 }, `nodes { ${fields} }`);
    clock.now += 6 * MINUTE_MS;
    change = removeColumn('orders', column);
    const { result, errors, calls } = await execute('orderSearch', { first: 3 }, `nodes { ${fields} }`);
    expect([errors, calls]).toEqual([undefined, [CATALOG, QUERY, ...Array(3).fill('Order/GetOrder')]]);
    expect(result).toEqual(usual.result);
  });
});

describe('upstream without a column that the catalog has', () => {
  const refusing = useTestGraph({}, undefined, {
    transport: interceptCalls((request, usual) =>
      usual(request.path.endsWith(QUERY) ? { ...request, body: request.body.replaceAll('"created_at"', '"made_at"') } : request),
    ),
  });

  it('causes an error, and another fetch of the catalog for the next search', async () => {
    for (const _attempt of [1, 2]) {
      const [{ result, errors }, calls] = await refusing.recordCalls(() => executeSearch(refusing, 'orderSearch', {}, 'nodes { id }'));
      expect([result, calls]).toEqual([null, [CATALOG, QUERY]]);
      expect(getError(errors)).toMatchObject({ code: 'UPSTREAM_UNSUPPORTED', message: expect.stringContaining('made_at') });
    }
  });
});
