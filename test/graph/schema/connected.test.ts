import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

// Reads records by ID: with batching, the number of products that a page covers depends on whether quotes or orders are read first.
const testGraph = useTestGraph({}, undefined, { env: { LIST_BATCHING: 'off' } });

const STOCK = 'fragment Stock on Product { rawId name inventoryBalances(first: 10) { nodes { available location { name } } } }';
const id = demoId('customer 0');

interface Line {
  readonly product: { readonly rawId: string; readonly name: string; readonly inventoryBalances: { readonly nodes: readonly object[] } };
}

const listLines = ({ nodes }: { nodes: readonly { lines: Line[] }[] }) => nodes.flatMap(({ lines }) => lines);

const repeat = (count: number, operation: string) => Array.from({ length: count }, () => operation);

describe('document over customers, quotes, orders, catalog, and stock', () => {
  it('fetches each record once', async () => {
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
    const lines = [...listLines(quotes), ...listLines(orders)];
    expect(lines.some(({ product }) => product.inventoryBalances.nodes.length > 1)).toBe(true);
    const products = new Set(lines.map(({ product }) => product.rawId)).size;
    expect(lines.length).toBeGreaterThan(products);
    expect([...calls].sort()).toEqual([
      ...repeat(products, 'Catalog/GetProduct'),
      'Customer/GetCustomer',
      ...repeat(products, 'Inventory/ListInventoryBalances'),
      'Inventory/SearchInventoryLocations',
      'Order/ListOrders',
      'Quote/ListQuotes',
    ]);
  });

  it('fetches no customer or product for lists that need only their IDs', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($id: ID!) { customer(id: $id) { quotes(first: 1) { nodes {
          lines { product { rawId inventoryBalances(first: 1) { nodes { onHand product { rawId } } } } }
        } } } }`,
        { id },
      ),
    );
    const products = new Set(listLines(data.customer.quotes).map(({ product }) => product.rawId)).size;
    expect(calls).toEqual(['Quote/ListQuotes', ...repeat(products, 'Inventory/ListInventoryBalances')]);
  });

  it('returns readable data and reports the missing scopes of the rest', async () => {
    const [{ data, errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(
        'demo-sales',
        `query ($id: ID!) { customer(id: $id) { title quotes(first: 1) { nodes { lines { product { ...Stock } } } } } } ${STOCK}`,
        { id },
      ),
    );
    const lines = listLines(data.customer.quotes);
    for (const { product } of lines) expect(product).toEqual({ rawId: product.rawId, name: expect.any(String), inventoryBalances: null });
    expect(errors).toHaveLength(lines.length);
    for (const error of errors ?? []) expect(error.extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['inventory:read'] });
    expect(calls).not.toContain('Inventory/ListInventoryBalances');
  });
});
