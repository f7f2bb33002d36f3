import { demoData } from '../kernel/demoData.ts';
import { CITIES, FIRST_NAMES, LAST_NAMES } from '../kernel/demoNames.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { customerTeamTable } from '../kernel/visibility.ts';
import { allocateReference, customerTable } from './customerRecords.ts';
import { createDemoFieldValues } from './dataFieldsDemo.ts';
import { listDemoStatuses } from './journeyDemo.ts';

/** Days since the oldest customer was created. Customers are older than the oldest demo quote. */
const OLDEST_DAYS = 900;
const YOUNGEST_DAYS = 605;
const DAY_SECONDS = 86_400;

const WORKS = ['Solar roof', 'Heat pump', 'Charging point', 'Home battery', 'Insulation', 'Air conditioning'] as const;

/** IDs of the demo customers and portfolios, for other demo data. */
export const listDemoCustomerIds = (plan: Plan): string[] => [
  ...Array.from({ length: plan.sizes.customers }, (_, index) => plan.id(`customer ${index}`)),
  ...Array.from({ length: plan.sizes.portfolios }, (_, index) => plan.id(`portfolio ${index}`)),
];

function startJourney(plan: Plan, customerId: string): string {
  const { id, name } = plan.random.pick(listDemoStatuses(plan));
  writeTimeline(plan.world, plan.workspaceId, customerId, {
    eventType: 'journey_status_set',
    entityType: 'journey_status',
    entityId: id,
    summary: `The journey status is now ${name}.`,
    occurredAt: plan.pickPastTimestamp(YOUNGEST_DAYS),
  });
  return id;
}

interface DemoCustomer {
  readonly kind: 'customer' | 'portfolio';
  readonly index: number;
  /** Empty for customers that aren't portfolios. */
  readonly contactId: string;
  readonly email: string;
}

/** `customer 0` has a value for everything that a customer can have. */
function seedCustomer(plan: Plan, { kind, index, contactId, email }: DemoCustomer): void {
  const { world, workspaceId, random } = plan;
  const isRich = kind === 'customer' && index === 0;
  const id = plan.id(`${kind} ${index}`);
  const createdAt = plan.now - random.nextInteger(YOUNGEST_DAYS * DAY_SECONDS, OLDEST_DAYS * DAY_SECONDS);
  const reference = allocateReference(world, workspaceId);
  const customerName = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const created = { entityType: kind, entityId: id, summary: `The ${kind} ${reference} was created.`, occurredAt: createdAt };
  writeTimeline(world, workspaceId, id, { eventType: `${kind}_created`, ...created });
  // A data field that the workspace has deleted. Records keep such values.
  const fields = { ...createDemoFieldValues(plan, isRich), ...(isRich && { legacy_code: 'K-17' }) };
  customerTable.insert(world.store, {
    id,
    workspace_id: workspaceId,
    title: `${random.pick(WORKS)} ${random.pick(CITIES).city}`,
    custom_fields: JSON.stringify(fields),
    reference_number: reference,
    customer_name: customerName,
    email,
    phone: isRich || random.nextBoolean(0.8) ? `+3120${(kind === 'customer' ? 6_000_000 : 7_000_000) + index}` : '',
    expected_close_date: isRich || random.nextBoolean(0.4) ? plan.now + random.nextInteger(1, 180) * DAY_SECONDS : null,
    contact_id: contactId,
    journey_status_id: isRich || random.nextBoolean(0.6) ? startJourney(plan, id) : '',
    created_at: createdAt,
    updated_at: isRich || random.nextBoolean(0.5) ? seedUpdateEvent(plan, id) : createdAt,
  });
  if (isNorthern(index)) customerTeamTable.insert(world.store, { customer_id: id, team_id: plan.id('team north') });
}

/** Every fourth customer and portfolio belongs to the team for the north. */
const isNorthern = (index: number) => index % 4 === 0;

function seedUpdateEvent(plan: Plan, customerId: string): number {
  const occurredAt = plan.pickPastTimestamp(YOUNGEST_DAYS);
  writeTimeline(plan.world, plan.workspaceId, customerId, {
    eventType: 'customer_updated',
    entityType: 'customer',
    entityId: customerId,
    summary: 'Changed: phone.',
    audience: 'audit',
    occurredAt,
  });
  return occurredAt;
}

/** Creates the customers `customer 0`, `customer 1`, …, then `portfolio 0`, `portfolio 1`, …, which use the contacts in turn. */
function seedCustomers(plan: Plan): void {
  const { customers, portfolios, contacts } = plan.sizes;
  for (let index = 0; index < customers; index += 1) {
    seedCustomer(plan, { kind: 'customer', index, contactId: '', email: `customer${index}@example.com` });
  }
  for (let index = 0; index < portfolios; index += 1) {
    const contact = index % contacts;
    seedCustomer(plan, { kind: 'portfolio', index, contactId: plan.id(`contact ${contact}`), email: `contact${contact}@example.com` });
  }
}

export const customersDemo = demoData({
  examples: {
    Customer: ['customer 0', 'customer 1', 'portfolio 0'],
    Portfolio: ['portfolio 0', 'portfolio 1'],
  },
  seed: seedCustomers,
});
