import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DiscountRecordSchema,
  ListDiscountsRequest,
  ListDiscountsResponseSchema,
  PublicDiscountDurationMode,
} from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import type { Call } from '../kernel/call.ts';
import { notFound } from '../kernel/errors.ts';
import type { Store } from '../kernel/store.ts';
import type { DiscountValues, PricedDiscount, ProductDiscount } from '../sales/pricing.ts';

const valueColumns = `
  discount_once REAL NOT NULL, discount_once_type INTEGER NOT NULL, discount_monthly REAL NOT NULL, discount_monthly_type INTEGER NOT NULL,
  discount_yearly REAL NOT NULL, discount_yearly_type INTEGER NOT NULL
`;

export const discountTables = `
  CREATE TABLE IF NOT EXISTS discounts (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, folder_id TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
    discount_group TEXT NOT NULL, is_active INTEGER NOT NULL, ${valueColumns}
  ) STRICT;
  CREATE INDEX IF NOT EXISTS discounts_by_name ON discounts (workspace_id, name, id);
  CREATE TABLE IF NOT EXISTS discount_country_prices (
    discount_id TEXT NOT NULL REFERENCES discounts (id), country_code TEXT NOT NULL, currency TEXT NOT NULL,
    discount_monthly_duration_mode INTEGER NOT NULL, discount_yearly_duration_mode INTEGER NOT NULL, ${valueColumns},
    PRIMARY KEY (discount_id, country_code)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS product_discounts (
    id TEXT PRIMARY KEY, discount_id TEXT NOT NULL REFERENCES discounts (id), product_id TEXT NOT NULL REFERENCES products (id),
    discount_type INTEGER NOT NULL, discount_amount REAL NOT NULL, duration_months INTEGER, price_type INTEGER NOT NULL,
    country_code TEXT NOT NULL, currency TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS product_discounts_by_discount ON product_discounts (discount_id);
`;

interface CountryRow extends DiscountValues {
  readonly country_code: string;
  readonly currency: string;
  readonly discount_monthly_duration_mode: PublicDiscountDurationMode;
  readonly discount_yearly_duration_mode: PublicDiscountDurationMode;
}

interface ProductRow extends ProductDiscount {
  readonly id: string;
  readonly product_name: string;
  readonly duration_months: number | null;
}

/** The most that one call answers, whatever it asks for. Source: the upstream's limits. */
const MAX_DISCOUNTS = 100;

interface DiscountRow extends DiscountValues {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly discount_group: string;
  readonly is_active: number;
}

interface Discount extends DiscountRow, PricedDiscount {
  readonly countryPrices: readonly CountryRow[];
  readonly productDiscounts: readonly ProductRow[];
}

const complete = (store: Store, row: DiscountRow): Discount => ({
  ...row,
  countryPrices: store.all<CountryRow>('SELECT * FROM discount_country_prices WHERE discount_id = :id ORDER BY country_code', {
    id: row.id,
  }),
  productDiscounts: store.all<ProductRow>(
    `SELECT product_discounts.*, products.name AS product_name
     FROM product_discounts JOIN products ON products.id = product_id WHERE discount_id = :id ORDER BY product_discounts.rowid`,
    { id: row.id },
  ),
});

/** The discount with its country rows and product links, or a refusal when the workspace has none of that id. */
export function discountOf(store: Store, workspaceId: string, id: string): Discount {
  const row = store.get<DiscountRow>('SELECT * FROM discounts WHERE workspace_id = :workspaceId AND id = :id', { workspaceId, id });
  if (!row) throw notFound('discount', id);
  return complete(store, row);
}

const toValues = (row: DiscountValues) => ({
  discountOnce: row.discount_once,
  discountMonthly: row.discount_monthly,
  discountYearly: row.discount_yearly,
  discountOnceType: row.discount_once_type,
  discountMonthlyType: row.discount_monthly_type,
  discountYearlyType: row.discount_yearly_type,
});

const toDiscount = (discount: Discount): MessageInitShape<typeof DiscountRecordSchema> => ({
  id: discount.id,
  name: discount.name,
  description: discount.description,
  discountGroup: discount.discount_group,
  isActive: discount.is_active === 1,
  ...toValues(discount),
  countryPrices: discount.countryPrices.map((row) => ({
    countryCode: row.country_code,
    currency: row.currency,
    ...toValues(row),
    discountMonthlyDurationMode: row.discount_monthly_duration_mode,
    discountYearlyDurationMode: row.discount_yearly_duration_mode,
  })),
  productDiscounts: discount.productDiscounts.map((row) => ({
    id: row.id,
    discountId: discount.id,
    productId: row.product_id,
    productName: row.product_name,
    discountType: row.discount_type,
    discountAmount: row.discount_amount,
    ...(row.duration_months !== null && { durationMonths: row.duration_months }),
    priceType: row.price_type,
    countryCode: row.country_code,
    currency: row.currency,
  })),
});

/** The part of the Catalog service that is about discounts. */
export const discounts = {
  listDiscounts: {
    permission: [],
    run: (request: ListDiscountsRequest, call: Call): MessageInitShape<typeof ListDiscountsResponseSchema> => {
      const { rows } = call.page<DiscountRow>(
        { pageSize: Math.min(request.pageSize, MAX_DISCOUNTS) },
        `SELECT * FROM discounts WHERE workspace_id = :workspaceId AND (:folderId = '' OR folder_id = :folderId) ORDER BY name, id`,
        { workspaceId: call.workspaceId, folderId: request.folderId ?? '' },
      );
      return { discounts: rows.map((row) => toDiscount(complete(call.store, row))) };
    },
  },
};
