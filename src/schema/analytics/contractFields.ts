import type { MessageField } from '../../upstream/contract/fields.ts';
import { messages } from '../../upstream/contract/overlay.ts';
import { type EntityMember, toEntityMember } from './enums.ts';

/** Records of the contract that the entities represent. The result of an appointment is part of its record, so a row has fields of both. */
const RECORDS: Readonly<Partial<Record<EntityMember, readonly string[]>>> = {
  CUSTOMERS: ['CustomerRecord'],
  APPOINTMENTS: ['AppointmentRecord'],
  ORDERS: ['OrderRecord'],
  OFFERS: ['QuoteRecord'],
  WORKORDERS: ['WorkOrderRecord'],
  PROBLEMS: ['ProblemRecord'],
  PAYMENTS: ['PaymentRecord'],
  APPOINTMENT_RESULTS: ['AppointmentRecord', 'AppointmentResultRecord'],
};

/** Names of fields in the records, if analytics uses others: both records of an appointment's result have a `memberId`. */
const RENAMED: ReadonlyMap<string, string> = new Map([['recorder_id', 'memberId']]);

const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Members of the entities that represent records of the contract. */
export const ENTITIES_WITH_RECORDS = Object.keys(RECORDS) as readonly EntityMember[];

/**
 * Returns the contract's description of an analytics field: that of the record's field with the same name. Undefined for all other fields. Derived from the
 * contract and not from the catalog, so that a result doesn't depend on whether the catalog could be read.
 */
export function getContractField(entity: string, field: string): MessageField | undefined {
  const name = RENAMED.get(field) ?? toCamelCase(field);
  for (const record of RECORDS[toEntityMember(entity)] ?? []) {
    const found = messages.get(record)?.fields[name];
    if (found) return found;
  }
  return undefined;
}
