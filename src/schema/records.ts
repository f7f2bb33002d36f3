import type { ObjectFieldsShape, ObjectRef } from '@pothos/core';
import { assumedFields } from '../upstream/generated/operations.ts';
import type { AnyOperation } from '../upstream/operation.ts';
import { builder, type ObjectFields, type Types } from './builder.ts';
import { toDecimal } from './decimals.ts';
import type { WireEnum, WireWord } from './enums.ts';
import { RAW_ID_DESCRIPTION } from './globalIds.ts';
import { Money, toMoney } from './money.ts';

/** The members of a record whose value is of a kind. */
type KeysOf<RecordShape, Value> = {
  [Key in keyof RecordShape]-?: NonNullable<RecordShape[Key]> extends Value ? Key : never;
}[keyof RecordShape] &
  string;

interface Marks {
  description: string;
  tag?: string;
}

/** What a field says of the operation that it calls. */
interface OperationMarks extends Marks {
  operation: AnyOperation;
}

/** Says of a coordinate that its shape is assumed, in its description and as a tag for contracts. */
export const assumed = (description: string): Marks => ({
  description: `${description} (Assumed: the upstream does not document it.)`,
  tag: 'assumed',
});

/** The description of a field that calls an operation, with the operation: the coverage of the contract is read from there. */
export const describe = (operation: AnyOperation, description: string): OperationMarks => ({
  ...(operation.assumed ? assumed(description) : { description }),
  operation,
});

interface TypeOptions<RecordShape extends object> {
  readonly description: string;
  readonly fields: ObjectFieldsShape<Types, RecordShape>;
}

/** Unix seconds to RFC 3339; null for what is absent or no time. */
export function toDateTime(unixSeconds: string | undefined): string | null {
  const seconds = Number(unixSeconds ?? 0);
  const date = new Date(seconds * 1000);
  return seconds === 0 || Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}

/**
 * Pieces of stock, for fields of type Int: the wire has 64 bits for them. A figure of more than 32 bits, or text that is no whole number, does
 * not fit Int and fails its field, which is nullable so that the rest of the record is answered.
 */
export const toPieces = (figure: string | number | null | undefined): number =>
  /^-?\d+$/.test(String(figure ?? 0)) ? Number(figure ?? 0) : Number.NaN;

/** A version as it is compared and handed back. Its text is not gone into; the upstream may write it as a number. */
export const toVersion = (version: string | number | undefined): string | null => (version ? String(version) : null);

/** A field that shows an upstream answer whole. Members that the graph adds are named by symbols, which JSON leaves out. */
export const attributes = <Shape extends object>(t: ObjectFields<Shape>, description: string) =>
  t.field({ type: 'JSON', nullable: false, description, resolve: (answer: Shape) => answer });

/** The records that are not shown whole, by their names in the contract, each with the reason. */
export const WITHHELD: Readonly<Record<string, string>> = {
  CustomerFileUploadRecord: 'It has no `attributes`, which clients may log: its address and headers let anyone send the file.',
};

/** The currency that a part of a record takes from the whole. A symbol, since it is not what the upstream answered for the part. */
export const CURRENCY = Symbol('currency');

/** A record whose amounts are in a currency: its own, or that of the record that it is part of. */
interface Priced {
  readonly [CURRENCY]?: string;
  readonly currency?: string;
}

/**
 * Fields that show the members of an upstream record. The upstream may leave out members that hold their default, or send them: both
 * answer the same. Text that is empty is null, a number or a flag that is absent is 0 or false.
 */
export class RecordFields<RecordShape extends object> {
  /** The record's name in the contract. */
  readonly message: string;
  readonly #assumed: ReadonlySet<string>;

  constructor(message: string) {
    const fields = assumedFields[message];
    if (!fields) throw new Error(`The contract has no record ${message}.`);
    this.message = message;
    this.#assumed = new Set(fields);
  }

