// Creates the npm package: `npm run pack` bundles the program with its dependencies in build/workspace-graph, and packs that as
// build/workspace-graph-<version>.tgz. Node then resolves and reads dozens of files at startup instead of thousands.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import {
  createPublishedLock,
  createPublishedManifest,
  createSbom,
  findBundledPackages,
  formatLicenses,
  type Lock,
  type Manifest,
  NOT_BUNDLED,
} from './packageManifest.ts';

/** Files that are published unchanged: those that the server and `analytics-types` read at run time, and the documentation. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'docs/images/*.png',
  'examples/[0-9]*',
  'src/tools/documents/*.graphql',
  'src/cli/analyticsTypes/{conditions,queries}.ts',
  'src/server/graphiql/page/panel.{css,js}',
  'schema.graphql',
  'subgraph.graphql',
];

/** The program, and the module that it runs as a worker thread. */
const ENTRIES = { main: 'src/cli/main.ts', sqliteWorker: 'src/ledger/sqliteWorker.ts' };

const { values } = parseArgs({ options: { to: { type: 'string', default: 'build' } } });
const target = resolve(values.to);
const staged = join(target, 'workspace-graph');

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} exited with status ${status}, expected 0:\n${stdout}${stderr}`);
  return stdout;
}

/** Bundles the program, without minification, so that stack traces stay readable. Returns the paths of all bundled modules. */
async function bundle(manifest: Manifest): Promise<string[]> {
  const external = [...NOT_BUNDLED, ...Object.keys(manifest.peerDependencies)];
  const bundler = await rolldown({
    input: ENTRIES,
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog: (level, log, handle) => {
      // google-libphonenumber tests for strict mode this way, in constant strings.
      if (log.code !== 'EVAL') handle(level === 'warn' ? 'error' : level, log);
    },
  });
  const { output } = await bundler.write({ dir: join(staged, 'dist'), format: 'esm', chunkFileNames: '[name]-[hash].js' });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

rmSync(staged, { recursive: true, force: true });
const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (name: string, content: unknown) => writeFileSync(join(staged, name), `${JSON.stringify(content, null, 2)}\n`);
const source = readJson<Manifest>('package.json');
const manifest = createPublishedManifest(source);
const packages = findBundledPackages(await bundle(source));
for (const file of globSync(FILES, { exclude: ['docs/site/**'] })) {
  mkdirSync(dirname(join(staged, file)), { recursive: true });
  cpSync(file, join(staged, file));
}
writeFileSync(join(staged, 'THIRD-PARTY-LICENSES.txt'), formatLicenses(packages));
writeJson('package.json', manifest);
const repositoryLock = readJson<Lock>('package-lock.json');
const lock = createPublishedLock(repositoryLock, manifest);
writeJson('npm-shrinkwrap.json', lock);
writeJson('sbom.cdx.json', createSbom(packages, repositoryLock, lock));
console.log(join(target, run('npm', ['pack', '--silent', staged, '--pack-destination', target]).trim()));
