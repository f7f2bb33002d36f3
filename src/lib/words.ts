/** Names that aren't a usual noun when split into words. */
const NOUNS: Readonly<Partial<Record<string, string>>> = { ProForma: 'pro-forma document' };

/** Converts a camel-case name to lower-case words: `workOrders` becomes `work orders`. */
export const toWords = (name: string): string => NOUNS[name] ?? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Nouns without a plural. */
const UNCOUNTABLE = /\bdemand$/;

/** Converts a singular noun to its plural: `discount` becomes `discounts`. Uncountable nouns become `… records`. */
export function toPlural(noun: string): string {
  if (UNCOUNTABLE.test(noun)) return `${noun} records`;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Writes out a number of seconds: `1 second`, `2 seconds`. */
export const formatSeconds = (count: number): string => `${count} ${count === 1 ? 'second' : 'seconds'}`;
