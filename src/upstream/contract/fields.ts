/** Limits of a value. Lengths count characters; 64-bit integers are decimal strings on the wire. */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Length in UTF-8. */
  readonly maxBytes?: number;
  readonly pattern?: string;
  readonly in?: readonly string[];
  readonly uuid?: true;
  readonly gt?: number;
  readonly gte?: number;
  readonly lte?: number;
  readonly not?: number;
  /** Number of entries of a list or a map. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** JSON type of a value, or of each value of a list. `json` is any JSON: a message that the contract doesn't define. */
export type Kind = 'string' | 'int' | 'int64' | 'bool' | 'double' | 'enum' | 'message' | 'map' | 'json';

/** Meaning of a scalar: Unix seconds, minor units of a currency, ISO codes, or the version of a record. */
export type Unit = 'MOMENT' | 'MINOR' | 'COUNTRY' | 'CURRENCY' | 'VERSION';

/** A value of an enum. */
export interface EnumValue {
  readonly name: string;
  /** Set if it isn't documented. */
  readonly assumed?: true;
}

/** A field of a request or of a record, with the limits of its value. */
export interface MessageField extends Limits {
  readonly kind: Kind;
  readonly list?: true;
  /** `implicit`: omitting the field is the same as sending its default. */
  readonly presence: 'implicit' | 'optional';
  /** Set if requests must send the field because its default isn't allowed. */
  readonly required?: true;
  /** Name on the wire, if an overlay renames the field. */
  readonly wire?: string;
  /** Name of its enum in the contract. */
  readonly type?: string;
  /** The message of its values. */
  readonly message?: MessageFields;
  /** GraphQL type of the record whose ID it contains. */
  readonly refers?: string;
  readonly unit?: Unit;
  /** Set if anyone with the value can act with it. */
  readonly sensitive?: true;
  /** Set if it isn't documented. */
  readonly assumed?: true;
  /** Limits that are documented. The others are assumed. */
  readonly stated?: readonly (keyof Limits)[];
}

/** A message of the contract, with its fields by name. */
export interface MessageFields {
  readonly name: string;
  /** Type name in IDs of the record. */
  readonly entity?: string;
  /** Set if it, or a nested message, has a sensitive field. */
  readonly sensitive?: true;
  /** Fields of which exactly one must be set. */
  readonly exactlyOne?: readonly string[];
  /** Fields of which at least one must be set. */
  readonly atLeastOne?: readonly string[];
  /** Set if `exactlyOne` or `atLeastOne` is documented. */
  readonly combinationStated?: true;
  readonly fields: Readonly<Record<string, MessageField>>;
}

/** Columns of an index, by the names of the record's fields. */
export type IndexColumns = Readonly<Record<string, string>>;

/** A root of the analytics catalog whose rows are records. */
export interface Index {
  readonly root: string;
  readonly record: MessageFields;
  readonly columns: IndexColumns;
  /** Roots that its relationships lead to, by the names of the relationships. */
  readonly relationships: Readonly<Record<string, string>>;
}
