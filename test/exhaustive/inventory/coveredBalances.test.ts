import { describe, expect, it } from 'vitest';
import { FULL } from '../../../sandbox/demo.ts';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { START } from '../../sandbox/sandbox.ts';
import { createClock } from '../../support/clock.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIST = 'Inventory/ListInventoryBalances';

const STOCK_QUERY = `query ($products: Int!, $first: Int!, $after: String) { products(first: $products) { nodes { rawId
  inventoryBalances(first: $first, after: $after) { nodes { onHand location { rawId } } pageInfo { hasNextPage hasPreviousPage endCursor } }
} } }`;

let clock = START * 1000;
const warnings: string[] = [];
const testGraph = useTestGraph({ sizes: FULL }, undefined, {
  clock: createClock(() => clock),
  upstream: { onPartialRows: (list) => void warnings.push(list) },
});
const plain = useTestGraph({ sizes: FULL }, undefined, { env: { LIST_BATCHING: 'off' } });

const createKey = () => makeKey(testGraph.sandbox.world);

/** Queries products with their stock. Returns the data, and the number of calls for the stock. */
async function read(key: string, products = 100, first = 2) {
  const [{ data, errors = [], cost }, calls] = await testGraph.recordCalls(() =>
    testGraph.executeAs(key, STOCK_QUERY, { products, first }),
  );
  return { data, codes: errors.map(({ extensions }) => extensions.code), cost, calls: calls.filter((name) => name === LIST).length };
}

/** The result of a graph without list batching. */
const readIndividually = async (products = 100, first = 2) => (await plain.execute(STOCK_QUERY, { products, first })).data;

/** A key that has read the balances before. */
async function createKnownKey(): Promise<string> {
  const key = createKey();
  expect((await read(key)).calls).toBe(13);
  expect((await read(key)).calls).toBe(8);
  return key;
}

describe('balances of many products', () => {
  it('come from the list of all balances, with the same result', async () => {
    const key = await createKnownKey();
    const result = await read(key);
    expect(result).toMatchObject({ codes: [], calls: 8, cost: { predictedCalls: 103, actualCalls: 9, savedCalls: 92 } });
    expect(result.data).toEqual(await readIndividually());
    expect((await read(key, 100, 100)).data).toEqual(await readIndividually(100, 100));
  });

  it('continue after the cursor of a page', async () => {
    const key = await createKnownKey();
    const { data } = await read(key, 100, 1);
    const { rawId, inventoryBalances } = data.products.nodes.find(
      (node: { inventoryBalances: { pageInfo: { hasNextPage: boolean } } }) => node.inventoryBalances.pageInfo.hasNextPage,
    );
    const query =
      'query ($id: ID!, $after: String) { product(id: $id) { inventoryBalances(first: 1, after: $after) { nodes { onHand } } } }';
    const variables = { id: rawId, after: inventoryBalances.pageInfo.endCursor };
    const next = await testGraph.executeAs(key, query, variables);
    expect(next.data.product.inventoryBalances.nodes).toHaveLength(1);
    expect(next.data).toEqual((await plain.execute(query, variables)).data);
  });

  it.each([
    ['come from the list of all balances if the filter is short', 36, 3],
    ['require individual reads if the filter is too long to be stored', 600, 30],
  ])('%s', async (_title, length, expected) => {
    const query = `query ($locationId: ID!) { products(first: 30) { nodes { inventoryBalances(first: 2, filter: { locationId: $locationId }) { nodes { onHand } } } } }`;
    const [{ errors }, calls] = await testGraph.recordCalls(() =>
      testGraph.executeAs(createKey(), query, { locationId: 'x'.repeat(length) }),
    );
    expect([errors, calls.filter((name) => name === LIST).length]).toEqual([undefined, expected]);
  });

  it('require individual reads for a few products', async () => {
    const key = await createKnownKey();
    expect((await read(key, 14)).calls).toBe(14);
    expect((await read(createKey(), 14)).calls).toBe(14);
  });

  it('cost two additional calls, once, if the list of all balances is too long', async () => {
    const key = createKey();
    // The list has eight pages, which is too many for 20 products.
    expect((await read(key, 20)).calls).toBe(22);
    expect((await read(key, 20)).calls).toBe(20);
    expect((await read(key, 100)).calls).toBe(13);
  });
});

describe('list of all balances', () => {
  it.each<readonly [name: string, fault: Omit<Fault, 'operation'>]>([
    ['is denied', { status: 403, body: '{"code":"permission_denied"}', times: 8 }],
    ['fails', { status: 500, times: 8 }],
    ['has pages that don’t overlap', { body: '{"balances":[],"hasMore":true}', times: 8 }],
  ])('pauses for a minute and reads balances individually if it %s', async (_name, fault) => {
    const key = await createKnownKey();
    testGraph.sandbox.faults.add({ operation: LIST, ...fault });
    const { data, codes, calls } = await read(key);
    expect([codes, calls]).toEqual([[], 108]);
    expect(data).toEqual(await readIndividually());
    clock += 59_000;
    expect((await read(key)).calls).toBe(100);
    clock += 1000;
    expect((await read(key)).calls).toBe(8);
  });

  it('fails the request without individual reads if the key is rejected', async () => {
    const key = await createKnownKey();
    testGraph.sandbox.faults.add({ operation: LIST, status: 401, body: '{"code":"unauthenticated"}' });
    const { codes, calls } = await read(key);
    testGraph.sandbox.faults.clear();
    expect([new Set(codes), codes.length, calls]).toEqual([new Set(['UNAUTHENTICATED']), 100, 8]);
  });

  it('requires its scope: a key without it reads individually', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'inventory:read') });
    const { codes, calls } = await read(key);
    expect([new Set(codes), calls]).toEqual([new Set(['FORBIDDEN']), 0]);
  });

  it('pauses if it omits rows, and appears in the log if it omits them again', async () => {
    const key = createKey();
    const hide = () => testGraph.sandbox.faults.add({ operation: LIST, body: '{"balances":[]}', times: 2 });
    hide();
    const first = await read(key);
    expect([first.calls, warnings]).toEqual([103, []]);
    expect(first.data).toEqual(await readIndividually());
    clock += 60_000;
    testGraph.sandbox.faults.add({ operation: LIST, body: '{"balances":[]}', times: 1 });
    expect([(await read(key)).calls, warnings]).toEqual([102, [LIST]]);
    testGraph.sandbox.faults.clear();
    // The graph forgets the state of the list, including the pause, after ten minutes.
    clock += 539_000;
    expect((await read(key)).calls).toBe(100);
    clock += 1_000;
    expect((await read(key)).calls).toBe(13);
  });
});
