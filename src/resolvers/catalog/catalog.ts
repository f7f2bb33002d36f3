import type { InputShapeFromFields } from '@pothos/core';
import { invalidInput } from '../../failures.ts';
import { Discount, Product, ProductDiscount } from '../../schema/catalog/catalog.ts';
import { builder, type InputFields } from '../../schema/kit/builder.ts';
import { toDouble } from '../../schema/kit/decimals.ts';
import { checkCurrency, MoneyInput } from '../../schema/kit/money.ts';
import { CreateProduct, ListDiscounts, ListProducts, SearchProducts, UpdateProduct } from '../../upstream/contract/generated/operations.ts';
import type { ProductRecordJson, UpdateProductRequestJson } from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { filterId, filterInput } from '../kit/filters.ts';
import { given } from '../kit/given.ts';
import { type ListArgs, list, listOfParts } from '../kit/lists.ts';
import { hasValues, holds, recordNow } from '../kit/lookUps.ts';
import { mutation } from '../kit/mutation.ts';
import { patch, patchDescription } from '../kit/patch.ts';

const products = {
  description:
    'Products. Without `query` these are the active ones only; with it all that hold the text, also those that are not active: see `Product.isActive`.',
  node: Product.ref,
  query: 'Text to find in names, numbers and descriptions.',
  identify: ({ id }: ProductRecordJson) => id,
  prime: Product.prime,
};

const activeProducts = list(ListProducts, { ...products, request: (_root: object) => ({}) });

const foundProducts = list(SearchProducts, { ...products, request: (_root: object, { query }) => ({ query }) });

const DiscountFilter = filterInput('Discount', 'discounts', (t) => ({ folderId: t.id({ description: 'Only those of this folder.' }) }));

builder.queryFields((t) => ({
  products: t.field({
    ...activeProducts,
    extensions: { alsoCalls: [SearchProducts] },
    resolve: (root, args: ListArgs<object>, context) => (args.query ? foundProducts : activeProducts).resolve(root, args, context),
  }),

  discounts: t.field(
    list(ListDiscounts, {
      description: 'Discounts, at most the first 100 of a folder or of all.',
      node: Discount.ref,
      filter: DiscountFilter,
      request: (_root: object, { filter: { folderId } }) => given({ folderId: filterId(folderId, 'folderId') || undefined }),
      prime: Discount.prime,
    }),
  ),
}));

builder.objectField(Product.ref, 'discounts', (t) =>
  t.field(
    listOfParts(ListDiscounts, {
      description:
        'The parts of discounts that are for this product. Found among the first 100 discounts: when there are more, the list `isTruncated`.',
      node: ProductDiscount,
      parts: ({ productDiscounts }, { id }: { id?: string }) => (productDiscounts ?? []).filter(({ productId }) => productId === id),
      of: ({ id }) => ({ productId: id }),
      isServedByKey: true,
    }),
  ),
);

const CountryPriceInput = builder.inputType('CountryPriceInput', {
  description: 'The price of a product in one country. It takes the place of the country’s earlier one.',
  fields: (t) => ({
    countryCode: t.field({ type: 'CountryCode', required: true, description: 'The country.' }),
    priceOnceMinorUnits: t.field({
      type: 'Int64',
      required: true,
      description: 'The one-off price in minor units, such as cents, of the country’s own currency.',
    }),
    vatRate: t.field({ type: 'Decimal', required: true, description: 'The VAT as a fraction: 0.21 is 21 %.' }),
  }),
});

const productFields = (t: InputFields) => ({
  sku: t.string({ description: 'The stock-keeping number.' }),
  description: t.string({ description: 'A description of the product.' }),
  folderId: t.id({ description: 'The catalog folder it lies in; the root when there is none.' }),
  currencyCode: t.field({ type: 'CurrencyCode', description: 'The currency of the prices.' }),
  priceOnce: t.field({ type: MoneyInput, description: 'The one-off price.' }),
  priceMonthly: t.field({ type: MoneyInput, description: 'The monthly price.' }),
  priceYearly: t.field({ type: MoneyInput, description: 'The yearly price.' }),
  vatRate: t.field({ type: 'Decimal', description: 'The VAT as a fraction: 0.21 is 21 %.' }),
  isActive: t.boolean({ description: 'Whether it can be sold. A new product can, unless this says otherwise.' }),
  minQuantity: t.int({ description: 'The least that can be ordered.' }),
  maxQuantity: t.int({ description: 'The most that can be ordered.' }),
  countryPrices: t.field({
    type: [CountryPriceInput],
    description: 'Prices that differ by country. Countries that are not named keep theirs.',
  }),
});

/** Where problems with these fields are told. */
const PRODUCT_NAMES = {
  currency: 'currencyCode',
  priceOnceMinor: 'priceOnce.minorUnits',
  priceMonthlyMinor: 'priceMonthly.minorUnits',
  priceYearlyMinor: 'priceYearly.minorUnits',
  'countryPrices.priceOnceMinor': 'priceOnceMinorUnits',
};

type ProductInput = InputShapeFromFields<ReturnType<typeof productFields>>;

