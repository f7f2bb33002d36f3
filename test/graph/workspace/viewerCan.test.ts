import { describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { getGraph } from '../../support/getGraph.ts';
import { postQuery, startTestGraph, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const ASK = 'query ($coordinates: [String!]!) { viewerCan(coordinates: $coordinates) { coordinate can missingScopes } }';

describe('viewerCan', () => {
  it('tells what a key may use by its scopes, in the order of the question, without a call beyond its grants', async () => {
    const coordinates = [
      'Mutation.quoteConfirm',
      'Customer.quotes',
      'Query.actionRequest',
      'Quote.customer',
      'Quote',
      'Quote.title',
      'Mutation.productCreate',
    ];
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-sales', ASK, { coordinates }));
    expect(data.viewerCan).toEqual([
      { coordinate: 'Mutation.quoteConfirm', can: 'YES', missingScopes: [] },
      { coordinate: 'Customer.quotes', can: 'YES', missingScopes: [] },
      { coordinate: 'Query.actionRequest', can: 'UNKNOWN', missingScopes: [] },
      { coordinate: 'Quote.customer', can: 'YES', missingScopes: [] },
      { coordinate: 'Quote', can: 'YES', missingScopes: [] },
      { coordinate: 'Quote.title', can: 'YES', missingScopes: [] },
      { coordinate: 'Mutation.productCreate', can: 'NO', missingScopes: ['catalog:write'] },
    ]);
    expect(calls).toEqual([]);
  });

  it('names the scope of an edge, which is that of the record at its end', async () => {
    const { data } = await testGraph.executeAs('demo-warehouse', ASK, { coordinates: ['Order.customer', 'Query.order'] });
    expect(data.viewerCan).toEqual([
      { coordinate: 'Order.customer', can: 'NO', missingScopes: ['customer:read'] },
      { coordinate: 'Query.order', can: 'YES', missingScopes: [] },
    ]);
  });

  it('doesn’t require the scope to read the record that a transition is compared with', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'quote:confirm'] });
    const { data } = await testGraph.executeAs(key, ASK, { coordinates: ['Mutation.quoteConfirm'] });
    expect(data.viewerCan).toEqual([{ coordinate: 'Mutation.quoteConfirm', can: 'YES', missingScopes: [] }]);
  });

  it('knows nothing for certain of a key that may not ask for its scopes', async () => {
    const { data } = await testGraph.executeAs('demo-creator', ASK, { coordinates: ['Mutation.quoteConfirm'] });
    expect(data.viewerCan).toEqual([{ coordinate: 'Mutation.quoteConfirm', can: 'UNKNOWN', missingScopes: [] }]);
  });

  it('refuses a coordinate that the schema does not have, by its place', async () => {
    for (const coordinate of ['Query.nothing', 'Nothing', 'Query.constructor', 'Query.order.id', 'OrderStatus', '_Entity', '']) {
      const { errors } = await testGraph.execute(ASK, { coordinates: ['Query.order', coordinate] });
      expect(errors?.[0]?.extensions, coordinate).toMatchObject({
        code: 'BAD_USER_INPUT',
        issues: [{ path: ['coordinates', '1'], code: 'NOT_ALLOWED' }],
      });
    }
    const many = Array.from({ length: 201 }, () => 'Query.order');
    const { errors } = await testGraph.execute(ASK, { coordinates: many });
    expect(errors?.[0]?.extensions).toMatchObject({ issues: [{ path: ['coordinates'], code: 'TOO_LONG', limit: 200 }] });
  });

  it('needs a key that the upstream accepts', async () => {
    for (const key of [null, 'demo-revoked']) {
      const { errors } = await testGraph.executeAs(key, ASK, { coordinates: ['Query.order'] });
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  it('goes by the names of the deployment', async () => {
    const renamed = await startTestGraph({}, undefined, { env: { SUBGRAPH_RENAME: 'Order=WorkspaceOrder' } });
    const { data } = await postQuery(renamed.app.url, 'demo-owner', ASK, { coordinates: ['WorkspaceOrder.customer'] });
    await renamed.close();
    expect(data.viewerCan).toEqual([{ coordinate: 'WorkspaceOrder.customer', can: 'YES', missingScopes: [] }]);
  });

  it('says of every mutation that a key which reads cannot use it, unless nobody has documented its scope', async () => {
    const mutations = Object.keys(getGraph().schema.getMutationType()?.getFields() ?? {}).map((name) => `Mutation.${name}`);
    expect(mutations.length).toBeGreaterThan(70);
    const { data } = await testGraph.executeAs('demo-reader', ASK, { coordinates: mutations });
    const others = (data.viewerCan as { coordinate: string; can: string }[]).filter(({ can }) => can !== 'NO');
    expect(others).toEqual([
      { coordinate: 'Mutation.memberRemove', can: 'UNKNOWN', missingScopes: [] },
      { coordinate: 'Mutation.actionRequestCancel', can: 'UNKNOWN', missingScopes: [] },
      { coordinate: 'Mutation.actionRequestNotificationSend', can: 'UNKNOWN', missingScopes: [] },
    ]);
  });
});
