import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  Catalog,
  type CountryPriceInput,
  CountryPriceRecordSchema,
  ProductRecordSchema,
  PublicProductType,
} from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { type CallContext, createContainsSql, toAsciiLowerCase } from '../kernel/call.ts';
import { invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import type { Store } from '../kernel/store.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';
import { getWorkspace } from '../workspace/workspace.ts';

export const productTable = table('products', ProductRecordSchema, {
  also: { workspace_id: 'TEXT', created_at: 'INTEGER', updated_at: 'INTEGER' },
  indexes: { products_by_name: 'workspace_id, name, id' },
});
export const countryPriceTable = table('product_country_prices', CountryPriceRecordSchema, {
  also: { product_id: 'TEXT' },
  key: ['product_id', 'country_code'],
  references: { product_id: productTable },
});

type ProductRow = RowOf<typeof productTable>;

const toProduct = ({ store }: CallContext, row: ProductRow): MessageInitShape<typeof ProductRecordSchema> => ({
  ...productTable.read(row),
  countryPrices: countryPriceTable.list(store, { product_id: row.id }, 'country_code').map(countryPriceTable.read),
});

/** Looks up a product by ID. Throws if the workspace doesn't contain it. */
export const getProduct = (scope: Scope, id: string): ProductRow => productTable.getOrThrow(scope, id, 'product');

/** The product's price in a country, if it has its own. */
export const findCountryPrice = (store: Store, productId: string, country: string): RowOf<typeof countryPriceTable> | undefined =>
  countryPriceTable.find(store, { product_id: productId, country_code: country });

function setCountryPrices(call: CallContext, productId: string, prices: readonly CountryPriceInput[]): void {
  const twice = prices.find(({ countryCode }, index) => prices.findIndex((other) => other.countryCode === countryCode) < index);
  if (twice) throw invalidArgument(`country_prices must contain each country at most once, but contains ${twice.countryCode} twice.`);
  for (const { countryCode, priceOnceMinor, vatRate } of prices) {
    countryPriceTable.upsert(call.store, {
      product_id: productId,
      country_code: countryCode,
      price_once_minor: priceOnceMinor,
      vat_rate: vatRate,
    });
  }
}

function checkQuantityLimits(min: number | null, max: number | null): void {
  if (min !== null && max !== null && min > max) {
    throw invalidArgument(`min_quantity must not exceed max_quantity, but ${min} is greater than ${max}.`);
  }
}

/** The new value of a boolean column. Undefined keeps the current value. */
const flag = (value: boolean | undefined, current: number) => (value === undefined ? current : Number(value));

export const products = domain(Catalog, {
  tables: [productTable, countryPriceTable],
  handlers: {
    listProducts: {
      permission: [],
      run: (request, call) => {
        const { rows, ...page } = productTable.page(call, request, { is_active: 1 }, 'name, id');
        return { products: rows.map((row) => toProduct(call, row)), ...page };
      },
    },

    searchProducts: {
      permission: ['settingsAccess:READ_ONLY', 'inventoryAccess:READ_ONLY'],
      run: (request, call) => {
        const { rows, ...page } = call.page<ProductRow>(
          request,
          `SELECT * FROM products
           WHERE workspace_id = :workspaceId
             AND (${createContainsSql('name')} OR ${createContainsSql('sku')} OR ${createContainsSql('description')})
           ORDER BY name, id`,
          { workspaceId: call.workspaceId, query: toAsciiLowerCase(request.query) },
        );
        return { products: rows.map((row) => toProduct(call, row)), ...page };
      },
    },

    getProduct: {
      permission: [],
      run: ({ id }, call) => ({ product: toProduct(call, getProduct(call, id)) }),
    },

    createProduct: {
      permission: 'settingsAccess:READ_WRITE',
      run: (request, call) => {
        const id = call.id();
        const [min, max] = [request.minQuantity ?? null, request.maxQuantity ?? null];
        checkQuantityLimits(min, max);
        productTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          name: request.name,
          sku: request.sku,
          description: request.description,
          folder_id: request.folderId ?? '',
          price_once: request.priceOnceMinor ?? 0,
          price_monthly: request.priceMonthlyMinor ?? null,
          price_yearly: request.priceYearlyMinor ?? null,
          currency: request.currency ?? getWorkspace(call).currency,
          vat_rate: request.vatRate ?? 0,
          is_active: flag(request.isActive, 1),
          min_quantity: min,
          max_quantity: max,
          type: PublicProductType.SIMPLE,
          has_infinite_stock: 0,
          created_at: call.now,
          updated_at: call.now,
        });
        setCountryPrices(call, id, request.countryPrices);
        return { product: toProduct(call, getProduct(call, id)) };
      },
    },

    updateProduct: {
      permission: 'settingsAccess:READ_WRITE',
      run: (request, call) => {
        const current = getProduct(call, request.id);
        const [min, max] = [request.minQuantity ?? current.min_quantity, request.maxQuantity ?? current.max_quantity];
        checkQuantityLimits(min, max);
        productTable.update(call.store, current.id, {
          name: request.name ?? current.name,
          sku: request.sku ?? current.sku,
          description: request.description ?? current.description,
          folder_id: request.folderId ?? current.folder_id,
          price_once: request.priceOnceMinor ?? current.price_once,
          price_monthly: request.priceMonthlyMinor ?? current.price_monthly,
          price_yearly: request.priceYearlyMinor ?? current.price_yearly,
          currency: request.currency ?? current.currency,
          vat_rate: request.vatRate ?? current.vat_rate,
          is_active: flag(request.isActive, current.is_active),
          min_quantity: min,
          max_quantity: max,
          updated_at: call.now,
        });
        setCountryPrices(call, current.id, request.countryPrices);
        return { product: toProduct(call, getProduct(call, current.id)) };
      },
    },
  },
});
