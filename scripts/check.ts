// The whole gate: everything that must hold before a change lands. Runs every step, so that one run tells all that is wrong.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GENERATED = [
  'docs/assumed.md',
  'docs/configuration.md',
  'proto',
  'proto-vendor',
  'src/upstream/contract/generated',
  'examples/connections.gen.ts',
  'examples/documents.gen.ts',
  'examples/possibleTypes.gen.ts',
  'examples/client/gql',
  'examples/web/gql',
  'schema.graphql',
  'subgraph.graphql',
];

const filesBelow = (path: string): string[] => {
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
    GENERATED.flatMap(filesBelow)
      .sort()
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );

const run = (script: string) => spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' }).status === 0;

function codegenChangesNothing(): boolean {
  const before = snapshot();
  if (!run('codegen')) return false;
  const after = snapshot();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));
  for (const file of changed) console.error(`Regenerated ${file}, which was out of date. Commit it.`);
  return changed.length === 0;
}

const STEPS: readonly (readonly [name: string, isFine: () => boolean])[] = [
  ['contract: lint, no breaking changes', () => run('check:contract')],
  ['generated files are up to date', codegenChangesNothing],
  ['schema: no breaking changes, lint', () => run('check:schema')],
  ['types', () => run('check:types')],
  ['lint and format', () => run('check:style')],
  ['language', () => run('check:language')],
  ['dead code', () => run('check:dead')],
  ['no production dependencies with high or critical vulnerabilities', () => run('check:audit')],
  ['package can be published', () => run('check:package')],
  ['tests', () => run('test:all')],
  // Reads the report of the tests, which they write only when they are told where to.
  ...(process.env.VITEST_RESULTS ? [['every statement of the specification is tested', () => run('fidelity')] as const] : []),
];

const failed = STEPS.filter(([name, isFine]) => {
  console.log(`\n── ${name}`);
  return !isFine();
});

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.map(([name]) => name).join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
