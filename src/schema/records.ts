import { assumedFields } from '../upstream/generated/operations.ts';
import type { AnyOperation } from '../upstream/operation.ts';
import type { ObjectFields } from './builder.ts';
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

/** Unix seconds to RFC 3339; null for what is absent or no time. */
export function toDateTime(unixSeconds: string | undefined): string | null {
  const seconds = Number(unixSeconds ?? 0);
  const date = new Date(seconds * 1000);
  return seconds === 0 || Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}

/**
 * Fields that show the members of an upstream record. The upstream may leave out members that hold their default, or send them: both
 * answer the same. Text that is empty is null, a number or a flag that is absent is 0 or false.
 */
export class RecordFields<RecordShape extends object> {
  readonly #assumed: ReadonlySet<string>;

  /** `message` is the record's name in the contract. */
  constructor(message: string) {
    const fields = assumedFields[message];
    if (!fields) throw new Error(`The contract has no record ${message}.`);
    this.#assumed = new Set(fields);
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

  float(t: ObjectFields<RecordShape>, key: keyof RecordShape & string, description: string) {
    return t.float({ ...this.mark(key, description), nullable: false, resolve: (record) => Number(record[key] ?? 0) });
  }

  /** A 64-bit number that is 0 when absent. */
  int64(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.field({
      type: 'Int64',
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => (record[key] as string | undefined) ?? '0',
    });
  }

  /** Minor units of the currency that the record names in `currency`. */
  money(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: Money,
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => toMoney(record[key] as string | number | undefined, (record as { readonly currency?: string }).currency),
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

  /** The whole record. */
  attributes(t: ObjectFields<RecordShape>) {
    return t.field({
      type: 'JSON',
      description: 'The record as the upstream answered it, with members that this graph does not know yet.',
      nullable: false,
      resolve: (record) => record,
    });
  }
}
