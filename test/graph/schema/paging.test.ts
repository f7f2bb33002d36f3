import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { demoId, post } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const ask = async (operation: string, request: object) => (await post(testGraph.sandbox.url, 'demo-owner', operation, request)).body;

/** All ids of an upstream list, in the upstream's own order. */
async function idsOf(operation: string, items: string, request: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const body = await ask(operation, { ...request, page, pageSize: 100 });
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
    ids: () => idsOf('Contact/ListContacts', 'contacts'),
    sizes: [7, 10, 30, 100],
  },
  {
    name: 'Customer.quotes',
    operation: 'Quote/ListQuotes',
    read: async (args: object) => (await testGraph.execute(QUOTES, { ...args, id: busiest })).data.customer.contacts,
    ids: () => idsOf('Quote/ListQuotes', 'quotes', { customerId: busiest }),
    sizes: [9, 26, 100],
  },
];

describe.each(lists)('$name', ({ operation, read, ids, sizes }) => {
  it.each(sizes)('is walked forwards in steps of %i in the order of the upstream, by one call a step', async (first) => {
    const wanted = await ids();
    expect(wanted.length).toBeGreaterThan(1);
    const [seen, calls] = await testGraph.recordCalls(async () => {
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
    expect(seen).toEqual(wanted);
    expect(calls).toEqual(Array(Math.ceil(wanted.length / first)).fill(operation));
  });

  it.each(sizes)('is walked backwards in steps of %i, too', async (last) => {
    const { edges } = await read({ first: 100 });
    const wanted = (await ids()).slice(0, edges.length - 1);
    const [seen, calls] = await testGraph.recordCalls(async () => {
      const found: string[] = [];
      for (let before: string = edges.at(-1).cursor; ; ) {
        const page = await read({ last, before });
        found.unshift(...page.edges.map(({ node }: Edge) => node.rawId));
        expect(page.pageInfo.hasNextPage).toBe(true);
        if (!page.pageInfo.hasPreviousPage) return found;
        before = page.pageInfo.startCursor;
      }
    });
    expect(seen).toEqual(wanted);
    expect(new Set(calls)).toEqual(new Set([operation]));
    expect(calls.length).toBeLessThanOrEqual(2 * Math.ceil(wanted.length / last));
  });

  it('tells whether rows follow when none are asked for', async () => {
    const [page, calls] = await testGraph.recordCalls(() => read({ first: 0 }));
    expect(page).toMatchObject({ edges: [], pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: null, endCursor: null } });
    expect(calls).toEqual([operation]);
  });
});

describe('bad arguments', () => {
  it.each([
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ first: 1_000_000_000 }, 'first'],
    [{ last: -1 }, 'last'],
    [{ last: 101 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
  ])('%j are refused, and nothing is sent', async (args, path) => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACTS, args));
    expect(data).toEqual({ contacts: null });
    expect(errors?.map(({ extensions }) => extensions)).toMatchObject([{ code: 'BAD_USER_INPUT', issues: [{ path: [path] }] }]);
    expect(calls).toEqual([]);
  });

  it.each([
    ['garbage', 'garbage'],
    ['a blank', ' '],
    ['an offset that is not a number', Buffer.from('1:x:AAAAAAAA').toString('base64url')],
    ['an offset that is negative', Buffer.from('1:-5:AAAAAAAA').toString('base64url')],
    ['an offset of no list', Buffer.from('1:5').toString('base64url')],
    ['a global id', Buffer.from('Contact:5').toString('base64url')],
  ])('%s is no cursor, and nothing is sent', async (_name, cursor) => {
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

  it('are cursors of another parent, another list or other filters, and nothing is sent', async () => {
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
        'query ($id: ID!, $after: String) { customer(id: $id) { quotes(filter: { status: CONFIRMED }, after: $after) { nodes { id } } } }',
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

describe('a list of which the upstream shows the beginning only', () => {
  const DISCOUNTS = 'query ($first: Int) { discounts(first: $first) { nodes { rawId } isTruncated pageInfo { hasNextPage } } }';

  it('says that it is whole when it is', async () => {
    const { discounts = [] } = await ask('Catalog/ListDiscounts', { pageSize: 100 });
    expect(discounts.length).toBeLessThan(100);
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(DISCOUNTS, { first: 100 }));
    expect(data.discounts).toEqual({
      nodes: discounts.map(({ id }: { id: string }) => ({ rawId: id })),
      isTruncated: false,
      pageInfo: { hasNextPage: false },
    });
    expect(calls).toEqual(['Catalog/ListDiscounts']);
  });

  it('says that it is cut off when it may be, and points at nothing behind the cut', async () => {
    const discounts = Array.from({ length: 100 }, (_, index) => ({ id: `discount-${index}`, name: 'One of many' }));
    testGraph.sandbox.faults.add({ operation: 'Catalog/ListDiscounts', body: JSON.stringify({ discounts }), times: 2 });
    const first10 = await testGraph.execute(DISCOUNTS, { first: 10 });
    expect(first10.data.discounts).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: true } });
    const { data } = await testGraph.execute(DISCOUNTS, { first: 100 });
    expect(data.discounts.nodes).toHaveLength(100);
    expect(data.discounts).toMatchObject({ isTruncated: true, pageInfo: { hasNextPage: false } });
  });
});

