import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  Catalog,
  type CountryPriceInput,
  type ProductRecordSchema,
  PublicProductType,
} from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { type Call, containing } from '../kernel/call.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { service } from '../kernel/service.ts';
import type { Store } from '../kernel/store.ts';
import type { CountryPrice, PricedProduct } from '../sales/pricing.ts';
import { workspaceOf } from '../workspace/workspace.ts';
import { discounts } from './discounts.ts';

export const productTables = `
  CREATE TABLE IF NOT EXISTS products (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, sku TEXT NOT NULL, description TEXT NOT NULL,
    folder_id TEXT NOT NULL, price_once INTEGER NOT NULL, price_monthly INTEGER, price_yearly INTEGER, currency TEXT NOT NULL,
    vat_rate REAL NOT NULL, is_active INTEGER NOT NULL, min_quantity INTEGER, max_quantity INTEGER, type INTEGER NOT NULL,
    has_infinite_stock INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS products_by_name ON products (workspace_id, name, id);
  CREATE TABLE IF NOT EXISTS product_country_prices (
    product_id TEXT NOT NULL REFERENCES products (id), country_code TEXT NOT NULL, price_once_minor INTEGER NOT NULL,
    vat_rate REAL NOT NULL, PRIMARY KEY (product_id, country_code)
  ) STRICT;
`;

interface ProductRow extends PricedProduct {
  readonly sku: string;
  readonly description: string;
  readonly folder_id: string;
  readonly type: PublicProductType;
  readonly has_infinite_stock: number;
}

interface CountryPriceRow extends CountryPrice {
  readonly country_code: string;
}

const toProduct = (call: Call, row: ProductRow): MessageInitShape<typeof ProductRecordSchema> => ({
  id: row.id,
  name: row.name,
  sku: row.sku,
  description: row.description,
  folderId: row.folder_id,
  priceOnce: row.price_once,
  ...(row.price_monthly !== null && { priceMonthly: row.price_monthly }),
  ...(row.price_yearly !== null && { priceYearly: row.price_yearly }),
  currency: row.currency,
  vatRate: row.vat_rate,
  isActive: row.is_active === 1,
  ...(row.min_quantity !== null && { minQuantity: row.min_quantity }),
  ...(row.max_quantity !== null && { maxQuantity: row.max_quantity }),
  type: row.type,
  hasInfiniteStock: row.has_infinite_stock === 1,
  countryPrices: call.store
    .all<CountryPriceRow>('SELECT * FROM product_country_prices WHERE product_id = :id ORDER BY country_code', { id: row.id })
    .map((price) => ({ countryCode: price.country_code, priceOnceMinor: price.price_once_minor, vatRate: price.vat_rate })),
});

