import { PublicProductIdentifierType } from '../../src/upstream/contract/generated/publicapi/v1/identifiers_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { identifierTable } from './identifiers.ts';

const { EAN, MANUFACTURER, SUPPLIER } = PublicProductIdentifierType;

/** A valid EAN-13. The last digit is a checksum of the others, with alternating weights of one and three. */
function createEan(index: number): string {
  const digits = `8799${String(index).padStart(8, '0')}`;
  const sum = [...digits].reduce((total, digit, position) => total + Number(digit) * (position % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function seedIdentifier(plan: Plan, index: number, type: PublicProductIdentifierType, value: string): void {
  identifierTable.insert(plan.store, {
    id: plan.id(`identifier ${value}`),
    workspace_id: plan.workspaceId,
    product_id: plan.id(`product ${index}`),
    type,
    value,
    created_at: plan.pickPastTimestamp(400),
  });
}

/** Adds an EAN to most products, and manufacturer and supplier numbers to some. */
function seedIdentifiers(plan: Plan): void {
  for (let index = 0; index < plan.sizes.products; index += 1) {
    if (index % 10 !== 9) seedIdentifier(plan, index, EAN, createEan(index));
    if (index % 4 === 1) seedIdentifier(plan, index, MANUFACTURER, `MAN-${index}-A`);
    if (index % 6 === 1) seedIdentifier(plan, index, SUPPLIER, `SUP/${index}`);
  }
}

export const identifiersDemo = demoData({ seed: seedIdentifiers });
