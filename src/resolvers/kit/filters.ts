import type { InputFieldMap } from '@pothos/core';
import { invalidInput } from '../../failures.ts';
import { builder, type InputFields } from '../../schema/kit/builder.ts';
import { toFilterId } from '../../schema/kit/globalIds.ts';

/** Declares the input that tells which records of a type to list: `QuoteFilterInput` for all lists of quotes. Text to find is no part of it. */
export const filterInput = <Fields extends InputFieldMap>(record: string, records: string, fields: (t: InputFields) => Fields) =>
  builder.inputType(`${record}FilterInput`, { description: `Which ${records} to list: those that fit all of these.`, fields });

/** The upstream's id to filter by, where its kind is unknown. Empty when none is given; a blank one is refused, since it would filter nothing. */
export function filterId(id: string | null | undefined, name: string): string {
  if (id?.trim() === '') throw invalidInput(['filter', name], 'BLANK', 'must not be blank: leave it out to list all.');
  return id ?? '';
}

/** The upstream's id of a record to filter by; empty when none is given. */
export const filterRecord = (type: string, id: string | null | undefined, name: string): string => toFilterId(type, id, ['filter', name]);

/** The id that a list takes from its parent. Its filter may name it again, and no other one. */
export function ownId(own: string | undefined, type: string, id: string | null | undefined, name: string): string {
  const given = filterRecord(type, id, name);
  if (given !== '' && given !== own)
    throw invalidInput(
      ['filter', name],
      'NOT_ALLOWED',
      `must be the ${type} whose list it is, or be left out: ask that of the other one, or that at the root.`,
    );
  return own ?? '';
}
