import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listImports } from '../../support/imports.ts';

/**
 * What each part that only uses the graph imports from its core, other than `src/lib` and generated files. A shorter list means that the core can change more
 * freely, so add a module only if none of the listed ones provides what's needed.
 */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  sandbox: [],
  client: [],
  'cli/*.ts': [
    'ledger/command.ts',
    'ledger/ledgerUrl.ts',
    'ledger/sqliteStore.ts',
    'main.ts',
    'server/pages/demoSandbox.ts',
    'server/serve.ts',
    'server/settings/config.ts',
  ],
  'cli/analyticsTypes': [],
  'cli/bulk': [],
  'cli/export': [],
  'cli/import': ['upstream/contract/operation.ts', 'upstream/contract/rules.ts'],
  'cli/verify': [
    'failures/failures.ts',
    'graph.ts',
    'schema/analytics/nearest.ts',
    'schema/scopeRequirements.ts',
    'schema/search/conditions.ts',
    'schema/search/filters.ts',
    'schema/search/indexes.ts',
    'schema/search/keyset.ts',
    'schema/search/searches.ts',
    'schema/search/sql.ts',
    'schema/search/wireQueries.ts',
    'server/auth/keyStore.ts',
    'server/settings/config.ts',
    'upstream/access/grants.ts',
    'upstream/access/scopeRequirements.ts',
    'upstream/calls/errorBody.ts',
    'upstream/calls/outcomes.ts',
    'upstream/contract/comparison.ts',
    'upstream/contract/contract.ts',
    'upstream/contract/fields.ts',
    'upstream/contract/indexOverlay.ts',
    'upstream/contract/operation.ts',
    'upstream/contract/overlay.ts',
    'upstream/contract/wireIndexes.ts',
    'upstream/traffic/rateLimitHeaders.ts',
    'upstream/transport/http.ts',
    'upstream/transport/transport.ts',
  ],
  'src/testing': [
    'graph.ts',
    'server/app.ts',
    'server/auth/openAuth.ts',
    'server/openLedger.ts',
    'server/openUpstream.ts',
    'server/settings/config.ts',
    'server/settings/settings.ts',
    'server/telemetry/logger.ts',
    'subgraph/options.ts',
  ],
  'src/tools': [
    'failures/failures.ts',
    'ledger/entry.ts',
    'ledger/ids.ts',
    'schema/cost/callPlan.ts',
    'schema/cost/fieldCalls.ts',
    'schema/kit/enums.ts',
    'schema/kit/globalIds.ts',
    'schema/kit/inputs.ts',
    'schema/kit/jsonValues.ts',
    'schema/kit/money.ts',
    'schema/kit/registry.ts',
    'schema/paging/window.ts',
    'upstream/access/credential.ts',
    'upstream/contract/fields.ts',
    'upstream/contract/operation.ts',
  ],
  'src/live': [
    'failures/failures.ts',
    'upstream/access/credential.ts',
    'upstream/access/grants.ts',
    'upstream/contract/operation.ts',
    'upstream/session.ts',
    'upstream/traffic/quota.ts',
  ],
  'src/server/graphiql': [
    'graph.ts',
    'schema/cost/fieldCalls.ts',
    'schema/kit/fieldAnnotations.ts',
    'schema/scopeRequirements.ts',
    'server/http/accept.ts',
    'server/http/compression.ts',
    'server/pages/icon.ts',
    'subgraph/areas.ts',
    'subgraph/directives.ts',
  ],
  'src/server/pages': [
    'server/http/accept.ts',
    'server/http/health.ts',
    'server/http/paths.ts',
    'server/http/sendError.ts',
    'server/settings/config.ts',
  ],
};

const isOfCore = (path: string, folder: string) =>
  path.startsWith('src/') && !path.startsWith(`${folder}/`) && !path.startsWith('src/lib/') && !path.includes('/generated/');

const listFiles = (folder: string) =>
  globSync(folder.endsWith('.ts') ? folder : `${folder}/**/*.{ts,tsx}`, { exclude: ['**/node_modules'] });

/** Modules of the core that the files of a folder import, including types and dynamic imports. */
function listCoreImports(folder: string): string[] {
  const files = listFiles(folder);
  return [...new Set(files.flatMap(listImports).filter((path) => isOfCore(path, folder)))].map((path) => path.slice('src/'.length)).sort();
}

describe('imports from the graph', () => {
  it.each(Object.entries(DOORS))('%s imports only the modules that are listed for it', (folder, modules) => {
    expect(listCoreImports(folder)).toEqual(modules);
  });

  it('lead in one direction: the graph imports nothing from the command line', () => {
    expect(listFiles('src').filter((file) => listImports(file).some((path) => path.startsWith('cli/')))).toEqual([]);
  });
});

describe('commands', () => {
  it('import nothing from each other but what cli/bulk shares', () => {
    const folders = globSync('cli/*', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [`cli/${entry.name}/`] : []));
    const foreign = folders.flatMap((folder) =>
      listFiles(folder.slice(0, -1)).flatMap((file) =>
        listImports(file).filter((path) => path.startsWith('cli/') && !path.startsWith(folder) && !path.startsWith('cli/bulk/')),
      ),
    );
    expect([folders.length, foreign]).toEqual([5, []]);
  });
});

/** What a file imports at runtime: modules of the checkout, packages, and modules of Node.js. */
const listRuntimeImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)';$/gm)].map(([, path = '']) =>
    path.startsWith('.') ? join(file, '..', path) : path,
  );

/** The modules of the checkout outside of a folder that its files use, and all else that these import. */
function listShared(folder: string) {
  const [modules, others] = [new Set<string>(), new Set<string>()];
  const visit = (path: string) => {
    if (!path.endsWith('.ts')) others.add(path);
    else if (!modules.has(path)) {
      modules.add(path);
      listRuntimeImports(path).forEach(visit);
    }
  };
  for (const path of listFiles(folder).flatMap(listImports)) if (/^(?:cli|src)\//.test(path)) visit(path);
  return { modules: [...modules].sort(), others: [...others].sort() };
}

describe('import in browsers', () => {
  it('uses the modules of the command, which need nothing from Node.js', () => {
    const { modules, others } = listShared('examples/web/import');
    const own = modules.filter((path) => path.startsWith('cli/import/')).map((path) => path.slice('cli/import/'.length));
    expect(own).toEqual(expect.arrayContaining(['cells.ts', 'check.ts', 'columns.ts', 'references.ts', 'rows.ts', 'send.ts', 'table.ts']));
    expect([modules.filter((path) => /\b(?:Buffer|process)\.\w/.test(readFileSync(path, 'utf8'))), others]).toEqual([
      [],
      ['graphql', 'graphql/jsutils/suggestionList.js', 'temporal-polyfill'],
    ]);
  });
});