  /** The options of an object type that shows the record: with `attributes`, unless the record is withheld. */
  shown({ description, fields }: TypeOptions<RecordShape>) {
    const withheld = WITHHELD[this.message];
    return {
      description: withheld ? `${description} ${withheld}` : description,
      extensions: { record: this.message },
      fields: (t: ObjectFields<RecordShape>) => ({
        ...fields(t),
        ...(!withheld && {
          attributes: attributes(t, 'The record as the upstream answered it, with members that this graph does not know yet.'),
        }),
      }),
    };
  }

  /** Declares an object type that shows the record. */
  type(name: string, options: TypeOptions<RecordShape>): ObjectRef<Types, RecordShape> {
    return builder.objectRef<RecordShape>(name).implement(this.shown(options));
  }

  /** The description, marked when the contract only assumes the member. For fields that are not simply shown. */
  mark(key: keyof RecordShape & string, description: string): Marks {
    return this.#assumed.has(key) ? assumed(description) : { description };
  }

  text(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.string({ ...this.mark(key, description), resolve: (record) => (record[key] as string | undefined) || null });
  }

  id(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.id({ ...this.mark(key, description), resolve: (record) => (record[key] as string | undefined) || null });
  }

  /** The id that the upstream knows the record by. */
  rawId(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>) {
    return t.id({
      description: RAW_ID_DESCRIPTION,
      nullable: false,
      resolve: (record) => (record[key] as string | undefined) ?? '',
    });
  }

  /**
   * A word of the upstream, as two fields: `<name>` as an enum and `<name>Text` as the upstream answered it, since the enum has no member for a
   * word that this graph does not know. The name is that of the member, unless another is given.
   */
  word<Key extends KeysOf<RecordShape, string>>(
    t: ObjectFields<RecordShape>,
    key: Key,
    { ref, hasOther, fromWire, toText }: WireEnum<string, string>,
    description: string,
    name: string = key,
  ) {
    const otherwise = hasOther ? '' : ` Null for a word that this graph does not know: see \`${name}Text\`.`;
    const wordOf = (record: RecordShape) => record[key] as WireWord;
    return {
      [name]: t.field({ type: ref, ...this.mark(key, description + otherwise), resolve: (record) => fromWire(wordOf(record)) }),
      [`${name}Text`]: t.string({
        ...this.mark(key, `${description.replace(/\.$/, '')}, in the upstream’s word.`),
        resolve: (record) => toText(wordOf(record)),
      }),
    };
  }

  flag(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, boolean>, description: string) {
    return t.boolean({ ...this.mark(key, description), nullable: false, resolve: (record) => Boolean(record[key]) });
  }

  /** A 32-bit number that is 0 when absent. */
  int(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, number>, description: string) {
    return t.int({ ...this.mark(key, description), nullable: false, resolve: (record) => (record[key] as number | undefined) ?? 0 });
  }

  /** A 32-bit number that may be missing. */
  optionalInt(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, number>, description: string) {
    return t.int({ ...this.mark(key, description), resolve: (record) => (record[key] as number | undefined) ?? null });
  }

  /** A rate or percentage that is 0 when absent. */
  decimal(t: ObjectFields<RecordShape>, key: keyof RecordShape & string, description: string) {
    return t.field({
      type: 'Decimal',
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => toDecimal(record[key] as string | number | undefined),
    });
  }

  /** Pieces of stock: 0 when absent, null only together with an error. */
  pieces(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.int({ ...this.mark(key, description), resolve: (record) => toPieces(record[key] as string | undefined) });
  }

  /** A 64-bit number that is 0 when absent. */
  int64(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: 'Int64',
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => String(record[key] ?? 0),
    });
  }

  /** Minor units of the currency of the whole that the record is part of, else of the one that it names in `currency`: null where neither tells. */
  money(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: Money,
      ...this.mark(key, description),
      resolve: (record) => {
        const { [CURRENCY]: inherited, currency } = record as Priced;
        return toMoney(record[key] as string | number | undefined, inherited || currency);
      },
    });
  }

  /** Unix seconds as a moment. */
  dateTime(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.field({
      type: 'DateTime',
      ...this.mark(key, description),
      resolve: (record) => toDateTime(record[key] as string | undefined),
    });
  }

  texts(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, readonly string[]>, description: string) {
    return t.stringList({
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => (record[key] as string[] | undefined) ?? [],
    });
  }
}
