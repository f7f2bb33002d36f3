import { messages } from '../../upstream/contract/overlay.ts';
import { getWireEnum, type WireEnum } from '../kit/enums.ts';
import { type EntityMember, toEntityMember } from './enums.ts';
import type { EntityOrNone } from './findings.ts';

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

const toCamelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Returns the enum of an analytics field: that of the record's field with the same name. Undefined for all other fields. Derived from the contract and not from
 * the catalog, so that a result doesn't depend on whether the catalog could be read.
 */
export function getFieldEnum(entity: string, field: string): AnyEnum | undefined {
  const record = messages.get(RECORDS[toEntityMember(entity)] ?? '');
  const { kind, type = '' } = record?.fields[toCamelCase(field)] ?? {};
  return kind === 'enum' ? getWireEnum(type) : undefined;
}

/** Lists the enums of fields with this name, of any entity. */
export function listEnumsByField(field: string): readonly AnyEnum[] {
  const all = (Object.keys(RECORDS) as EntityMember[]).map((member) => getFieldEnum(member.toLowerCase(), field));
  return [...new Set(all.filter((each) => each !== undefined))];
}

/** Converts an upstream value to this schema's spelling. Returns other values unchanged. */
export function toMember(fieldEnum: AnyEnum | undefined, text: string): string {
  const member = fieldEnum?.fromWire(text) ?? text;
  return fieldEnum?.hasMember(member) ? member : text;
}

/** Converts a value of this schema to the upstream's spelling, which is the catalog's if it lists the values. Returns other strings unchanged. */
export function toWireText(fieldEnum: AnyEnum | undefined, text: string, catalogValues: readonly string[] = []): string {
  if (!fieldEnum?.hasMember(text) || catalogValues.includes(text)) return text;
  return catalogValues.find((value) => fieldEnum.fromWire(value) === text) ?? fieldEnum.toWire(text, []);
}

/** Lists all possible values of a field, as spelled in this schema. */
export const listFieldValues = (entity: EntityOrNone, field: string): readonly string[] =>
  (entity?.fields.find(({ name }) => name === field)?.words ?? []).map((value) => toMember(getFieldEnum(entity?.name ?? '', field), value));
