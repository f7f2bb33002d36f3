import type { MessageFields } from '../upstream/contract/fields.ts';
import { operations } from '../upstream/contract/generated/operations.ts';
import { messages } from '../upstream/contract/overlay.ts';

/** Messages that must have a field under the same other name. Chosen: three can't agree by chance, and each may have been returned only once. */
const MIN_MESSAGES = 3;

/** What a run knows of one message: fields of the contract that were returned, and others with the fields that their values fit. */
export interface ReturnedFields {
  readonly message: MessageFields;
  readonly returned: ReadonlySet<string>;
  readonly unknown: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A field that goes by another name in every message that has it. */
export interface SharedRename {
  readonly field: string;
  readonly wire: string;
  /** Messages in which the other name was returned. */
  readonly messages: readonly string[];
}

/** Names of fields in requests. An overlay for every message would rename them there too, which responses don't show to be right. */
const requestFields: ReadonlySet<string> = (() => {
  const seen = new Set<MessageFields>();
  const add = (message: MessageFields): void => {
    if (seen.has(message)) return;
    seen.add(message);
    for (const { message: inner } of Object.values(message.fields)) if (inner) add(inner);
  };
  for (const { request } of operations) add(request);
  return new Set([...seen].flatMap(({ fields }) => Object.keys(fields)));
})();

const plain = (name: string) => name.toLowerCase().replaceAll('_', '');

/** Whether a message of the contract has both names, so that one can't stand for the other everywhere. */
const clash = (field: string, wire: string) =>
  [...messages.values()].some(({ fields }) => Object.hasOwn(fields, field) && Object.hasOwn(fields, wire));

/** The unknown names that could be a field in all messages that have it; none unless the field is missing in all of them. */
function candidatesFor(field: string, all: readonly ReturnedFields[]): ReadonlyMap<string, readonly string[]> {
  const holders = all.filter(({ message }) => Object.hasOwn(message.fields, field));
  if (holders.length < MIN_MESSAGES || holders.some(({ returned }) => returned.has(field))) return new Map();
  const names = new Set(holders.flatMap(({ unknown }) => [...unknown.keys()]));
  const candidates = [...names].flatMap((name) => {
    const having = holders.filter(({ unknown }) => unknown.has(name));
    const fitsAll = having.every(({ unknown }) => unknown.get(name)?.has(field));
    return having.length >= MIN_MESSAGES && fitsAll && !clash(field, name)
      ? [[name, having.map(({ message }) => message.name)] as const]
      : [];
  });
  return new Map(candidates);
}

/**
 * Fields that have the same other name in all messages, such as the `hasMore` of lists. Each list alone may be read too rarely to tell. A name that differs in
 * spelling only is certain; any other must be the only one that fits, of a field that `isWritten` says the upstream never omits.
 */
export function sharedRenames(all: readonly ReturnedFields[], isWritten: (field: string) => boolean): readonly SharedRename[] {
  const fields = new Set(all.flatMap(({ message }) => Object.keys(message.fields)).filter((name) => !requestFields.has(name)));
  const found = [...fields].map((field) => ({ field, candidates: candidatesFor(field, all) }));
  return found.flatMap(({ field, candidates }) => {
    const names = [...candidates.keys()];
    const same = names.find((name) => plain(name) === plain(field));
    const [only] = names;
    const isClear = names.length === 1 && isWritten(field) && found.filter((each) => each.candidates.has(only ?? '')).length === 1;
    const wire = same ?? (isClear ? only : undefined);
    return wire === undefined ? [] : [{ field, wire, messages: candidates.get(wire) ?? [] }];
  });
}
