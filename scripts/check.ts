// Runs all checks that must pass before a change lands. A failed step doesn't stop the run, so that one run reports every problem.
// With VITEST_RESULTS=<folder>, the tests write their reports there, and the statements of the specification are checked against them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GENERATED = [
  'client/schema.graphql',
  'client/src/generated',
  'docs/assumed.md',
  'docs/configuration.md',
  'proto',
  'scripts/codegen/vendor',
  'sandbox/all.gen.ts',
  'src/resolvers/all.gen.ts',
  'src/upstream/contract/generated',
  'client/src/generated',
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

/** Runs an npm script. `report` is the name of the JSON report of its tests, in the folder VITEST_RESULTS. */
const run = (script: string, report?: string) => {
  const env = report && results ? { ...process.env, VITEST_RESULTS: join(results, report) } : process.env;
  return spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit', env }).status === 0;
};

function isGeneratedUpToDate(): boolean {
  const before = snapshot();
  if (!run('codegen')) return false;
  const after = snapshot();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
  for (const file of changed) console.error(`Regenerated ${file}, which was out of date. Commit it.`);
  return changed.length === 0;
}

const STEPS: readonly (readonly [name: string, isFine: () => boolean])[] = [
  ['contract: lint, no breaking changes', () => run('check:contract')],
  ['generated files are up to date', isGeneratedUpToDate],
  ['schema: no breaking changes, lint', () => run('check:schema')],
  ['types', () => run('check:types')],
  ['lint and format', () => run('check:style')],
  ['language', () => run('check:language')],
  ['dead code', () => run('check:dead')],
  ['no production dependencies with high or critical vulnerabilities', () => run('check:audit')],
  ['package can be published', () => run('check:package')],
  ['tests', () => run('test', 'test.json')],
  ['tests of engines, of programs, and of other vendors’ tools, and exhaustive tests', () => run('test:rest', 'rest.json')],
  // Reads the reports of the tests.
  ...(results ? [['every statement of the specification is tested', () => run('fidelity')] as const] : []),
];

const failed = STEPS.filter(([name, isFine]) => {
  console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const isFailed = !isFine();
  console.log(`${isFailed ? 'Failed' : 'Passed'} after ${Math.round((performance.now() - startedAt) / 1000)} s: ${name}`);
  return isFailed;
});

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(([name]) => name).join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
