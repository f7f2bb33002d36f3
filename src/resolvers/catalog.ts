import { builder, type InputFields } from '../schema/builder.ts';
import { Discount, Product, ProductDiscount } from '../schema/catalog.ts';
import { find } from '../schema/entities.ts';
import { describe } from '../schema/records.ts';
import { CreateProduct, GetProduct, ListDiscounts, ListProducts, SearchProducts, UpdateProduct } from '../upstream/generated/operations.ts';
import type { UpdateProductRequestJson } from '../upstream/generated/publicapi/v1/catalog_pb.ts';
import { given } from './given.ts';
import { list } from './lists.ts';
import { hasValues, holds } from './lookUps.ts';
import { mutation } from './mutation.ts';
import { patch, patchDescription } from './patch.ts';

const productArgs = builder.args((t) => ({
  query: t.string({
    description: 'Text to find in names, numbers and descriptions, also of products that are not active. Only active products when absent.',
  }),
}));

const activeProducts = list(ListProducts, {
  description: 'Products: the active ones, or all that hold a text.',
  node: Product.ref,
  args: productArgs,
  request: () => ({}),
  identify: ({ id }) => id,
  prime: Product.prime,
});

const foundProducts = list(SearchProducts, {
  description: 'Products: the active ones, or all that hold a text.',
  node: Product.ref,
  args: productArgs,
  request: (_root: object, { query }) => ({ query: query ?? '' }),
  identify: ({ id }) => id,
  prime: Product.prime,
});

builder.queryFields((t) => ({
  product: t.field({
    ...describe(GetProduct, 'The product of this id; null when there is none.'),
    type: Product.ref,
    args: { id: t.arg.id({ required: true, description: 'A global or a raw id.' }) },
    resolve: (_root, { id }, context, info) => find(Product, id, context, info),
  }),

  products: t.field({
    ...activeProducts,
    extensions: { alsoCalls: [SearchProducts] },
    resolve: (root, args, context) => (args.query ? foundProducts : activeProducts).resolve(root, args, context),
  }),

  discounts: t.field(
    list(ListDiscounts, {
      description: 'Discounts, at most the first 100 of a folder or of all.',
      node: Discount.ref,
      args: { folderId: t.arg.id({ description: 'Only discounts of this folder.' }) },
      request: (_root: object, { folderId }) => given({ folderId }),
      prime: Discount.prime,
    }),
  ),
}));

builder.objectField(Product.ref, 'discounts', (t) =>
  t.field({
    type: [ProductDiscount],
    nullable: { list: true, items: false },
    description: 'What discounts take off this product. Found among the first 100 discounts: the upstream shows no more.',
    authScopes: { operation: ListDiscounts },
    extensions: { isServedByKey: true },
    resolve: async ({ id }, _args, { upstream }) => {
      const { discounts } = await upstream.call(ListDiscounts, { pageSize: ListDiscounts.page?.maxSize ?? 0 });
      return (discounts ?? []).flatMap(({ productDiscounts }) => productDiscounts ?? []).filter(({ productId }) => productId === id);
    },
  }),
);

const CountryPriceInput = builder.inputType('CountryPriceInput', {
  description: 'The price of a product in one country. It takes the place of the country’s earlier one.',
  fields: (t) => ({
    countryCode: t.field({ type: 'CountryCode', required: true, description: 'The country.' }),
    priceOnceMinor: t.int({ required: true, description: 'The one-off price, in minor units of the currency of the country.' }),
    vatRate: t.float({ required: true, description: 'The VAT as a fraction: 0.21 is 21 %.' }),
  }),
});

const productFields = (t: InputFields) => ({
  sku: t.string({ description: 'The stock-keeping number.' }),
  description: t.string({ description: 'What it is.' }),
  folderId: t.id({ description: 'The catalog folder it lies in; the root when there is none.' }),
  currencyCode: t.field({ type: 'CurrencyCode', description: 'The currency of the prices.' }),
  priceOnceMinor: t.int({ description: 'The one-off price, in minor units.' }),
  priceMonthlyMinor: t.int({ description: 'The monthly price, in minor units.' }),
  priceYearlyMinor: t.int({ description: 'The yearly price, in minor units.' }),
  vatRate: t.float({ description: 'The VAT as a fraction: 0.21 is 21 %.' }),
  isActive: t.boolean({ description: 'Whether it can be sold. A new product can, unless this says otherwise.' }),
  minQuantity: t.int({ description: 'The least that can be ordered.' }),
  maxQuantity: t.int({ description: 'The most that can be ordered.' }),
  countryPrices: t.field({
    type: [CountryPriceInput],
    description: 'Prices that differ by country. Countries that are not named keep theirs.',
  }),
});

type ProductFields = Omit<UpdateProductRequestJson, 'id'>;

/** The fields of a product in the contract's names. */
const productIn = <Fields extends { readonly currencyCode?: string }>({ currencyCode, ...fields }: Fields) => ({
  ...fields,
  ...(currencyCode !== undefined && { currency: currencyCode }),
});

/** What was sent, in the names of the record. */
const inRecord = ({ priceOnceMinor, priceMonthlyMinor, priceYearlyMinor, ...fields }: ProductFields) => ({
  ...fields,
  priceOnce: priceOnceMinor,
  priceMonthly: priceMonthlyMinor,
  priceYearly: priceYearlyMinor,
});

mutation('productCreate', CreateProduct, {
  description: 'Makes a product.',
  input: (t) => ({ name: t.string({ required: true, description: 'What it is called.' }), ...productFields(t) }),
  names: { currency: 'currencyCode' },
  request: (fields) => productIn(given(fields)),
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

/** What an update can clear. Nothing is known to clear a price, a limit of quantity, or the price of a country. */
const CLEARABLE = ['sku', 'description', 'folderId'] as const;

mutation('productUpdate', UpdateProduct, {
  description: patchDescription(CLEARABLE),
  input: (t) => ({
    productId: t.id({ required: true, description: 'A global or a raw id.' }),
    name: t.string({ description: 'What it is called.' }),
    ...productFields(t),
  }),
  ids: { productId: 'Product' },
  names: { id: 'productId', currency: 'currencyCode' },
  request: ({ productId, ...fields }) => ({ id: productId, ...productIn(patch(fields, CLEARABLE)) }),
  answers: { product: [Product.ref, 'The product as it is now.'] },
  subject: { entity: Product, id: 'productId' },
  lookUp: hasValues(
    Product,
    ({ id }) => id,
    ({ id, ...fields }) => inRecord(fields),
    (product) => ({ product }),
  ),
});
