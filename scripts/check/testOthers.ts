// Runs the tests that `npm test` doesn't: tests of engines, of programs, and of other vendors' tools, and exhaustive tests. First installs the packages that they need.
// Passes its arguments to Vitest.
import '../help.ts';
import { spawnSync } from 'node:child_process';
import { OLDEST_NODE } from '../../src/lib/nodeVersion.ts';
import { installNode } from './installNode.ts';

const FOLDERS = ['scripts/codegen', 'deploy/telemetry', 'examples/supergraph', 'examples/web', 'test/interop', 'test/system'];
const PROJECTS = ['engines', 'exhaustive', 'system', 'interop'];

const run = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args, { stdio: 'inherit' }).status === 0;

/** The tests of the packages run them on the oldest supported Node.js. npm doesn't have it for every platform. */
function findOldestNode(): string {
  try {
    return installNode(OLDEST_NODE);
  } catch (error) {
    console.error(`${(error as Error).message} The packages are tested on Node.js ${process.versions.node} instead.`);
    return process.execPath;
  }
}

process.env.PACKAGE_NODE ??= findOldestNode();
const isFine =
  run(process.execPath, 'scripts/install.ts', ...FOLDERS) &&
  run('npx', 'vitest', 'run', ...PROJECTS.flatMap((project) => ['--project', project]), ...process.argv.slice(2));
process.exitCode = isFine ? 0 : 1;
