import { defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts. */
const results = process.env.VITEST_RESULTS;

export default defineConfig({
  // Vite would load graphql's ES module for our files and its CommonJS one for our dependencies: two copies that do not know each other.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
