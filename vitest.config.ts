import { appendFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { STATEMENTS } from './test/support/fidelity/statements.ts';

/** Path of the JSON report. Not written if unset. */
const results = process.env.VITEST_RESULTS;

/** The folders of `test/` that `npm test` runs, and the others. CONTRIBUTING.md describes what belongs in each. */
const HERMETIC = ['unit', 'graph', 'sandbox'];
const OTHERS = ['engines', 'exhaustive', 'system', 'interop'];

const createProject = (name: string): TestProjectConfiguration => ({
  extends: true,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    // Vitest reserves a core for itself, which would leave one worker on a two-core machine. Tests often wait for servers, so use all cores; those that start
    // programs wait even more. Vitest only lets projects of different groups differ in this.
    maxWorkers: availableParallelism() + (HERMETIC.includes(name) ? 0 : 1),
    sequence: { groupOrder: HERMETIC.includes(name) ? 0 : 1 },
    // A smaller heap: half of it is garbage otherwise. Not inherited from the root's options.
    execArgv: ['--max-old-space-size=448', '--max-semi-space-size=8'],
  },
});

function appendConsole(text: string): void {
  appendFileSync(join(tmpdir(), 'console'), text);
}

export default defineConfig({
  test: {
    projects: [...HERMETIC, ...OTHERS].map(createProject),
    tags: Object.entries(STATEMENTS).map(([id, [, description]]) => ({ name: `spec:${id}`, description })),
    globalSetup: 'test/support/leftovers.ts',
    setupFiles: 'test/support/setup.ts',
    // Stored with the logs, which are searched for secrets after the run.
    onConsoleLog: appendConsole,
    // Enough for a machine that is ten times slower than an idle one, as with `node test/load/slow.ts`.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 100_000,
    expect: { poll: { timeout: 60_000 } },
    env: {
      // For the programs that tests start: a machine that runs many tests at once doesn't mean that the server is overloaded.
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      // For workers and for all programs that tests start. The graph enables it itself, in the same directory.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    },
    // The schema is built once per worker instead of once per file. So tests restore any global state that they change, such as clocks and settings.
    isolate: false,
    // Node imports the files and strips their types, as in production. Vite's module runner is only needed for mocked modules, which these tests don't
    // use, and is 10 % slower, because every use of an import goes through a getter.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
