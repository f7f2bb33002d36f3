import type * as messages from '../../upstream/contract/generated/messages.ts';
import type { InventoryBackorderLineRecord, InventoryTransferLineRecord } from '../../upstream/contract/generated/records.ts';
import { Product } from '../catalog/catalog.ts';
import type { Binder } from '../kit/inputs.ts';
import type { OwnedPart } from '../kit/parts.ts';
import { defineRecordType } from '../kit/recordTypes.ts';

type StockLine = InventoryBackorderLineRecord & InventoryTransferLineRecord & OwnedPart;

/** Defines the line type of backorders or transfers, which have the same members. `message` is the name of the record in the contract. */
export function defineStockLine(name: string, message: string, owner: string, description: string) {
  return defineRecordType<StockLine>(name, {
    record: message,
    description,
    key: 'id',
    owner,
    fields: (f) => ({
      product: f.requiredEdge('productId', Product, 'Product of the line.'),
      quantity: f.quantity('quantity', 'Number of units.'),
    }),
  });
}

/** Input fields of a line: its product and quantity. */
export const bindStockLineFields = (f: Binder<typeof messages.BackorderLineInput | typeof messages.InventoryTransferLineInput>) => ({
  productId: f.productId('Product of the line.'),
  quantity: f.quantity('Number of units.', { as: 'Int' }),
});
