import { entityNamed } from './registry.ts';

/** The raw id of what a record is part of. A symbol, since it is not what the upstream answered for the part. */
export const OWNER = Symbol('owner');

/** A record that is part of another. */
export interface Part {
  readonly [OWNER]?: string;
}

/** The parts of a record, each with the record's raw id. */
export const ownedBy = <Shape extends object>(owner: string, parts: readonly Shape[]): (Shape & Part)[] =>
  parts.map((part) => ({ ...part, [OWNER]: owner }));

/** The members that are the key of a record, by the name of its type. */
const keys = new Map<string, readonly PropertyKey[]>();

/** Says by which members the records of a type that is no entity are told apart. */
export const declareKey = (typeName: string, key: readonly PropertyKey[]): void => void keys.set(typeName, key);

/** The members that tell the records of a type apart; none when nothing does. */
export const keysOf = (typeName: string): readonly PropertyKey[] => entityNamed(typeName)?.key ?? keys.get(typeName) ?? [];

/** The currency that a part of a record takes from the whole. A symbol, since it is not what the upstream answered for the part. */
export const CURRENCY = Symbol('currency');

/** A record whose amounts are in a currency: its own, or that of the record that it is part of. */
export interface Priced {
  readonly [CURRENCY]?: string;
  readonly currency?: string;
}

/** The currency of the whole that a record is part of, else the one that the record names. */
export const currencyOf = (record: Priced): string | undefined => record[CURRENCY] || record.currency;
