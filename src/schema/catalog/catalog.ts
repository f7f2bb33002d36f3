import type { ObjectRef } from '@pothos/core';
import { discountLoader } from '../../loaders/catalog.ts';
import { GetProduct, ListDiscounts } from '../../upstream/contract/generated/operations.ts';
import type { PublicDiscountDurationModeJson, PublicDiscountTypeJson } from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import type {
  CountryPriceRecord,
  DiscountCountryPriceRecord,
  DiscountRecord,
  ProductDiscountRecord,
  ProductRecord,
} from '../../upstream/contract/generated/records.ts';
import { builder, type Types } from '../kit/builder.ts';
import { toDecimal } from '../kit/decimals.ts';
import { defineEntity } from '../kit/entities.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { Money, toMoney } from '../kit/money.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import type { Entity } from '../kit/registry.ts';

const DiscountKind = defineWireEnum('DiscountKind', 'PublicDiscountType', {
  description: 'How the value of a discount is expressed.',
  members: {
    PERCENTAGE: 'A percentage of the price.',
    FIXED: 'A fixed amount of money.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

const DiscountDuration = defineWireEnum('DiscountDuration', 'PublicDiscountDurationMode', {
  description: 'How long a recurring discount lasts.',
  members: {
    CONTRACT_LONG: 'For the duration of the contract.',
    PERMANENT: 'Indefinitely.',
    OTHER: 'A duration that isn’t in this schema yet. See `durationText`.',
  },
});

/** A discount as the upstream returns it: a number and its type. */
interface DiscountShape {
  /** A percentage, or minor units. */
  readonly value: string | number;
  readonly type: PublicDiscountTypeJson;
  /** Currency of a fixed amount. Undefined if the discount has no currency of its own. */
  readonly currency?: string;
  /** Undefined for one-off discounts. */
  readonly duration?: PublicDiscountDurationModeJson;
}

const getKind = ({ type }: DiscountShape) => DiscountKind.fromWire(type) ?? 'OTHER';

/** The value of a discount. `toDiscountValue` returns null for a discount without a value. */
export const DiscountValue = builder.objectRef<DiscountShape>('DiscountValue').implement({
  description: 'The value of a discount: a percentage or a fixed amount.',
  fields: (t) => ({
    kind: t.field({
      type: DiscountKind.ref,
      nullable: false,
      description: 'Whether the value is a percentage or a fixed amount. Determines which of `percentage` and `amount` is set.',
      resolve: getKind,
    }),
    kindText: t.string({
      description: 'Raw value of `kind` from the Workspace API. Useful if `kind` is `OTHER`.',
      resolve: ({ type }) => DiscountKind.toText(type),
    }),
    percentage: t.field({
      type: 'Decimal',
      description: 'Percentage: 7.5 means 7.5%. Null unless `kind` is `PERCENTAGE`.',
      resolve: (value) => (getKind(value) === 'PERCENTAGE' ? toDecimal(value.value) : null),
    }),
    amount: t.field({
      type: Money,
      description:
        'Fixed amount. Null unless `kind` is `FIXED`. Also null for the values of a `Discount` for all countries, because their currency depends on the quote. See `Quote.discounts` for the deducted amounts.',
      resolve: (value) => (getKind(value) === 'FIXED' ? toMoney(value.value, value.currency) : null),
    }),
    duration: t.field({
      type: DiscountDuration.ref,
      description: 'How long a recurring discount lasts. Null if the Workspace API doesn’t specify it.',
      resolve: ({ duration }) => (duration === undefined ? null : DiscountDuration.fromWire(duration)),
    }),
    durationText: t.string({
      description: 'Raw value of `duration` from the Workspace API. Useful if `duration` is `OTHER`.',
      resolve: ({ duration }) => (duration === undefined ? null : DiscountDuration.toText(duration)),
    }),
  }),
});

/** Returns the value of a discount. Null for a discount without a value, which the upstream returns as 0 without a type. */
const toDiscountValue = (discount: DiscountShape): DiscountShape | null =>
  Number(discount.value) === 0 && DiscountKind.toText(discount.type) === null ? null : discount;

export const PriceType = defineWireEnum('PriceType', 'PublicPriceType', {
  description: 'The billing interval of a price.',
  members: {
    ONCE: 'Charged once.',
    MONTHLY: 'Charged every month.',
    YEARLY: 'Charged every year.',
    OTHER: 'An interval that isn’t in this schema yet. See `priceTypeText`.',
  },
});

export const ProductKind = defineWireEnum('ProductKind', 'PublicProductType', {
  description: 'Whether a product is a single item or a bundle.',
  members: {
    SIMPLE: 'A single item.',
    BUNDLE: 'A bundle of other products.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

const CountryPrice = defineRecordType<CountryPriceRecord>('CountryPrice', {
  record: 'CountryPriceRecord',
  description: 'The price of a product in one country.',
  fields: (f) => ({
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country that the price applies to.'),
    priceOnceMinorUnits: f.int64(
      'priceOnceMinor',
      'One-off price in minor units, such as cents, of the country’s currency. The Workspace API doesn’t return that currency.',
    ),
    vatRate: f.decimal('vatRate', 'VAT rate as a fraction: 0.21 means 21%.'),
  }),
});

export const Product: Entity<ProductRecord> = defineEntity('Product', {
  record: 'ProductRecord',
  description: 'A product or bundle in the workspace’s catalog.',
  operation: GetProduct,
  key: 'id',
  root: 'Looks up a product by ID. Null if it doesn’t exist.',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the product.'),
    sku: f.string('sku', 'Stock-keeping unit (SKU) of the product.'),
    description: f.string('description', 'Description of the product.'),
    folderId: f.id('folderId', 'ID of the catalog folder that contains the product. Null for the root folder.'),
    ...f.enumWithText('type', ProductKind, 'Whether the product is a single item or a bundle of other products.', { name: 'kind' }),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of the product’s prices. `countryPrices` may use other currencies.'),
    priceOnce: f.money('priceOnce', 'One-off price.'),
    priceMonthly: f.money('priceMonthly', 'Monthly price. Null if the product has none.'),
    priceYearly: f.money('priceYearly', 'Yearly price. Null if the product has none.'),
    vatRate: f.decimal('vatRate', 'VAT rate as a fraction: 0.21 means 21%.'),
    isActive: f.boolean('isActive', 'Whether the product can be sold.'),
    minQuantity: f.optionalInt('minQuantity', 'Minimum quantity that can be ordered.'),
    maxQuantity: f.optionalInt('maxQuantity', 'Maximum quantity that can be ordered.'),
    countryPrices: f.list('countryPrices', CountryPrice, 'Prices that differ by country.'),
    hasInfiniteStock: f.boolean('hasInfiniteStock', 'Whether the product never runs out. Such a product has no stock to move.'),
  }),
});

const DiscountCountryPrice = defineRecordType<DiscountCountryPriceRecord>('DiscountCountryPrice', {
  record: 'DiscountCountryPriceRecord',
  description: 'The values of a discount in one country, deducted from the grand totals.',
  fields: (f, t) => ({
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country that the values apply to.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of the country.'),
    once: t.field({
      type: DiscountValue,
      ...f.annotate('discountOnce', 'Discount on the one-off total. Null if none applies.'),
      resolve: ({ discountOnce: value, discountOnceType: type, currency }) => toDiscountValue({ value, type, currency }),
    }),
    monthly: t.field({
      type: DiscountValue,
      ...f.annotate('discountMonthly', 'Discount on the monthly total. Null if none applies.'),
      resolve: ({ discountMonthly: value, discountMonthlyType: type, discountMonthlyDurationMode: duration, currency }) =>
        toDiscountValue({ value, type, currency, duration }),
    }),
    yearly: t.field({
      type: DiscountValue,
      ...f.annotate('discountYearly', 'Discount on the yearly total. Null if none applies.'),
      resolve: ({ discountYearly: value, discountYearlyType: type, discountYearlyDurationMode: duration, currency }) =>
        toDiscountValue({ value, type, currency, duration }),
    }),
  }),
});

export const ProductDiscount: ObjectRef<Types, ProductDiscountRecord> = defineRecordType('ProductDiscount', {
  record: 'ProductDiscountRecord',
  description: 'The part of a discount that applies to one product.',
  key: 'id',
  fields: (f, t) => ({
    discount: f.requiredEdge('discountId', Discount, 'Discount that this part belongs to.'),
    product: f.edge('productId', Product, 'Product that the discount applies to.'),
    productName: f.string('productName', 'Name of the product.'),
    value: t.field({
      type: DiscountValue,
      ...f.annotate('discountAmount', 'Value of the discount. Null if it deducts nothing.'),
      resolve: ({ discountAmount: value, discountType: type, currency }) => toDiscountValue({ value, type, currency }),
    }),
    durationMonths: f.optionalInt('durationMonths', 'Number of months that the discount applies for. Null if it has no end.'),
    ...f.enumWithText('priceType', PriceType, 'Which of the product’s prices is discounted.'),
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country where the discount applies. Null if it applies in all countries.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency of the amount.'),
  }),
});

export const Discount: Entity<DiscountRecord> = defineEntity('Discount', {
  record: 'DiscountRecord',
  description:
    'A discount that can be applied to quotes. `countryPrices` and `productDiscounts` determine whether it applies to a quote, by the country that the quote is priced for. Only the first 100 discounts can be looked up by ID.',
  operation: ListDiscounts,
  loader: discountLoader,
  key: 'id',
  root: 'Looks up a discount by ID. Null if it doesn’t exist. Fails with `NOT_FOUND` if the workspace has 100 discounts or more and it isn’t among the first 100.',
  fields: (f, t) => ({
    name: f.requiredString('name', 'Name of the discount.'),
    description: f.string('description', 'Description of the discount.'),
    group: f.string('discountGroup', 'Group that the discount belongs to.'),
    once: t.field({
      type: DiscountValue,
      ...f.annotate('discountOnce', 'Discount on the one-off total, unless `countryPrices` overrides it. Null if none applies.'),
      resolve: ({ discountOnce: value, discountOnceType: type }) => toDiscountValue({ value, type }),
    }),
    monthly: t.field({
      type: DiscountValue,
      ...f.annotate('discountMonthly', 'Discount on the monthly total, unless `countryPrices` overrides it. Null if none applies.'),
      resolve: ({ discountMonthly: value, discountMonthlyType: type }) => toDiscountValue({ value, type }),
    }),
    yearly: t.field({
      type: DiscountValue,
      ...f.annotate('discountYearly', 'Discount on the yearly total, unless `countryPrices` overrides it. Null if none applies.'),
      resolve: ({ discountYearly: value, discountYearlyType: type }) => toDiscountValue({ value, type }),
    }),
    countryPrices: f.list('countryPrices', DiscountCountryPrice, 'Values of the discount by country.'),
    productDiscounts: f.list('productDiscounts', ProductDiscount, 'Values of the discount by product.'),
    isActive: f.boolean('isActive', 'Whether the discount can be applied.'),
  }),
});
