import fc from 'fast-check';

const wholeNumber = (name: string): number => {
  const value = Number(process.env[name] ?? 1);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number above 0, but is ${process.env[name]}.`);
  return value;
};

/**
 * Seed of tests with random values. It's the same in every run, so that a new failure is caused by a code change. `SEED=7 node scripts/check/testOthers.ts` uses other values.
 */
export const SEED = wholeNumber('SEED');
fc.configureGlobal({ seed: SEED });

const factor = wholeNumber('CASES');

/** Number of random cases: `count`, or a multiple of it in thorough runs (`CASES=10 node scripts/check/testOthers.ts`). */
export const scaleCases = (count: number): number => count * factor;

/** One of `share` items, others with another seed, or more of them in thorough runs: all with `CASES=10` if `share` is at most ten. */
export const takeShare = <Item>(items: readonly Item[], share: number): Item[] => {
  const step = Math.max(1, Math.floor(share / factor));
  return items.filter((_item, index) => (index + SEED) % step === 0);
};

/** Any character, including those outside the BMP. Equivalent to fast-check's unit `binary`, which needs 85 MB for a table of all characters. */
export const anyCharacter = fc.nat({ max: 0x10_ffff - 0x800 }).map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));

export { fc };
