import type { EnumRef } from '@pothos/core';
import { invalidInput } from '../../failures/failures.ts';
import type { EnumValues } from '../../upstream/contract/generated/messages.ts';
import { builder, type Types } from './builder.ts';

/** An enum value in a response. Upstream servers send values that they don't know as numbers. */
export type WireEnumValue = string | number;

/** The GraphQL value for all values that the schema doesn't define. */
export const OTHER = 'OTHER';

/** Values that can be sent. */
export type KnownMember<Member extends string> = Exclude<Member, typeof OTHER>;

/** Appended to the description of `OTHER`, because inputs use the same enum. */
const ONLY_RETURNED = 'Only returned, not accepted as input.';

/** Returns an input value that can be sent. Throws ValidationError with its path for `OTHER`. */
export function requireKnownMember<Member extends string>(member: Member, path: readonly string[]): KnownMember<Member> {
  if (member === OTHER)
    throw invalidInput(
      path,
      'NOT_ALLOWED',
      'must not be OTHER, which stands for values that the schema doesn’t define and can only be returned.',
    );
  return member as KnownMember<Member>;
}

/** A GraphQL enum for an enum of the contract. Its values lack the prefix of the contract's. */
export interface WireEnum<Member extends string, WireName extends string> {
  readonly ref: EnumRef<Types, Member, Member>;
  /** Name of the enum in the contract. */
  readonly contractName: string;
  /** Converts an input value for a request. Throws ValidationError with its path for `OTHER`. */
  toWire(member: Member, path: readonly string[]): WireName;
  /** The contract's value for an unset enum. */
  readonly unspecified: WireName;
  /** Converts a response value. Null if it's unspecified, `OTHER` if it isn't in the schema. */
  fromWire(name: WireEnumValue): Member | null;
  /** Whether a string is a value other than `OTHER`, spelled as in the schema. */
  hasMember(text: string): boolean;
  /** Returns a response value unchanged. Null if it's unspecified. */
  toText(name: WireEnumValue): string | null;
}

/** Description of each value. `OTHER` is required, because the upstream may add values. */
type ValueDescriptions = Readonly<Record<string, string>> & { readonly [OTHER]: string };

interface WireEnumOptions<Members extends ValueDescriptions> {
  readonly description: string;
  readonly members: Members;
  /** Values that have another name in the contract, with that name (without its prefix). */
  readonly renamed?: Readonly<Partial<Record<keyof Members, string>>>;
}

/** Converts a table of descriptions to the values of a Pothos enum. */
export const describeValues = <Value extends string>(descriptions: Readonly<Record<Value, string>>) =>
  Object.fromEntries(Object.entries(descriptions).map(([value, description]) => [value, { description }])) as Record<
    Value,
    { description: string }
  >;

/** Like `describeValues`, for an enum of the upstream. */
export const describeUpstreamValues = <const Members extends ValueDescriptions>(
  members: Members,
): Record<keyof Members & string, { description: string }> => describeValues({ ...members, [OTHER]: `${members[OTHER]} ${ONLY_RETURNED}` });

/** Enums by their name in the contract. */
const byContractName = new Map<string, WireEnum<string, string>>();

/** Looks up the GraphQL enum for an enum of the contract. Undefined if the schema has none. */
export const getWireEnum = (contractName: string): WireEnum<string, string> | undefined => byContractName.get(contractName);

/** Defines a GraphQL enum for an enum of the contract. */
export function defineWireEnum<Contract extends keyof EnumValues, const Members extends ValueDescriptions>(
  name: string,
  contractName: Contract,
  { description, members, renamed }: WireEnumOptions<Members>,
): WireEnum<keyof Members & string, EnumValues[Contract]> {
  type WireName = EnumValues[Contract];
  type Member = keyof Members & string;
  const prefix = contractName.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toUpperCase();
  const contractNames: Readonly<Partial<Record<string, string>>> = renamed ?? {};
  const getContractName = (member: string) => contractNames[member] ?? member;
  const membersByContractName = new Map((Object.keys(members) as Member[]).map((member) => [getContractName(member), member]));
  const ref = builder.enumType(name, { description, values: describeUpstreamValues(members) }) as EnumRef<Types, Member, Member>;
  /** Removes the prefix. Also accepts values without a prefix, in upper or lower case. Empty if the value is unspecified. */
  const removePrefix = (wireName: WireEnumValue) => {
    const value = String(wireName || '')
      .toUpperCase()
      .replace(`${prefix}_`, '');
    return value === 'UNSPECIFIED' ? '' : value;
  };
  const declared: WireEnum<Member, WireName> = {
    ref,
    contractName,
    toWire: (member, path) => `${prefix}_${getContractName(requireKnownMember(member, path))}` as WireName,
    unspecified: `${prefix}_UNSPECIFIED` as WireName,
    fromWire: (wireName) => {
      // Objects and booleans aren't enum values. GraphQL rejects them, as for any other field.
      if (typeof wireName === 'object' || typeof wireName === 'boolean') return wireName;
      const value = removePrefix(wireName);
      if (value === '') return null;
      return membersByContractName.get(value) ?? (OTHER as Member);
    },
    hasMember: (text) => text !== OTHER && Object.hasOwn(members, text),
    toText: (wireName) => (removePrefix(wireName) === '' ? null : (wireName as string)),
  };
  byContractName.set(contractName, declared as WireEnum<string, string>);
  return declared;
}

/** Whether a record has a status other than the specified one. */
export const hasOtherStatus = <Member extends string>(
  state: Member,
  { fromWire, toText }: WireEnum<Member, string>,
  value: WireEnumValue,
): boolean => toText(value) !== null && fromWire(value) !== state;
