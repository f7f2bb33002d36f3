/**
 * Timeout of a test that runs thousands of documents or faults, or installs packages, in milliseconds: ten times what the slowest takes on an idle machine. All
 * others have the default of `vitest.config.ts`.
 */
export const LONG_TEST_MS = 1_200_000;

/** Timeout of a program that a test runs to its end, in milliseconds: less than a test's, so that the failure shows what it printed. */
export const PROGRAM_MS = 250_000;
