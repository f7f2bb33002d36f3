import { expect } from 'vitest';

/** Parts of documented texts that vary between runs: what a page leaves out, timestamps, and times that plans contain. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/…/g, '.+'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\\\.\d{3}Z/g, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'],
  [/\d+ \w+ \d{4} at \d\d:\d\d/g, '\\d+ \\w+ \\d{4} at \\d\\d:\\d\\d'],
];

/** Matches a text that is equal to a documented one, except for the parts that vary. */
const matchText = (text: string): unknown => {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = VARYING.reduce((part, [varying, replacement]) => part.replaceAll(varying, () => replacement), escaped);
  return pattern === escaped ? text : expect.stringMatching(new RegExp(`^${pattern}$`));
};

/** Parses documented JSON as an expectation of the real JSON. */
export const parseDocumented = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? matchText(value) : value));
