import type { ObjectRef } from '@pothos/core';
import { discountLoader } from '../../loaders/catalog.ts';
import { GetProduct, ListDiscounts } from '../../upstream/contract/generated/operations.ts';
import type {
  CountryPriceRecordJson,
  DiscountCountryPriceRecordJson,
  DiscountRecordJson,
  ProductDiscountRecordJson,
  ProductRecordJson,
  PublicPriceTypeJson,
  PublicProductTypeJson,
} from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
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
    ONCE: 'Once.',
    MONTHLY: 'Every month.',
    YEARLY: 'Every year.',
    OTHER: 'A rhythm that this graph does not know: see `priceTypeText`.',
  },
});

const ProductKind = wireEnum<PublicProductTypeJson>()('ProductKind', {
  description: 'Whether a product is a single item or a bundle.',
  prefix: 'PUBLIC_PRODUCT_TYPE',
  members: {
    SIMPLE: 'A single item.',
    BUNDLE: 'A bundle of other products.',
    OTHER: 'A kind that this graph does not know: see `kindText`.',
  },
});

const price = new RecordFields<CountryPriceRecordJson>('CountryPriceRecord');

const CountryPrice = price.type('CountryPrice', {
  description: 'The price of a product in one country.',
  fields: (t) => ({
    countryCode: price.code(t, 'countryCode', 'CountryCode', 'The country.'),
    priceOnceMinorUnits: price.int64(
      t,
      'priceOnceMinor',
      'The one-off price in minor units, such as cents, of the country’s own currency. The Workspace API does not name that currency.',
    ),
    vatRate: price.decimal(t, 'vatRate', 'The VAT as a fraction: 0.21 is 21 %.'),
  }),
});

const product = new RecordFields<ProductRecordJson>('ProductRecord');

export const Product: Entity<ProductRecordJson> = entity('Product', {
  record: product,
  description: 'Something that the workspace sells.',
  operation: GetProduct,
  key: 'id',
  root: 'The product of this id; null when there is none.',
  fields: (t) => ({
    name: product.requiredText(t, 'name', 'The name of the product.'),
    sku: product.text(t, 'sku', 'The stock-keeping number.'),
    description: product.text(t, 'description', 'A description of the product.'),
    folderId: product.id(t, 'folderId', 'The catalog folder it lies in; null for the root.'),
    ...product.word(t, 'type', ProductKind, 'Whether the product is a single item or a bundle of other products.', { name: 'kind' }),
    currencyCode: product.code(t, 'currency', 'CurrencyCode', 'The currency of its prices; those of a country may be in another.'),
    priceOnce: product.money(t, 'priceOnce', 'The one-off price.'),
    priceMonthly: t.field({
      type: Money,
      ...product.mark('priceMonthly', 'The monthly price; null when it has none.'),
      resolve: ({ priceMonthly, currency }) => (priceMonthly === undefined ? null : toMoney(priceMonthly, currency)),
    }),
    priceYearly: t.field({
      type: Money,
      ...product.mark('priceYearly', 'The yearly price; null when it has none.'),
      resolve: ({ priceYearly, currency }) => (priceYearly === undefined ? null : toMoney(priceYearly, currency)),
    }),
    vatRate: product.decimal(t, 'vatRate', 'The VAT as a fraction: 0.21 is 21 %.'),
    isActive: product.flag(t, 'isActive', 'Whether it can be sold.'),
    minQuantity: product.optionalInt(t, 'minQuantity', 'The least that can be ordered.'),
    maxQuantity: product.optionalInt(t, 'maxQuantity', 'The most that can be ordered.'),
    countryPrices: product.list(t, 'countryPrices', CountryPrice, 'Prices that differ by country.'),
    hasInfiniteStock: product.flag(t, 'hasInfiniteStock', 'Whether it never runs out: then it has no stock to move.'),
  }),
});

const countryDiscount = new RecordFields<DiscountCountryPriceRecordJson>('DiscountCountryPriceRecord');

