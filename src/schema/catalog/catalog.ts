import type { ObjectRef } from '@pothos/core';
import { discountLoader } from '../../loaders/catalog.ts';
import { GetProduct, ListDiscounts } from '../../upstream/contract/generated/operations.ts';
import type { PublicPriceTypeJson, PublicProductTypeJson } from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import type {
  CountryPriceRecord,
  DiscountCountryPriceRecord,
  DiscountRecord,
  ProductDiscountRecord,
  ProductRecord,
} from '../../upstream/contract/generated/records.ts';
import type { Types } from '../kit/builder.ts';
import { entity } from '../kit/entities.ts';
import { wireEnum } from '../kit/enums.ts';
import { Money, toMoney } from '../kit/money.ts';
import { RecordFields } from '../kit/records.ts';
import type { Entity } from '../kit/registry.ts';
import { DiscountValue, toDiscountValue } from './discountValues.ts';

export const PriceType = wireEnum<PublicPriceTypeJson>()('PriceType', {
  description: 'The billing interval of a price.',
  prefix: 'PUBLIC_PRICE_TYPE',
  members: {
    ONCE: 'Charged once.',
    MONTHLY: 'Charged every month.',
    YEARLY: 'Charged every year.',
    OTHER: 'An interval that isn’t in this schema yet. See `priceTypeText`.',
  },
});