/** The product, or a refusal when the workspace has none of that id. */
export function productOf(store: Store, workspaceId: string, id: string): ProductRow {
  const row = store.get<ProductRow>('SELECT * FROM products WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id });
  if (!row) throw notFound('product', id);
  return row;
}

/** What the product costs in that country, when it costs something else there. */
export const countryPriceOf = (store: Store, productId: string, country: string): CountryPrice | undefined =>
  store.get<CountryPriceRow>('SELECT * FROM product_country_prices WHERE product_id = :productId AND country_code = :country', {
    productId,
    country,
  });

function setCountryPrices(call: Call, productId: string, prices: readonly CountryPriceInput[]): void {
  const twice = prices.find(({ countryCode }, index) => prices.findIndex((other) => other.countryCode === countryCode) < index);
  if (twice) throw invalid(`country_prices must name a country once, but name ${twice.countryCode} again.`);
  for (const { countryCode, priceOnceMinor, vatRate } of prices) {
    call.store.run(
      `INSERT INTO product_country_prices (product_id, country_code, price_once_minor, vat_rate)
       VALUES (:productId, :countryCode, :priceOnceMinor, :vatRate)
       ON CONFLICT (product_id, country_code) DO UPDATE SET price_once_minor = :priceOnceMinor, vat_rate = :vatRate`,
      { productId, countryCode, priceOnceMinor, vatRate },
    );
  }
}

function refuseQuantities(min: number | null, max: number | null): void {
  if (min !== null && max !== null && min > max) {
    throw invalid(`min_quantity must be at most max_quantity, but is ${min} and max_quantity is ${max}.`);
  }
}

/** A boolean column's value, where undefined stays what it was. */
const flag = (value: boolean | undefined, current: number) => (value === undefined ? current : Number(value));

export const catalog = service(Catalog, {
  ...discounts,

  listProducts: {
    permission: [],
    run: (request, call) => {
      const { rows, ...page } = call.page<ProductRow>(
        request,
        'SELECT * FROM products WHERE workspace_id = :workspaceId AND is_active = 1 ORDER BY name, id',
        { workspaceId: call.workspaceId },
      );
      return { products: rows.map((row) => toProduct(call, row)), ...page };
    },
  },

  searchProducts: {
    permission: ['settings:read', 'inventory:read'],
    run: (request, call) => {
      const { rows, ...page } = call.page<ProductRow>(
        request,
        `SELECT * FROM products
         WHERE workspace_id = :workspaceId
           AND (name LIKE :pattern ESCAPE '\\' OR sku LIKE :pattern ESCAPE '\\' OR description LIKE :pattern ESCAPE '\\')
         ORDER BY name, id`,
        { workspaceId: call.workspaceId, pattern: containing(request.query) },
      );
      return { products: rows.map((row) => toProduct(call, row)), ...page };
    },
  },

  getProduct: {
    permission: [],
    run: ({ id }, call) => ({ product: toProduct(call, productOf(call.store, call.workspaceId, id)) }),
  },

  createProduct: {
    permission: 'settings:write',
    run: (request, call) => {
      const id = call.id();
      const [min, max] = [request.minQuantity ?? null, request.maxQuantity ?? null];
      refuseQuantities(min, max);
      call.store.insert('products', {
        id,
        workspace_id: call.workspaceId,
        name: request.name,
        sku: request.sku,
        description: request.description,
        folder_id: request.folderId ?? '',
        price_once: request.priceOnceMinor ?? 0,
        price_monthly: request.priceMonthlyMinor ?? null,
        price_yearly: request.priceYearlyMinor ?? null,
        currency: request.currency ?? workspaceOf(call).currency,
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
      return { product: toProduct(call, productOf(call.store, call.workspaceId, id)) };
    },
  },

  updateProduct: {
    permission: 'settings:write',
    run: (request, call) => {
      const current = productOf(call.store, call.workspaceId, request.id);
      const [min, max] = [request.minQuantity ?? current.min_quantity, request.maxQuantity ?? current.max_quantity];
      refuseQuantities(min, max);
      call.store.run(
        `UPDATE products SET name = :name, sku = :sku, description = :description, folder_id = :folderId, price_once = :priceOnce,
           price_monthly = :priceMonthly, price_yearly = :priceYearly, currency = :currency, vat_rate = :vatRate, is_active = :isActive,
           min_quantity = :min, max_quantity = :max, updated_at = :now
         WHERE id = :id`,
        {
          id: current.id,
          name: request.name ?? current.name,
          sku: request.sku ?? current.sku,
          description: request.description ?? current.description,
          folderId: request.folderId ?? current.folder_id,
          priceOnce: request.priceOnceMinor ?? current.price_once,
          priceMonthly: request.priceMonthlyMinor ?? current.price_monthly,
          priceYearly: request.priceYearlyMinor ?? current.price_yearly,
          currency: request.currency ?? current.currency,
          vatRate: request.vatRate ?? current.vat_rate,
          isActive: flag(request.isActive, current.is_active),
          min,
          max,
          now: call.now,
        },
      );
      setCountryPrices(call, current.id, request.countryPrices);
      return { product: toProduct(call, productOf(call.store, call.workspaceId, current.id)) };
    },
  },
});
