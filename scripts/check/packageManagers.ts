// Creates an app with `workspace-graph create` in folders with unusual names, and installs, builds, and tests it with each package manager. CI does so with npm in one folder.
// `node scripts/check/packageManagers.ts npm pnpm yarn` tests these, by default all.
import '../help.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Each has characters that are special in a shell, a glob, a regular expression, JSON, or a replacement. */
const FOLDERS = ['my app', 'app (1)', '{a,b} [c] +d', '$& "q" \'s\'', 'äpp & co'];

/** The npm packages of the package managers, and what an app needs in addition. */
const MANAGERS: Readonly<Record<string, { readonly packages: readonly string[]; readonly prepare?: (app: string) => void }>> = {
  npm: { packages: [] },
  pnpm: { packages: ['pnpm@12.21.0'] },
  yarn: {
    packages: ['@yarnpkg/cli-dist@4.18.1'],
    prepare: (app) => {
      // An empty lockfile, so that Yarn doesn't look for a project in the folders above.
      writeFileSync(join(app, 'yarn.lock'), '');
      // `immutable` is the default in CI, where it would reject the empty lockfile.
      writeFileSync(join(app, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableImmutableInstalls: false\n');
    },
  },
};

const root = mkdtempSync(join(tmpdir(), 'managers-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const PATH = [join(root, 'tools/node_modules/.bin'), resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
/** Without the variables of the npm script that runs this program. */
const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))), PATH };

/** Runs a program, and returns whether it succeeded. Prints its output if it failed. */
function run(program: string, args: readonly string[], cwd = process.cwd()): boolean {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) console.error(`${[program, ...args].join(' ')} exited with status ${status}:\n${stdout}${stderr}`);
  return status === 0;
}

function testApp(manager: string, folder: string): boolean {
  const app = join(root, manager, folder);
  mkdirSync(join(app, '.git'), { recursive: true });
  const isCreated = run(process.execPath, [join(root, 'workspace-graph/dist/main.js'), 'create', app, '--packages', root]);
  MANAGERS[manager]?.prepare?.(app);
  const isFine = isCreated && ['install', 'test', 'build'].every((name) => run(manager, name === 'build' ? ['run', 'build'] : [name], app));
  console.log(`${isFine && existsSync(join(app, 'dist/index.html')) ? 'Passed' : 'Failed'}: ${manager} in ${JSON.stringify(folder)}`);
  rmSync(app, { recursive: true, force: true });
  return isFine;
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(MANAGERS);
const unknown = names.filter((name) => !Object.hasOwn(MANAGERS, name));
if (unknown.length > 0) throw new Error(`Unknown package manager: ${unknown.join(', ')}. Expected ${Object.keys(MANAGERS).join(', ')}.`);
const tools = names.flatMap((name) => MANAGERS[name]?.packages ?? []);
const isPrepared =
  run(process.execPath, ['scripts/release/pack/main.ts', '--to', root]) &&
  (tools.length === 0 || run('npm', ['install', '--prefix', join(root, 'tools'), '--no-audit', '--no-fund', '--ignore-scripts', ...tools]));
const results = isPrepared ? names.flatMap((name) => FOLDERS.map((folder) => testApp(name, folder))) : [false];
process.exitCode = results.every(Boolean) ? 0 : 1;
