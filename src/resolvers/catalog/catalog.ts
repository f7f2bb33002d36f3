import { readLargestPage } from '../../loaders/listScan.ts';
import { Discount, Product, ProductDiscount } from '../../schema/catalog/catalog.ts';
import { builder } from '../../schema/kit/builder.ts';
import { type Binder, defineInput, type ShapeOf } from '../../schema/kit/inputs.ts';
import { checkCurrency } from '../../schema/kit/money.ts';
import * as messages from '../../upstream/contract/generated/messages.ts';
import { CreateProduct, ListDiscounts, ListProducts, SearchProducts, UpdateProduct } from '../../upstream/contract/generated/operations.ts';
import type { UpdateProductRequestJson } from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { declareFilter } from '../kit/filters.ts';
import { list, listOfParts, searchableList } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { presentFields } from '../kit/presentFields.ts';
import { fetchCurrent, matchesInput, reconcileByValues } from '../kit/reconcile.ts';

const DiscountFilter = declareFilter(ListDiscounts, Discount, (f) => ({
  folderId: f.folderId('Only discounts in the catalog folder with this ID.', { as: 'ID' }),
}));

builder.queryFields((t) => ({
  products: t.field(
    searchableList(ListProducts, SearchProducts, {
      description:
        'Lists active products, or searches all products if `query` is set. Search results include inactive products. See `Product.isActive`.',
      node: Product,
      query: 'Text to search for in names, SKUs, and descriptions.',
    }),
  ),

  discounts: t.field(
    list(ListDiscounts, {
      description: 'Discounts of a folder, or of the whole catalog. Limited to the first 100.',
      node: Discount,
      filter: DiscountFilter,
    }),
  ),
}));

builder.objectField(Product.ref, 'discounts', (t) =>
  t.field(
    listOfParts(ListDiscounts, {
      description:
        'Parts of discounts that apply to the product. Includes only the first 100 discounts. If there are more, `isTruncated` is true.',
      node: ProductDiscount,
      parts: ({ productDiscounts }, { id }: { readonly id: string }) => productDiscounts.filter(({ productId }) => productId === id),
      parentKey: ({ id }) => ({ productId: id }),
      isServedByKey: true,
    }),
  ),
);

const CountryPriceInput = defineInput(
  messages.CountryPriceInput,
  'The price of a product in one country. Replaces the current price for that country.',
  (f) => ({
    countryCode: f.countryCode('Country that the price applies to.'),
    priceOnceMinorUnits: f.priceOnceMinor('One-off price in minor units, such as cents, of the country’s currency.', {
      as: 'Int64',
      required: true,
    }),
    vatRate: f.vatRate('VAT rate as a fraction: 0.21 means 21%.', { required: true }),
  }),
);

const bindProductFields = (f: Binder<typeof messages.CreateProductRequest | typeof messages.UpdateProductRequest>) => ({
  sku: f.sku('Stock-keeping unit (SKU) of the product.'),
  description: f.description('Description of the product.'),
  folderId: f.folderId('ID of the catalog folder that contains the product. Without it, the product is in the root folder.', {
    as: 'ID',
  }),
  currencyCode: f.currency('Currency of the prices.'),
  priceOnce: f.priceOnceMinor('One-off price.'),
  priceMonthly: f.priceMonthlyMinor('Price charged every month.'),
  priceYearly: f.priceYearlyMinor('Price charged every year.'),
  vatRate: f.vatRate('VAT rate as a fraction: 0.21 means 21%.'),
  isActive: f.isActive('Whether the product can be sold. Defaults to true for new products.'),
  minQuantity: f.minQuantity('Minimum quantity that can be ordered.'),
  maxQuantity: f.maxQuantity('Maximum quantity that can be ordered.'),
  countryPrices: f.countryPrices('Prices that differ by country. Prices for other countries are unchanged.', CountryPriceInput),
});

type ProductInput = ShapeOf<ReturnType<typeof bindProductFields>>;

/** Lists the prices in an input, with their paths. */
const listPrices = ({ priceOnce, priceMonthly, priceYearly }: ProductInput) =>
  Object.entries(presentFields({ priceOnce, priceMonthly, priceYearly })).map(([name, price]) => ({ price, path: [name] }));

/** Returns the product's currency: the specified one, or that of the prices. Throws ValidationError if the prices' currencies differ. */
function determineCurrency(input: ProductInput): string | undefined {
  const prices = listPrices(input);
  const currency = input.currencyCode ?? prices.find(({ price }) => price.currencyCode)?.price.currencyCode ?? undefined;
  for (const { price, path } of prices) checkCurrency(price, currency, path);
  return currency;
}

type ProductFields = Omit<UpdateProductRequestJson, 'id'>;

/** Renames request fields to those of the record. */
const toRecordFields = ({ priceOnceMinor, priceMonthlyMinor, priceYearlyMinor, ...fields }: ProductFields) => ({
  ...fields,
  priceOnce: priceOnceMinor,
  priceMonthly: priceMonthlyMinor,
  priceYearly: priceYearlyMinor,
});

mutation('productCreate', CreateProduct, {
  description: 'Creates a product.',
  input: (f) => ({ name: f.name('Name of the product.'), ...bindProductFields(f) }),
  request: { complete: (request, input) => ({ ...request, ...presentFields({ currency: determineCurrency(input) }) }) },
  returns: { product: 'The new product.' },
  reconcile: {
    calls: 1,
    // Products have no creation time, so older ones count.
    find: async ({ request, context }) => {
      if (!request.sku) return null;
      const { rows } = await readLargestPage(context.upstream, SearchProducts, { query: request.sku });
      return rows.filter((product) => matchesInput(product, toRecordFields(request)));
    },
  },
});

mutation('productUpdate', UpdateProduct, {
  on: Product,
  isPatch: true,
  input: (f) => ({ name: f.name('Name of the product.'), ...bindProductFields(f) }),
  // Prices don't change the product's currency. If they specify one, it must be the product's.
  check: async ({ id }, input, context) => {
    if (!determineCurrency(input) || input.currencyCode) return;
    const product = await fetchCurrent(Product, id, context);
    if (product) for (const { price, path } of listPrices(input)) checkCurrency(price, product.currency, path);
  },
  returns: { product: 'The updated product.' },
  reconcile: reconcileByValues(Product, 'product', ({ id, ...fields }) => toRecordFields(fields)),
});
