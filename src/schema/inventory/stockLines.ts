import type { InventoryBackorderLineRecordJson } from '../../upstream/contract/generated/publicapi/v1/backorders_pb.ts';
import type { InventoryTransferLineRecordJson } from '../../upstream/contract/generated/publicapi/v1/transfers_pb.ts';
import { Product } from '../catalog/catalog.ts';
import type { InputFields } from '../kit/builder.ts';
import { type Part, RecordFields } from '../kit/records.ts';

type StockLine = InventoryBackorderLineRecordJson & InventoryTransferLineRecordJson & Part;

/** Declares a type of lines: those of backorders and of transfers have the same members. `message` is their record's name in the contract. */
export function stockLine(name: string, message: string, owner: string, description: string) {
  const record = new RecordFields<StockLine>(message);
  return record.type(name, {
    description,
    key: 'id',
    owner,
    fields: (t) => ({
      product: record.requiredEdge(t, 'productId', Product, 'The product.'),
      quantity: record.pieces(t, 'quantity', 'The number of pieces.'),
    }),
  });
}

/** The fields that say of what, and how much. */
export const stockLineFields = (t: InputFields) => ({
  productId: t.id({ required: true, description: 'The product.' }),
  quantity: t.int({ required: true, description: 'The number of pieces: at least 1.' }),
});

interface Pieces {
  readonly quantity: number;
}

/** A line in the contract's form, where quantities have 64 bits and are text. */
export const toStockLine = <Line extends Pieces>({ quantity, ...line }: Line) => ({ ...line, quantity: String(quantity) });
