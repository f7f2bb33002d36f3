import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { UpstreamInvalidError } from '../../failures/failures.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import { records } from '../../upstream/contract/generated/messages.ts';
import { Actor } from './actors.ts';
import type { ObjectFields, Types } from './builder.ts';
import { toDecimal } from './decimals.ts';
import { follow, followIfExists } from './edges.ts';
import type { WireEnum, WireEnumValue } from './enums.ts';
import { annotateAssumed, type FieldAnnotations, tagSecret } from './fieldAnnotations.ts';
import { toGlobalId, withArticle } from './globalIds.ts';
import { Money, toMoney } from './money.ts';
import { NULL_ONLY_WITH_ERROR } from './nullability.ts';
import { createParts, getCurrency, type PartsOptions } from './parts.ts';
import { type KeysOf, type OptionalKeysOf, readIdMember, toQuantity, toTimestamp, toVersion } from './recordMembers.ts';
import type { Entity } from './registry.ts';

/** Returns a record of the contract by name. */
export function getContractRecord(name: string): MessageFields {
  const record = records[name];
  if (!record) throw new Error(`The contract has no record ${name}.`);
  return record;
}

/** Builds the fields of an object type that expose the members of a record. Empty strings become null. */
export class RecordFields<RecordShape extends object> {
  readonly #members: MessageFields['fields'];
  readonly #t: ObjectFields<RecordShape>;

  constructor(record: string, t: ObjectFields<RecordShape>) {
    this.#members = getContractRecord(record).fields;
    this.#t = t;
  }

  /** Returns the description and tags of a field that is computed from the member. All other methods include them. */
  annotate(key: keyof RecordShape & string, description: string): FieldAnnotations {
    const { assumed: isAssumed, sensitive: isSensitive } = this.#members[key] ?? {};
    const annotations = { ...(isAssumed ? annotateAssumed(description) : { description }), member: key };
    return isSensitive ? tagSecret(annotations) : annotations;
  }

  /** A string. Null if it's empty. */
  string(key: OptionalKeysOf<RecordShape, string>, description: string) {
    return this.#t.string({ ...this.annotate(key, description), resolve: (record) => (record[key] as string | undefined) || null });
  }