const DiscountCountryPrice = countryDiscount.type('DiscountCountryPrice', {
  description: 'The part of a discount that is for one country: off the grand total.',
  fields: (t) => ({
    countryCode: countryDiscount.code(t, 'countryCode', 'CountryCode', 'The country.'),
    currencyCode: countryDiscount.code(t, 'currency', 'CurrencyCode', 'The currency of the country.'),
    once: t.field({
      type: DiscountValue,
      ...countryDiscount.mark('discountOnce', 'Off the one-off total; null when nothing.'),
      resolve: ({ discountOnce: figure, discountOnceType: type, currency }) => toDiscountValue({ figure, type, currency }),
    }),
    monthly: t.field({
      type: DiscountValue,
      ...countryDiscount.mark('discountMonthly', 'Off the monthly total; null when nothing.'),
      resolve: ({ discountMonthly: figure, discountMonthlyType: type, discountMonthlyDurationMode: duration, currency }) =>
        toDiscountValue({ figure, type, currency, duration }),
    }),
    yearly: t.field({
      type: DiscountValue,
      ...countryDiscount.mark('discountYearly', 'Off the yearly total; null when nothing.'),
      resolve: ({ discountYearly: figure, discountYearlyType: type, discountYearlyDurationMode: duration, currency }) =>
        toDiscountValue({ figure, type, currency, duration }),
    }),
  }),
});

const productDiscount = new RecordFields<ProductDiscountRecordJson>('ProductDiscountRecord');

export const ProductDiscount: ObjectRef<Types, ProductDiscountRecordJson> = productDiscount.type('ProductDiscount', {
  description: 'The part of a discount that is for one product.',
  key: 'id',
  fields: (t) => ({
    discount: productDiscount.edge(t, 'discountId', Discount, 'The discount that it belongs to.'),
    product: productDiscount.edge(t, 'productId', Product, 'The product that it applies to.'),
    productName: productDiscount.text(t, 'productName', 'The name of the product.'),
    value: t.field({
      type: DiscountValue,
      ...productDiscount.mark('discountAmount', 'The value of the discount; null when it takes nothing off.'),
      resolve: ({ discountAmount: figure, discountType: type, currency }) => toDiscountValue({ figure, type, currency }),
    }),
    durationMonths: productDiscount.optionalInt(t, 'durationMonths', 'For how many months it applies; null when there is no end.'),
    ...productDiscount.word(t, 'priceType', PriceType, 'The price that it comes off.'),
    countryCode: productDiscount.code(t, 'countryCode', 'CountryCode', 'The country where it applies; null for all.'),
    currencyCode: productDiscount.code(t, 'currency', 'CurrencyCode', 'The currency of the amount.'),
  }),
});

const discount = new RecordFields<DiscountRecordJson>('DiscountRecord');

export const Discount: Entity<DiscountRecordJson> = entity('Discount', {
  record: discount,
  description:
    'A discount that quotes can give. Whether it applies to a quote is decided by `countryPrices` and `productDiscounts`, for the country that the quote is priced for. Only the first 100 discounts can be read.',
  operation: ListDiscounts,
  loader: discountLoader,
  key: 'id',
  root: 'The discount of this id; null when there is none among the first 100.',
  fields: (t) => ({
    name: discount.requiredText(t, 'name', 'The name of the discount.'),
    description: discount.text(t, 'description', 'A description of the discount.'),
    group: discount.text(t, 'discountGroup', 'The group that it belongs to.'),
    once: t.field({
      type: DiscountValue,
      ...discount.mark('discountOnce', 'Off the one-off total, where no country says otherwise; null when nothing.'),
      resolve: ({ discountOnce: figure, discountOnceType: type }) => toDiscountValue({ figure, type }),
    }),
    monthly: t.field({
      type: DiscountValue,
      ...discount.mark('discountMonthly', 'Off the monthly total, where no country says otherwise; null when nothing.'),
      resolve: ({ discountMonthly: figure, discountMonthlyType: type }) => toDiscountValue({ figure, type }),
    }),
    yearly: t.field({
      type: DiscountValue,
      ...discount.mark('discountYearly', 'Off the yearly total, where no country says otherwise; null when nothing.'),
      resolve: ({ discountYearly: figure, discountYearlyType: type }) => toDiscountValue({ figure, type }),
    }),
    countryPrices: discount.list(t, 'countryPrices', DiscountCountryPrice, 'The values by country.'),
    productDiscounts: discount.list(t, 'productDiscounts', ProductDiscount, 'The values by product.'),
    isActive: discount.flag(t, 'isActive', 'Whether it can be given.'),
  }),
});
