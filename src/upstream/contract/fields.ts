/** The limits of a value. Lengths count code points; numbers that need 64 bits are decimal strings on the wire. */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** In UTF-8. */
  readonly maxBytes?: number;
  readonly pattern?: string;
  readonly in?: readonly string[];
  readonly uuid?: true;
  readonly gt?: number;
  readonly gte?: number;
  readonly lte?: number;
  readonly not?: number;
  /** Entries of a list or a map. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The JSON form of a value, or of each value of a list. `json` is any JSON: a message that is not the contract's own. */
export type Kind = 'string' | 'int' | 'int64' | 'bool' | 'double' | 'enum' | 'message' | 'map' | 'json';

/** The meaning of a plain value: Unix seconds, minor units of a currency, ISO codes, or the version of a record. */
export type Unit = 'MOMENT' | 'MINOR' | 'COUNTRY' | 'CURRENCY' | 'VERSION';

/** A word of an enum. */
export interface Word {
  readonly name: string;
  /** Nobody has documented it. */
  readonly assumed?: true;
}

/** A field of a request or of a record, with the limits of its value. */
export interface Field extends Limits {
  readonly kind: Kind;
  readonly list?: true;
  /** `implicit`: leaving it out says the same as sending its default. */
  readonly presence: 'implicit' | 'optional';
  /** Set when a request without it breaks a rule of its own: its default is none that is allowed. */
  readonly required?: true;
  /** Its name on the wire, where an overlay gives it another. */
  readonly wire?: string;
  /** The contract's name of its enum. */
  readonly type?: string;
  /** The fields of its message. */
  readonly message?: MessageFields;
  /** The type of the record that it names, as the graph calls it. */
  readonly refers?: string;
  readonly unit?: Unit;
  /** Lets anyone who has the value act by it. */
  readonly sensitive?: true;
  /** Nobody has documented it. */
  readonly assumed?: true;
  /** The limits that are documented; the others are a guess. */
  readonly stated?: readonly (keyof Limits)[];
}

/** The fields of one message of the contract, by their names on the wire. */
export interface MessageFields {
  readonly name: string;
  /** The type of the record, as ids of it name it. */
  readonly entity?: string;
  /** Set when it, or a message inside it, has a field that is sensitive. */
  readonly sensitive?: true;
  /** Fields of which one and only one must be given. */
  readonly exactlyOne?: readonly string[];
  /** Fields of which one or more must be given. */
  readonly atLeastOne?: readonly string[];
  /** Set when the rule of which fields go together is documented. */
  readonly combinationStated?: true;
  readonly fields: Readonly<Record<string, Field>>;
}
