import fc from 'fast-check';

/**
 * Where tests with random values begin: at the same place in every run, so that one fails for what was changed and not by chance. `SEED=7 npm test`
 * begins elsewhere.
 */
export const SEED = Number(process.env.SEED ?? 1);
if (!Number.isInteger(SEED)) throw new Error(`SEED must be a whole number, but is ${process.env.SEED}.`);
fc.configureGlobal({ seed: SEED });

export { fc };
