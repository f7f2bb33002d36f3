import type { InputFieldMap, InputFieldRef, InputObjectRef, InputShapeFromTypeParam, InputTypeParam } from '@pothos/core';
import { floorSeconds, type Instant } from '../../lib/instant.ts';
import type { MessageField, MessageFields } from '../../upstream/contract/fields.ts';
import { builder, type InputFields, type Types } from './builder.ts';
import { toDouble } from './decimals.ts';
import { type KnownMember, requireKnownMember, type WireEnum } from './enums.ts';
import type { InputPath } from './inputPaths.ts';
import { withLimits } from './limits.ts';
import { MoneyInput, type MoneyInputValue, readMinorUnits, toMinorUnits } from './money.ts';

/** Extensions of an input field: the bound field of the contract, with its limits. */
export interface BoundExtensions {
  readonly bound?: MessageField;
}

/** An input field that is bound to a message field of the contract. */
export class BoundField<Value = unknown> {
  /** Name of the message field. Empty for a group, whose inner fields are bound to fields of the message itself. */
  readonly wireName: string;
  readonly field: MessageField;
  readonly codec: Codec;
  readonly #description: string;
  readonly #isRequired: boolean;
  /** Never set. Carries the value's type for inference. */
  declare readonly value?: Value;

  constructor(wireName: string, field: MessageField, codec: Codec, description: string, isRequired: boolean) {
    this.wireName = wireName;
    this.field = field;
    this.codec = codec;
    this.#description = description;
    this.#isRequired = isRequired;
  }

