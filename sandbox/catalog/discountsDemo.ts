import {
  PublicDiscountDurationMode,
  PublicDiscountType,
  PublicPriceType,
} from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { getFolderId } from './catalogDemo.ts';
import { getCountryCurrency } from './countryCurrencies.ts';
import { discountCountryTable, discountTable, productDiscountTable } from './discounts.ts';

const { PERCENTAGE, FIXED } = PublicDiscountType;
const { CONTRACT_LONG, PERMANENT } = PublicDiscountDurationMode;

interface Value {
  readonly type: PublicDiscountType;
  /** Percentage points, or minor units. */
  readonly value: number;
}

interface Values {
  readonly once?: Value;
  readonly monthly?: Value;
  readonly yearly?: Value;
}

interface ProductLink extends Value {
  /** Index of the product. */
  readonly product: number;
  readonly price: PublicPriceType;
  readonly country?: string;
  readonly months?: number;
}

interface DemoDiscount extends Values {
  readonly name: string;
  readonly group?: string;
  readonly inactive?: boolean;
  readonly countries?: Readonly<Record<string, Values>>;
  readonly products?: readonly ProductLink[];
}

const percent = (value: number): Value => ({ type: PERCENTAGE, value });
const fixed = (value: number): Value => ({ type: FIXED, value });
const { ONCE, MONTHLY, YEARLY } = PublicPriceType;

/** `discount 0`, `discount 1`, …. The first four apply everywhere, the others only to their countries or products. */
const DISCOUNTS: readonly DemoDiscount[] = [
  { name: 'Welcome', group: 'new customers', once: percent(10) },
  { name: 'Round sum', once: fixed(2_500) },
  { name: 'Loyalty', group: 'loyalty', once: percent(5), monthly: percent(5), yearly: percent(5) },
  { name: 'First month', monthly: fixed(1_000) },
  { name: 'Belgian autumn', group: 'season', countries: { BE: { once: percent(7.5), monthly: percent(10) } } },
  { name: 'Border region', group: 'season', countries: { BE: { once: fixed(5_000) }, DE: { once: fixed(7_500), yearly: percent(8) } } },
  { name: 'Dutch subsidy', once: percent(1), countries: { NL: { once: percent(15) } } },
  { name: 'Stock clearance', products: [1, 2, 3].map((product) => ({ product, price: ONCE, ...percent(20) })) },
  { name: 'Per piece', products: [{ product: 4, price: ONCE, ...fixed(100) }] },
  { name: 'Half a year off', products: [{ product: 6, price: MONTHLY, months: 6, ...percent(50) }] },
  { name: 'German yearly plan', products: [{ product: 10, price: YEARLY, country: 'DE', months: 12, ...percent(12) }] },
  { name: 'Rows and links', countries: { NL: { monthly: percent(10) } }, products: [{ product: 2, price: ONCE, ...fixed(1_500) }] },
  { name: 'Last summer', group: 'season', inactive: true, once: percent(25) },
  { name: 'Withdrawn', inactive: true, products: [{ product: 5, price: ONCE, ...percent(30) }] },
];

const createValueColumns = ({ once, monthly, yearly }: Values) => ({
  discount_once: once?.value ?? 0,
  discount_once_type: once?.type ?? PublicDiscountType.UNSPECIFIED,
  discount_monthly: monthly?.value ?? 0,
  discount_monthly_type: monthly?.type ?? PublicDiscountType.UNSPECIFIED,
  discount_yearly: yearly?.value ?? 0,
  discount_yearly_type: yearly?.type ?? PublicDiscountType.UNSPECIFIED,
});

function seedScopes(plan: Plan, index: number, discount: DemoDiscount): void {
  for (const [country, values] of Object.entries(discount.countries ?? {})) {
    discountCountryTable.insert(plan.store, {
      discount_id: plan.id(`discount ${index}`),
      country_code: country,
      currency: getCountryCurrency(country) ?? '',
      discount_monthly_duration_mode: values.monthly ? CONTRACT_LONG : PublicDiscountDurationMode.UNSPECIFIED,
      discount_yearly_duration_mode: values.yearly ? PERMANENT : PublicDiscountDurationMode.UNSPECIFIED,
      ...createValueColumns(values),
    });
  }
  for (const [position, link] of (discount.products ?? []).entries()) {
    productDiscountTable.insert(plan.store, {
      id: plan.id(`discount ${index} link ${position}`),
      discount_id: plan.id(`discount ${index}`),
      product_id: plan.id(`product ${link.product}`),
      discount_type: link.type,
      discount_amount: link.value,
      duration_months: link.months ?? null,
      price_type: link.price,
      country_code: link.country ?? '',
      currency: 'EUR',
    });
  }
}

/** Creates the discounts `discount 0`, `discount 1`, …. Runs after the products have been created, because some discounts refer to them. */
function seedDiscounts(plan: Plan): void {
  for (const [index, discount] of DISCOUNTS.entries()) {
    discountTable.insert(plan.store, {
      id: plan.id(`discount ${index}`),
      workspace_id: plan.workspaceId,
      folder_id: getFolderId(plan, index),
      name: discount.name,
      description: `${discount.name}: a made-up discount.`,
      discount_group: discount.group ?? '',
      is_active: discount.inactive ? 0 : 1,
      ...createValueColumns(discount),
    });
    seedScopes(plan, index, discount);
  }
}

export const discountsDemo = demoData({
  examples: {
    Discount: ['discount 0', 'discount 1'],
  },
  seed: seedDiscounts,
});
