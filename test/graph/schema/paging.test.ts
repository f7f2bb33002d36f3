import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const callUpstream = async (operation: string, request: object) =>
  (await post(testGraph.sandbox.url, 'demo-owner', operation, request)).body;

/** All IDs of an upstream list, in the upstream's order. */
async function listIds(operation: string, items: string, request: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const body = await callUpstream(operation, { ...request, page, pageSize: 100 });
    ids.push(...(body[items] ?? []).map(({ id }: { id: string }) => id));
    if (!body.hasMore) return ids;
  }
}

const CONTACTS = `query ($first: Int, $after: String, $last: Int, $before: String) {
  contacts(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { rawId } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const QUOTES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  customer(id: $id) {
    contacts: quotes(first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { rawId } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

interface Edge {
  readonly cursor: string;
  readonly node: { readonly rawId: string };
}

/** The customer with the most quotes. */
let busiest = '';
beforeAll(() => {
  const row = testGraph.sandbox.world.store.get<{ customer_id: string }>(
    `SELECT customer_id FROM quotes JOIN customers ON customers.id = customer_id WHERE customers.workspace_id =
     (SELECT workspace_id FROM api_keys JOIN members ON members.id = member_id WHERE api_keys.name = 'demo-owner') GROUP BY customer_id ORDER BY count(*) DESC, customer_id LIMIT 1`,
  );
  busiest = row?.customer_id ?? '';
});

const lists = [
  {
    name: 'Query.contacts',
    operation: 'Contact/ListContacts',
    read: async (args: object) => (await testGraph.execute(CONTACTS, args)).data.contacts,
    ids: () => listIds('Contact/ListContacts', 'contacts'),
    sizes: [7, 10, 30, 100],
  },
  {
    name: 'Customer.quotes',
    operation: 'Quote/ListQuotes',
    read: async (args: object) => (await testGraph.execute(QUOTES, { ...args, id: busiest })).data.customer.contacts,
    ids: () => listIds('Quote/ListQuotes', 'quotes', { customerId: busiest }),
    sizes: [9, 26, 100],
  },
];

describe.each(lists)('$name', ({ operation, read, ids, sizes }) => {
  it.each(sizes)('paginates forward in steps of %i in the upstream’s order with one call per page', async (first) => {
    const expected = await ids();
    expect(expected.length).toBeGreaterThan(1);
    const [visited, calls] = await testGraph.recordCalls(async () => {
      const found: string[] = [];
      for (let after: string | null = null; ; ) {
        const { edges, pageInfo } = await read({ first, after });
        found.push(...edges.map(({ node }: Edge) => node.rawId));
        expect(pageInfo).toMatchObject({
          startCursor: edges.at(0).cursor,
          endCursor: edges.at(-1).cursor,
          hasPreviousPage: after !== null,
        });
        if (!pageInfo.hasNextPage) return found;
        after = pageInfo.endCursor;
      }
    });
    expect(visited).toEqual(expected);
    expect(calls).toEqual(Array(Math.ceil(expected.length / first)).fill(operation));
  });

  it.each(sizes)('paginates backward in steps of %i', async (last) => {
    const { edges } = await read({ first: 100 });
    const expected = (await ids()).slice(0, edges.length - 1);
    const [visited, calls] = await testGraph.recordCalls(async () => {
      const found: string[] = [];
      for (let before: string = edges.at(-1).cursor; ; ) {
        const page = await read({ last, before });
        found.unshift(...page.edges.map(({ node }: Edge) => node.rawId));
        expect(page.pageInfo.hasNextPage).toBe(true);
        if (!page.pageInfo.hasPreviousPage) return found;
        before = page.pageInfo.startCursor;
      }
    });
    expect(visited).toEqual(expected);
    expect(new Set(calls)).toEqual(new Set([operation]));
    expect(calls.length).toBeLessThanOrEqual(2 * Math.ceil(expected.length / last));
  });

  it('reports whether rows follow for first: 0', async () => {
    const [page, calls] = await testGraph.recordCalls(() => read({ first: 0 }));
    expect(page).toMatchObject({ edges: [], pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null } });
    expect(calls).toEqual([operation]);
  });
});

describe('invalid pagination arguments', () => {
  it.each([
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ first: 1_000_000_000 }, 'first'],
    [{ last: -1 }, 'last'],
    [{ last: 101 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
  ])('%j are rejected without a call', async (args, path) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACTS, args));
    expect(data).toEqual({ contacts: null });
    expect(errors?.map(({ extensions }) => extensions)).toMatchObject([{ code: 'BAD_USER_INPUT', issues: [{ path: [path] }] }]);
    expect(calls).toEqual([]);
  });

  it.each([
    ['garbage', 'garbage'],
    ['a blank cursor', ' '],
    ['a non-numeric offset', Buffer.from('1:x:AAAAAAAA').toString('base64url')],
    ['a negative offset', Buffer.from('1:-5:AAAAAAAA').toString('base64url')],
    ['an offset without a list', Buffer.from('1:5').toString('base64url')],
    ['a global ID', Buffer.from('Contact:5').toString('base64url')],
  ])('reject %s as cursor without a call', async (_name, cursor) => {
    for (const args of [
      { first: 1, after: cursor },
      { last: 1, before: cursor },
    ]) {
      const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACTS, args));
      expect({ data, codes: errors?.map(({ extensions }) => extensions.code), calls }).toEqual({
        data: { contacts: null },
        codes: ['INVALID_CURSOR'],
        calls: [],
      });
    }
  });

  it('include cursors of another parent, another list, or other filters', async () => {
    const { data } = await testGraph.execute(
      'query ($id: ID!) { customer(id: $id) { quotes(first: 1) { pageInfo { endCursor } } } customers(query: "a", first: 1) { pageInfo { endCursor } } }',
      { id: busiest },
    );
    const after = data.customer.quotes.pageInfo.endCursor;
    const found = data.customers.pageInfo.endCursor;
    expect([after, found]).not.toContain(null);
    const attempts: [string, object][] = [
      [
        'query ($id: ID!, $after: String) { customer(id: $id) { quotes(after: $after) { nodes { id } } } }',
        { id: demoId('customer 59'), after },
      ],
      ['query ($id: ID!, $after: String) { customer(id: $id) { orders(after: $after) { nodes { id } } } }', { id: busiest, after }],
      [
        'query ($id: ID!, $after: String) { customer(id: $id) { quotes(filter: { statuses: [CONFIRMED] }, after: $after) { nodes { id } } } }',
        { id: busiest, after },
      ],
      ['query ($after: String) { customers(query: "b", after: $after) { nodes { id } } }', { after: found }],
    ];
    for (const [query, variables] of attempts) {
      const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_CURSOR']);
      expect(calls).toEqual([]);
    }
    const own = await testGraph.execute('query ($after: String) { customers(query: "a", after: $after) { nodes { id } } }', {
      after: found,
    });
    expect(own.errors).toBeUndefined();
  });
});

describe('list of which the upstream returns only a prefix', () => {
  const DISCOUNTS = 'query ($first: Int) { discounts(first: $first) { nodes { rawId } isTruncated pageInfo { hasNextPage } } }';

  it('reports isTruncated as false if it is complete', async () => {
    const { discounts = [] } = await callUpstream('Catalog/ListDiscounts', { pageSize: 100 });
    expect(discounts.length).toBeLessThan(100);
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(DISCOUNTS, { first: 100 }));
    expect(data.discounts).toEqual({
      nodes: discounts.map(({ id }: { id: string }) => ({ rawId: id })),
      isTruncated: false,
      pageInfo: { hasNextPage: false },
    });
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });

  it('reports isTruncated as true at the maximum, and no next page after it', async () => {
    const discounts = Array.from({ length: 100 }, (_, index) => ({ id: `discount-${index}`, name: 'One of many' }));
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListDiscounts', body: JSON.stringify({ discounts }), times: 2 });
    const first10 = await testGraph.execute(DISCOUNTS, { first: 10 });
    expect(first10.data.discounts).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: true } });
    const { data } = await testGraph.execute(DISCOUNTS, { first: 100 });
    expect(data.discounts.nodes).toHaveLength(100);
    expect(data.discounts).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: false } });
  });
});

describe('list without upstream pagination', () => {
  const TIMELINE = `query ($id: ID!, $first: Int, $after: String, $last: Int) {
    customer(id: $id) {
      timelineEvents(first: $first, after: $after, last: $last) {
        nodes { rawId } totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
      }
    }
  }`;

  it('has a total count and can be read backward', async () => {
    const { events } = await callUpstream('Customer/ListCustomerTimelineEvents', { customerId: busiest });
    const rawIds: string[] = events.map(({ id }: { id: string }) => id);
    expect(rawIds.length).toBeGreaterThan(2);
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(TIMELINE, { id: busiest, last: 2 }));
    expect(data.customer.timelineEvents).toMatchObject({
      nodes: rawIds.slice(-2).map((rawId) => ({ rawId })),
      totalCount: rawIds.length,
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
    expect(calls).toEqual(['Customer/ListCustomerTimelineEvents']);
  });

  it('rejects invalid cursors without a call', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(TIMELINE, { id: busiest, after: 'garbage' }));
    expect(errors?.[0]?.extensions.code).toBe('INVALID_CURSOR');
    expect(calls).toEqual([]);
  });
});

describe('upstream pagination errors', () => {
  it('include a wrong page number', async () => {
    const { data } = await testGraph.execute(CONTACTS, { first: 5 });
    testGraph.sandbox.faults.add({
      operation: 'Contact/ListContacts',
      body: JSON.stringify({ contacts: [{ id: 'a' }], page: 1, pageSize: 5, hasMore: true }),
    });
    const [result, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(CONTACTS, { first: 5, after: data.contacts.pageInfo.endCursor }),
    );
    expect(result.data).toEqual({ contacts: null });
    expect(result.errors?.[0]?.extensions.code).toBe('UPSTREAM_INVALID_RESPONSE');
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('include a wrong page size', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Contact/ListContacts',
      body: JSON.stringify({ contacts: [{ id: 'a' }], page: 1, pageSize: 1, hasMore: true }),
      times: 1,
    });
    const { data, errors } = await testGraph.execute(CONTACTS, { first: 5 });
    expect([data, errors?.[0]?.extensions.code]).toEqual([{ contacts: null }, 'UPSTREAM_INVALID_RESPONSE']);
  });

  it('don’t cause endless reads if every page reports a next one', async () => {
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', body: JSON.stringify({ contacts: [], hasMore: true }) });
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACTS, { first: 5 }));
    expect(data.contacts).toMatchObject({ edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
    expect(calls).toEqual(['Contact/ListContacts']);
  });
});
