import { getWireEnum, type WireEnum } from '../kit/enums.ts';
import { ENTITIES_WITH_RECORDS, getContractField } from './contractFields.ts';
import type { EntityOrNone } from './findings.ts';

type AnyEnum = WireEnum<string, string>;

/** Returns the enum of an analytics field, by the contract. Undefined for all other fields. */
export function getFieldEnum(entity: string, field: string): AnyEnum | undefined {
  const { kind, type = '' } = getContractField(entity, field) ?? {};
  return kind === 'enum' ? getWireEnum(type) : undefined;
}

/** Lists the enums of fields with this name, of any entity. */
export function listEnumsByField(field: string): readonly AnyEnum[] {
  const all = ENTITIES_WITH_RECORDS.map((member) => getFieldEnum(member.toLowerCase(), field));
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
