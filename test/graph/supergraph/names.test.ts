import { parse, validate } from 'graphql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { readExamples } from '../../../src/server/graphiql/graphiql.ts';
import { getSubgraphOptions, readConfig } from '../../../src/server/settings/config.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { getGraph } from '../../support/getGraph.ts';
import { openSubscription } from '../../support/subscribe.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

/** Swaps two names of types and of fields, so that a look-up by the wrong name finds another type. */
const NAMES = {
  SUBGRAPH_RENAME:
    'Order=Quote, Quote=Order,Query.order=quote,Query.quote=order,JSON=Anything,Money=Amount,Mutation.quoteUpdate=change,Subscription.recordsChanged=changes',
  SUBGRAPH_TYPE_PREFIX: 'Ws',
};
const SHARED = { LIVE: 'on', MCP: 'true', MCP_WRITES: 'confirm' };
const testGraph = useTestGraph({}, undefined, { env: { ...NAMES, ...SHARED } });
const usual = useTestGraph({}, undefined, { env: SHARED });

const getRenamed = () => getGraph(getSubgraphOptions(readConfig(NAMES)));
const createGraphWith = (env: Readonly<Record<string, string>>) => createGraph(getSubgraphOptions(readConfig(env)));
const [first, second] = [demoId('order 0'), demoId('order 1')];
const [quote] = [demoId('quote 0')];

describe('graph with SUBGRAPH_RENAME and SUBGRAPH_TYPE_PREFIX', () => {
  it('resolves the new names of types and fields, and preserves IDs', async () => {
    const query = `query ($order: ID!, $quote: ID!) {
      quote(id: $order) { __typename id rawId paid { __typename } customer { __typename orders(first: 1) { __typename pageInfo { __typename } } } }
      order(id: $quote) { __typename id title }
      viewerCan(coordinates: ["Quote.customer", "Mutation.change"]) { can }
      __type(name: "Quote") { fields { name } }
    }`;
    const { data, errors } = await testGraph.execute(query, { order: first, quote });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      quote: {
        __typename: 'Quote',
        id: toGlobalId('Order', first),
        rawId: first,
        paid: { __typename: 'Amount' },
        customer: { __typename: 'Customer', orders: { __typename: 'WsOrderConnection', pageInfo: { __typename: 'PageInfo' } } },
      },
      order: { __typename: 'Order', id: toGlobalId('Quote', quote), title: expect.any(String) },
      viewerCan: [{ can: 'YES' }, { can: 'YES' }],
      __type: { fields: expect.arrayContaining([{ name: 'cancellationImpact' }]) },
    });
    const old = await testGraph.execute('{ viewer { __typename } node(id: "x") { ... on Money { amount } } }');
    expect(old.errors?.map(({ message }) => message).join()).toContain('Unknown type "Money"');
  });

  it('fetches each record once for node, nodes, and references', async () => {
    const query = `query ($ids: [ID!]!, $id: ID!, $of: [_Any!]!) {
      node(id: $id) { __typename ... on Quote { createdAt } }
      nodes(ids: $ids) { __typename id }
      raw: nodes(ids: [${JSON.stringify(second)}], nodeType: ORDER) { ... on Quote { createdAt } }
      _entities(representations: $of) { __typename ... on Quote { rawId createdAt } }
    }`;
    const ids = [first, second].map((id) => toGlobalId('Order', id));
    const of = [{ __typename: 'Quote', id: ids[0] }, { __typename: 'Quote', rawId: second }, { __typename: 'WsViewer' }];
    const variables = { ids, id: ids[0], of };
    const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    const order = { __typename: 'Quote', createdAt: expect.any(String) };
    expect(data.node).toEqual(order);
    expect(data.nodes).toEqual(ids.map((id) => ({ __typename: 'Quote', id })));
    expect(data.raw).toEqual([{ createdAt: expect.any(String) }]);
    expect(data._entities).toEqual([{ ...order, rawId: first }, { ...order, rawId: second }, null]);
    expect(errors?.map(({ message }) => message).join()).toContain(
      'must have the name of an entity type as `__typename`, but has WsViewer',
    );
    expect(calls).toEqual(['Order/GetOrder', 'Order/GetOrder']);
    // Of both orders in `nodes` and `_entities`, and of one in each of the other fields.
    expect(cost).toMatchObject({ predictedCalls: 6, actualCalls: 2 });
  });

  it('resolves references without an upstream call if only keys are selected', async () => {
    const of = [{ __typename: 'Quote', rawId: first }];
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { __typename ... on Quote { id } } }';
    // The second execution is compiled.
    for (let count = 0; count < 2; count += 1) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { of }));
      expect([data._entities, calls]).toEqual([[{ __typename: 'Quote', id: toGlobalId('Order', first) }], []]);
    }
  });

  it('returns errors of mutations with the new names, by which the mutation can be looked up', async () => {
    const mutation = `mutation ($input: WsQuoteUpdateInput!) { change(input: $input) {
      __typename
      ... on WsMutationError { code }
      ... on WsVersionConflictError { current { __typename ... on Order { totalOnce { __typename } } } }
      ... on WsOutcomeUnknownError { operation }
    } }`;
    const input = { quoteId: quote, expectedVersion: '999', lines: [{ productId: demoId('product 0'), quantity: 1 }], discounts: [] };
    const { data, errors } = await testGraph.execute(mutation, { input });
    expect(errors).toBeUndefined();
    expect(data.change).toEqual({
      __typename: 'WsVersionConflictError',
      code: 'VERSION_CONFLICT',
      current: { __typename: 'Order', totalOnce: { __typename: 'Amount' } },
    });
    testGraph.sandbox.faults.add({ operation: 'Quote/UpdateQuote', cut: 'after', times: 1 });
    const { version } = (await testGraph.execute('query ($id: ID!) { order(id: $id) { version } }', { id: quote })).data.order;
    const lost = await testGraph.execute(mutation, { input: { ...input, expectedVersion: version, idempotencyKey: 'lost' } });
    expect(lost.data.change).toMatchObject({ __typename: 'WsOutcomeUnknownError', operation: 'change' });
    const lookUp = await testGraph.execute('{ idempotentOperation(operation: "change", idempotencyKey: "lost") { operation state } }');
    expect(lookUp.data.idempotentOperation).toEqual({ operation: 'change', state: 'UNKNOWN' });
  });

  it('sends subscriptions by their new names', async () => {
    const query = 'subscription { changes(types: [ORDER]) { __typename isTruncated } }';
    const subscription = await openSubscription(testGraph.url, 'demo-owner', query);
    onTestFinished(() => subscription.close());
    expect(await subscription.next()).toEqual({ data: { changes: { __typename: 'WsRecordsChanged', isTruncated: true } } });
  });

  it('serves the usual tools, with the original names in documents and results', async () => {
    const call = async (url: string) => {
      const tools = await connectTools(url, 'demo-owner');
      onTestFinished(() => tools.close());
      const { body } = await tools.call('svc_order_cancel', { orderId: first });
      const listed = await tools.client.listTools();
      return [body.plan, (await tools.call('svc_order_status', { orderId: first })).body, listed.tools];
    };
    const [plan, ...others] = await call(testGraph.url);
    expect(plan).toContainEqual(expect.stringContaining('Customer'));
    expect([plan, ...others]).toEqual(await call(usual.url));
  });

  it('serves the SDL with the new names', async () => {
    const { data } = await testGraph.execute('{ _service { sdl } }');
    expect(data._service.sdl).toBe(getRenamed().sdl);
  });

  it('serves GraphiQL with examples that have the new names', async () => {
    const page = await (
      await fetch(`${testGraph.url}/graphql`, { headers: { accept: 'text/html', 'accept-encoding': 'identity' } })
    ).text();
    expect(page).toContain('$input: WsQuoteConfirmInput!');
    const { schema, rename } = getRenamed();
    const documents = readExamples().map(({ query }) => rename(query));
    expect(documents.flatMap((document) => validate(schema, parse(document)))).toEqual([]);
    expect(documents.join()).toContain('change(input');
  });
});

