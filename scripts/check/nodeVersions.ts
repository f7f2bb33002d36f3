// Tests what runs on a user's Node.js, with other versions of it: the packages, an app that `create` has created, and a few suites from source.
// `node scripts/check/nodeVersions.ts oldest newest pinned 24.4.0` installs these versions from npm: the oldest that is supported, the newest, and those that
// a checkout gets on other platforms.
import '../help.ts';
import { spawnSync } from 'node:child_process';
import { OLDEST_NODE } from '../../src/lib/nodeVersion.ts';
import { installNode, NODE_PACKAGE, PINNED } from './installNode.ts';

const VITEST = 'node_modules/vitest/vitest.mjs';
/** They run the packages with PACKAGE_NODE. */
const PACKAGE_TESTS = ['test/system/install/package.test.ts', 'test/system/install/client.test.ts'];
/** Requests through a graph to the sandbox, and the sandbox's own database. */
const SOURCE_TESTS = ['test/graph/sales/quotes.test.ts', 'test/graph/sales/quoteMutations.test.ts', 'test/sandbox/kernel/store.test.ts'];

function findVersions(name: string): readonly string[] {
  if (name === 'oldest') return [OLDEST_NODE];
  if (name === 'pinned') return [...new Set(Object.values(PINNED))].filter((version) => version !== process.versions.node);
  if (name !== 'newest') return [name];
  return [spawnSync('npm', ['view', `${NODE_PACKAGE}`, 'version'], { encoding: 'utf8' }).stdout.trim()];
}

const runTests = (node: string, files: readonly string[], env: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(node, [VITEST, 'run', ...files], { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;

function testVersion(version: string): boolean {
  console.log(`\n── Node.js ${version}`);
  const node = installNode(version);
  const arePackagesFine = runTests(process.execPath, PACKAGE_TESTS, { PACKAGE_NODE: node });
  return runTests(node, SOURCE_TESTS) && arePackagesFine;
}

const names = process.argv.slice(2);
if (names.length === 0) throw new Error('No version given. Run: node scripts/check/nodeVersions.ts oldest newest pinned');
if (spawnSync(process.execPath, ['scripts/install.ts', 'test/system'], { stdio: 'inherit' }).status !== 0) process.exit(1);
const failed = names.flatMap(findVersions).filter((version) => !testVersion(version));
if (failed.length > 0) {
  console.error(`\nFailed with Node.js ${failed.join(', ')}.`);
  process.exitCode = 1;
}
