import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts. */
const results = process.env.VITEST_RESULTS;

/** Tests that an upstream which leaves default values out, or a graph without its fast parts, cannot change: once is enough. */
const SAME_EITHER_WAY = [
  'test/browser/*.test.ts',
  'test/install/*.test.ts',
  'test/server/compiling.test.ts',
  'test/supergraph/composition.test.ts',
  'test/upstream/contractGenerator.test.ts',
  'test/supergraph/contracts.test.ts',
  'test/server/executor.test.ts',
  'test/server/knownCosts.test.ts',
  'test/ledger/ledger.test.ts',
  'test/sandbox/kernel/main.test.ts',
  'test/schema/schemaCheck.test.ts',
  'test/server/fastPath.test.ts',
  'test/server/fastPathSettings.test.ts',
  'test/verify/*.test.ts',
  'test/clients/analyticsTypes.test.ts',
  'test/sandbox/analytics/properties*.test.ts',
  'test/sandbox/analytics/sqlFuzz.test.ts',
  'test/sandbox/analytics/sqlPostgres.test.ts',
  'test/tools/programs.test.ts',
  'test/telemetry/*.test.ts',
  'test/docs/*.test.ts',
];
/**
 * Tests that are left out of `npm run test:fast`: they start programs, browsers or gateways, compose supergraphs, or compare thousands of documents or
 * faults. All others take a minute on two cores.
 */
const SLOW = [
  'test/telemetry/*.test.ts',
  'test/docs/codeBlocks.test.ts',
  'test/fuzz/*.test.ts',
  'test/browser/*.test.ts',
  'test/faults/*.test.ts',
  'test/hostile/answers.test.ts',
  'test/hostile/arguments.test.ts',
  'test/hostile/audit.test.ts',
  'test/sandbox/work/calendar.test.ts',
  'test/server/accept.test.ts',
  'test/server/closing.test.ts',
  'test/server/compiling.test.ts',
  'test/supergraph/composition.test.ts',
  'test/hostile/connections.test.ts',
  'test/upstream/contractGenerator.test.ts',
  'test/supergraph/contracts.test.ts',
  'test/server/costBound.test.ts',
  'test/upstream/coverBounds.test.ts',
  'test/install/package.test.ts',
  'test/inventory/coveredBalances.test.ts',
  'test/sandbox/people/delegation.test.ts',
  'test/clients/exampleClient.test.ts',
  'test/server/executor.test.ts',
  'test/sandbox/kernel/faults.test.ts',
  'test/server/graphiqlPage.test.ts',
  'test/ledger/groups.test.ts',
  'test/hostile/introspection.test.ts',
  'test/server/knownCosts.test.ts',
  'test/ledger/ledger.test.ts',
  'test/sandbox/kernel/main.test.ts',
  'test/sandbox/kernel/operations.test.ts',
  'test/hostile/overload.test.ts',
  'test/supergraph/renaming.test.ts',
  'test/promises/reads.test.ts',
  'test/promises/repeats.test.ts',
  'test/schema/schemaCheck.test.ts',
  'test/upstream/narrowKeys.test.ts',
  'test/upstream/sharedQuota.test.ts',
  'test/server/fastPath.test.ts',
  'test/server/fastPathSettings.test.ts',
  'test/server/start.test.ts',
  'test/server/startFailures.test.ts',
  'test/clients/stock.test.ts',
  'test/sandbox/kernel/store.test.ts',
  'test/supergraph/subgraph.test.ts',
  'test/supergraph/supergraph.test.ts',
  'test/verify/*.test.ts',
  'test/sandbox/analytics/properties.test.ts',
  'test/sandbox/analytics/propertiesRefused.test.ts',
  'test/sandbox/analytics/metamorphic.test.ts',
  'test/sandbox/analytics/known.test.ts',
  'test/sandbox/analytics/sqlFuzz.test.ts',
  'test/sandbox/analytics/sqlPostgres.test.ts',
  'test/sandbox/analytics/sql.test.ts',
  'test/clients/analyticsTypes.test.ts',
  'test/install/cli.test.ts',
  'test/install/deploy.test.ts',
  'test/sandbox/analytics/engineCatalog.test.ts',
  'test/clients/exampleRound.test.ts',
  'test/clients/exampleRevenue.test.ts',
  'test/analytics/traffic.test.ts',
  'test/sandbox/people/visibility.test.ts',
  'test/upstream/visibility.test.ts',
  'test/tools/*.test.ts',
  'test/schema/window.test.ts',
  'test/clients/examples.test.ts',
  'test/sandbox/analytics/queue.test.ts',
];
const isFast = process.env.FAST === 'true';
const isSecondRun = process.env.UPSTREAM_JSON === 'omit-defaults';

function keepConsole(text: string): void {
  appendFileSync(join(tmpdir(), 'console'), text);
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/leftovers.ts',
    // Kept beside the logs, where secrets are searched for.
    onConsoleLog: keepConsole,
    exclude: [...(isSecondRun ? SAME_EITHER_WAY : []), ...(isFast ? SLOW : [])],
    testTimeout: 30_000,
    // Of the programs that tests start: a machine that runs all tests at once is no overload of theirs.
    env: { MAX_EVENT_LOOP_DELAY_MS: '60000' },
    // Set-up builds pages, and starts Chromium and gateways: a cold machine has taken longer than the ten seconds that Vitest gives a hook.
    hookTimeout: 60_000,
    // The schema is built once and not for each file. So no file may change what all share: clocks and settings are put back by those who set them.
    isolate: false,
    // Vitest leaves a core to itself, which on two cores means one worker for all: but tests wait on their sandboxes and programs often enough.
    maxWorkers: '100%',
    // Node imports the files itself and strips their types, as it does in production. Vite's module runner takes a tenth more time: each use of an import
    // is a getter's call there. It is needed for mocked modules alone, and the tests have none.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
