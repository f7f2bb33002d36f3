import { getEnumPrefix, type Overlay } from './overlay.ts';

/** Translates the names in a value. */
export type ValueTranslation = (value: unknown) => unknown;

/**
 * Creates the translation of an enum's values between the contract and the wire. An unknown value only changes its prefix. Undefined if the overlay doesn't
 * change the enum.
 */
export function createEnumTranslation(
  name: string,
  { enums: overlays }: Overlay,
  direction: 'encode' | 'decode',
): ValueTranslation | undefined {
  const overlay = overlays[name];
  if (!overlay) return undefined;
  const own = getEnumPrefix(name);
  const { prefix = own, words = {} } = overlay;
  const named = Object.entries(words).map(([word, wire]): [string, string] => (direction === 'encode' ? [word, wire] : [wire, word]));
  const known = new Map(named);
  const [from, to] = direction === 'encode' ? [own, prefix] : [prefix, own];
  return (value) => {
    if (typeof value !== 'string') return value;
    return known.get(value) ?? (value.startsWith(from) ? to + value.slice(from.length) : value);
  };
}
