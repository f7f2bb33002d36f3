import type { ObjectFieldsShape, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { UpstreamInvalidError } from '../../failures.ts';
import type { MessageFields } from '../../upstream/contract/fields.ts';
import { records } from '../../upstream/contract/generated/messages.ts';
import { Actor } from './actors.ts';
import { builder, type ObjectFields, type Types } from './builder.ts';
import { toDecimal } from './decimals.ts';
import { follow, followIfExists } from './edges.ts';
import type { WireEnum, WireWord } from './enums.ts';
import {
  declareOwner,
  ownerTypeOf,
  RAW_ID_DESCRIPTION,
  toGlobalId,
  toJointId,
  UNRESOLVABLE_ID_DESCRIPTION,
  withArticle,
} from './globalIds.ts';
import { assumed, type Marks } from './marks.ts';
import { Money, toMoney } from './money.ts';
import { NULL_ONLY_WITH_ERROR } from './nullability.ts';
import { CURRENCY, currencyOf, declareKey, keysOf, OWNER, type Part, type Priced } from './parts.ts';
import { rawRecord } from './rawRecords.ts';
import { idMember, type KeysOf, type OptionalKeysOf, toMoment, toPieces, toVersion } from './recordMembers.ts';
import { type Entity, registerType } from './registry.ts';

interface TypeOptions<RecordShape extends object> {
  readonly description: string;
  readonly fields: ObjectFieldsShape<Types, RecordShape>;
}

interface PartOptions {
  readonly sharesCurrency?: boolean;
}

/** How a record that is no entity is told apart. */
interface Identity<RecordShape extends object> {
  /** The member that is its raw id: it comes with `id` and `rawId`. Several members that identify it together make an `id` alone. */
  readonly key?: (keyof RecordShape & string) | readonly (keyof RecordShape)[];
  /** The type that it is part of, where its raw id is unique only within that: `ownedBy` says which one. */
  readonly owner?: string;
}

/** Fields that show the members of a record. Text that is empty is null. */
export class RecordFields<RecordShape extends object> {
  /** The record's name in the contract. */
  readonly message: string;
  readonly #fields: MessageFields['fields'];
  readonly #isSensitive: boolean;

  constructor(message: string) {
    const record = records[message];
    if (!record) throw new Error(`The contract has no record ${message}.`);
    this.message = message;
    this.#fields = record.fields;
    this.#isSensitive = record.sensitive === true;
  }

  /** The options of an object type that shows the record: with `upstreamRecord`, unless the contract says that something in it is sensitive. */
  shown({ description, fields }: TypeOptions<RecordShape>) {
    return {
      description,
      extensions: { record: this.message },
      fields: (t: ObjectFields<RecordShape>) => ({
        ...fields(t),
        ...(!this.#isSensitive && rawRecord(t)),
      }),
    };
  }

  /** Declares an object type that shows the record. */
  type(name: string, { key, owner, ...options }: TypeOptions<RecordShape> & Identity<RecordShape>): ObjectRef<Types, RecordShape> {
    const ref = builder.objectRef<RecordShape>(name);
    registerType(this.message, ref);
    if (owner) declareOwner(name, owner);
    if (key !== undefined) declareKey(name, [key].flat());
    const fields = (t: ObjectFields<RecordShape>) => ({ ...this.#ids(t, name, key, owner), ...options.fields(t) });
    return ref.implement(this.shown({ ...options, fields }));
  }

  /** The global id and the raw one, as far as the key makes them. */
  #ids(t: ObjectFields<RecordShape>, name: string, key: Identity<RecordShape>['key'], owner: string | undefined) {
    if (key === undefined) return {};
    const marks = { description: UNRESOLVABLE_ID_DESCRIPTION, nullable: false as const };
    if (typeof key !== 'string') return { id: t.id({ ...marks, resolve: this.#jointId(name, key) }) };
    return {
      id: t.id({
        ...marks,
        resolve: owner
          ? this.#jointId(name, [OWNER as keyof RecordShape, key])
          : (record, _args, _context, info) => toGlobalId(name, idMember(record, key, info)),
      }),
      rawId: t.id({
        description: RAW_ID_DESCRIPTION,
        nullable: false,
        resolve: (record, _args, _context, info) => idMember(record, key, info),
      }),
    };
  }

  #jointId(name: string, members: readonly (keyof RecordShape)[]) {
    return (record: RecordShape, _args: object, _context: object, info: GraphQLResolveInfo) =>
      toJointId(
        name,
        members.map((member) => idMember(record, member, info)),
      );
  }

  /** The description, marked when the contract only assumes the member. For fields that are not simply shown. */
  mark(key: keyof RecordShape & string, description: string): Marks {
    return this.#fields[key]?.assumed ? assumed(description) : { description };
  }

  text(t: ObjectFields<RecordShape>, key: OptionalKeysOf<RecordShape, string>, description: string) {
    return t.string({ ...this.mark(key, description), resolve: (record) => (record[key] as string | undefined) || null });
  }

  /** The person of whom the record tells the name; null without a name. `memberKey` is the record's member with the id, where it has one. */
  actor(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string, memberKey?: KeysOf<RecordShape, string>) {
    return t.field({
      type: Actor,
      ...this.mark(key, description),
      resolve: (record) => {
        const displayName = record[key] as string;
        const memberId = memberKey && (record[memberKey] as string);
        return displayName ? { displayName, memberId } : null;
      },
    });
  }

  /** Text that each such record has: the upstream or this graph demands it when the record is made. Empty should it be missing all the same. */
  requiredText(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.string({
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => record[key] as string,
    });
  }

  id(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.id({ ...this.mark(key, description), resolve: (record) => (record[key] as string) || null });
  }

  /**
   * A word of the upstream, as two fields: `<name>` as an enum, OTHER for a word that is missing or that this graph does not know, and `<name>Text` as the
   * upstream answered it. The name is that of the member, unless another is given. `absent` is the member for a word that is missing, where that says something.
   * `isPartial`: some records are told without it, so the word may be null.
   */
  word<Key extends KeysOf<RecordShape, string>>(
    t: ObjectFields<RecordShape>,
    key: Key,
    { ref, fromWire, toText }: WireEnum<string, string>,
    description: string,
    {
      name = key,
      absent = 'OTHER',
      isPartial = false,
    }: { readonly name?: string; readonly absent?: string; readonly isPartial?: boolean } = {},
  ) {
    const wordOf = (record: RecordShape) => record[key] as WireWord;
    return {
      [name]: isPartial
        ? t.field({ type: ref, ...this.mark(key, description), resolve: (record) => fromWire(wordOf(record)) })
        : t.field({
            type: ref,
            nullable: false,
            ...this.mark(key, description),
            resolve: (record) => {
              const member: unknown = fromWire(wordOf(record));
              return typeof member === 'string' ? member : absent;
            },
          }),
      [`${name}Text`]: t.string({
        ...this.mark(key, `Raw value of \`${name}\` from the Workspace API. Useful if \`${name}\` is \`OTHER\`.`),
        resolve: (record) => toText(wordOf(record)),
      }),
    };
  }

  flag(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, boolean>, description: string) {
    return t.boolean({ ...this.mark(key, description), nullable: false, resolve: (record) => Boolean(record[key]) });
  }

  /** A 32-bit number. */
  int(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, number>, description: string) {
    return t.int({ ...this.mark(key, description), nullable: false, resolve: (record) => record[key] as number });
  }

  /** A 32-bit number that may be missing. */
  optionalInt(t: ObjectFields<RecordShape>, key: OptionalKeysOf<RecordShape, number>, description: string) {
    return t.int({ ...this.mark(key, description), resolve: (record) => record[key] as number | undefined });
  }

  /** A rate or percentage. */
  decimal(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: 'Decimal',
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => toDecimal(record[key] as string | number),
    });
  }

  /** Pieces of stock: null only together with an error. */
  pieces(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.int({
      ...this.mark(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record) => toPieces(record[key] as string),
    });
  }

  /** The version of the record, for `expectedVersion`. Fails when the record tells none: an update that was not compared could undo another. */
  version(
    t: ObjectFields<RecordShape>,
    key: KeysOf<RecordShape, string>,
    description = 'Version of the record, to pass as `expectedVersion`. Changes with every update.',
  ) {
    return t.field({
      type: 'Version',
      ...this.mark(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record, _args, _context, info) => toVersion(record[key] as string) ?? this.#isMissing(key, info),
    });
  }

  #isMissing(key: keyof RecordShape, { parentType }: GraphQLResolveInfo): never {
    throw new UpstreamInvalidError(`${withArticle(parentType.name)} has no ${String(key)}`);
  }

  /** A code of a country or a currency; null when it is not told. */
  code(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, type: 'CountryCode' | 'CurrencyCode', description: string) {
    return t.field({ type, ...this.mark(key, description), resolve: (record) => (record[key] as string) || null });
  }

  /** Global ID of the record that the member refers to. Known even if that record can't be read, so inputs that replace a list can always include it. */
  targetId<Target extends object>(
    t: ObjectFields<RecordShape>,
    key: KeysOf<RecordShape, string>,
    target: Entity<Target>,
    description: string,
  ) {
    return t.id({
      ...this.mark(key, description),
      nullable: false,
      resolve: (record, _args, _context, info) => toGlobalId(target.name, idMember(record, key, info)),
    });
  }

  /** Same, of all records that the member refers to. */
  targetIds<Target extends object>(
    t: ObjectFields<RecordShape>,
    key: KeysOf<RecordShape, readonly string[]>,
    target: Entity<Target>,
    description: string,
  ) {
    return t.idList({
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => (record[key] as readonly string[]).map((id) => toGlobalId(target.name, id)),
    });
  }

  /** The record that the member refers to. Null without an ID, and with `isDeletable` also if the record doesn't exist. */
  edge<Target extends object>(
    t: ObjectFields<RecordShape>,
    key: KeysOf<RecordShape, string>,
    target: Entity<Target>,
    description: string,
    { isDeletable = false }: { readonly isDeletable?: boolean } = {},
  ) {
    const followId = isDeletable ? followIfExists : follow;
    return t.field({
      type: target.ref,
      ...this.mark(key, description),
      // Pothos's type of resolvers is conditional on the target, which is generic here.
      resolve: ((record: RecordShape, _args: object, context: Context, info: GraphQLResolveInfo) =>
        followId(target, record[key] as string, context, info)) as never,
    });
  }

  /** The record that the member is the id of, which each such record has: null only together with an error. */
  requiredEdge<Target extends object>(
    t: ObjectFields<RecordShape>,
    key: KeysOf<RecordShape, string>,
    target: Entity<Target>,
    description: string,
  ) {
    return t.field({
      type: target.ref,
      ...this.mark(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: ((record: RecordShape, _args: object, context: Context, info: GraphQLResolveInfo) =>
        follow(target, (record[key] as string) || this.#isMissing(key, info), context, info)) as never,
    });
  }

  /** A whole number of up to 64 bits. */
  int64(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: 'Int64',
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => String(record[key]),
    });
  }

  /** Minor units of the currency that the record names; null where it names none that is known. */
  money(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: Money,
      ...this.mark(key, description),
      resolve: (record) => toMoney(record[key] as string | number, currencyOf(record)),
    });
  }

  /** As `money`, of a record that always has a currency: null only together with an error, which says that it names none that is known. */
  requiredMoney(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string | number>, description: string) {
    return t.field({
      type: Money,
      ...this.mark(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record, _args, _context, { parentType }) => {
        const currency = currencyOf(record);
        const money = toMoney(record[key] as string | number, currency);
        if (money) return money;
        const problem = currency ? `in ${JSON.stringify(currency)}, which isn’t a known currency` : 'without a currency';
        throw new UpstreamInvalidError(`${withArticle(parentType.name)} has an amount ${problem}`);
      },
    });
  }

  /** Unix seconds as a moment. */
  dateTime(t: ObjectFields<RecordShape>, key: OptionalKeysOf<RecordShape, string>, description: string) {
    return t.field({
      type: 'DateTime',
      ...this.mark(key, description),
      resolve: (record) => toMoment(record[key] as string | undefined),
    });
  }

  /** As `dateTime`, of a record that always has it: null only together with an error. */
  requiredDateTime(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, string>, description: string) {
    return t.field({
      type: 'DateTime',
      ...this.mark(key, description),
      extensions: NULL_ONLY_WITH_ERROR,
      resolve: (record, _args, _context, info) => toMoment(record[key] as string) ?? this.#isMissing(key, info),
    });
  }

  /**
   * The records that the member holds. Those of a type with an owner know the id of this record. `sharesCurrency`: their amounts are in the currency of this
   * record.
   */
  list<Entry extends object>(
    t: ObjectFields<RecordShape>,
    key: KeysOf<RecordShape, readonly Entry[]>,
    type: ObjectRef<Types, Entry>,
    description: string,
    options: PartOptions = {},
  ) {
    return t.field({
      type: [type],
      nullable: false,
      ...this.mark(key, description),
      resolve: ((record: RecordShape) => this.partsOf(record, key, type, options)) as never,
    });
  }

  /** The records that the member holds, as `list` shows them. */
  partsOf<Entry extends object>(
    record: RecordShape,
    key: KeysOf<RecordShape, readonly Entry[]>,
    { name }: ObjectRef<Types, Entry>,
    { sharesCurrency = false }: PartOptions = {},
  ): readonly (Entry & Part & Priced)[] {
    const entries = record[key] as readonly Entry[];
    const owner = ownerTypeOf(name);
    if (owner === undefined && !sharesCurrency) return entries;
    const [ownKey = 'id'] = owner === undefined ? [] : keysOf(owner);
    const members = record as Readonly<Record<PropertyKey, unknown>>;
    const added = {
      ...(owner !== undefined && { [OWNER]: members[ownKey] as string }),
      ...(sharesCurrency && { [CURRENCY]: members.currency as string }),
    };
    return entries.map((entry) => ({ ...entry, ...added }));
  }

  texts(t: ObjectFields<RecordShape>, key: KeysOf<RecordShape, readonly string[]>, description: string) {
    return t.stringList({
      ...this.mark(key, description),
      nullable: false,
      resolve: (record) => record[key] as string[],
    });
  }
}
