import { MAIN } from '../../sandbox/stock.ts';
import type { ClientProxy } from '../faults/clientProxy.ts';
import type { useStockGraph } from '../stockGraph.ts';
import type { Adjustment } from './adjustStock.ts';

/** The upstream write of a stock adjustment. */
export const WRITE = 'Inventory/AdjustInventory';

/** One product in stock, and what a client has done to it through a proxy. */
export async function openScene(testGraph: ReturnType<typeof useStockGraph>, proxy: ClientProxy) {
  const productId = await testGraph.newProduct(9);
  const sentBefore = proxy.received.length;
  const writesBefore = testGraph.gate.sent(WRITE);
  return {
    createInput: (quantityDelta = 1): Adjustment => ({ productId, locationId: MAIN, reason: 'Counted', change: { quantityDelta } }),
    /** Units that were added to the stock, upstream writes, and requests that the proxy received, with their keys. */
    count: async () => {
      const [onHand] = (await testGraph.balance(productId, MAIN)) ?? [];
      const sent = proxy.received.slice(sentBefore);
      const keys = new Set(sent.map((body) => JSON.parse(body).variables.input.idempotencyKey));
      return { added: Number(onHand) - 9, writes: testGraph.gate.sent(WRITE) - writesBefore, sent: sent.length, keys: keys.size };
    },
  };
}
