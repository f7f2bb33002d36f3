import { isEnumType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createGraph } from '../../../src/graph.ts';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const NODES = `query ($ids: [ID!]!, $nodeType: NodeType) {
  nodes(ids: $ids, nodeType: $nodeType) { __typename id ... on Customer { title } ... on Portfolio { name: title } }
}`;
const [first, second] = [demoId('customer 0'), demoId('customer 1')];
const PORTFOLIO = demoId('portfolio 1');

describe('NodeType', () => {
  it('has a value for each type with a `rawId` that implements Node', () => {
    const { schema } = createGraph();
    const [node, type] = ['Node', 'NodeType'].map((name) => schema.getType(name));
    if (!isInterfaceType(node) || !isEnumType(type)) throw new Error('The schema has no Node.');
    const expected = schema.getPossibleTypes(node).filter((each) => isObjectType(each) && 'rawId' in each.getFields());
    expect(
      type
        .getValues()
        .map(({ value }) => value)
        .toSorted(),
    ).toEqual(expected.map(({ name }) => name).toSorted());
    expect(type.getValues().map(({ name }) => name)).toEqual(expect.arrayContaining(['CUSTOMER', 'WORK_ORDER_TEMPLATE', 'PRO_FORMA']));
  });
});

describe('Query.nodes with a type', () => {
  it('accepts raw and global IDs, and fetches each record once', async () => {
    const ids = [second, toGlobalId('Customer', first), first, 'absent'];
    // The second execution is compiled.
    for (let count = 0; count < 2; count += 1) {
      const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids, nodeType: 'CUSTOMER' }));
      expect(errors).toBeUndefined();
      expect(data.nodes).toMatchObject([
        { __typename: 'Customer', id: toGlobalId('Customer', second), title: expect.any(String) },
        { id: toGlobalId('Customer', first) },
        { id: toGlobalId('Customer', first) },
        null,
      ]);
      expect(calls).toEqual(Array(3).fill('Customer/GetCustomer'));
      expect(cost).toMatchObject({ predictedCalls: 3, actualCalls: 3 });
    }
  });

  it('returns objects of the type for a record with several types', async () => {
    const { data } = await testGraph.execute(NODES, { ids: [PORTFOLIO], nodeType: 'PORTFOLIO' });
    expect(data.nodes).toEqual([{ __typename: 'Portfolio', id: toGlobalId('Portfolio', PORTFOLIO), name: expect.any(String) }]);
    const { data: others } = await testGraph.execute(NODES, { ids: [toGlobalId('Portfolio', PORTFOLIO)], nodeType: 'CUSTOMER' });
    expect(others.nodes).toMatchObject([{ __typename: 'Customer', id: toGlobalId('Customer', PORTFOLIO) }]);
  });

  it('fails only the items with an ID of another type or without an ID', async () => {
    const ids = [first, toGlobalId('Contact', 'x'), ' ', 'x'.repeat(1_001)];
    const { data, errors } = await testGraph.execute(NODES, { ids, nodeType: 'CUSTOMER' });
    expect(data.nodes).toMatchObject([{ id: toGlobalId('Customer', first) }, null, null, null]);
    expect(errors?.map(({ path, extensions }) => [path, extensions.code, extensions.issues])).toMatchObject([
      [['nodes', 1], 'BAD_USER_INPUT', [{ path: ['ids', '1'], code: 'NOT_ALLOWED' }]],
      [['nodes', 2], 'BAD_USER_INPUT', [{ path: ['ids', '2'], code: 'BLANK' }]],
      [['nodes', 3], 'BAD_USER_INPUT', [{ path: ['ids', '3'], code: 'TOO_LONG' }]],
    ]);
  });

  it('rejects more than 100 IDs without a call', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `customer-${index}`);
    const [{ errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(NODES, { ids, nodeType: 'CUSTOMER' }));
    expect(errors?.[0]?.extensions.issues).toMatchObject([{ path: ['ids'], code: 'TOO_LONG', limit: 100 }]);
    expect(calls).toEqual([]);
  });

  it('requires the scopes of the type', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['contact:read'] });
    const { data, errors } = await testGraph.executeAs(key, NODES, { ids: [first], nodeType: 'CUSTOMER' });
    expect(data.nodes).toEqual([null]);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN', requiredScopes: ['customer:read'] });
  });

  it('counts the calls of each type for the same variable', async () => {
    const query = `query ($ids: [ID!]!) {
      contacts: nodes(ids: $ids, nodeType: CONTACT) { id ... on Contact { lastName } }
      customers: nodes(ids: $ids, nodeType: CUSTOMER) { id ... on Customer { title quotes { nodes { id } } } }
    }`;
    const { cost } = await testGraph.execute(query, { ids: [first, second] });
    // Two contacts, and two customers with a list each.
    expect(cost).toMatchObject({ predictedCalls: 6 });
  });

  it('reads many products from pages of their list', async () => {
    const { data } = await testGraph.execute('{ products(first: 40) { nodes { rawId } } }');
    const ids = data.products.nodes.map(({ rawId }: { rawId: string }) => rawId);
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids, nodeType: PRODUCT) { ... on Product { rawId name } } }';
    const [{ data: found }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { ids }));
    expect(found.nodes.map(({ rawId }: { rawId: string }) => rawId)).toEqual(ids);
    expect(calls.length).toBeLessThan(5);
  });
});