describe('a list that comes whole', () => {
  const TIMELINE = `query ($id: ID!, $first: Int, $after: String, $last: Int) {
    customer(id: $id) {
      timelineEvents(first: $first, after: $after, last: $last) {
        nodes { rawId } totalCount pageInfo { hasNextPage hasPreviousPage endCursor }
      }
    }
  }`;

  it('tells how long it is, and may be read from the back', async () => {
    const { events } = await ask('Customer/ListCustomerTimelineEvents', { customerId: busiest });
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

  it('refuses bad cursors before it asks', async () => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(TIMELINE, { id: busiest, after: 'garbage' }));
    expect(errors?.[0]?.extensions.code).toBe('INVALID_CURSOR');
    expect(calls).toEqual([]);
  });
});

describe('an upstream that does not page as it should', () => {
  it('is refused when it answers another page than was asked for', async () => {
    const { data } = await testGraph.execute(CONTACTS, { first: 5 });
    testGraph.sandbox.faults.add({
      operation: 'Contact/ListContacts',
      body: JSON.stringify({ contacts: [{ id: 'a' }], page: 1, pageSize: 5, hasMore: true }),
    });
    const [refused, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(CONTACTS, { first: 5, after: data.contacts.pageInfo.endCursor }),
    );
    expect(refused.data).toEqual({ contacts: null });
    expect(refused.errors?.[0]?.extensions.code).toBe('UPSTREAM_INVALID_RESPONSE');
    expect(calls).toEqual(['Contact/ListContacts']);
  });

  it('is refused when its pages are of another size than was asked for', async () => {
    testGraph.sandbox.faults.add({
      operation: 'Contact/ListContacts',
      body: JSON.stringify({ contacts: [{ id: 'a' }], page: 1, pageSize: 1, hasMore: true }),
      times: 1,
    });
    const { data, errors } = await testGraph.execute(CONTACTS, { first: 5 });
    expect([data, errors?.[0]?.extensions.code]).toEqual([{ contacts: null }, 'UPSTREAM_INVALID_RESPONSE']);
  });

  it('is not followed for ever when every page says that more follows', async () => {
    testGraph.sandbox.faults.add({ operation: 'Contact/ListContacts', body: JSON.stringify({ contacts: [], hasMore: true }) });
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(CONTACTS, { first: 5 }));
    expect(data.contacts).toMatchObject({ edges: [], pageInfo: { hasNextPage: false, endCursor: null } });
    expect(calls).toEqual(['Contact/ListContacts']);
  });
});
