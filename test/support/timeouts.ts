/**
 * Timeout of a test that runs thousands of documents or faults, or that installs packages, in milliseconds. Ten times the duration of the slowest on an idle
 * machine. Other tests use the default of `vitest.config.ts`.
 */
export const LONG_TEST_MS = 1_200_000;

/** Timeout of a program that a test runs until it exits, in milliseconds. Shorter than a test's timeout, so that the failure includes the program's output. */
export const PROGRAM_MS = 250_000;
