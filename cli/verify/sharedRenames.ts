import type { MessageFields } from '../../src/upstream/contract/fields.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { messages } from '../../src/upstream/contract/overlay.ts';

/** Messages that must have a field under the same other name. Chosen: three are unlikely to agree by chance, and each may have been returned only once. */
const MIN_MESSAGES = 3;

/** The fields of one message in a run: fields of the contract that were returned, and unknown fields with the contract fields that fit their values. */
export interface ReturnedFields {
  readonly message: MessageFields;
  readonly returned: ReadonlySet<string>;
  readonly unknown: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A field that has another name in every message that contains it. */
export interface SharedRename {
  readonly field: string;
  readonly wire: string;
  /** Messages in which the other name was returned. */
  readonly messages: readonly string[];
}

/** Names of fields in requests. An overlay for every message would rename them there too, which responses can't confirm. */
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

/** A name without letter case and underscores, to compare spellings. */
export const normalizeName = (name: string) => name.toLowerCase().replaceAll('_', '');

/** Whether a message of the contract has both names, so that one can't replace the other everywhere. */
const hasBoth = (field: string, wire: string) =>
  [...messages.values()].some(({ fields }) => Object.hasOwn(fields, field) && Object.hasOwn(fields, wire));

/** The unknown names that could be a field in all messages that have it. Empty if the field was returned in any of them. */
function findCandidates(field: string, all: readonly ReturnedFields[]): ReadonlyMap<string, readonly string[]> {
  const containing = all.filter(({ message }) => Object.hasOwn(message.fields, field));
  if (containing.length < MIN_MESSAGES || containing.some(({ returned }) => returned.has(field))) return new Map();
  const names = new Set(containing.flatMap(({ unknown }) => [...unknown.keys()]));
  const candidates = [...names].flatMap((name) => {
    const matching = containing.filter(({ unknown }) => unknown.has(name));
    const fitsAll = matching.every(({ unknown }) => unknown.get(name)?.has(field));
    return matching.length >= MIN_MESSAGES && fitsAll && !hasBoth(field, name)
      ? [[name, matching.map(({ message }) => message.name)] as const]
      : [];
  });
  return new Map(candidates);
}

/**
 * Finds fields that have the same other name in all messages, such as the `hasMore` of lists, because each list alone may be read too rarely. A name that
 * differs only in spelling is certain. Any other name must be the only one that fits, and `isWritten` must be true for the field: the upstream never omits it.
 */
export function findSharedRenames(all: readonly ReturnedFields[], isWritten: (field: string) => boolean): readonly SharedRename[] {
  const fields = new Set(all.flatMap(({ message }) => Object.keys(message.fields)).filter((name) => !requestFields.has(name)));
  const found = [...fields].map((field) => ({ field, candidates: findCandidates(field, all) }));
  return found.flatMap(({ field, candidates }) => {
    const names = [...candidates.keys()];
    const same = names.find((name) => normalizeName(name) === normalizeName(field));
    const [only] = names;
    const isClear = names.length === 1 && isWritten(field) && found.filter((each) => each.candidates.has(only ?? '')).length === 1;
    const wire = same ?? (isClear ? only : undefined);
    return wire === undefined ? [] : [{ field, wire, messages: candidates.get(wire) ?? [] }];
  });
}
