import type { EnumRef } from '@pothos/core';
import { invalidInput } from '../../failures.ts';
import { builder, type Types } from './builder.ts';

/** A name of an upstream enum in an answer. Servers write a name that they do not know themselves as its number. */
export type WireWord = string | number;

/** The member that stands for all names that this graph does not know. */
export const OTHER = 'OTHER';

/** The members that stand for a name that this graph knows: those that can be sent. */
export type Known<Member extends string> = Exclude<Member, typeof OTHER>;

/** Follows the description of `OTHER`: inputs have the same enum. */
const ONLY_RETURNED = 'Only returned, not accepted as input.';

/** A member of an input. Fails with its path for `OTHER`, which is no name that could be sent. */
export function knownIn<Member extends string>(member: Member, path: readonly string[]): Known<Member> {
  if (member === OTHER)
    throw invalidInput(
      path,
      'NOT_ALLOWED',
      'must not be OTHER, which stands for values that the schema doesn’t define and can only be returned.',
    );
  return member as Known<Member>;
}

/** A GraphQL enum over an enum of the contract: its members go without their prefix. */
export interface WireEnum<Member extends string, WireName extends string> {
  readonly ref: EnumRef<Types, Member, Member>;
  /** The name of the contract's enum. */
  readonly contractName: string;
  /** The upstream's name of a member of an input, for requests. Fails with its path for `OTHER`. */
  toWire(member: Member, path: readonly string[]): WireName;
  /** The upstream's name for none, for requests. */
  readonly unspecified: WireName;
  /** The member for an upstream name: null when unspecified, `OTHER` for one that this graph does not know. */
  fromWire(name: WireWord): Member | null;
  /** Whether a text is a member that stands for a known name, spelled as in the schema. */
  hasMember(text: string): boolean;
  /** The upstream name as it is; null when unspecified. */
  toText(name: WireWord): string | null;
}

/** The description of each member. Upstreams get new words: there must be a member for these. */
type Words = Readonly<Record<string, string>> & { readonly [OTHER]: string };

interface WireEnumOptions<Members extends Words> {
  readonly description: string;
  readonly prefix: string;
  readonly members: Members;
  /** The upstream's words, without their prefix, for members that go by another name here. */
  readonly renamed?: Readonly<Partial<Record<keyof Members, string>>>;
}

/** The members of an enum of our own words, from a table of their descriptions. */
export const described = <Word extends string>(words: Readonly<Record<Word, string>>) =>
  Object.fromEntries(Object.entries(words).map(([word, description]) => [word, { description }])) as Record<Word, { description: string }>;

/** The members of an enum of the upstream's words, of which `OTHER` can only be returned. */
export const describedWords = <const Members extends Words>(members: Members): Record<keyof Members & string, { description: string }> =>
  described({ ...members, [OTHER]: `${members[OTHER]} ${ONLY_RETURNED}` });

/** Enums by the name of their enum in the contract. */
const byContractName = new Map<string, WireEnum<string, string>>();

/** The GraphQL enum over an enum of the contract; undefined if the schema has none. */
export const wireEnumOf = (contractName: string): WireEnum<string, string> | undefined => byContractName.get(contractName);

/** Declares an enum over the contract's enum `WireName`. `prefix` is that of the upstream's names, without the last underscore. */
export const wireEnum =
  <WireName extends string>() =>
  <const Members extends Words>(
    name: string,
    { description, prefix, members, renamed }: WireEnumOptions<Members>,
  ): WireEnum<keyof Members & string, WireName> => {
    type Member = keyof Members & string;
    const words: Readonly<Partial<Record<string, string>>> = renamed ?? {};
    const wordOf = (member: string) => words[member] ?? member;
    const memberOf = new Map((Object.keys(members) as Member[]).map((member) => [wordOf(member), member]));
    const ref = builder.enumType(name, { description, values: describedWords(members) }) as unknown as EnumRef<Types, Member, Member>;
    /** Names come in full, as `PREFIX_MEMBER`; a bare word in any case is taken as well. Empty when unspecified. */
    const bare = (wireName: WireWord) => {
      const word = String(wireName || '')
        .toUpperCase()
        .replace(`${prefix}_`, '');
      return word === 'UNSPECIFIED' ? '' : word;
    };
    const contractName = prefix.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const declared: WireEnum<Member, WireName> = {
      ref,
      contractName,
      toWire: (member, path) => `${prefix}_${wordOf(knownIn(member, path))}` as WireName,
      unspecified: `${prefix}_UNSPECIFIED` as WireName,
      fromWire: (wireName) => {
        // No word at all: GraphQL refuses the value, as that of any other field that it does not fit.
        if (typeof wireName === 'object' || typeof wireName === 'boolean') return wireName;
        const word = bare(wireName);
        if (word === '') return null;
        return memberOf.get(word) ?? (OTHER as Member);
      },
      hasMember: (text) => text !== OTHER && Object.hasOwn(members, text),
      toText: (wireName) => (bare(wireName) === '' ? null : (wireName as string)),
    };
    byContractName.set(contractName, declared as unknown as WireEnum<string, string>);
    return declared;
  };

/** Whether a state is told, and is another one. */
export const isOtherThan = <Member extends string>(
  state: Member,
  { fromWire, toText }: WireEnum<Member, string>,
  word: WireWord,
): boolean => toText(word) !== null && fromWire(word) !== state;
