import { createServer } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse, validate } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSupergraph, readSubgraph, type Subgraph } from '../../../examples/supergraph/compose.ts';
import { serveGateway, WORKSPACE } from '../../../examples/supergraph/gateway.ts';
import { type ListeningServer, listen } from '../../../examples/supergraph/listen.ts';
import { createGraph } from '../../../src/graph.ts';
import { computeCost } from '../../../src/schema/cost/cost.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { readExamples } from '../../../src/server/graphiql/examples.ts';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
import { applySchemaNames } from '../../../src/subgraph/names.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { postQuery, useTestGraph } from '../../support/testGraph.ts';
import { APOLLO, GUILD } from './composers.ts';
import { serveApolloGateway } from './gateways.ts';

const SUBGRAPH_RENAME =
  'Order=WorkspaceOrder, Query.order=workspaceOrder,Query.viewer=workspaceViewer,Money=WorkspaceMoney,JSON=WorkspaceJSON,Mutation.quoteUpdate=workspaceQuoteUpdate';

const createGraphWith = (env: Readonly<Record<string, string>>) => createGraph(getSubgraphOptions(readConfig(env)));

const SHOP_SDL = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Money { euros: Int }
  type Order @key(fields: "id") { id: ID! number: Int workspaceOrder: WorkspaceOrder }
  type WorkspaceOrder @key(fields: "rawId") { rawId: ID! isShipped: Boolean }
  type Query { order(id: ID!): Order viewer: String price: Money }`;

describe('SUBGRAPH_RENAME', () => {
  const renamed = createGraphWith({ SUBGRAPH_RENAME });

  it.each([APOLLO, GUILD])('allows another subgraph in $name to have its own Order, Money, and viewer', ({ compose }) => {
    const shop = { name: 'shop', url: 'http://127.0.0.1/shop', sdl: SHOP_SDL };
    const composeSdl = (sdl: string) => compose([{ name: 'workspace', url: 'http://127.0.0.1/workspace', sdl }, shop]);
    expect(composeSdl(renamed.sdl).messages).toEqual([]);
    expect(composeSdl(createGraph().sdl).codes).toContain('INVALID_FIELD_SHARING');
  });

  it('changes only names', () => {
    const settings = { SUBGRAPH_REQUIRES_SCOPES: 'true', SUBGRAPH_NODE: 'true' };
    const back = createGraphWith({ ...settings, SUBGRAPH_RENAME })
      .sdl.replaceAll(/\bWorkspace(Order|Money|JSON)\b/g, '$1')
      .replaceAll('workspaceOrder(', 'order(')
      .replaceAll('workspaceViewer:', 'viewer:')
      .replaceAll('workspaceQuoteUpdate(', 'quoteUpdate(');
    const lines = (sdl: string) => sdl.split('\n').sort();
    expect(lines(back)).toEqual(lines(createGraphWith(settings).sdl));
  });

  it('takes precedence over a type prefix', () => {
    const { schema } = createGraphWith({ SUBGRAPH_RENAME: 'Money=Amount,Order=WorkspaceOrder', SUBGRAPH_TYPE_PREFIX: 'Ws' });
    const names = ['Amount', 'WorkspaceOrder', 'WsQuoteConnection', 'Customer', 'PageInfo'];
    expect(names.filter((name) => !schema.getType(name))).toEqual([]);
    expect(schema.getType('WsAmount') ?? schema.getType('WsMoney') ?? schema.getType('Order')).toBeUndefined();
  });

  it('preserves the cost', () => {
    const variables = { ids: [toGlobalId('Order', 'a'), toGlobalId('Order', 'b')] };
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Order { createdAt customer { orders(first: 3) { nodes { id } } } } } }';
    const cost = (schema: typeof renamed.schema, text: string) => computeCost(schema, parse(text), null, variables, 1_000);
    expect(cost(renamed.schema, applySchemaNames(query, renamed.schema))).toEqual(cost(createGraph().schema, query));
    expect(cost(renamed.schema, applySchemaNames(query, renamed.schema))?.calls).toBeGreaterThan(2);
  });

  it('preserves the coordinates of tags', () => {
    const { sdl } = createGraphWith({ SUBGRAPH_RENAME, SUBGRAPH_TAGS: 'Order.createdAt=public,Query.viewer=public' });
    expect(sdl).toMatch(/workspaceViewer: Viewer .*@tag\(name: "public"\)/);
    expect(sdl.match(/@tag\(name: "public"\)/g)).toHaveLength(2);
  });

  it('reports all problems at once', () => {
    const wrong = [
      'Order=Quote',
      'Query.order=quote',
      'Foo=Bar',
      'Customer.title=name',
      'Contact=1a',
      'Money=_Money',
      'Product',
      'Node=WsNode',
      'Journey=X=Y',
      'Viewer=Me',
      'Viewer=Caller',
    ];
    const message = (() => {
      try {
        return createGraphWith({ SUBGRAPH_RENAME: wrong.join(',') }) && '';
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(message.split('\n').map((line) => line.trim().replace('SUBGRAPH_RENAME or SUBGRAPH_TYPE_PREFIX: ', ''))).toEqual([
      'The graph cannot start:',
      'Foo is neither a type nor a root field, such as Order or Query.order.',
      'Customer.title is neither a type nor a root field, such as Order or Query.order.',
      'Contact must get a name of letters, digits and _ that begins with a letter, but gets 1a.',
      'Money must get a name of letters, digits and _ that begins with a letter, but gets _Money.',
      'Product must get a name of letters, digits and _ that begins with a letter, but gets none.',
      'Node has a name that Relay or federation goes by.',
      'Journey must get a name of letters, digits and _ that begins with a letter, but gets X=Y.',
      'Viewer is renamed twice.',
      expect.stringMatching(/^(Order and Quote|Quote and Order) must not both be called Quote\.$/),
      'Query.quote and Query.order must not both be called quote.',
    ]);
  });

  it('applies to the initial examples in GraphiQL, whose responses preserve their names', () => {
    const documents = readExamples().map(({ query }) => applySchemaNames(query, renamed.schema));
    expect(documents.flatMap((document) => validate(renamed.schema, parse(document)))).toEqual([]);
    expect(documents.join()).toContain('quoteUpdate: workspaceQuoteUpdate(');
  });
});

describe('renamed subgraph', () => {
  const testGraph = useTestGraph({}, undefined, { env: { SUBGRAPH_RENAME } });
  const [first, second] = [demoId('order 0'), demoId('order 1')];

  it('resolves the new names and preserves IDs', async () => {
    const query = `query ($id: ID!) {
      workspaceViewer { __typename }
      workspaceOrder(id: $id) { __typename id rawId paid { __typename } }
      customer(id: "none") { id }
    }`;
    const { data, errors } = await testGraph.execute(query, { id: toGlobalId('Order', first) });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      workspaceViewer: { __typename: 'Viewer' },
      workspaceOrder: {
        __typename: 'WorkspaceOrder',
        id: toGlobalId('Order', first),
        rawId: first,
        paid: { __typename: 'WorkspaceMoney' },
      },
      customer: null,
    });
  });

  it('doesn’t resolve the old names', async () => {
    const { errors } = await testGraph.execute('{ viewer { __typename } node(id: "x") { ... on Order { id } } }');
    expect(errors?.map(({ message }) => message).join()).toMatch(/Cannot query field "viewer".*Unknown type "Order"/);
  });

  it('fetches each record once for node, nodes, and references', async () => {
    const query = `query ($ids: [ID!]!, $id: ID!, $of: [_Any!]!) {
      node(id: $id) { __typename ... on WorkspaceOrder { createdAt } }
      nodes(ids: $ids) { __typename id }
      _entities(representations: $of) { __typename ... on WorkspaceOrder { rawId createdAt } }
    }`;
    const ids = [first, second].map((id) => toGlobalId('Order', id));
    const of = [
      { __typename: 'WorkspaceOrder', id: ids[0] },
      { __typename: 'WorkspaceOrder', rawId: second },
      { __typename: 'Order', rawId: second },
    ];
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ids, id: ids[0], of }));
    const order = { __typename: 'WorkspaceOrder', createdAt: expect.any(String) };
    expect(data.node).toEqual(order);
    expect(data.nodes).toEqual(ids.map((id) => ({ __typename: 'WorkspaceOrder', id })));
    expect(data._entities).toEqual([{ ...order, rawId: first }, { ...order, rawId: second }, null]);
    expect(errors?.map(({ message }) => message).join()).toContain('must have the name of an entity type as `__typename`, but has Order');
    expect(calls).toEqual(['Order/GetOrder', 'Order/GetOrder']);
  });

  it('sends no upstream call if only keys are selected', async () => {
    const of = [{ __typename: 'WorkspaceOrder', rawId: first }];
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on WorkspaceOrder { id } } }';
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of }));
    expect([data._entities, calls]).toEqual([[{ id: toGlobalId('Order', first) }], []]);
  });

  it('uses the new type names in conflicts and accepts the new name of a mutation', async () => {
    const input = {
      quoteId: demoId('quote 0'),
      expectedVersion: '999',
      lines: [{ productId: demoId('product 0'), quantity: 1 }],
      discounts: [],
    };
    const { data, errors } = await testGraph.execute(
      `mutation ($input: QuoteUpdateInput!) { workspaceQuoteUpdate(input: $input) {
         __typename ... on VersionConflictError { current { __typename ... on Quote { totalOnce { __typename } } } } } }`,
      { input },
    );
    expect(errors).toBeUndefined();
    expect(data.workspaceQuoteUpdate).toEqual({
      __typename: 'VersionConflictError',
      current: { __typename: 'Quote', totalOnce: { __typename: 'WorkspaceMoney' } },
    });
    const lookUp = 'query ($name: String!) { idempotentOperation(operation: $name, idempotencyKey: "none") { state } }';
    for (const name of ['quoteUpdate', 'workspaceQuoteUpdate']) {
      const known = await testGraph.execute(lookUp, { name });
      expect([known.errors, known.data]).toEqual([undefined, { idempotentOperation: null }]);
    }
  });

  it('requires the original scopes of fields', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read'] });
    const { errors } = await testGraph.executeAs(key, 'query ($id: ID!) { workspaceOrder(id: $id) { createdAt } }', { id: first });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });
});

describe('swapped names', () => {
  const testGraph = useTestGraph({}, undefined, {
    env: { SUBGRAPH_RENAME: 'Order=Quote,Quote=Order,Query.order=quote,Query.quote=order' },
  });

  it('resolve to the swapped types', async () => {
    const [order, quote] = [demoId('order 0'), demoId('quote 0')];
    const query = `query ($order: ID!, $quote: ID!, $ids: [ID!]!) {
      quote(id: $order) { __typename id cancellationImpact { __typename } }
      order(id: $quote) { __typename id title }
      nodes(ids: $ids) { __typename ... on Order { title } }
    }`;
    const ids = [toGlobalId('Order', order), toGlobalId('Quote', quote)];
    const { data, errors } = await testGraph.execute(query, { order, quote, ids });
    expect(errors).toBeUndefined();
    expect(data.quote).toMatchObject({ __typename: 'Quote', id: ids[0] });
    expect(data.order).toMatchObject({ __typename: 'Order', id: ids[1] });
    expect(data.nodes).toEqual([{ __typename: 'Quote' }, { __typename: 'Order', title: data.order.title }]);
  });
});

describe('supergraph with a shop that has its own orders', () => {
  const testGraph = useTestGraph({}, undefined, { env: { SUBGRAPH_RENAME } });
  const ours = demoId('order 0');

  const shop = buildSubgraphSchema([
    {
      typeDefs: parse(SHOP_SDL),
      resolvers: {
        Query: { order: (_root: unknown, { id }: { id: string }) => ({ id }), viewer: () => 'shop', price: () => ({ euros: 5 }) },
        Order: {
          __resolveReference: ({ id }: { id: string }) => ({ id }),
          number: ({ id }: { id: string }) => Number(id),
          workspaceOrder: () => ({ rawId: ours }),
        },
        WorkspaceOrder: { isShipped: ({ rawId }: { rawId: string }) => rawId === ours },
      },
    },
  ]);

  const servers: ListeningServer[] = [];
  const registerServer = async (server: Promise<ListeningServer>) => {
    servers.unshift(await server);
    return server;
  };
  let subgraphs: Subgraph[];
  beforeAll(async () => {
    const { url } = await registerServer(listen(createServer(createYoga({ schema: shop, landingPage: false, logging: false })), 0));
    subgraphs = [await readSubgraph(WORKSPACE, `${testGraph.url}/graphql`), await readSubgraph('shop', `${url}/graphql`)];
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  it.each([
    ['Apollo’s gateway', () => serveApolloGateway(APOLLO.compose(subgraphs).supergraphSdl ?? '')],
    ['Hive Gateway', () => serveGateway(composeSupergraph(subgraphs), 0, { logging: false })],
  ])('resolves both types of orders through %s', async (_name, serve) => {
    const { url } = await registerServer(serve());
    const query = `query ($ours: ID!) {
      order(id: "7") { __typename id number workspaceOrder { __typename id createdAt isShipped } }
      workspaceOrder(id: $ours) { __typename rawId isShipped }
      viewer
      workspaceViewer { __typename }
      price { euros }
    }`;
    const { data, errors } = await postQuery(url, 'demo-owner', query, { ours });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      order: {
        __typename: 'Order',
        id: '7',
        number: 7,
        workspaceOrder: { __typename: 'WorkspaceOrder', id: toGlobalId('Order', ours), createdAt: expect.any(String), isShipped: true },
      },
      workspaceOrder: { __typename: 'WorkspaceOrder', rawId: ours, isShipped: true },
      viewer: 'shop',
      workspaceViewer: { __typename: 'Viewer' },
      price: { euros: 5 },
    });
  });
});