/** The amounts of an input that are given, each with its path. */
const pricesIn = ({ priceOnce, priceMonthly, priceYearly }: ProductInput) =>
  Object.entries(given({ priceOnce, priceMonthly, priceYearly })).map(([name, price]) => ({ price, path: [name] }));

/** The currency that an input gives for a product: its own, or that of its prices, which are to agree. */
function currencyIn(input: ProductInput): string | undefined {
  const prices = pricesIn(input);
  const currency = input.currencyCode ?? prices.find(({ price }) => price.currencyCode)?.price.currencyCode ?? undefined;
  for (const { price, path } of prices) checkCurrency(price, currency, path);
  return currency;
}

/** The largest price, in minor units: the contract has 32 bits for it. */
const MAX_PRICE = 2 ** 31 - 1;

function toPrice(minorUnits: string, path: readonly string[]): number {
  if (Number(minorUnits) > MAX_PRICE)
    throw invalidInput(path, 'OUT_OF_RANGE', `must be at most ${MAX_PRICE}, but is ${minorUnits}.`, MAX_PRICE);
  return Number(minorUnits);
}

type CountryPrice = typeof CountryPriceInput.$inferInput;

const toCountryPrice = ({ countryCode, priceOnceMinorUnits, vatRate }: CountryPrice, index: number) => {
  const path = ['countryPrices', String(index)];
  return {
    countryCode,
    priceOnceMinor: toPrice(priceOnceMinorUnits, [...path, 'priceOnceMinorUnits']),
    vatRate: toDouble(vatRate, [...path, 'vatRate']),
  };
};

/** The fields of a product in the contract's names and numbers. Those that are absent or null stay so. */
const inContract = <Fields extends ProductInput>({
  currencyCode: currency,
  priceOnce,
  priceMonthly,
  priceYearly,
  vatRate,
  countryPrices,
  ...fields
}: Fields) => ({
  ...fields,
  currency,
  priceOnceMinor: priceOnce && toPrice(priceOnce.minorUnits, ['priceOnce', 'minorUnits']),
  priceMonthlyMinor: priceMonthly && toPrice(priceMonthly.minorUnits, ['priceMonthly', 'minorUnits']),
  priceYearlyMinor: priceYearly && toPrice(priceYearly.minorUnits, ['priceYearly', 'minorUnits']),
  vatRate: typeof vatRate === 'string' ? toDouble(vatRate, ['vatRate']) : vatRate,
  countryPrices: countryPrices?.map(toCountryPrice),
});

type ProductFields = Omit<UpdateProductRequestJson, 'id'>;

/** What was sent, in the names of the record. */
const inRecord = ({ priceOnceMinor, priceMonthlyMinor, priceYearlyMinor, ...fields }: ProductFields) => ({
  ...fields,
  priceOnce: priceOnceMinor,
  priceMonthly: priceMonthlyMinor,
  priceYearly: priceYearlyMinor,
});

mutation('productCreate', CreateProduct, {
  description: 'Makes a product.',
  input: (t) => ({ name: t.string({ required: true, description: 'The name of the product.' }), ...productFields(t) }),
  names: PRODUCT_NAMES,
  request: (input) => given(inContract({ ...input, currencyCode: currencyIn(input) })),
  answers: { product: [Product.ref, 'The new product.'] },
  // A product does not tell when it was made; its number stands for one.
  lookUp: async ({ request, context }) => {
    if (!request.sku) return undefined;
    const { products = [] } = await context.upstream.call(SearchProducts, { query: request.sku, page: 1, pageSize: 100 });
    const [found, ...others] = products.filter(({ sku }) => sku === request.sku);
    const product = found?.id && others.length === 0 ? await Product.load(found.id, context) : null;
    return product && holds(product, inRecord(request)) ? { product } : undefined;
  },
});

/** Fields that an update can clear. Nothing is known to clear a price, a limit of quantity, or the price of a country. */
const CLEARABLE = ['sku', 'description', 'folderId'] as const;

mutation('productUpdate', UpdateProduct, {
  description: patchDescription(CLEARABLE),
  input: (t) => ({
    productId: t.id({ required: true, description: 'The product.' }),
    name: t.string({ description: 'The name of the product.' }),
    ...productFields(t),
  }),
  ids: { productId: 'Product' },
  names: { id: 'productId', ...PRODUCT_NAMES },
  request: async ({ productId, ...fields }, context) => {
    const changes = patch(fields, CLEARABLE);
    // Prices alone leave the currency as it is: with one of their own they are compared with the product.
    if (currencyIn(fields) && !fields.currencyCode) {
      const product = await recordNow(Product, productId, context);
      if (product) for (const { price, path } of pricesIn(fields)) checkCurrency(price, product.currency, path);
    }
    return { id: productId, ...given(inContract(changes)) };
  },
  answers: { product: [Product.ref, 'The product as it is now.'] },
  on: Product,
  lookUp: hasValues(
    Product,
    ({ id }) => id,
    ({ id, ...fields }) => inRecord(fields),
    (product) => ({ product }),
  ),
});
