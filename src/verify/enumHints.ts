import type { EnumValue } from '../upstream/contract/fields.ts';
import { getEnumPrefix } from '../upstream/contract/overlay.ts';

/** How the values of an enum differ from the contract, as far as the returned values show it: another prefix, or another letter case. */
export interface EnumHint {
  /** Prefix that replaces the common prefix of the contract's values. Null if there are several, or if it's unknown. */
  readonly prefix: string | null;
  /** Wire values by the values of the contract, if they differ only in letter case. */
  readonly words: Readonly<Record<string, string>>;
  /** Description of the difference. */
  readonly difference: string;
}

/** A prefix that a report can contain: uppercase letters and underscores, like the prefixes of enum values. */
const PREFIX = /^([A-Z][A-Z_]{0,63})?$/;

const UNKNOWN_DIFFERENCE: EnumHint = { prefix: null, words: {}, difference: 'values that aren’t in the contract' };

/** Derives the hint from a value that the enum doesn't have and the hint so far. Contains only parts of values that occur in the contract. */
export function deriveEnumHint(name: string, known: readonly EnumValue[], value: string, before?: EnumHint): EnumHint {
  if (before === UNKNOWN_DIFFERENCE) return before;
  const own = getEnumPrefix(name);
  const suffixes = known.map((each) => each.name.slice(own.length)).sort((one, other) => other.length - one.length);
  const suffix = suffixes.find((each) => value.endsWith(each));
  if (suffix !== undefined) {
    const prefix = value.slice(0, value.length - suffix.length);
    if (!PREFIX.test(prefix) || (before && before.prefix !== prefix)) return UNKNOWN_DIFFERENCE;
    return { prefix, words: {}, difference: prefix === '' ? 'values without their prefix' : `values that start with ${prefix}` };
  }
  const same = known.find(
    (each) => each.name.slice(own.length).toLowerCase() === value.toLowerCase() || each.name.toLowerCase() === value.toLowerCase(),
  );
  if (!same || (before && before.prefix !== null)) return UNKNOWN_DIFFERENCE;
  return {
    prefix: null,
    words: { ...before?.words, ...respellValues(own, known, same, value) },
    difference: 'values in another letter case',
  };
}

/** All values in the letter case of one, because values that weren't returned must be sent in it too. Only the one value if its case follows no known rule. */
function respellValues(own: string, known: readonly EnumValue[], { name }: EnumValue, value: string): Readonly<Record<string, string>> {
  const rules = [(each: string) => each.toLowerCase(), (each: string) => each.slice(own.length).toLowerCase()];
  const rule = rules.find((write) => write(name) === value);
  return rule ? Object.fromEntries(known.map((each) => [each.name, rule(each.name)])) : { [name]: value };
}
