import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { cacheConfig } from '../../../client/src/apollo/index.ts';
import { graphcacheConfig } from '../../../client/src/urql/index.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { useRelayArtifacts } from './relayArtifacts.ts';
import { createRelay, fetch, paginate } from './relayClient.ts';

const testGraph = useTestGraph();

const CUSTOMER = toGlobalId('Customer', demoId('customer 0'));

interface List {
  readonly parent: 'Customer' | 'Query';
  readonly field: string;
  /** Arguments that precede those of the page. */
  readonly args?: string;
}

/** At least one list of each kind of paging, and every search. */
const LISTS: readonly List[] = [
  // Pages of the upstream.
  { parent: 'Customer', field: 'quotes' },
  { parent: 'Query', field: 'products', args: 'query: "e"' },
  { parent: 'Query', field: 'inventoryBalances' },
  // Lists without pages.
  { parent: 'Customer', field: 'timelineEvents' },
  { parent: 'Query', field: 'roles' },
  // A list that the graph sorts, and a time range.
  { parent: 'Customer', field: 'orders', args: 'orderBy: { field: TOTAL_ONCE }' },
  { parent: 'Query', field: 'appointments', args: 'scheduledBetween: { gte: "2026-01-01T00:00:00Z", lt: "2027-01-01T00:00:00Z" }' },
  ...['appointment', 'customer', 'order', 'payment', 'problem', 'quote', 'workOrder'].map((record) => ({
    parent: 'Query' as const,
    field: `${record}Search`,
    args: 'orderBy: { field: CREATED_AT }',
  })),
];

const PAGE_VARIABLES = '$first: Int, $after: String, $last: Int, $before: String';
const getArguments = ({ args = '' }: List) => `${args} first: $first, after: $after, last: $last, before: $before`;
const inParent = ({ parent }: List, selection: string) =>
  parent === 'Query' ? selection : `customer(id: "${CUSTOMER}") { id ${selection} }`;

/** Selects a list, also its items both by `edges` and by `nodes`. */
const createQuery = (list: List) =>
  `query List(${PAGE_VARIABLES}) { ${inParent(list, `${list.field}(${getArguments(list)}) { nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`)} }`;

interface Connection {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: { readonly startCursor: string; readonly endCursor: string };
}

type Data = Readonly<Record<string, unknown>>;
const getConnection = ({ parent, field }: List, data: unknown) =>
  ((parent === 'Query' ? data : (data as Data).customer) as Data)[field] as Connection;

/** A list that a client has opened. */
interface OpenList {
  /** IDs of its items: by `nodes` and by `edges`, except in Relay. */
  getIds(): Promise<readonly (readonly string[])[]>;
  loadNext(count: number): Promise<void>;
  loadPrevious(count: number): Promise<void>;
}

const getIds = ({ nodes, edges }: Connection) => [nodes.map(({ id }) => id), edges.map(({ node }) => node.id)];

async function openInApollo(list: List, variables: object): Promise<OpenList> {
  const link = new HttpLink({ uri: `${testGraph.url}/graphql`, headers: { authorization: 'Bearer demo-owner' } });
  const client = new ApolloClient({ cache: new InMemoryCache(cacheConfig), link, devtools: { enabled: false } });
  const query = parse(createQuery(list));
  await client.query({ query, variables });
  const watched = client.watchQuery({ query, variables });
  const subscription = watched.subscribe(() => {});
  const read = () => getConnection(list, client.readQuery({ query, variables }));
  const load = async (page: object) => {
    await watched.fetchMore({ variables: { ...variables, ...page } });
  };
  return {
    getIds: async () => {
      subscription.unsubscribe();
      return getIds(read());
    },
    loadNext: (first) => load({ first, after: read().pageInfo.endCursor }),
    loadPrevious: (last) => load({ first: null, after: null, last, before: read().pageInfo.startCursor }),
  };
}

async function openInUrql(list: List, variables: object): Promise<OpenList> {
  const client = new Client({
    url: `${testGraph.url}/graphql`,
    exchanges: [cacheExchange(graphcacheConfig(relayPagination({ mergeMode: 'outwards' }))), fetchExchange],
    fetchOptions: { headers: { authorization: 'Bearer demo-owner' } },
  });
  const load = async (page: object) => {
    const { data, error } = await client.query(createQuery(list), page).toPromise();
    if (error) throw error;
    return getConnection(list, data);
  };
  let connection = await load(variables);
  return {
    getIds: async () => getIds(connection),
    loadNext: async (first) => {
      connection = await load({ first, after: connection.pageInfo.endCursor });
    },
    loadPrevious: async (last) => {
      // Graphcache has no start cursor of a list whose first page was read with `after`.
      connection = await load({ last, before: connection.edges[0]?.cursor });
    },
  };
}

/** Documents for relay-compiler, which only supports `edges`. */
const RELAY_DOCUMENTS = LISTS.map((list) => {
  const definitions = ['first: { type: "Int" }', 'after: { type: "String" }', 'last: { type: "Int" }', 'before: { type: "String" }'];
  const fragment = `pages_${list.field}`;
  return `graphql\`
    query pages${list.field}Query(${PAGE_VARIABLES}) {
      ${inParent(list, `...${fragment} @arguments(first: $first, after: $after, last: $last, before: $before)`)}
    }
  \`;
  graphql\`
    fragment ${fragment} on ${list.parent} @refetchable(queryName: "pages${list.field}PageQuery") @argumentDefinitions(${definitions.join(' ')}) {
      ${list.field}(${getArguments(list)}) @connection(key: "${fragment}") { __id edges { node { id } } }
    }
  \`;`;
});
const artifact = useRelayArtifacts({ 'pages.ts': `import { graphql } from 'relay-runtime';\n${RELAY_DOCUMENTS.join('\n')}` });

async function openInRelay(list: List, variables: object): Promise<OpenList> {
  const environment = createRelay(`${testGraph.url}/graphql`);
  const data = await fetch(environment, await artifact(`pages${list.field}Query`), variables);
  const opened = paginate(environment, await artifact(`pages_${list.field}`), list.field, list.parent === 'Query' ? data : data.customer);
  return {
    getIds: async () => [opened.ids()],
    loadNext: (count) => opened.load('forward', count),
    loadPrevious: (count) => opened.load('backward', count),
  };
}

describe.each([
  ['Apollo Client', openInApollo],
  ['urql', openInUrql],
  ['Relay', openInRelay],
])('%s', (_, open) => {
  it.each(LISTS.map((list) => [list.field, list] as const))(
    'loads pages in both directions from the middle of a list: %s',
    async (_field, list) => {
      const { data, errors } = await testGraph.execute(createQuery(list), { first: 6 });
      expect(errors).toBeUndefined();
      const [ids = []] = getIds(getConnection(list, data));
      const { data: start } = await testGraph.execute(createQuery(list), { first: 2 });
      const opened = await open(list, { first: 2, after: getConnection(list, start).pageInfo.endCursor });
      for (const loaded of await opened.getIds()) expect(loaded).toEqual(ids.slice(2, 4));
      await opened.loadNext(2);
      for (const loaded of await opened.getIds()) expect(loaded).toEqual(ids.slice(2, 6));
      await opened.loadPrevious(2);
      for (const loaded of await opened.getIds()) expect(loaded).toEqual(ids);
      expect(ids).toHaveLength(6);
    },
  );
});
