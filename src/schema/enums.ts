import type { EnumRef } from '@pothos/core';
import { invalidInput } from '../upstream/errors.ts';
import { builder, type Types } from './builder.ts';

/** A GraphQL enum over an enum of the contract: its members go without their prefix. */
export interface WireEnum<Member extends string, WireName extends string> {
  readonly ref: EnumRef<Types, Member, Member>;
  /** The upstream's name of a member, for requests. Refuses `OTHER`, which stands for no name in particular. */
  toWire(member: Member | null | undefined): WireName;
  /** The member for an upstream name: null when unspecified, `OTHER` (if there is one, else null) for one that this graph does not know. */
  fromWire(name: string | undefined): Member | null;
}

/** Declares an enum over the contract's enum `WireName`. `prefix` is that of the upstream's names, without the last underscore. */
export const wireEnum =
  <WireName extends string>() =>
  <const Members extends Readonly<Record<string, string>>>(
    name: string,
    { description, prefix, members }: { readonly description: string; readonly prefix: string; readonly members: Members },
  ): WireEnum<keyof Members & string, WireName> => {
    type Member = keyof Members & string;
    const values = Object.fromEntries(Object.entries(members).map(([member, text]) => [member, { value: member, description: text }]));
    const isMember = (text: string): text is Member => Object.hasOwn(members, text);
    return {
      ref: builder.enumType(name, { description, values }) as unknown as EnumRef<Types, Member, Member>,
      toWire: (member) => {
        // An upstream that does not know the name would take it for none, and list everything.
        if (member === 'OTHER') throw invalidInput([], `${name} OTHER can be read, and not be asked for or set.`);
        return `${prefix}_${member ?? 'UNSPECIFIED'}` as WireName;
      },
      fromWire: (wireName) => {
        // Names come in full, as `PREFIX_MEMBER`; a bare word in any case is taken as well.
        const word = (wireName ?? '').toUpperCase().replace(`${prefix}_`, '');
        if (word === '' || word === 'UNSPECIFIED') return null;
        if (isMember(word)) return word;
        return isMember('OTHER') ? 'OTHER' : null;
      },
    };
  };
