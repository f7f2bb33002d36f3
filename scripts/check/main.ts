// Runs all checks that must pass before a change lands. A failed step doesn't stop the run, so that one run reports every problem.
// `npm run check -- contract package` runs only these steps.
// With VITEST_RESULTS=<folder>, the tests write their reports there, and the statements of the specification are checked against them.
import '../help.ts';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const GENERATED = [
  'client/schema.graphql',
  'client/src/generated',
  'docs/assumed.md',
  'docs/configuration.md',
  'proto',
  'scripts/codegen/vendor',
  'sandbox/all.gen.ts',
  'cli/export/roots.gen.ts',
  'cli/import/rules.gen.ts',
  'src/resolvers/all.gen.ts',
  'src/upstream/contract/generated',
  'examples/client/gql',
  'examples/start/src/gql',
  'examples/web/gql',
  'schema.graphql',
  'subgraph.graphql',
];

const listFiles = (path: string): string[] => {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [path];
  }
};

/** Hashes of the generated files, by path. */
const snapshot = () =>
  new Map(
    GENERATED.flatMap(listFiles)
      .sort()
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );

const results = process.env.VITEST_RESULTS;
/** As in an npm script, programs of the installed packages come first. */
const PATH = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter);

/** Runs commands up to the first that fails. `report` is the name of the JSON report of their tests, in the folder VITEST_RESULTS. */
const run = (commands: readonly string[], report?: string): boolean => {
  const env = { ...process.env, PATH, ...(report && results ? { VITEST_RESULTS: join(results, report) } : {}) };
  return commands.every((command) => spawnSync(command, { shell: true, stdio: 'inherit', env }).status === 0);
};

function isGeneratedUpToDate(): boolean {
  const before = snapshot();
  if (!run(['npm run --silent codegen'])) return false;
  const after = snapshot();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
  for (const file of changed) console.error(`Regenerated ${file}, which was out of date. Commit it.`);
  return changed.length === 0;
}

const BUF = 'scripts/codegen/node_modules/.bin/buf';
const SERVER = 'build/workspace-graph';
const CLIENT = 'build/workspace-graph-client';

interface Step {
  readonly name: string;
  readonly title: string;
  readonly isFine: () => boolean;
}

const createStep = (name: string, title: string, commands: readonly string[], report?: string): Step => ({
  name,
  title,
  isFine: () => run(commands, report),
});

const ALWAYS: readonly Step[] = [
  createStep('contract', 'contract: lint, no breaking changes', [
    'node scripts/install.ts scripts/codegen',
    `${BUF} lint`,
    `${BUF} breaking proto --against released/contract.binpb --exclude-imports`,
    'node scripts/release/baseline.ts --check',
  ]),
  { name: 'codegen', title: 'generated files are up to date', isFine: isGeneratedUpToDate },
  createStep('schema', 'schema: no breaking changes, lint', [
    'node scripts/schema/check.ts',
    "eslint schema.graphql 'examples/*.graphql' client/failure.graphql",
  ]),
  createStep('types', 'types', ['npm run --silent check:types']),
  createStep('style', 'lint and format', ['npm run --silent check:style']),
  createStep('language', 'language', ['npm run --silent check:language']),
  createStep('dead', 'dead code', ['npm run --silent check:dead']),
  createStep('audit', 'no production dependencies with high or critical vulnerabilities', ['node scripts/check/audit.ts']),
  createStep('package', 'package can be published', [
    'npm run --silent pack',
    `publint --strict ${SERVER}`,
    `publint --strict ${CLIENT}`,
    `attw --quiet --profile esm-only --pack ${SERVER}`,
    `attw --quiet --profile esm-only --pack ${CLIENT} --exclude-entrypoints schema.graphql failure.graphql`,
  ]),
  createStep('test', 'tests', ['npm run --silent test'], 'test.json'),
  createStep(
    'others',
    'tests of engines, of programs, and of other vendors’ tools, and exhaustive tests',
    ['node scripts/check/testOthers.ts'],
    'rest.json',
  ),
];
/** Reads the reports of the tests. */
const FIDELITY = createStep('fidelity', 'every statement of the specification is tested', ['node scripts/check/fidelity.ts']);

const steps = results ? [...ALWAYS, FIDELITY] : ALWAYS;
const names = process.argv.slice(2);
const unknown = names.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. The steps are ${steps.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

const failed = steps
  .filter(({ name }) => names.length === 0 || names.includes(name))
  .filter(({ title, isFine }) => {
    console.log(`\n── ${title}`);
    const startedAt = performance.now();
    const isFailed = !isFine();
    console.log(`${isFailed ? 'Failed' : 'Passed'} after ${Math.round((performance.now() - startedAt) / 1000)} s: ${title}`);
    return isFailed;
  });

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(({ title }) => title).join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
