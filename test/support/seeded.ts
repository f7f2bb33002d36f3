import fc from 'fast-check';

const wholeNumber = (name: string): number => {
  const value = Number(process.env[name] ?? 1);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number above 0, but is ${process.env[name]}.`);
  return value;
};

/** Seed of the tests with random values. The same in every run, so that a failure comes from a change. `SEED=7 npm run test:rest` uses other values. */
export const SEED = wholeNumber('SEED');
fc.configureGlobal({ seed: SEED });

const factor = wholeNumber('CASES');

/** The number of random cases to test: `count`, and a multiple of that in thorough runs (`CASES=10 npm run test:rest`). */
export const cases = (count: number): number => count * factor;

/** Any character, also outside the basic plane. The unit `binary` of fast-check means the same, but keeps a table of all of them, which takes 85 MB. */
export const anyCharacter = fc.nat({ max: 0x10_ffff - 0x800 }).map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));

export { fc };
