import { isJsonObject } from '../../lib/json.ts';

/** Location of problems that concern the whole file. */
export const WHOLE_FILE = 'the overlay';

/** Names of fields and enum values, in any common style. */
export const NAME = /^[A-Za-z_][\w-]*$/;

/** Maximum number of known names that an error suggests. */
const MAX_SUGGESTIONS = 12;

/** Suggests known names for an unknown one: the similar ones, or all if there are few. Compares operations by the name after the service. */
function suggestNames(name: string, known: Iterable<string>): string {
  const all = [...known];
  const plain = (text: string) =>
    text
      .slice(text.indexOf('/') + 1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  const wanted = plain(name);
  const near = all.filter((each) => plain(each).includes(wanted) || (plain(each).length > 3 && wanted.includes(plain(each))));
  const names = near.length > 0 && near.length <= MAX_SUGGESTIONS ? near : all.length <= MAX_SUGGESTIONS ? all : [];
  return names.length > 0 ? `. Known names include ${names.join(', ')}.` : '.';
}

/** Reads parts of an overlay and collects their problems. */
export class OverlayReader {
  readonly problems: string[] = [];

  report(place: string, words: string): void {
    this.problems.push(`${place} ${words}`);
  }

  /** Returns the entries of an object. Reports a problem and returns none for any other value. */
  readEntries(place: string, value: unknown): [string, unknown][] {
    if (value === undefined || value === null) return [];
    if (isJsonObject(value)) return Object.entries(value);
    this.report(place, `must be an object, but is ${JSON.stringify(value)}.`);
    return [];
  }

  /** Returns the entries of an object whose keys must be known. */
  readKnown(
    place: string,
    value: unknown,
    known: { has(name: string): boolean; keys(): Iterable<string> },
    noun: string,
  ): [string, unknown][] {
    return this.readEntries(place, value).filter(([name]) => {
      if (known.has(name)) return true;
      this.report(place === WHOLE_FILE ? name : `${place}.${name}`, `isn’t a known ${noun}${suggestNames(name, known.keys())}`);
      return false;
    });
  }

  readString(place: string, value: unknown, form: RegExp, noun: string): string | undefined {
    if (typeof value === 'string' && form.test(value)) return value;
    this.report(place, `must be ${noun}, but is ${JSON.stringify(value)}.`);
    return undefined;
  }

  readSize(place: string, value: unknown): number | undefined {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
    this.report(place, `must be a positive integer, but is ${JSON.stringify(value)}.`);
    return undefined;
  }

  /** Reads names by the contract's names, each with the same format. */
  readNames(place: string, entries: readonly [string, unknown][], form: RegExp, noun: string): Record<string, string> {
    const read = entries.map(([name, value]) => [name, this.readString(`${place}.${name}`, value, form, noun)] as const);
    return Object.fromEntries(read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
  }
}

/** Reports names of the contract that one scope maps to the same wire name: a response could then be decoded as either. */
export function reportShared(reader: OverlayReader, place: string, wireNames: Iterable<readonly [string, string]>, noun: string): void {
  for (const [wire, sharers] of Map.groupBy(wireNames, ([, wire]) => wire)) {
    if (sharers.length > 1)
      reader.report(place, `maps ${sharers.map(([name]) => name).join(' and ')} to the same ${noun}, ${wire}. Map each to its own.`);
  }
}
