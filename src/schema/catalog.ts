import type { ObjectRef } from '@pothos/core';
import { GetProduct, ListDiscounts } from '../upstream/generated/operations.ts';
import type {
  CountryPriceRecordJson,
  DiscountCountryPriceRecordJson,
  DiscountRecordJson,
  ProductDiscountRecordJson,
  ProductRecordJson,
  PublicDiscountDurationModeJson,
  PublicDiscountTypeJson,
  PublicPriceTypeJson,
  PublicProductTypeJson,
} from '../upstream/generated/publicapi/v1/catalog_pb.ts';
import type { Types } from './builder.ts';
import { type Entity, entity, follow } from './entities.ts';
import { wireEnum } from './enums.ts';
import { Money, toMoney } from './money.ts';
import { RecordFields } from './records.ts';

export const PriceType = wireEnum<PublicPriceTypeJson>()('PriceType', {
  description: 'How often a price is due.',
  prefix: 'PUBLIC_PRICE_TYPE',
  members: {
    ONCE: 'Once.',
    MONTHLY: 'Every month.',
    YEARLY: 'Every year.',
    OTHER: 'A rhythm that this graph does not know: see `priceTypeText`.',
  },
});

const DiscountType = wireEnum<PublicDiscountTypeJson>()('DiscountType', {
  description: 'How a discount is counted.',
  prefix: 'PUBLIC_DISCOUNT_TYPE',
  members: {
    PERCENTAGE: 'As a percentage.',
    FIXED: 'As an amount in minor units.',
    OTHER: 'In a way that this graph does not know: see the field beside it that ends in `Text`.',
  },
});

const DiscountDurationMode = wireEnum<PublicDiscountDurationModeJson>()('DiscountDurationMode', {
  description: 'How long a recurring discount lasts.',
  prefix: 'PUBLIC_DISCOUNT_DURATION_MODE',
  members: {
    CONTRACT_LONG: 'As long as the contract.',
    PERMANENT: 'For good.',
    OTHER: 'In a way that this graph does not know: see the field beside it that ends in `Text`.',
  },
});

const ProductType = wireEnum<PublicProductTypeJson>()('ProductType', {
  description: 'What a product is made of.',
  prefix: 'PUBLIC_PRODUCT_TYPE',
  members: { SIMPLE: 'Itself.', BUNDLE: 'Other products.', OTHER: 'Something that this graph does not know: see `typeText`.' },
});

const price = new RecordFields<CountryPriceRecordJson>('CountryPriceRecord');

const CountryPrice = price.type('CountryPrice', {
  description: 'The price of a product in one country.',
  fields: (t) => ({
    countryCode: t.field({
      type: 'CountryCode',
      ...price.mark('countryCode', 'The country.'),
      resolve: ({ countryCode }) => countryCode || null,
    }),
    priceOnceMinor: price.int(t, 'priceOnceMinor', 'The one-off price, in minor units of the currency of the country.'),
    vatRate: price.float(t, 'vatRate', 'The VAT as a fraction: 0.21 is 21 %.'),
  }),
});

const product = new RecordFields<ProductRecordJson>('ProductRecord');

export const Product: Entity<ProductRecordJson> = entity('Product', {
  record: product,
  description: 'Something that the workspace sells.',
  operation: GetProduct,
  loader: ({ loaders }) => loaders.products,
  key: 'id',
  fields: (t) => ({
    name: product.text(t, 'name', 'What it is called.'),
    sku: product.text(t, 'sku', 'The stock-keeping number.'),
    description: product.text(t, 'description', 'What it is.'),
    folderId: product.id(t, 'folderId', 'The catalog folder it lies in; null for the root.'),
    ...product.word(t, 'type', ProductType, 'What it is made of.'),
    currencyCode: t.field({
      type: 'CurrencyCode',
      ...product.mark('currency', 'The currency of its prices; those of a country may be in another.'),
      resolve: ({ currency }) => currency || null,
    }),
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
    vatRate: product.float(t, 'vatRate', 'The VAT as a fraction: 0.21 is 21 %.'),
    isActive: product.flag(t, 'isActive', 'Whether it can be sold.'),
    minQuantity: product.optionalInt(t, 'minQuantity', 'The least that can be ordered.'),
    maxQuantity: product.optionalInt(t, 'maxQuantity', 'The most that can be ordered.'),
    countryPrices: t.field({
      type: [CountryPrice],
      nullable: false,
      ...product.mark('countryPrices', 'Prices that differ by country.'),
      resolve: ({ countryPrices }) => countryPrices ?? [],
    }),
    hasInfiniteStock: product.flag(t, 'hasInfiniteStock', 'Whether it never runs out: then it has no stock to move.'),
  }),
});

const countryDiscount = new RecordFields<DiscountCountryPriceRecordJson>('DiscountCountryPriceRecord');

