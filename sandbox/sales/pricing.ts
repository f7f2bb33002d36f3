import { PublicDiscountType, PublicPriceType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { getCountryCurrency } from '../catalog/countryCurrencies.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';

/** Amounts by price type, in minor units. Amounts of different types are never added. */
export interface Amounts {
  readonly once: number;
  readonly monthly: number;
  readonly yearly: number;
}

type Period = keyof Amounts;

const PERIODS: readonly (readonly [Period, PublicPriceType])[] = [
  ['once', PublicPriceType.ONCE],
  ['monthly', PublicPriceType.MONTHLY],
  ['yearly', PublicPriceType.YEARLY],
];

/** Maximum amount of one line, in minor units. Chosen: sums of lines must remain exact in a JavaScript number. */
const MAX_LINE_MINOR = 1_000_000_000_000;

/** Product columns that determine the price. */
export interface PricedProduct {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly price_once: number;
  readonly price_monthly: number | null;
  readonly price_yearly: number | null;
  readonly vat_rate: number;
  readonly is_active: number;
  readonly min_quantity: number | null;
  readonly max_quantity: number | null;
}

/** A product's price in a country. */
export interface CountryPrice {
  readonly country_code: string;
  readonly price_once_minor: number;
  readonly vat_rate: number;
}

export interface PricedLine {
  readonly productId: string;
  readonly productName: string;
  readonly currency: string;
  readonly quantity: number;
  readonly priceType: PublicPriceType;
  readonly unitPriceMinor: number;
  readonly vatRate: number;
  readonly totalMinor: number;
}

/** The values of a discount by price type: its defaults, or those of a country. */
export interface DiscountValues {
  readonly discount_once: number;
  readonly discount_once_type: PublicDiscountType;
  readonly discount_monthly: number;
  readonly discount_monthly_type: PublicDiscountType;
  readonly discount_yearly: number;
  readonly discount_yearly_type: PublicDiscountType;
}

/** A discount on a single product. */
export interface ProductDiscount {
  readonly product_id: string;
  readonly discount_type: PublicDiscountType;
  readonly discount_amount: number;
  /** Unspecified means all price types. */
  readonly price_type: PublicPriceType;
  /** Empty means all countries. */
  readonly country_code: string;
  readonly currency: string;
}

export interface PricedDiscount extends DiscountValues {
  readonly id: string;
  readonly name: string;
  readonly is_active: number;
  readonly countryPrices: readonly (DiscountValues & { readonly country_code: string; readonly currency: string })[];
  readonly productDiscounts: readonly ProductDiscount[];
}

export interface AppliedDiscount {
  readonly discountId: string;
  readonly name: string;
  readonly amounts: Amounts;
}

export interface Pricing {
  readonly currency: string;
  readonly lines: readonly PricedLine[];
  readonly discounts: readonly AppliedDiscount[];
  /** After discounts, without VAT. */
  readonly totals: Amounts;
}

function checkQuantity(product: PricedProduct, quantity: number): void {
  const { min_quantity: min, max_quantity: max } = product;
  if (min !== null && quantity < min) throw invalidArgument(`quantity of ${product.name} must be at least ${min}, but is ${quantity}.`);
  if (max !== null && quantity > max) throw invalidArgument(`quantity of ${product.name} must be at most ${max}, but is ${quantity}.`);
}

/** The price of one unit. A country's price is in the country's currency, others are in the product's. */
function getUnitPrice(
  product: PricedProduct,
  country: CountryPrice | undefined,
  priceType: PublicPriceType,
): { readonly unitPriceMinor: number; readonly currency: string } {
  const { currency } = product;
  if (priceType === PublicPriceType.MONTHLY || priceType === PublicPriceType.YEARLY) {
    const price = priceType === PublicPriceType.MONTHLY ? product.price_monthly : product.price_yearly;
    if (price === null)
      throw invalidArgument(`${product.name} has no ${priceType === PublicPriceType.MONTHLY ? 'monthly' : 'yearly'} price.`);
    return { unitPriceMinor: price, currency };
  }
  if (!country) return { unitPriceMinor: product.price_once, currency };
  return { unitPriceMinor: country.price_once_minor, currency: getCountryCurrency(country.country_code) ?? currency };
}

/** Prices a line at the product's prices, or at those of the country. A country row contains only the one-off price and the VAT rate. */
export function priceLine(
  product: PricedProduct,
  country: CountryPrice | undefined,
  wanted: { readonly quantity: number; readonly priceType: PublicPriceType },
): PricedLine {
  if (!product.is_active) throw failedPrecondition(`The product ${product.name} is inactive.`);
  checkQuantity(product, wanted.quantity);
  const priceType = wanted.priceType || PublicPriceType.ONCE;
  const { unitPriceMinor, currency } = getUnitPrice(product, country, priceType);
  const totalMinor = unitPriceMinor * wanted.quantity;
  if (totalMinor > MAX_LINE_MINOR)
    throw invalidArgument(`The total of a line must be at most ${MAX_LINE_MINOR} minor units, but ${product.name} exceeds it.`);
  return {
    productId: product.id,
    productName: product.name,
    currency,
    quantity: wanted.quantity,
    priceType,
    unitPriceMinor,
    vatRate: country?.vat_rate ?? product.vat_rate,
    totalMinor,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/**
 * An amount multiplied by a decimal number and divided by an integer, rounded half up. Doubles would round too early: 1.15 % of 3,000 would be less than 34.5.
 */
function multiplyDecimal(amount: number, decimal: number, divisor: bigint): number {
  // The shortest decimal that identifies the double, which is the one that was stored.
  const [mantissa = '', exponent = '0'] = String(decimal).split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  const shift = BigInt(fraction.length - Number(exponent));
  const [up, down] = shift < 0n ? [10n ** -shift, 1n] : [1n, 10n ** shift];
  const numerator = BigInt(amount) * BigInt(`${whole}${fraction}`) * up;
  const denominator = divisor * down;
  return Number((2n * numerator + denominator) / (2n * denominator));
}

/** Chosen: a percentage is in percentage points (10 is 10 %), and a fixed amount in minor units. Both are rounded to whole minor units. */
function calculateDiscount(type: PublicDiscountType, value: number, base: number, times: number): number {
  const amount = type === PublicDiscountType.PERCENTAGE ? multiplyDecimal(base, value, 100n) : multiplyDecimal(times, value, 1n);
  return Math.min(base, Math.max(0, amount));
}

/** Whether the discount can be applied. A fixed amount needs the quote's currency, which is also the default. */
const isApplicable = (type: PublicDiscountType, currency: string, quoteCurrency: string) =>
  type === PublicDiscountType.PERCENTAGE || (type === PublicDiscountType.FIXED && (currency === '' || currency === quoteCurrency));

/** The amount that product links take off the lines. Undefined if no link matches a line. Chosen: a fixed amount applies per unit. */
function calculateLinkedDiscount(links: readonly ProductDiscount[], lines: readonly PricedLine[], country: string): number | undefined {
  const amounts = lines.map((line) => {
    const fitting = links.filter(
      (link) =>
        link.product_id === line.productId &&
        (link.price_type === PublicPriceType.UNSPECIFIED || link.price_type === line.priceType) &&
        (link.country_code === '' || link.country_code === country) &&
        isApplicable(link.discount_type, link.currency, line.currency),
    );
    if (fitting.length === 0) return undefined;
    const off = sum(fitting.map((link) => calculateDiscount(link.discount_type, link.discount_amount, line.totalMinor, line.quantity)));
    return Math.min(off, line.totalMinor);
  });
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : sum(known);
}

/**
 * The amount that a discount takes off the lines of one price type. Undefined if it doesn't apply to them. The country's row takes precedence over links to
 * products. Default values only apply to discounts without rows and links, because these restrict where a discount applies.
 */
function calculateQuoteDiscount(
  discount: PricedDiscount,
  lines: readonly PricedLine[],
  { period, country, currency }: { readonly period: Period; readonly country: string; readonly currency: string },
): number | undefined {
  const subtotal = sum(lines.map(({ totalMinor }) => totalMinor));
  const own = discount.countryPrices.find(({ country_code }) => country_code === country);
  if (own && isApplicable(own[`discount_${period}_type`], own.currency, currency)) {
    return calculateDiscount(own[`discount_${period}_type`], own[`discount_${period}`], subtotal, 1);
  }
  const linked = calculateLinkedDiscount(discount.productDiscounts, lines, country);
  if (linked !== undefined) return linked;
  const isGeneral = discount.countryPrices.length === 0 && discount.productDiscounts.length === 0;
  if (!isGeneral || !isApplicable(discount[`discount_${period}_type`], '', currency)) return undefined;
  return calculateDiscount(discount[`discount_${period}_type`], discount[`discount_${period}`], subtotal, 1);
}

function requireSingleCurrency(lines: readonly PricedLine[]): string {
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  const [currency, other] = currencies;
  if (currency === undefined) throw invalidArgument('A quote must have at least one line.');
  if (other !== undefined) throw invalidArgument(`All lines must have the same currency, but have ${currencies.join(' and ')}.`);
  return currency;
}

/** Adds up lines and applies discounts in order, each to the undiscounted amount. Totals are never negative. */
export function priceQuote(lines: readonly PricedLine[], discounts: readonly PricedDiscount[], country: string): Pricing {
  const currency = requireSingleCurrency(lines);
  const byPeriod = PERIODS.map(([period, priceType]) => ({ period, lines: lines.filter((line) => line.priceType === priceType) }));
  const left = { once: 0, monthly: 0, yearly: 0 };
  for (const { period, lines: own } of byPeriod) left[period] = sum(own.map(({ totalMinor }) => totalMinor));

  const applied = discounts.map((discount) => {
    if (!discount.is_active) throw failedPrecondition(`The discount ${discount.name} is inactive.`);
    const amounts = { once: 0, monthly: 0, yearly: 0 };
    let applies = false;
    for (const { period, lines: own } of byPeriod) {
      const amount = own.length === 0 ? undefined : calculateQuoteDiscount(discount, own, { period, country, currency });
      if (amount === undefined) continue;
      applies = true;
      amounts[period] = Math.min(amount, left[period]);
      left[period] -= amounts[period];
    }
    if (!applies) throw invalidArgument(`The discount ${discount.name} doesn’t apply to any of the lines in ${country}.`);
    return { discountId: discount.id, name: discount.name, amounts };
  });
  return { currency, lines, discounts: applied, totals: left };
}
