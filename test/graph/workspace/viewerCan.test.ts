import { describe, expect, it } from 'vitest';
import { makeKey } from '../../sandbox/makeKey.ts';
import { getGraph } from '../../support/getGraph.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const VIEWER_CAN = 'query ($coordinates: [String!]!) { viewerCan(coordinates: $coordinates) { coordinate can missingScopes } }';

describe('viewerCan', () => {
  it('returns what the scopes of a key permit, in request order, without an upstream call', async () => {
    const coordinates = [
      'Mutation.quoteConfirm',
      'Customer.quotes',
      'Query.actionRequest',
      'Quote.customer',
      'Quote',
      'Quote.title',
      'Mutation.productCreate',
    ];
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.executeAs('demo-sales', VIEWER_CAN, { coordinates }));
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

  it('returns the missing scope of the record that a relationship leads to', async () => {
    const { data } = await testGraph.executeAs('demo-warehouse', VIEWER_CAN, { coordinates: ['Order.customer', 'Query.order'] });
    expect(data.viewerCan).toEqual([
      { coordinate: 'Order.customer', can: 'NO', missingScopes: ['customer:read'] },
      { coordinate: 'Query.order', can: 'YES', missingScopes: [] },
    ]);
  });

  it('doesn’t require the scope to read the record that a transition is compared with', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'quote:confirm'] });
    const { data } = await testGraph.executeAs(key, VIEWER_CAN, { coordinates: ['Mutation.quoteConfirm'] });
    expect(data.viewerCan).toEqual([{ coordinate: 'Mutation.quoteConfirm', can: 'YES', missingScopes: [] }]);
  });

  it('returns UNKNOWN if the key can’t read its own scopes', async () => {
    const { data } = await testGraph.executeAs('demo-creator', VIEWER_CAN, { coordinates: ['Mutation.quoteConfirm'] });
    expect(data.viewerCan).toEqual([{ coordinate: 'Mutation.quoteConfirm', can: 'UNKNOWN', missingScopes: [] }]);
  });

  it('rejects unknown coordinates and reports their index', async () => {
    for (const coordinate of ['Query.nothing', 'Nothing', 'Query.constructor', 'Query.order.id', 'OrderStatus', '_Entity', '']) {
      const { errors } = await testGraph.execute(VIEWER_CAN, { coordinates: ['Query.order', coordinate] });
      expect(errors?.[0]?.extensions, coordinate).toMatchObject({
        code: 'BAD_USER_INPUT',
        issues: [{ path: ['coordinates', '1'], code: 'NOT_ALLOWED' }],
      });
    }
    const many = Array.from({ length: 201 }, () => 'Query.order');
    const { errors } = await testGraph.execute(VIEWER_CAN, { coordinates: many });
    expect(errors?.[0]?.extensions).toMatchObject({ issues: [{ path: ['coordinates'], code: 'TOO_LONG', limit: 200 }] });
  });

  it('requires a valid API key', async () => {
    for (const key of [null, 'demo-revoked']) {
      const { errors } = await testGraph.executeAs(key, VIEWER_CAN, { coordinates: ['Query.order'] });
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });

  it('returns NO for every mutation if the key can only read, unless the scope is undocumented', async () => {
    const mutations = Object.keys(getGraph().schema.getMutationType()?.getFields() ?? {}).map((name) => `Mutation.${name}`);
    expect(mutations.length).toBeGreaterThan(70);
    const { data } = await testGraph.executeAs('demo-reader', VIEWER_CAN, { coordinates: mutations });
    const others = (data.viewerCan as { coordinate: string; can: string }[]).filter(({ can }) => can !== 'NO');
    expect(others).toEqual([
      { coordinate: 'Mutation.memberRemove', can: 'UNKNOWN', missingScopes: [] },
      { coordinate: 'Mutation.actionRequestCancel', can: 'UNKNOWN', missingScopes: [] },
      { coordinate: 'Mutation.actionRequestNotificationSend', can: 'UNKNOWN', missingScopes: [] },
    ]);
  });
});
