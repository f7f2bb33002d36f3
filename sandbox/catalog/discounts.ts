import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  Catalog,
  DiscountCountryPriceRecordSchema,
  DiscountRecordSchema,
  ProductDiscountRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { domain } from '../kernel/service.ts';
import type { Store } from '../kernel/store.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';
import { productTable } from './catalog.ts';

export const discountTable = table('discounts', DiscountRecordSchema, {
  also: { workspace_id: 'TEXT', folder_id: 'TEXT' },
  indexes: { discounts_by_name: 'workspace_id, name, id' },
});
export const discountCountryTable = table('discount_country_prices', DiscountCountryPriceRecordSchema, {
  also: { discount_id: 'TEXT' },
  key: ['discount_id', 'country_code'],
  references: { discount_id: discountTable },
});
export const productDiscountTable = table('product_discounts', ProductDiscountRecordSchema, {
  without: ['productName'],
  references: { discount_id: discountTable, product_id: productTable },
  indexes: { product_discounts_by_discount: 'discount_id' },
});

type DiscountRow = RowOf<typeof discountTable>;

interface ProductDiscountRow extends RowOf<typeof productDiscountTable> {
  readonly product_name: string;
}

/** Maximum number of discounts per page, regardless of the requested size. Documented. */
const MAX_DISCOUNTS = 100;

interface Discount extends DiscountRow {
  readonly countryPrices: readonly RowOf<typeof discountCountryTable>[];
  readonly productDiscounts: readonly ProductDiscountRow[];
}

const loadDiscount = (store: Store, row: DiscountRow): Discount => ({
  ...row,
  countryPrices: discountCountryTable.list(store, { discount_id: row.id }, 'country_code'),
  productDiscounts: store.all<ProductDiscountRow>(
    `SELECT product_discounts.*, products.name AS product_name
     FROM product_discounts JOIN products ON products.id = product_id WHERE discount_id = :id ORDER BY product_discounts.rowid`,
    { id: row.id },
  ),
});

/** Looks up a discount with its country rows and product links by ID. Throws if the workspace doesn't contain it. */
export const getDiscount = (scope: Scope, id: string): Discount =>
  loadDiscount(scope.store, discountTable.getOrThrow(scope, id, 'discount'));

const toDiscount = (discount: Discount): MessageInitShape<typeof DiscountRecordSchema> => ({
  ...discountTable.read(discount),
  countryPrices: discount.countryPrices.map(discountCountryTable.read),
  productDiscounts: discount.productDiscounts.map((row) => ({ ...productDiscountTable.read(row), productName: row.product_name })),
});

/** Operations of the Catalog service on discounts. */
export const discounts = domain(Catalog, {
  tables: [discountTable, discountCountryTable, productDiscountTable],
  handlers: {
    listDiscounts: {
      permission: [],
      run: (request, call) => {
        const { rows } = discountTable.page(
          call,
          { pageSize: Math.min(request.pageSize, MAX_DISCOUNTS) },
          { folder_id: request.folderId ?? '' },
          'name, id',
        );
        return { discounts: rows.map((row) => toDiscount(loadDiscount(call.store, row))) };
      },
    },
  },
});