const DiscountCountryPrice = countryDiscount.type('DiscountCountryPrice', {
  description: 'What a discount takes off the grand total in one country.',
  fields: (t) => ({
    countryCode: t.field({
      type: 'CountryCode',
      ...countryDiscount.mark('countryCode', 'The country.'),
      resolve: ({ countryCode }) => countryCode || null,
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      ...countryDiscount.mark('currency', 'The currency of the country.'),
      resolve: ({ currency }) => currency || null,
    }),
    discountOnce: countryDiscount.float(t, 'discountOnce', 'Off the one-off total.'),
    ...countryDiscount.word(t, 'discountOnceType', DiscountType, 'How `discountOnce` is counted.'),
    discountMonthly: countryDiscount.float(t, 'discountMonthly', 'Off the monthly total.'),
    ...countryDiscount.word(t, 'discountMonthlyType', DiscountType, 'How `discountMonthly` is counted.'),
    ...countryDiscount.word(t, 'discountMonthlyDurationMode', DiscountDurationMode, 'How long `discountMonthly` lasts.'),
    discountYearly: countryDiscount.float(t, 'discountYearly', 'Off the yearly total.'),
    ...countryDiscount.word(t, 'discountYearlyType', DiscountType, 'How `discountYearly` is counted.'),
    ...countryDiscount.word(t, 'discountYearlyDurationMode', DiscountDurationMode, 'How long `discountYearly` lasts.'),
  }),
});

const productDiscount = new RecordFields<ProductDiscountRecordJson>('ProductDiscountRecord');

export const ProductDiscount: ObjectRef<Types, ProductDiscountRecordJson> = productDiscount.type('ProductDiscount', {
  description: 'What a discount takes off one product.',
  fields: (t) => ({
    rawId: productDiscount.rawId(t, 'id'),
    discount: t.field({
      type: Discount.ref,
      ...productDiscount.mark('discountId', 'The discount that it belongs to.'),
      resolve: ({ discountId }, _args, context, info) => follow(Discount, discountId, context, info),
    }),
    product: t.field({
      type: Product.ref,
      ...productDiscount.mark('productId', 'The product that it applies to.'),
      resolve: ({ productId }, _args, context, info) => follow(Product, productId, context, info),
    }),
    productName: productDiscount.text(t, 'productName', 'What the product is called.'),
    ...productDiscount.word(t, 'discountType', DiscountType, 'How the amount is counted.'),
    discountAmount: productDiscount.float(t, 'discountAmount', 'A percentage, or an amount in minor units.'),
    durationMonths: productDiscount.optionalInt(t, 'durationMonths', 'For how many months it applies; null when there is no end.'),
    ...productDiscount.word(t, 'priceType', PriceType, 'The price that it comes off.'),
    countryCode: t.field({
      type: 'CountryCode',
      ...productDiscount.mark('countryCode', 'The country where it applies; null for all.'),
      resolve: ({ countryCode }) => countryCode || null,
    }),
    currencyCode: t.field({
      type: 'CurrencyCode',
      ...productDiscount.mark('currency', 'The currency of the amount.'),
      resolve: ({ currency }) => currency || null,
    }),
  }),
});

const discount = new RecordFields<DiscountRecordJson>('DiscountRecord');

export const Discount: Entity<DiscountRecordJson> = entity('Discount', {
  record: discount,
  description:
    'Something off a price. Whether it applies to a quote is decided by `countryPrices` and `productDiscounts`, for the country that the quote is priced for. Read one by one from the list of discounts, which the upstream cuts off at 100.',
  operation: ListDiscounts,
  loader: ({ loaders }) => loaders.discounts,
  key: 'id',
  fields: (t) => ({
    name: discount.text(t, 'name', 'What it is called.'),
    description: discount.text(t, 'description', 'What it is.'),
    discountGroup: discount.text(t, 'discountGroup', 'The group that it belongs to.'),
    discountOnce: discount.float(t, 'discountOnce', 'Off the one-off total, where no country says otherwise.'),
    ...discount.word(t, 'discountOnceType', DiscountType, 'How `discountOnce` is counted.'),
    discountMonthly: discount.float(t, 'discountMonthly', 'Off the monthly total, where no country says otherwise.'),
    ...discount.word(t, 'discountMonthlyType', DiscountType, 'How `discountMonthly` is counted.'),
    discountYearly: discount.float(t, 'discountYearly', 'Off the yearly total, where no country says otherwise.'),
    ...discount.word(t, 'discountYearlyType', DiscountType, 'How `discountYearly` is counted.'),
    countryPrices: t.field({
      type: [DiscountCountryPrice],
      nullable: false,
      ...discount.mark('countryPrices', 'What it takes off by country.'),
      resolve: ({ countryPrices }) => countryPrices ?? [],
    }),
    productDiscounts: t.field({
      type: [ProductDiscount],
      nullable: false,
      ...discount.mark('productDiscounts', 'What it takes off single products.'),
      resolve: ({ productDiscounts }) => productDiscounts ?? [],
    }),
    isActive: discount.flag(t, 'isActive', 'Whether it can be given.'),
  }),
});
