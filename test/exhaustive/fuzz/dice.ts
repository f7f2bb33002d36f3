import fc, { type GeneratorValue } from 'fast-check';

/** Random choices from a seed. The same seed creates the same request. */
export interface Dice {
  readonly any: GeneratorValue;
  /** An integer from 0 to `max`. */
  upTo(max: number): number;
  /** True with a probability of one in `times`. */
  oneIn(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  list<Item>(max: number, make: (index: number) => Item): Item[];
}

export function createDice(seed: number): Dice {
  const [any] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (!any) throw new Error('fast-check returned no sample.');
  const upTo = (max: number) => any(fc.nat, { max });
  return {
    any,
    upTo,
    oneIn: (times) => upTo(times - 1) === 0,
    pick: (items) => {
      const item = items[upTo(items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    list: (max, make) => Array.from({ length: upTo(max) }, (_, index) => make(index)),
  };
}

/** Names with a special meaning in JavaScript or GraphQL. */
export const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__typename',
  'a',
  'on',
  'null',
  'true',
  'fragment',
];

/** Strings that programs often handle incorrectly. */
export const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\uffff',
  '💥',
  'x'.repeat(5_000),
  "' OR 1=1 --",
  '../../../etc/passwd',
  'http://169.254.169.254/',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'a\r\nSet-Cookie: b=c',
  '%00%0d%0a',
  '-1',
  '0',
  '1e400',
  '9223372036854775808',
  'NaN',
  '2026-02-30T00:00:00Z',
  '2026-03-02T09:00:00Z',
  'Europe/Nowhere',
  ...NAMES,
];
