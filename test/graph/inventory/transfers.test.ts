import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { BUNDLE, createIdempotencyKey, MAIN, VAN } from '../../sandbox/stock.ts';
import { createFutureDate, useStockGraph } from '../../support/stockGraph.ts';

const testGraph = useStockGraph();
const { mutate, newProduct, balance } = testGraph;

const LIST = 'Inventory/ListInventoryTransfers';

const start = (productId: string, more: object = {}, selection = 'transfer { rawId } effect') => {
  const lines = [{ productId, quantity: 2 }];
  const input = { sourceLocationId: MAIN, destinationLocationId: VAN, lines, idempotencyKey: createIdempotencyKey(), ...more };
  return mutate('inventoryTransferStart', input, selection);
};

const complete = (transferId: string, idempotencyKey = createIdempotencyKey()) =>
  mutate('inventoryTransferComplete', { transferId, idempotencyKey }, 'transfer { status completedAt } effect');

describe('Query.inventoryTransfers', () => {
  it.each([
    ['IN_TRANSIT', null],
    ['COMPLETED', expect.any(String)],
  ])('lists transfers with status %s, without a call for the IDs of locations and products', async (status, completedAt) => {
    const [{ data }, calls] = await testGraph.recordCalls(() =>
      testGraph.execute(
        `query ($status: InventoryTransferStatus) {
          inventoryTransfers(filter: { status: $status }, first: 5) {
            nodes { status statusText completedAt sourceLocation { rawId } destinationLocation { id } lines { product { id } } }
          }
        }`,
        { status },
      ),
    );
    expect(data.inventoryTransfers.nodes).toHaveLength(5);
    for (const node of data.inventoryTransfers.nodes) {
      const statusText = `PUBLIC_INVENTORY_TRANSFER_STATUS_${status}`;
      expect(node).toMatchObject({ status, statusText, completedAt, sourceLocation: { rawId: MAIN } });
    }
    expect(calls).toEqual([LIST]);
  });
});

describe('inventory transfer', () => {
  it('removes stock from the source when it starts and adds it to the destination when it is completed', async () => {
    const productId = await newProduct(5);
    const ids = {
      sourceLocationId: toGlobalId('InventoryLocation', MAIN),
      lines: [{ productId: toGlobalId('Product', productId), quantity: 2 }],
    };
    const started = await start(
      productId,
      { ...ids, reference: 'T-1', notes: 'Rush' },
      'transfer { rawId status lines { quantity product { rawId } } reference notes startedAt completedAt }',
    );
    expect(started.transfer).toEqual({
      rawId: expect.any(String),
      status: 'IN_TRANSIT',
      lines: [{ quantity: 2, product: { rawId: productId } }],
      reference: 'T-1',
      notes: 'Rush',
      startedAt: createFutureDate(0),
      completedAt: null,
    });
    expect([await balance(productId), await balance(productId, VAN)]).toEqual([
      [3, 3, 0, 0],
      [0, 0, 0, 2],
    ]);
    const done = await complete(started.transfer.rawId);
    expect(done).toMatchObject({ transfer: { status: 'COMPLETED', completedAt: createFutureDate(0) }, effect: 'DONE' });
    expect(await balance(productId, VAN)).toEqual([2, 2, 0, 0]);
  });

  it('returns TransitionBlockedError if it is completed again with another key', async () => {
    expect(await complete(demoId('transfer 0'))).toMatchObject({ __typename: 'TransitionBlockedError', code: 'TRANSITION_BLOCKED' });
  });

  it('returns TransitionBlockedError for insufficient stock', async () => {
    const productId = await newProduct(1);
    expect(await start(productId)).toMatchObject({ __typename: 'TransitionBlockedError' });
    expect(await balance(productId)).toEqual([1, 1, 0, 0]);
  });

  it('reports the invalid field, without an upstream call if the rule is documented', async () => {
    const sent = ['Inventory/StartInventoryTransfer'];
    const cases = [
      [{ lines: [{ productId: BUNDLE, quantity: 0 }] }, ['lines', '0', 'quantity'], []],
      [{ lines: [] }, ['lines'], sent],
      [{ reference: 'x'.repeat(201) }, ['reference'], sent],
      [{ destinationLocationId: ' ' }, ['destinationLocationId'], []],
      [{ idempotencyKey: ' ' }, ['idempotencyKey'], []],
    ] as const;
    for (const [more, path, expected] of cases) {
      const [result, calls] = await testGraph.recordCalls(() => start(BUNDLE, more));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [{ path }] });
      expect(calls).toEqual(expected);
    }
  });
});