  /** A person by name. Null without a name. `memberKey` is the member with the person's ID, if the record has one. */
  actor(key: KeysOf<RecordShape, string>, description: string, memberKey?: KeysOf<RecordShape, string>) {
    return this.#t.field({
      type: Actor,
      ...this.annotate(key, description),
      resolve: (record) => {
        const displayName = record[key] as string;
        const memberId = memberKey && (record[memberKey] as string);
        return displayName ? { displayName, memberId } : null;
      },
    });
  }

  /** A string that is required to create the record. Empty if it's missing nevertheless. */
  requiredString(key: KeysOf<RecordShape, string>, description: string) {
    return this.#t.string({
      ...this.annotate(key, description),
      nullable: false,
      resolve: (record) => record[key] as string,
    });
  }

  /** ID of something that has no type in the schema. Null if it's empty. */
  id(key: KeysOf<RecordShape, string>, description: string) {
    return this.#t.id({ ...this.annotate(key, description), resolve: (record) => (record[key] as string) || null });
  }

  /**
   * An upstream enum value as two fields: `<name>` is the GraphQL enum value, `OTHER` if it's unknown, and `<name>Text` is the raw value. `name` defaults to
   * the member's name, and `absent`, the enum value if the upstream returns none, to `OTHER`. With `isPartial`, that value is null instead.
   */
  enumWithText<Key extends KeysOf<RecordShape, string>>(
    key: Key,
    { ref, fromWire, toText }: WireEnum<string, string>,
    description: string,
    {
      name = key,
      absent = 'OTHER',
      isPartial = false,
    }: { readonly name?: string; readonly absent?: string; readonly isPartial?: boolean } = {},
  ) {
    const getWireValue = (record: RecordShape) => record[key] as WireEnumValue;
    return {
      [name]: isPartial
        ? this.#t.field({ type: ref, ...this.annotate(key, description), resolve: (record) => fromWire(getWireValue(record)) })
        : this.#t.field({
            type: ref,
            nullable: false,
            ...this.annotate(key, description),
            resolve: (record) => {
              const value: unknown = fromWire(getWireValue(record));
              return typeof value === 'string' ? value : absent;
            },
          }),
      [`${name}Text`]: this.#t.string({
        ...this.annotate(key, `Raw value of \`${name}\` from the Workspace API. Useful if \`${name}\` is \`OTHER\`.`),
        resolve: (record) => toText(getWireValue(record)),
      }),
    };
  }

  boolean(key: KeysOf<RecordShape, boolean>, description: string) {
    return this.#t.boolean({ ...this.annotate(key, description), nullable: false, resolve: (record) => Boolean(record[key]) });
  }

  /** A 32-bit integer. */
  int(key: KeysOf<RecordShape, number>, description: string) {
    return this.#t.int({ ...this.annotate(key, description), nullable: false, resolve: (record) => record[key] as number });
  }

  /** A 32-bit integer. Null if it's absent. */
  optionalInt(key: OptionalKeysOf<RecordShape, number>, description: string) {
    return this.#t.int({ ...this.annotate(key, description), resolve: (record) => record[key] as number | undefined });
  }

  /** A rate or percentage. */
  decimal(key: KeysOf<RecordShape, string | number>, description: string) {
    return this.#t.field({
      type: 'Decimal',
      ...this.annotate(key, description),
      nullable: false,
      resolve: (record) => toDecimal(record[key] as string | number),
    });
  }

  /** Number of units of stock. Null only with an error, because the upstream's 64 bits may not fit. */
  quantity(key: KeysOf<RecordShape, string>, description: string) {
    return this.#t.int({
      ...this.annotate(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record) => toQuantity(record[key] as string),
    });
  }

  /** The version of the record, for `expectedVersion`. Fails if the record has none, because an unconditional update could undo another one. */
  version(
    key: KeysOf<RecordShape, string>,
    description = 'Version of the record, to pass as `expectedVersion`. Changes with every update.',
  ) {
    return this.#t.field({
      type: 'Version',
      ...this.annotate(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record, _args, _context, info) => toVersion(record[key] as string) ?? this.#throwMissing(key, info),
    });
  }

  #throwMissing(key: keyof RecordShape, { parentType }: GraphQLResolveInfo): never {
    throw new UpstreamInvalidError(`${withArticle(parentType.name)} has no ${String(key)}`);
  }

  /** A string in the format of a scalar. Null if it's empty. */
  scalar(key: KeysOf<RecordShape, string>, type: 'CountryCode' | 'CurrencyCode' | 'HexColor' | 'TimeZone' | 'URL', description: string) {
    return this.#t.field({ type, ...this.annotate(key, description), resolve: (record) => (record[key] as string) || null });
  }

  /** Global ID of the record that the member refers to. Known even if that record can't be read, so inputs that replace a list can always include it. */
  targetId<Target extends object>(key: KeysOf<RecordShape, string>, target: Entity<Target>, description: string) {
    return this.#t.id({
      ...this.annotate(key, description),
      nullable: false,
      resolve: (record, _args, _context, info) => toGlobalId(target.name, readIdMember(record, key, info)),
    });
  }

  /** Like `targetId`, for a member with several IDs. */
  targetIds<Target extends object>(key: KeysOf<RecordShape, readonly string[]>, target: Entity<Target>, description: string) {
    return this.#t.idList({
      ...this.annotate(key, description),
      nullable: false,
      resolve: (record) => (record[key] as readonly string[]).map((id) => toGlobalId(target.name, id)),
    });
  }

  /** The record that the member refers to. Null without an ID, and with `isDeletable` also if the record doesn't exist. */
  edge<Target extends object>(
    key: KeysOf<RecordShape, string>,
    target: Entity<Target>,
    description: string,
    { isDeletable = false }: { readonly isDeletable?: boolean } = {},
  ) {
    const followId = isDeletable ? followIfExists : follow;
    return this.#t.field({
      type: target.ref,
      ...this.annotate(key, description),
      // Pothos's type of resolvers is conditional on the target, which is generic here.
      resolve: ((record: RecordShape, _args: object, context: Context, info: GraphQLResolveInfo) =>
        followId(target, record[key] as string, context, info)) as never,
    });
  }

  /** The record that the member refers to. Null only with an error, because every record has its ID. */
  requiredEdge<Target extends object>(key: KeysOf<RecordShape, string>, target: Entity<Target>, description: string) {
    return this.#t.field({
      type: target.ref,
      ...this.annotate(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: ((record: RecordShape, _args: object, context: Context, info: GraphQLResolveInfo) =>
        follow(target, (record[key] as string) || this.#throwMissing(key, info), context, info)) as never,
    });
  }

  /** A 64-bit integer. */
  int64(key: KeysOf<RecordShape, string | number>, description: string) {
    return this.#t.field({
      type: 'Int64',
      ...this.annotate(key, description),
      nullable: false,
      resolve: (record) => String(record[key]),
    });
  }

  /** An amount in minor units of the record's currency. Null if it's absent, or if that currency is missing or unknown. */
  money(key: OptionalKeysOf<RecordShape, string | number>, description: string) {
    return this.#t.field({
      type: Money,
      ...this.annotate(key, description),
      resolve: (record) => {
        const amount = record[key] as string | number | undefined;
        return amount === undefined ? null : toMoney(amount, getCurrency(record));
      },
    });
  }

  /** Like `money`, for records that always have a currency. Null only with an error. */
  requiredMoney(key: KeysOf<RecordShape, string | number>, description: string) {
    return this.#t.field({
      type: Money,
      ...this.annotate(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record, _args, _context, { parentType }) => {
        const currency = getCurrency(record);
        const money = toMoney(record[key] as string | number, currency);
        if (money) return money;
        const problem = currency ? `in ${JSON.stringify(currency)}, which isn’t a known currency` : 'without a currency';
        throw new UpstreamInvalidError(`${withArticle(parentType.name)} has an amount ${problem}`);
      },
    });
  }

  /** A timestamp in Unix seconds. Null if it's absent or 0. */
  dateTime(key: OptionalKeysOf<RecordShape, string>, description: string) {
    return this.#t.field({
      type: 'DateTime',
      ...this.annotate(key, description),
      resolve: (record) => toTimestamp(record[key] as string | undefined),
    });
  }

  /** Like `dateTime`, for timestamps that every record has. Null only with an error. */
  requiredDateTime(key: KeysOf<RecordShape, string>, description: string) {
    return this.#t.field({
      type: 'DateTime',
      ...this.annotate(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record, _args, _context, info) => toTimestamp(record[key] as string) ?? this.#throwMissing(key, info),
    });
  }

  /** The records that the member contains, as parts of this record. */
  list<Entry extends object>(
    key: KeysOf<RecordShape, readonly Entry[]>,
    type: ObjectRef<Types, Entry>,
    description: string,
    options: PartsOptions = {},
  ) {
    return this.#t.field({
      type: [type],
      nullable: false,
      ...this.annotate(key, description),
      resolve: (record: RecordShape) => createParts(record, record[key] as readonly Entry[], type.name, options),
    });
  }

  stringList(key: KeysOf<RecordShape, readonly string[]>, description: string) {
    return this.#t.stringList({
      ...this.annotate(key, description),
      nullable: false,
      resolve: (record) => record[key] as string[],
    });
  }
}
