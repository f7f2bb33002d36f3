import { messages } from '../../upstream/contract/overlay.ts';
import { getWireEnum, type WireEnum } from '../kit/enums.ts';
import type { EntityOrNone } from './findings.ts';
import { type EntityMember, entityMember } from './words.ts';

type AnyEnum = WireEnum<string, string>;

/** Records of the contract that the entities represent. */
const RECORDS: Readonly<Partial<Record<EntityMember, string>>> = {
  CUSTOMERS: 'CustomerRecord',
  APPOINTMENTS: 'AppointmentRecord',
  ORDERS: 'OrderRecord',
  OFFERS: 'QuoteRecord',
  WORKORDERS: 'WorkOrderRecord',
  PROBLEMS: 'ProblemRecord',
  PAYMENTS: 'PaymentRecord',
  APPOINTMENT_RESULTS: 'AppointmentResultRecord',
};

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Returns the enum of an analytics field: that of the record's field with the same name. Undefined for all other fields. Derived from the contract and not from
 * the catalog, so that a result doesn't depend on whether the catalog could be read.
 */
export function enumOf(entity: string, field: string): AnyEnum | undefined {
  const record = messages.get(RECORDS[entityMember(entity)] ?? '');
  const { kind, type = '' } = record?.fields[camelCase(field)] ?? {};
  return kind === 'enum' ? getWireEnum(type) : undefined;
}

/** Lists the enums of fields with this name, of any entity. */
export function enumsNamed(field: string): readonly AnyEnum[] {
  const all = (Object.keys(RECORDS) as EntityMember[]).map((member) => enumOf(member.toLowerCase(), field));
  return [...new Set(all.filter((each) => each !== undefined))];
}

/** Converts an upstream value to this schema's spelling. Returns other values unchanged. */
export function toMember(known: AnyEnum | undefined, text: string): string {
  const member = known?.fromWire(text) ?? text;
  return known?.hasMember(member) ? member : text;
}

/** Converts a value of this schema to the upstream's spelling, which is the catalog's if it lists the values. Returns other strings unchanged. */
export function toWireText(known: AnyEnum | undefined, text: string, words: readonly string[] = []): string {
  if (!known?.hasMember(text) || words.includes(text)) return text;
  return words.find((word) => known.fromWire(word) === text) ?? known.toWire(text, []);
}

/** Lists all possible values of a field, as spelled in this schema. */
export const memberWords = (entity: EntityOrNone, field: string): readonly string[] =>
  (entity?.fields.find(({ name }) => name === field)?.words ?? []).map((word) => toMember(enumOf(entity?.name ?? '', field), word));