  /** Declares the input field. */
  declare(t: InputFields): InputFieldRef<Types, unknown> {
    const type = (this.field.list ? [this.codec.type] : this.codec.type) as 'String';
    const description = withLimits(this.#description, this.field);
    const extensions = { bound: this.field } satisfies BoundExtensions;
    return t.field({ type, required: this.#isRequired as false, description, extensions }) as InputFieldRef<Types, unknown>;
  }

  /** Converts a value to the contract's format. Throws ValidationError with the path in the input. */
  toWire(value: unknown, path: InputPath): unknown {
    const { toWire = (each: unknown) => each } = this.codec;
    return this.field.list
      ? (value as readonly unknown[]).map((entry, index) => toWire(entry, [...path, String(index)]))
      : toWire(value, path);
  }

  /** The value to send if the input has none: the default of proto3, so that the request is explicit. Undefined to send nothing. */
  get emptyValue(): unknown {
    const { list, presence, required, kind } = this.field;
    if (presence === 'optional' || required) return undefined;
    return list ? [] : (this.codec.emptyValue ?? DEFAULTS[kind]);
  }

  /** Whether null clears the field in an update. True for strings that can be empty. */
  get isClearable(): boolean {
    const { kind, presence, list, minLength, pattern, unit } = this.field;
    return kind === 'string' && presence === 'optional' && !list && minLength === undefined && pattern === undefined && unit === undefined;
  }
}

const DEFAULTS: Readonly<Record<string, unknown>> = { string: '', int: 0, int64: '0', double: 0, bool: false };

/** The GraphQL type of a field, and the conversion of its values, or list items, to the contract's. */
interface Codec {
  readonly type: unknown;
  readonly toWire?: (value: unknown, path: InputPath) => unknown;
  readonly emptyValue?: unknown;
  /** Fields of its message or group. */
  readonly inner?: BoundFields;
  /** Whether exactly one inner field is set. The others aren't sent. */
  readonly isOneOf?: boolean;
  /** Field of the value that validation issues refer to. */
  readonly valueField?: string;
}

/** An input field that isn't bound to a message field, so it isn't sent by itself. */
export class UnboundField<Value = unknown> {
  readonly #type: unknown;
  readonly #description: string;
  readonly #isRequired: boolean;
  readonly #isEnum: boolean;
  /** Never set. Carries the value's type for inference. */
  declare readonly value?: Value;

  constructor(type: unknown, description: string, isRequired: boolean, isEnum = false) {
    this.#type = type;
    this.#description = description;
    this.#isRequired = isRequired;
    this.#isEnum = isEnum;
  }

  declare(t: InputFields): InputFieldRef<Types, unknown> {
    return t.field({ type: this.#type as 'String', required: this.#isRequired as false, description: this.#description });
  }

  /** Throws ValidationError with the path in the input if the value can't be sent. */
  check(value: unknown, path: InputPath): void {
    if (this.#isEnum) requireKnownMember(String(value), path);
  }
}

/** Declares an input field without a message field. */
export const unbound = <const Type extends InputTypeParam<Types>, const IsRequired extends boolean = false>(
  type: Type,
  description: string,
  { required }: { readonly required?: IsRequired } = {},
): UnboundField<InputShapeFromTypeParam<Types, Type, IsRequired>> => new UnboundField(type, description, required ?? false);

/** Declares an input field without a message field, of an enum of the contract. */
export const unboundEnum = <Member extends string, const IsRequired extends boolean = false>(
  { ref }: WireEnum<Member, string>,
  description: string,
  { required }: { readonly required?: IsRequired } = {},
): UnboundField<IsRequired extends true ? KnownMember<Member> : KnownMember<Member> | null | undefined> =>
  new UnboundField(ref, description, required ?? false, true);

/** Fields of an input, bound and unbound. */
export type InputMembers = Readonly<Record<string, BoundField | UnboundField>>;
export type BoundFields = Readonly<Record<string, BoundField>>;

type IsNullable<Value> = undefined extends Value ? true : false;
type ValuesOf<Members> = {
  [Name in keyof Members]: Members[Name] extends BoundField<infer Value>
    ? Value
    : Members[Name] extends UnboundField<infer Value>
      ? Value
      : never;
};
type RequiredValues<Values> = { [Name in keyof Values as IsNullable<Values[Name]> extends true ? never : Name]: Values[Name] };
type OptionalValues<Values> = { [Name in keyof Values as IsNullable<Values[Name]> extends true ? Name : never]?: Values[Name] };

/** Type of an input's value. */
export type ShapeOf<Members> = RequiredValues<ValuesOf<Members>> & OptionalValues<ValuesOf<Members>>;

/** Deviations of the input field from the contract. */
interface FieldBinding {
  /** Required in the schema, but not in the contract. */
  readonly required?: true;
  /**
   * A scalar that doesn't follow from the field: `Int` for quantities with 64 bits, `Int64` for an amount without a currency, `ID` for an ID that refers to no
   * type of the schema, and `HexColor` for a color.
   */
  readonly as?: 'Int' | 'Int64' | 'ID' | 'HexColor';
}

interface ScalarValues {
  string: string;
  int64: string;
  int: number;
  double: string;
  bool: boolean;
}

type ScalarValue<F, O> = O extends { readonly as: 'Int' }
  ? number
  : O extends { readonly as: 'Int64' }
    ? string
    : F extends { unit: 'MINOR' }
      ? MoneyInputValue
      : F extends { kind: infer Kind extends keyof ScalarValues }
        ? ScalarValues[Kind]
        : never;
type ListValue<F, Value> = F extends { list: true } ? readonly Value[] : Value;
type IsRequired<F, O> = O extends { readonly required: true } ? true : F extends { required: true } ? true : false;
type FieldValue<F, O, Value> = IsRequired<F, O> extends true ? ListValue<F, Value> : ListValue<F, Value> | null | undefined;

type Bind<F> = F extends { kind: 'enum' }
  ? <Member extends string, const O extends FieldBinding = object>(
      description: string,
      type: WireEnum<Member, string>,
      options?: O,
    ) => BoundField<FieldValue<F, O, KnownMember<Member>>>
  : F extends { kind: 'message'; message: infer Message extends MessageFields }
    ? <Shape, const O extends FieldBinding = object>(
        description: string,
        type: BoundInput<Shape, Message['name']>,
        options?: O,
      ) => BoundField<FieldValue<F, O, Shape>>
    : F extends { kind: keyof ScalarValues }
      ? <const O extends FieldBinding = object>(description: string, options?: O) => BoundField<FieldValue<F, O, ScalarValue<F, O>>>
      : never;

/** Functions that bind the fields of a message. Names that the message doesn't have don't compile. */
export type Binder<Message extends MessageFields> = { readonly [Name in keyof Message['fields']]: Bind<Message['fields'][Name]> };

/** An input type that is bound to a message of the contract. */
export interface BoundInput<Shape, Name extends string = string> {
  readonly message: Name;
  readonly ref: { readonly $inferInput: Shape };
  readonly fields: BoundFields;
}

const SCALARS: Readonly<Record<string, string>> = { string: 'String', int: 'Int', int64: 'Int64', double: 'Decimal', bool: 'Boolean' };
const UNITS = { COUNTRY: 'CountryCode', CURRENCY: 'CurrencyCode', VERSION: 'Version' } as const;

function createScalarCodec({ kind, refers, unit, lte }: MessageField, as: FieldBinding['as']): Codec {
  if (refers || as === 'ID') return { type: 'ID' };
  if (as === 'HexColor') return { type: as };
  if (as === 'Int') return { type: 'Int', toWire: String };
  if (as === 'Int64' && kind === 'int') return { type: 'Int64', toWire: (value, path) => toMinorUnits(value as string, kind, path) };
  if (unit === 'MINOR' && !as)
    return {
      type: MoneyInput,
      toWire: (value, path) => toMinorUnits(readMinorUnits(value as MoneyInputValue, path), kind, [...path, 'minorUnits']),
      valueField: 'minorUnits',
    };
  // The upstream stores whole seconds.
  if (unit === 'MOMENT') return { type: 'DateTime', toWire: (value) => String(floorSeconds(value as Instant)) };
  if (unit && unit !== 'MINOR') return { type: UNITS[unit] };
  const type = SCALARS[kind];
  if (!type) throw new Error(`A field of kind ${kind}, up to ${lte}, has no scalar. Bind it with \`request\`.`);
  return kind === 'double' ? { type, toWire: (value, path) => toDouble(value as string, path) } : { type };
}

function createCodec(field: MessageField, type: unknown, as: FieldBinding['as']): Codec {
  if (field.kind === 'enum') {
    const wireEnum = type as WireEnum<string, string>;
    if (wireEnum.contractName !== field.type)
      throw new Error(`${wireEnum.ref.name} represents ${wireEnum.contractName}, not ${field.type}.`);
    return { type: wireEnum.ref, toWire: (value, path) => wireEnum.toWire(value as string, path), emptyValue: wireEnum.unspecified };
  }
  if (field.kind === 'message') {
    const { ref, fields } = type as BoundInput<unknown>;
    return { type: ref, toWire: (value, path) => toMessage(fields, value as object, path), inner: fields };
  }
  return createScalarCodec(field, as);
}

/** Creates the binder of a message. */
export function createBinder<Message extends MessageFields>(message: Message): Binder<Message> {
  const fields = Object.entries(message.fields).map(([wire, field]) => {
    const requiresType = field.kind === 'enum' || field.kind === 'message';
    const bind = (description: string, ...rest: readonly unknown[]) => {
      const { required, as } = ((requiresType ? rest[1] : rest[0]) ?? {}) as FieldBinding;
      return new BoundField(wire, field, createCodec(field, rest[0], as), description, required ?? field.required ?? false);
    };
    return [wire, bind];
  });
  return Object.fromEntries(fields) as Binder<Message>;
}

/** Declares all fields with Pothos. */
export const declareAll = (t: InputFields, members: InputMembers): InputFieldMap =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.declare(t)])) as InputFieldMap;

/** Defines an input type with these members. Pothos can't infer its shape from a map. */
export const defineInputType = <Shape>(
  name: string,
  options: { readonly description: string; readonly isOneOf?: boolean },
  members: InputMembers,
): InputObjectRef<Types, Shape> =>
  builder.inputType(name, { ...options, fields: (t) => declareAll(t, members) }) as unknown as InputObjectRef<Types, Shape>;

/** Selects the fields that are bound to message fields. */
export const selectBoundFields = (members: InputMembers): BoundFields =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member instanceof BoundField)) as BoundFields;

/** Checks the unbound fields. Throws ValidationError with the path in the input. */
export function checkUnboundFields(members: InputMembers, input: object, path: InputPath = []): void {
  for (const [name, member] of Object.entries(members))
    if (member instanceof UnboundField) member.check((input as Readonly<Record<string, unknown>>)[name], [...path, name]);
}

/** Converts an input to a message of the contract. `isPatch`: omitted fields aren't sent, so that they remain unchanged. */
export function toMessage(fields: BoundFields, input: object, path: InputPath = [], isPatch = false): Record<string, unknown> {
  const values = input as Readonly<Record<string, unknown>>;
  const entries = Object.entries(fields).flatMap(([name, bound]): (readonly [string, unknown])[] => {
    const value = values[name];
    const isSet = value !== null && value !== undefined;
    const { inner = {}, isOneOf } = bound.codec;
    if (bound.wireName === '') return isSet ? Object.entries(toMessage(inner, value, [...path, name], isOneOf)) : [];
    return [[bound.wireName, isSet ? bound.toWire(value, [...path, name]) : isPatch ? undefined : bound.emptyValue]];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Converts the path of a message field to the path in the input. Returns unknown paths unchanged. */
export function toInputPath(fields: BoundFields, path: InputPath): string[] {
  const [wire, ...rest] = path;
  for (const [name, { wireName: boundName, field, codec }] of Object.entries(fields)) {
    const { inner = {}, valueField } = codec;
    if (boundName === '' && listWireNames(inner).includes(String(wire))) return [name, ...toInputPath(inner, path)];
    if (boundName === '' || boundName !== wire) continue;
    if (valueField) return [name, valueField, ...rest];
    return field.list ? [name, ...rest.slice(0, 1), ...toInputPath(inner, rest.slice(1))] : [name, ...toInputPath(inner, rest)];
  }
  return [...path];
}

/** Lists the message fields that are bound to the fields of an input. */
export const listWireNames = (fields: BoundFields): string[] =>
  Object.values(fields).flatMap(({ wireName, codec }) => (wireName === '' ? listWireNames(codec.inner ?? {}) : [wireName]));

/** Lists the type of each ID in an input by its path, in the format of `withRawIds`. */
export const listIdTypes = (fields: BoundFields, path: InputPath = []): [path: string, type: string][] =>
  Object.entries(fields).flatMap(([name, { field, codec }]): [string, string][] => {
    const at = [...path, name];
    if (codec.inner) return listIdTypes(codec.inner, at);
    return field.refers ? [[at.join('.'), field.refers]] : [];
  });

interface GroupOptions {
  readonly description: string;
  readonly required?: boolean;
  readonly isOneOf?: boolean;
}

/** Defines an input type for some fields of a message, which the message itself has at its top level. None of them is sent if the group is absent. */
export function group<const Fields extends BoundFields, const O extends GroupOptions>(
  name: string,
  fieldDescription: string,
  { description, required = false, isOneOf = false }: O,
  fields: Fields,
): BoundField<O extends { readonly required: true } ? ShapeOf<Fields> : ShapeOf<Fields> | null | undefined> {
  const ref = defineInputType(name, { description, isOneOf }, fields);
  return new BoundField('', { kind: 'message', presence: 'optional' }, { type: ref, inner: fields, isOneOf }, fieldDescription, required);
}

/** Defines an input type that is bound to a message of the contract. `name` defaults to the message's name. */
export function defineInput<const Message extends MessageFields, const Fields extends BoundFields>(
  message: Message,
  description: string,
  bindFields: (f: Binder<Message>) => Fields,
  name: string = message.name,
): BoundInput<ShapeOf<Fields>, Message['name']> {
  const fields = bindFields(createBinder(message));
  return { message: message.name, ref: defineInputType(name, { description }, fields), fields };
}
