import type { OrderLineRecordJson } from '../../upstream/contract/generated/publicapi/v1/orders_pb.ts';
import type { QuoteLineRecordJson } from '../../upstream/contract/generated/publicapi/v1/quotes_pb.ts';
import { PriceType, Product } from '../catalog/catalog.ts';
import type { Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';

export type PricedLine = QuoteLineRecordJson & OrderLineRecordJson & Part;

/** Declares a type of lines: those of quotes and of orders have the same members. `message` is their record's name in the contract. */
export function pricedLine(
  name: string,
  message: string,
  words: { readonly owner: string; readonly description: string; readonly productName: string },
) {
  const record = new RecordFields<PricedLine>(message);
  return record.type(name, {
    description: words.description,
    key: 'id',
    owner: words.owner,
    fields: (t) => ({
      product: record.requiredEdge(t, 'productId', Product, 'The product.'),
      productName: record.requiredText(t, 'productName', words.productName),
      quantity: record.int(t, 'quantity', 'The number of pieces.'),
      ...record.word(t, 'priceType', PriceType, 'The billing interval of the price.'),
      unitPrice: record.requiredMoney(t, 'unitPriceMinor', 'The price of one.'),
      vatRate: record.decimal(t, 'vatRate', 'The VAT as a fraction: 0.21 is 21 %.'),
      total: record.requiredMoney(t, 'totalMinor', 'The price of all of them, without VAT.'),
    }),
  });
}
