import { getOwnerType } from './globalIds.ts';
import { getEntityByName } from './registry.ts';

/** Raw ID of the record that contains a part. A symbol, because the upstream didn't return it with the part. */
export const OWNER = Symbol('owner');

/** A record that another record contains. */
export interface OwnedPart {
  readonly [OWNER]?: string;
}

/** Adds the raw ID of their owner to the parts of a record. */
export const withOwner = <Shape extends object>(owner: string, parts: readonly Shape[]): (Shape & OwnedPart)[] =>
  parts.map((part) => ({ ...part, [OWNER]: owner }));

/** Key members by type name. */
const keys = new Map<string, readonly PropertyKey[]>();

/** Registers the members that identify the records of a type that isn't an entity. */
export const registerKey = (typeName: string, key: readonly PropertyKey[]): void => void keys.set(typeName, key);

/** Returns the members that identify the records of a type. Empty if there are none. */
export const getKeyMembers = (typeName: string): readonly PropertyKey[] => getEntityByName(typeName)?.key ?? keys.get(typeName) ?? [];

/** Currency of the record that contains a part. A symbol, because the upstream didn't return it with the part. */
export const CURRENCY = Symbol('currency');

/** A record with amounts in its own currency, or in that of the record that contains it. */
export interface Priced {
  readonly [CURRENCY]?: string;
  readonly currency?: string;
}

/** Returns the currency of a record's amounts. */
export const getCurrency = (record: Priced): string | undefined => record[CURRENCY] || record.currency;

export interface PartsOptions {
  /** Whether the parts' amounts are in the currency of the containing record. */
  readonly sharesCurrency?: boolean;
}

/** Creates the parts of a record, with the record's raw ID if their type has an owner, and its currency if they share it. */
export function createParts<Shape extends object>(
  container: object,
  parts: readonly Shape[],
  typeName: string,
  { sharesCurrency = false }: PartsOptions = {},
): readonly (Shape & OwnedPart & Priced)[] {
  const owner = getOwnerType(typeName);
  if (owner === undefined && !sharesCurrency) return parts;
  const [ownKey = 'id'] = owner === undefined ? [] : getKeyMembers(owner);
  const members = container as Readonly<Record<PropertyKey, unknown>>;
  const added = {
    ...(owner !== undefined && { [OWNER]: members[ownKey] as string }),
    ...(sharesCurrency && { [CURRENCY]: members.currency as string }),
  };
  return parts.map((part) => ({ ...part, ...added }));
}
