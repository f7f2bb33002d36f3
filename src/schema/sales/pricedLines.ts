import type { OrderLineRecord, QuoteLineRecord } from '../../upstream/contract/generated/records.ts';
import { PriceType, Product } from '../catalog/catalog.ts';
import type { OwnedPart } from '../kit/parts.ts';
import { defineRecordType } from '../kit/recordTypes.ts';

export type PricedLine = QuoteLineRecord & OrderLineRecord & OwnedPart;

/** Defines the line type of quotes or orders, which have the same fields. `message` is the name of the record in the contract. */
export function definePricedLine(
  name: string,
  message: string,
  options: { readonly owner: string; readonly description: string; readonly productName: string },
) {
  return defineRecordType<PricedLine>(name, {
    record: message,
    description: options.description,
    key: 'id',
    owner: options.owner,
    fields: (f) => ({
      productId: f.targetId('productId', Product, 'Global ID of the product.'),
      product: f.requiredEdge('productId', Product, 'Product in the catalog.'),
      productName: f.requiredString('productName', options.productName),
      quantity: f.int('quantity', 'Number of units.'),
      ...f.enumWithText('priceType', PriceType, 'Whether the price is charged once, monthly, or yearly.'),
      unitPrice: f.requiredMoney('unitPriceMinor', 'Price per unit.'),
      vatRate: f.decimal('vatRate', 'VAT rate as a fraction: 0.21 means 21%.'),
      total: f.requiredMoney('totalMinor', 'Price of the line (unit price × quantity), excluding VAT.'),
    }),
  });
}