describe('SDL with new names', () => {
  it('differs only in names, and has the tags of the original coordinates', () => {
    const settings = {
      SUBGRAPH_NODE: 'true',
      SUBGRAPH_REQUIRES_SCOPES: 'true',
      SUBGRAPH_TAGS: 'Order.createdAt=public,Query.viewer=public',
    };
    const SUBGRAPH_RENAME =
      'Order=ShopOrder,Query.order=shopOrder,Query.viewer=shopViewer,Money=ShopMoney,JSON=ShopJSON,Mutation.quoteUpdate=shopQuoteUpdate';
    const { sdl } = createGraphWith({ ...settings, SUBGRAPH_RENAME, SUBGRAPH_TYPE_PREFIX: 'Ws' });
    const back = sdl
      .replaceAll(/\b(Shop|Ws)(?=[A-Z])/g, '')
      .replaceAll('shopOrder(', 'order(')
      .replaceAll('shopViewer:', 'viewer:')
      .replaceAll('shopQuoteUpdate(', 'quoteUpdate(');
    expect(back === createGraphWith(settings).sdl).toBe(true);
    expect(
      ['type ShopOrder ', 'type ShopMoney ', 'scalar ShopJSON', 'type Customer ', 'type PageInfo '].filter((each) => !sdl.includes(each)),
    ).toEqual([]);
  });
});

describe('createGraph', () => {
  it('reports all invalid names at once', () => {
    const wrong =
      'Order=Quote,Query.order=quote,Foo=Bar,Customer.title=name,Contact=1a,Money=_Money,Product,Node=WsNode,Journey=X=Y,Viewer=Me,Viewer=Caller';
    const message = (() => {
      try {
        return createGraphWith({ SUBGRAPH_RENAME: wrong }) && '';
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
    expect(() => readConfig({ SUBGRAPH_TYPE_PREFIX: 'ws-' })).toThrow('SUBGRAPH_TYPE_PREFIX');
  });
});
