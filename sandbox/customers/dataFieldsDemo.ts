import { PublicDataFieldType } from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import { CITIES, LAST_NAMES, STREETS } from '../kernel/demoNames.ts';
import type { Plan } from '../kernel/plan.ts';
import type { Random } from '../kernel/random.ts';
import { dataFieldTable } from './dataFields.ts';

const { BOOLEAN, COMPANY, CURRENCY, DATE, LOCATION, NUMBER, SELECT, TEXT } = PublicDataFieldType;
const DAY_MS = 86_400_000;

interface DemoField {
  readonly name: string;
  readonly label: string;
  readonly type: PublicDataFieldType;
  readonly currency?: string;
  readonly options?: readonly string[];
  /** Share of records with a value. */
  readonly filled: number;
  readonly value: (plan: Plan) => string;
}

const cents = (low: number, high: number) => (plan: Plan) => String(plan.random.nextInteger(low, high) * 100);
const day = (from: number, to: number) => (plan: Plan) =>
  new Date(plan.now * 1000 + plan.random.nextInteger(from, to) * DAY_MS).toISOString().slice(0, 10);

function location({ random }: Plan): string {
  const { city, country, latitude, longitude } = random.pick(CITIES);
  const [street, house_number] = [random.pick(STREETS), String(random.nextInteger(1, 180))];
  const place = { street, house_number, city, country, full_address: `${street} ${house_number}, ${city}` };
  const near = (degrees: number) => Number((degrees + random.nextInteger(-200, 200) / 10_000).toFixed(4));
  return JSON.stringify(random.nextBoolean(0.7) ? { ...place, latitude: near(latitude), longitude: near(longitude) } : place);
}

const digits = (random: Random, count: number) => Array.from({ length: count }, () => random.nextInteger(0, 9)).join('');

function company({ random }: Plan): string {
  const company_name = `${random.pick(LAST_NAMES)} & ${random.pick(LAST_NAMES)} B.V.`;
  return JSON.stringify({ company_name, registration_number: digits(random, 8), vat_number: `NL${digits(random, 9)}B01` });
}

const select = (...options: readonly string[]) => ({ type: SELECT, options, value: ({ random }: Plan) => random.pick(options) });

/** The workspace's data fields: at least one of every type. */
const FIELDS: readonly DemoField[] = [
  { name: 'budget', label: 'Budget', type: CURRENCY, currency: 'EUR', filled: 0.7, value: cents(500, 40_000) },
  { name: 'insured_value', label: 'Insured value', type: CURRENCY, currency: 'CHF', filled: 0.2, value: cents(10_000, 900_000) },
  { name: 'site_address', label: 'Site address', type: LOCATION, filled: 0.9, value: location },
  { name: 'billing_address', label: 'Billing address', type: LOCATION, filled: 0.4, value: location },
  { name: 'billing_company', label: 'Billing company', type: COMPANY, filled: 0.4, value: company },
  { name: 'lead_source', label: 'Lead source', ...select('website', 'referral', 'fair', 'partner'), filled: 0.8 },
  { name: 'building_type', label: 'Building type', ...select('house', 'apartment', 'office', 'warehouse'), filled: 0.6 },
  { name: 'preferred_date', label: 'Preferred date', type: DATE, filled: 0.3, value: day(7, 120) },
  { name: 'last_inspection', label: 'Last inspection', type: DATE, filled: 0.3, value: day(-900, -10) },
  { name: 'floor_area', label: 'Floor area (m²)', type: NUMBER, filled: 0.5, value: ({ random }) => String(random.nextInteger(30, 900)) },
  { name: 'has_parking', label: 'Parking on site', type: BOOLEAN, filled: 0.6, value: ({ random }) => String(random.nextBoolean(0.5)) },
  { name: 'meter_number', label: 'Meter number', type: TEXT, filled: 0.5, value: ({ random }) => `M-${digits(random, 7)}` },
  { name: 'access_notes', label: 'Access notes', type: TEXT, filled: 0.2, value: () => 'Ring twice; the entrance is at the back.' },
];

/** Creates the data fields, such as `data field site_address`. */
function seedDataFields(plan: Plan): void {
  const { store, workspaceId } = plan;
  for (const [position, { name, label, type, currency = '', options = [] }] of FIELDS.entries()) {
    dataFieldTable.insert(store, {
      id: plan.id(`data field ${name}`),
      workspace_id: workspaceId,
      name,
      label,
      type,
      currency,
      options: JSON.stringify(options),
      position,
    });
  }
}

/** Values for one record: of all fields if `isComplete`, otherwise of each with its probability. */
export function createDemoFieldValues(plan: Plan, isComplete: boolean): Record<string, string> {
  const filled = FIELDS.filter((field) => isComplete || plan.random.nextBoolean(field.filled));
  return Object.fromEntries(filled.map(({ name, value }) => [name, value(plan)]));
}

export const dataFieldsDemo = demoData({
  examples: {
    WorkOrderLocationField: ['data field billing_address', 'data field site_address'],
  },
  seed: seedDataFields,
});
