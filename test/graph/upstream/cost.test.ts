import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const customer = demoId('customer 0');

describe('extensions.cost', () => {
  const testGraph = useTestGraph({}, undefined, { env: { COST_LIMIT: '100' } });
  /** Returns the reported cost and the number of calls that the upstream received. */
  const fetchCost = async (query: string, variables: object = {}) => {
    const [{ cost }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, variables));
    return { predictedCalls: cost?.predictedCalls, actualCalls: cost?.actualCalls, calls: calls.length };
  };

  it.each([
    ['aliases', `{ a: customer(id: "${customer}") { title } b: customer(id: "${customer}") { title } }`, 2, 1],
    ['fragments', `{ customer(id: "${customer}") { ...A } } fragment A on Customer { title quotes(first: 3) { nodes { title } } }`, 2, 2],
    ['the viewer', '{ viewer { workspace { name } } }', 1, 0],
  ])('reports the calls of %s', async (_name, query, predictedCalls, calls) => {
    await testGraph.execute('{ companyProfile { name } }');
    const cost = await fetchCost(query);
    expect(cost).toMatchObject({ predictedCalls, calls });
    // `Me` counts if the document selects it. The recorded calls exclude it.
    expect(cost.actualCalls).toBe(calls === 0 ? 1 : calls);
  });

  it('reports each referenced entity once', async () => {
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Customer { title } ... on Contact { lastName } } }';
    const of = [
      { __typename: 'Customer', rawId: customer },
      { __typename: 'Customer', rawId: customer },
      { __typename: 'Contact', rawId: demoId('contact 0') },
    ];
    expect(await fetchCost(query, { of })).toEqual({ predictedCalls: 2, actualCalls: 2, calls: 2 });
  });

  it('reports the executed operation, not the first one', async () => {
    const query = `query Small { customer(id: "${customer}") { title } } query Big { customers(first: 5) { nodes { orders { __typename } } } }`;
    const response = await fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner' },
      body: JSON.stringify({ query, operationName: 'Big' }),
    });
    const { extensions } = (await response.json()) as { extensions: { cost: object } };
    expect(extensions.cost).toMatchObject({ predictedCalls: 6, actualCalls: 6 });
  });

  it('counts retries and mutations', async () => {
    testGraph.sandbox.faults.add({ operation: 'Customer/GetCustomer', status: 503, times: 1 });
    expect(await fetchCost(`{ customer(id: "${customer}") { title } }`)).toEqual({ predictedCalls: 1, actualCalls: 2, calls: 2 });
    const create = 'mutation { contactCreate(input: { lastName: "Priced" }) { ... on ContactCreatePayload { contact { lastName } } } }';
    expect(await fetchCost(create)).toEqual({ predictedCalls: 1, actualCalls: 1, calls: 1 });
  });

  it('reports no predicted and no actual calls for a rejected query', async () => {
    expect(await fetchCost('{ customers(first: 100) { nodes { orders { __typename } } } }')).toEqual({
      predictedCalls: null,
      actualCalls: 0,
      calls: 0,
    });
  });

  it('doesn’t exist if an operation needs no calls or isn’t executed', async () => {
    for (const query of ['{ __typename }', '{ nonsense }', '{ _service { sdl } }'])
      expect((await testGraph.execute(query)).cost).toBeUndefined();
  });
});
