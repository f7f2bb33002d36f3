import type { OrderLineRecord, QuoteLineRecord } from '../../upstream/contract/generated/records.ts';
import { PriceType, Product } from '../catalog/catalog.ts';
import type { Part } from '../kit/parts.ts';
import { RecordFields } from '../kit/records.ts';

export type PricedLine = QuoteLineRecord & OrderLineRecord & Part;

/** Declares the line type of quotes or orders, which have the same fields. `message` is the name of the record in the contract. */
export function pricedLine(
  name: string,
  message: string,
  options: { readonly owner: string; readonly description: string; readonly productName: string },
) {
  const record = new RecordFields<PricedLine>(message);
  return record.type(name, {
    description: options.description,
    key: 'id',
    owner: options.owner,
    fields: (t) => ({
      productId: record.targetId(t, 'productId', Product, 'Global ID of the product.'),
      product: record.requiredEdge(t, 'productId', Product, 'Product in the catalog.'),
      productName: record.requiredText(t, 'productName', options.productName),
      quantity: record.int(t, 'quantity', 'Number of units.'),
      ...record.word(t, 'priceType', PriceType, 'Whether the price is charged once, monthly, or yearly.'),
      unitPrice: record.requiredMoney(t, 'unitPriceMinor', 'Price per unit.'),
      vatRate: record.decimal(t, 'vatRate', 'VAT rate as a fraction: 0.21 means 21%.'),
      total: record.requiredMoney(t, 'totalMinor', 'Price of the line (unit price × quantity), excluding VAT.'),
    }),
  });
}
