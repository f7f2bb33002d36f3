import { messages } from '../../upstream/contract/overlay.ts';
import { getWireEnum, type WireEnum } from '../kit/enums.ts';
import type { EntityOrNone } from './findings.ts';
import { type EntityMember, entityMember } from './words.ts';

type AnyEnum = WireEnum<string, string>;

/** Records of the contract that the entities consist of. */
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
 * The enum of an analytics field: that of the record's field with the same name. Undefined for all other texts. Derived from the contract and not from the
 * catalog, so that a result doesn't depend on whether the catalog could be read.
 */
export function enumOf(entity: string, field: string): AnyEnum | undefined {
  const record = messages.get(RECORDS[entityMember(entity)] ?? '');
  const { kind, type = '' } = record?.fields[camelCase(field)] ?? {};
  return kind === 'enum' ? getWireEnum(type) : undefined;
}

/** Enums of fields with this name, of any entity. */
export function enumsNamed(field: string): readonly AnyEnum[] {
  const all = (Object.keys(RECORDS) as EntityMember[]).map((member) => enumOf(member.toLowerCase(), field));
  return [...new Set(all.filter((each) => each !== undefined))];
}

/** The member for a value of the upstream. Values without a member are returned unchanged. */
export function toMember(known: AnyEnum | undefined, text: string): string {
  const member = known?.fromWire(text) ?? text;
  return known?.hasMember(member) ? member : text;
}

/** The upstream's spelling of a member, as its catalog has it if that lists the values. Other texts are returned unchanged. */
export function toWireText(known: AnyEnum | undefined, text: string, words: readonly string[] = []): string {
  if (!known?.hasMember(text) || words.includes(text)) return text;
  return words.find((word) => known.fromWire(word) === text) ?? known.toWire(text, []);
}

/** All possible values of a field, as this schema spells them. */
export const memberWords = (entity: EntityOrNone, field: string): readonly string[] =>
  (entity?.fields.find(({ name }) => name === field)?.words ?? []).map((word) => toMember(enumOf(entity?.name ?? '', field), word));
