import { createServer } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSupergraph, readSubgraph, type Subgraph } from '../../../examples/supergraph/compose.ts';
import { serveGateway, WORKSPACE } from '../../../examples/supergraph/gateway.ts';
import { type ListeningServer, listen } from '../../../examples/supergraph/listen.ts';
import { createGraph } from '../../../src/graph.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
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
