import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { BUNDLE, createIdempotencyKey, MAIN } from '../../sandbox/stock.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, newProduct, balance } = testGraph;

const LIST = 'Inventory/ListInventoryBackorders';

const create = (productId: string, more: object = {}, selection = 'backorder { rawId }') => {
  const lines = [{ productId, quantity: 6 }];
  const input = {
    destinationLocationId: MAIN,
    lines,
    expectedArrivalAt: createFutureDate(10),
    idempotencyKey: createIdempotencyKey(),
    ...more,
  };
  return mutate('inventoryBackorderCreate', input, selection);
};

describe('Query.inventoryBackorders', () => {
  const PAGE = `query ($status: InventoryBackorderStatus, $first: Int, $after: String) {
    inventoryBackorders(filter: { status: $status }, first: $first, after: $after) {
      nodes { rawId status statusText destinationLocation { id } lines { rawId quantity product { rawId } } }
      pageInfo { hasNextPage endCursor }
    }
  }`;

  it('filters by status, without a call for the IDs of products and locations', async () => {
    for (const [status, statusText] of [
      ['OPEN', 'open'],
      ['RECEIVED', 'received'],
    ] as const) {
      const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(PAGE, { status, first: 5 }));
      expect(data.inventoryBackorders.nodes).toHaveLength(5);
      for (const node of data.inventoryBackorders.nodes) {
        expect(node).toMatchObject({ status, statusText, destinationLocation: { id: expect.any(String) } });
        expect(node.lines[0]).toEqual({ rawId: expect.any(String), quantity: expect.any(Number), product: { rawId: expect.any(String) } });
      }
      expect(calls).toEqual([LIST]);
    }
  });

  it('fetches the locations of a page in one call', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute('{ inventoryBackorders { nodes { destinationLocation { name } } } }'),
    );
    for (const { destinationLocation } of data.inventoryBackorders.nodes) expect(destinationLocation.name).toEqual(expect.any(String));
    expect(calls).toEqual([LIST, 'Inventory/SearchInventoryLocations']);
  });
});

describe('Mutation.inventoryBackorderCreate', () => {
  const WHOLE = `backorder {
    rawId status statusText destinationLocation { rawId } lines { quantity product { rawId } } expectedArrivalAt reference notes createdAt
  }`;

  it('creates a backorder whose stock is inbound but not available', async () => {
    const productId = await newProduct(1);
    const more = { destinationLocationId: toGlobalId('InventoryLocation', MAIN), reference: 'BO-1', notes: 'Call first' };
    const [{ backorder }, calls] = await testGraph.recordCalls(() => create(toGlobalId('Product', productId), more, WHOLE));
    expect(backorder).toEqual({
      rawId: expect.any(String),
      status: 'OPEN',
      statusText: 'open',
      destinationLocation: { rawId: MAIN },
      lines: [{ quantity: 6, product: { rawId: productId } }],
      expectedArrivalAt: createFutureDate(10),
      reference: 'BO-1',
      notes: 'Call first',
      createdAt: createFutureDate(0),
    });
    expect(calls).toEqual(['Inventory/CreateInventoryBackorder']);
    expect(await balance(productId)).toEqual([1, 1, 0, 6]);
  });

  it('reports the invalid field, without an upstream call if the rule is documented', async () => {
    const sent = ['Inventory/CreateInventoryBackorder'];
    const cases = [
      [{ lines: [{ productId: BUNDLE, quantity: 0 }] }, ['lines', '0', 'quantity'], []],
      [{ lines: [{ productId: ' ', quantity: 1 }] }, ['lines', '0', 'productId'], []],
      [{ lines: [] }, ['lines'], sent],
      [{ reference: 'x'.repeat(201) }, ['reference'], sent],
      [{ notes: 'x'.repeat(2001) }, ['notes'], sent],
      [{ expectedArrivalAt: '1969-12-31T00:00:00Z' }, ['expectedArrivalAt'], []],
      [{ idempotencyKey: ' ' }, ['idempotencyKey'], []],
    ] as const;
    for (const [more, path, expected] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => create(BUNDLE, more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual(expected);
    }
  });
});

describe('Mutation.inventoryBackorderReschedule', () => {
  const reschedule = (backorderId: string, more: object = {}) =>
    mutate(
      'inventoryBackorderReschedule',
      { backorderId, expectedArrivalAt: createFutureDate(20), ...more },
      'backorder { expectedArrivalAt } effect',
    );

  it('updates the expected arrival of an open backorder', async () => {
    const { backorder } = await create(await newProduct());
    const [result, calls] = await testGraph.recordCalls(() => reschedule(backorder.rawId));
    expect(result).toMatchObject({ backorder: { expectedArrivalAt: createFutureDate(20) }, effect: 'DONE' });
    expect(calls).toEqual(['Inventory/UpdateInventoryBackorderEta']);
  });

  it('returns TransitionBlockedError for a received backorder', async () => {
    expect(await reschedule(demoId('backorder 2'))).toMatchObject({ __typename: 'TransitionBlockedError', code: 'TRANSITION_BLOCKED' });
  });
});
