import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

// By ids: whether the lines of quotes or of orders come first would decide how many of them pages cover.
const testGraph = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

const STOCK = 'fragment Stock on Product { rawId name inventoryBalances(first: 10) { nodes { available location { name } } } }';
const id = demoId('customer 0');

interface Line {
  readonly product: { readonly rawId: string; readonly name: string; readonly inventoryBalances: { readonly nodes: readonly object[] } };
}

const linesOf = ({ nodes }: { nodes: readonly { lines: Line[] }[] }) => nodes.flatMap(({ lines }) => lines);

const times = (count: number, operation: string) => Array.from({ length: count }, () => operation);

describe('one document over customers, quotes, orders, catalog and stock', () => {
  it('asks for each record once', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { customer(id: $id) {
          title
          quotes(first: 20) { nodes { customer { title } lines { product { ...Stock } } } }
          orders(first: 20) { nodes { customer { title } lines { product { ...Stock } } } }
        } } ${STOCK}`,
        { id },
      ),
    );
    expect(errors).toBeUndefined();
    const { title, quotes, orders } = data.customer;
    for (const { customer } of [...quotes.nodes, ...orders.nodes]) expect(customer).toEqual({ title });
    const lines = [...linesOf(quotes), ...linesOf(orders)];
    expect(lines.some(({ product }) => product.inventoryBalances.nodes.length > 1)).toBe(true);
    const products = new Set(lines.map(({ product }) => product.rawId)).size;
    expect(lines.length).toBeGreaterThan(products);
    expect([...calls].sort()).toEqual([
      ...times(products, 'Catalog/GetProduct'),
      'Customer/GetCustomer',
      ...times(products, 'Inventory/ListInventoryBalances'),
      'Inventory/SearchInventoryLocations',
      'Order/ListOrders',
      'Quote/ListQuotes',
    ]);
  });

  it('reads no customer and no product for lists that their ids serve', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { customer(id: $id) { quotes(first: 1) { nodes {
          lines { product { rawId inventoryBalances(first: 1) { nodes { onHand product { rawId } } } } }
        } } } }`,
        { id },
      ),
    );
    const products = new Set(linesOf(data.customer.quotes).map(({ product }) => product.rawId)).size;
    expect(calls).toEqual(['Quote/ListQuotes', ...times(products, 'Inventory/ListInventoryBalances')]);
  });

  it('answers what a key may read, and says what it lacks for the rest', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(
        'demo-sales',
        `query ($id: ID!) { customer(id: $id) { title quotes(first: 1) { nodes { lines { product { ...Stock } } } } } } ${STOCK}`,
        { id },
      ),
    );
    const lines = linesOf(data.customer.quotes);
    for (const { product } of lines) expect(product).toEqual({ rawId: product.rawId, name: expect.any(String), inventoryBalances: null });
    expect(errors).toHaveLength(lines.length);
    for (const error of errors ?? []) expect(error.extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['inventory:read'] });
    expect(calls).not.toContain('Inventory/ListInventoryBalances');
  });
});
