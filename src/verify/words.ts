import type { Word } from '../upstream/contract/fields.ts';
import { prefixOf } from '../upstream/contract/overlay.ts';

/** How the words of an enum differ, as far as that can be told from words that came: another prefix, or other letters. */
export interface EnumHint {
  /** In place of the words' common beginning; null where they have several, or none can be told. */
  readonly prefix: string | null;
  /** Words on the wire by those of the contract, where they differ in capitals alone. */
  readonly words: Readonly<Record<string, string>>;
  /** The difference, in words. */
  readonly told: string;
}

/** A prefix that may be told: capitals, as words of enums begin. */
const PREFIX = /^([A-Z][A-Z_]{0,63})?$/;

const UNTOLD: EnumHint = { prefix: null, words: {}, told: 'values that aren’t in the contract' };

/** The hint of a word that the enum does not have, together with what was known before. Only what stands in the contract's own words is told. */
export function enumHintOf(name: string, known: readonly Word[], word: string, before?: EnumHint): EnumHint {
  if (before === UNTOLD) return before;
  const own = prefixOf(name);
  const ends = known.map((each) => each.name.slice(own.length)).sort((one, other) => other.length - one.length);
  const end = ends.find((each) => word.endsWith(each));
  if (end !== undefined) {
    const prefix = word.slice(0, word.length - end.length);
    if (!PREFIX.test(prefix) || (before && before.prefix !== prefix)) return UNTOLD;
    return { prefix, words: {}, told: prefix === '' ? 'values without their prefix' : `values that start with ${prefix}` };
  }
  const same = known.find(
    (each) => each.name.slice(own.length).toLowerCase() === word.toLowerCase() || each.name.toLowerCase() === word.toLowerCase(),
  );
  if (!same || (before && before.prefix !== null)) return UNTOLD;
  return { prefix: null, words: { ...before?.words, ...lettersOf(own, known, same, word) }, told: 'values in another letter case' };
}

/** All words in the letters of one: those that did not come are to be sent as well. Only the one where its letters follow no rule that is known. */
function lettersOf(own: string, known: readonly Word[], { name }: Word, word: string): Readonly<Record<string, string>> {
  const rules = [(each: string) => each.toLowerCase(), (each: string) => each.slice(own.length).toLowerCase()];
  const rule = rules.find((write) => write(name) === word);
  return rule ? Object.fromEntries(known.map((each) => [each.name, rule(each.name)])) : { [name]: word };
}
