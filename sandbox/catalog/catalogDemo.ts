import { PublicProductType } from '../../src/upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { countryPriceTable, productTable } from './catalog.ts';

const NOUNS = [
  'Solar panel',
  'Inverter',
  'Home battery',
  'Heat pump',
  'Charging station',
  'Roof hook',
  'Mounting rail',
  'Cable set',
  'Smart meter',
  'Boiler',
  'Thermostat',
  'Ventilation unit',
  'Radiator',
  'Insulation board',
  'Meter cabinet',
  'Surge protector',
] as const;

const GRADES = ['Basic', 'Plus', 'Pro', 'Compact', 'Max'] as const;

/** The kind of `product <index>`. The demo data of quotes and inventory depends on it. */
export function getKind(index: number): 'stocked' | 'bundle' | 'inactive' | 'infinite' {
  if (index % 20 === 0) return 'bundle';
  if (index % 20 === 7) return 'inactive';
  if (index % 20 === 13) return 'infinite';
  return 'stocked';
}

/** The catalog folder of a record, by the record's index. Empty for the root. */
export const getFolderId = (plan: Plan, index: number) => (index % 5 === 4 ? '' : plan.id(`folder ${index % 5}`));

/** Countries in which a third of the products have their own price and VAT rate. */
const COUNTRIES = [
  { country: 'BE', factor: 1.05, vatRate: 0.21 },
  { country: 'DE', factor: 1.1, vatRate: 0.19 },
] as const;

function seedProduct(plan: Plan, index: number): void {
  const { store, random } = plan;
  const id = plan.id(`product ${index}`);
  const kind = getKind(index);
  const name = `${random.pick(NOUNS)} ${random.pick(GRADES)} ${index}`;
  const priceOnce = random.nextInteger(4, 4_000) * 100 - 5;
  const createdAt = plan.pickPastTimestamp(700);
  productTable.insert(store, {
    id,
    workspace_id: plan.workspaceId,
    name,
    sku: `SKU-${String(index).padStart(4, '0')}`,
    description: kind === 'bundle' ? `${name}, with what belongs to it.` : `${name}, ready to install.`,
    folder_id: getFolderId(plan, index),
    price_once: priceOnce,
    price_monthly: index % 4 === 2 ? Math.round(priceOnce / 30) : null,
    price_yearly: index % 8 === 2 ? Math.round(priceOnce / 3) : null,
    currency: 'EUR',
    vat_rate: index % 6 === 5 ? 0.09 : 0.21,
    is_active: kind === 'inactive' ? 0 : 1,
    min_quantity: index % 10 === 4 ? 2 : null,
    max_quantity: index % 10 === 4 ? 50 : null,
    type: kind === 'bundle' ? PublicProductType.BUNDLE : PublicProductType.SIMPLE,
    has_infinite_stock: kind === 'infinite' ? 1 : 0,
    created_at: createdAt,
    updated_at: createdAt,
  });
  if (index % 3 !== 1) return;
  for (const { country, factor, vatRate } of COUNTRIES) {
    countryPriceTable.insert(store, {
      product_id: id,
      country_code: country,
      price_once_minor: Math.round(priceOnce * factor),
      vat_rate: vatRate,
    });
  }
}

/** Creates the products `product 0`, `product 1`, …. */
function seedProducts(plan: Plan): void {
  for (let index = 0; index < plan.sizes.products; index += 1) seedProduct(plan, index);
}

export const productsDemo = demoData({
  examples: {
    Product: ['product 0', 'product 1'],
  },
  seed: seedProducts,
});