const ProductKind = wireEnum<PublicProductTypeJson>()('ProductKind', {
  description: 'Whether a product is a single item or a bundle.',
  prefix: 'PUBLIC_PRODUCT_TYPE',
  members: {
    SIMPLE: 'A single item.',
    BUNDLE: 'A bundle of other products.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

const price = new RecordFields<CountryPriceRecord>('CountryPriceRecord');

const CountryPrice = price.type('CountryPrice', {
  description: 'The price of a product in one country.',
  fields: (t) => ({
    countryCode: price.code(t, 'countryCode', 'CountryCode', 'Country that the price applies to.'),
    priceOnceMinorUnits: price.int64(
      t,
      'priceOnceMinor',
      'One-off price in minor units, such as cents, of the country’s currency. The Workspace API doesn’t return that currency.',
    ),
    vatRate: price.decimal(t, 'vatRate', 'VAT rate as a fraction: 0.21 means 21%.'),
  }),
});

const product = new RecordFields<ProductRecord>('ProductRecord');

export const Product: Entity<ProductRecord> = entity('Product', {
  record: product,
  description: 'A product or bundle in the workspace’s catalog.',
  operation: GetProduct,
  key: 'id',
  root: 'Looks up a product by ID. Null if it doesn’t exist.',
  fields: (t) => ({
    name: product.requiredText(t, 'name', 'Name of the product.'),
    sku: product.text(t, 'sku', 'Stock-keeping unit (SKU) of the product.'),
    description: product.text(t, 'description', 'Description of the product.'),
    folderId: product.id(t, 'folderId', 'ID of the catalog folder that contains the product. Null for the root folder.'),
    ...product.word(t, 'type', ProductKind, 'Whether the product is a single item or a bundle of other products.', { name: 'kind' }),
    currencyCode: product.code(
      t,
      'currency',
      'CurrencyCode',
      'Currency of the product’s prices. `countryPrices` may use other currencies.',
    ),
    priceOnce: product.money(t, 'priceOnce', 'One-off price.'),
    priceMonthly: t.field({
      type: Money,
      ...product.mark('priceMonthly', 'Monthly price. Null if the product has none.'),
      resolve: ({ priceMonthly, currency }) => (priceMonthly === undefined ? null : toMoney(priceMonthly, currency)),
    }),
    priceYearly: t.field({
      type: Money,
      ...product.mark('priceYearly', 'Yearly price. Null if the product has none.'),
      resolve: ({ priceYearly, currency }) => (priceYearly === undefined ? null : toMoney(priceYearly, currency)),
    }),
    vatRate: product.decimal(t, 'vatRate', 'VAT rate as a fraction: 0.21 means 21%.'),
    isActive: product.flag(t, 'isActive', 'Whether the product can be sold.'),
    minQuantity: product.optionalInt(t, 'minQuantity', 'Minimum quantity that can be ordered.'),
    maxQuantity: product.optionalInt(t, 'maxQuantity', 'Maximum quantity that can be ordered.'),
    countryPrices: product.list(t, 'countryPrices', CountryPrice, 'Prices that differ by country.'),
    hasInfiniteStock: product.flag(t, 'hasInfiniteStock', 'Whether the product never runs out. Such a product has no stock to move.'),
  }),
});

const countryDiscount = new RecordFields<DiscountCountryPriceRecord>('DiscountCountryPriceRecord');

const DiscountCountryPrice = countryDiscount.type('DiscountCountryPrice', {
  description: 'The values of a discount in one country, deducted from the grand totals.',
  fields: (t) => ({
    countryCode: countryDiscount.code(t, 'countryCode', 'CountryCode', 'Country that the values apply to.'),
    currencyCode: countryDiscount.code(t, 'currency', 'CurrencyCode', 'Currency of the country.'),
    once: t.field({
      type: DiscountValue,
      ...countryDiscount.mark('discountOnce', 'Discount on the one-off total. Null if there is none.'),
      resolve: ({ discountOnce: figure, discountOnceType: type, currency }) => toDiscountValue({ figure, type, currency }),
    }),
    monthly: t.field({
      type: DiscountValue,
      ...countryDiscount.mark('discountMonthly', 'Discount on the monthly total. Null if there is none.'),
      resolve: ({ discountMonthly: figure, discountMonthlyType: type, discountMonthlyDurationMode: duration, currency }) =>
        toDiscountValue({ figure, type, currency, duration }),
    }),
    yearly: t.field({
      type: DiscountValue,
      ...countryDiscount.mark('discountYearly', 'Discount on the yearly total. Null if there is none.'),
      resolve: ({ discountYearly: figure, discountYearlyType: type, discountYearlyDurationMode: duration, currency }) =>
        toDiscountValue({ figure, type, currency, duration }),
    }),
  }),
});

const productDiscount = new RecordFields<ProductDiscountRecord>('ProductDiscountRecord');

export const ProductDiscount: ObjectRef<Types, ProductDiscountRecord> = productDiscount.type('ProductDiscount', {
  description: 'The part of a discount that applies to one product.',
  key: 'id',
  fields: (t) => ({
    discount: productDiscount.requiredEdge(t, 'discountId', Discount, 'Discount that this part belongs to.'),
    product: productDiscount.edge(t, 'productId', Product, 'Product that the discount applies to.'),
    productName: productDiscount.text(t, 'productName', 'Name of the product.'),
    value: t.field({
      type: DiscountValue,
      ...productDiscount.mark('discountAmount', 'Value of the discount. Null if it deducts nothing.'),
      resolve: ({ discountAmount: figure, discountType: type, currency }) => toDiscountValue({ figure, type, currency }),
    }),
    durationMonths: productDiscount.optionalInt(
      t,
      'durationMonths',
      'Number of months that the discount applies for. Null if it has no end.',
    ),
    ...productDiscount.word(t, 'priceType', PriceType, 'Which of the product’s prices is discounted.'),
    countryCode: productDiscount.code(
      t,
      'countryCode',
      'CountryCode',
      'Country where the discount applies. Null if it applies in all countries.',
    ),
    currencyCode: productDiscount.code(t, 'currency', 'CurrencyCode', 'Currency of the amount.'),
  }),
});

const discount = new RecordFields<DiscountRecord>('DiscountRecord');

export const Discount: Entity<DiscountRecord> = entity('Discount', {
  record: discount,
  description:
    'A discount that can be applied to quotes. `countryPrices` and `productDiscounts` determine whether it applies to a quote, by the country that the quote is priced for. Only the first 100 discounts can be looked up by ID.',
  operation: ListDiscounts,
  loader: discountLoader,
  key: 'id',
  root: 'Looks up a discount by ID. Null if it doesn’t exist. Fails with `NOT_FOUND` if the workspace has 100 discounts or more and it isn’t among the first 100.',
  fields: (t) => ({
    name: discount.requiredText(t, 'name', 'Name of the discount.'),
    description: discount.text(t, 'description', 'Description of the discount.'),
    group: discount.text(t, 'discountGroup', 'Group that the discount belongs to.'),
    once: t.field({
      type: DiscountValue,
      ...discount.mark('discountOnce', 'Discount on the one-off total, unless `countryPrices` overrides it. Null if there is none.'),
      resolve: ({ discountOnce: figure, discountOnceType: type }) => toDiscountValue({ figure, type }),
    }),
    monthly: t.field({
      type: DiscountValue,
      ...discount.mark('discountMonthly', 'Discount on the monthly total, unless `countryPrices` overrides it. Null if there is none.'),
      resolve: ({ discountMonthly: figure, discountMonthlyType: type }) => toDiscountValue({ figure, type }),
    }),
    yearly: t.field({
      type: DiscountValue,
      ...discount.mark('discountYearly', 'Discount on the yearly total, unless `countryPrices` overrides it. Null if there is none.'),
      resolve: ({ discountYearly: figure, discountYearlyType: type }) => toDiscountValue({ figure, type }),
    }),
    countryPrices: discount.list(t, 'countryPrices', DiscountCountryPrice, 'Values of the discount by country.'),
    productDiscounts: discount.list(t, 'productDiscounts', ProductDiscount, 'Values of the discount by product.'),
    isActive: discount.flag(t, 'isActive', 'Whether the discount can be applied.'),
  }),
});
