import type { EnumRef } from '@pothos/core';
import { invalidInput } from '../upstream/errors.ts';
import { builder, type Types } from './builder.ts';

/** A name of an upstream enum in an answer. Servers write a name that they do not know themselves as its number. */
export type WireWord = string | number | undefined;

/** A GraphQL enum over an enum of the contract: its members go without their prefix. */
export interface WireEnum<Member extends string, WireName extends string> {
  readonly ref: EnumRef<Types, Member, Member>;
  /** Whether a name that this graph does not know is the member `OTHER`; else it is null. */
  readonly hasOther: boolean;
  /** The upstream's name of a member, for requests. Refuses `OTHER`, which stands for no name in particular. */
  toWire(member: Member | null | undefined): WireName;
  /** The member for an upstream name: null when unspecified, `OTHER` (if there is one, else null) for one that this graph does not know. */
  fromWire(name: WireWord): Member | null;
  /** The upstream name as it is; null when unspecified, as when it is left out. */
  toText(name: WireWord): string | null;
}

interface WireEnumOptions<Members extends Readonly<Record<string, string>>> {
  readonly description: string;
  readonly prefix: string;
  /** The description of each member. */
  readonly members: Members;
  /** The upstream's words, without their prefix, for members that go by another name here. */
  readonly renamed?: Readonly<Partial<Record<keyof Members, string>>>;
}

/** Declares an enum over the contract's enum `WireName`. `prefix` is that of the upstream's names, without the last underscore. */
export const wireEnum =
  <WireName extends string>() =>
  <const Members extends Readonly<Record<string, string>>>(
    name: string,
    { description, prefix, members, renamed }: WireEnumOptions<Members>,
  ): WireEnum<keyof Members & string, WireName> => {
    type Member = keyof Members & string;
    const values = Object.fromEntries(Object.entries(members).map(([member, text]) => [member, { value: member, description: text }]));
    const hasOther = Object.hasOwn(members, 'OTHER');
    const words: Readonly<Partial<Record<string, string>>> = renamed ?? {};
    const wordOf = (member: string) => words[member] ?? member;
    const memberOf = new Map((Object.keys(members) as Member[]).map((member) => [wordOf(member), member]));
    /** Names come in full, as `PREFIX_MEMBER`; a bare word in any case is taken as well. Empty when unspecified. */
    const bare = (wireName: WireWord) => {
      const word = String(wireName || '')
        .toUpperCase()
        .replace(`${prefix}_`, '');
      return word === 'UNSPECIFIED' ? '' : word;
    };
    return {
      ref: builder.enumType(name, { description, values }) as unknown as EnumRef<Types, Member, Member>,
      hasOther,
      toWire: (member) => {
        // An upstream that does not know the name would take it for none, and list everything.
        if (member === 'OTHER') throw invalidInput([], `${name} OTHER can be read, and not be asked for or set.`);
        return `${prefix}_${member ? wordOf(member) : 'UNSPECIFIED'}` as WireName;
      },
      fromWire: (wireName) => {
        // No word at all: GraphQL refuses the value, as that of any other field that it does not fit.
        if (typeof wireName === 'object' || typeof wireName === 'boolean') return wireName;
        const word = bare(wireName);
        if (word === '') return null;
        return memberOf.get(word) ?? ((hasOther ? 'OTHER' : null) as Member | null);
      },
      toText: (wireName) => (bare(wireName) === '' ? null : (wireName as string)),
    };
  };
