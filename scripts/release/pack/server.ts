// The package `workspace-graph`: the program and the entry `workspace-graph/testing`, bundled with their dependencies. Node then resolves and reads dozens of files
// at startup instead of thousands.
import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { copyFiles, packFolder, readJson, rewriteImports, writeJson, writeText } from './files.ts';
import { rewriteLinks } from './links.ts';
import { createNpmComponent, createSbom, listNpmComponents } from './sbom.ts';
import {
  createPublishedLock,
  createPublishedManifest,
  findBundledPackages,
  formatLicenses,
  type Lock,
  type Manifest,
  NOT_BUNDLED,
} from './serverManifest.ts';

/** Files that are published unchanged: those that the program reads at run time, and the documentation. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'docs/images/*-1280.png',
  'deploy/{base,components,overlays,prometheus}/**/*.{yaml,json}',
  'deploy/telemetry/*.{json,mjs}',
  'examples/[0-9]*',
  'examples/template/{README.md,gitignore,index.html,*.json,*.ts}',
  'examples/template/.github/workflows/ci.yml',
  'examples/template/src/*.{ts,tsx}',
  'src/tools/documents/*.graphql',
  'cli/analyticsTypes/{conditions,queries}.ts',
  'src/server/graphiql/page/*.{css,js}',
  'src/server/pages/start/{index.html,start.css,start.js}',
  'schema.graphql',
  'subgraph.graphql',
];

/** The program, the module that it runs as a worker thread, and the entry for tests. */
const ENTRIES = { main: 'cli/main.ts', sqliteWorker: 'src/ledger/sqliteWorker.ts', testing: 'src/testing/index.ts' };

/** Bundles the entries, without minification, so that stack traces stay readable. Returns the paths of all bundled modules. */
async function bundle(manifest: Manifest, folder: string): Promise<string[]> {
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
  const { output } = await bundler.write({ dir: folder, format: 'esm', chunkFileNames: '[name]-[hash].js' });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/**
 * Writes the declarations of a module and of those that its exported types refer to, which must be in its folder. Not with `tsc`, which would write the
 * declarations of the whole server.
 */
function writeDeclarations(source: string, folder: string): void {
  const { code, errors } = isolatedDeclarationSync(source, readFileSync(source, 'utf8'));
  if (errors.length > 0) throw new Error(`${source}: ${errors.map(({ message }) => message).join(' ')}`);
  writeText(join(folder, basename(source).replace(/\.ts$/, '.d.ts')), rewriteImports(code));
  for (const [, path = ''] of code.matchAll(/from "(\.[^"]+)"/g)) {
    if (!/^\.\/\w+\.ts$/.test(path))
      throw new Error(`Exported types of ${source} refer to ${path}, which isn’t published. Declare them in its folder.`);
    writeDeclarations(join(source, '..', path), folder);
  }
}

/** Builds the package in a folder of `target`, and packs it. Returns the path of the file. */
export async function packServer(target: string): Promise<string> {
  const staged = join(target, 'workspace-graph');
  rmSync(staged, { recursive: true, force: true });
  const source = readJson<Manifest>('package.json');
  const manifest = createPublishedManifest(source);
  const packages = findBundledPackages(await bundle(source, join(staged, 'dist')));
  writeDeclarations(ENTRIES.testing, join(staged, 'dist/testing'));
  copyFiles(FILES, '.', staged, ['docs/site/**']);
  rewriteLinks(staged, '.', manifest);
  writeText(join(staged, 'THIRD-PARTY-LICENSES.txt'), formatLicenses(packages));
  writeJson(join(staged, 'package.json'), manifest);
  const repositoryLock = readJson<Lock>('package-lock.json');
  const lock = createPublishedLock(repositoryLock, manifest);
  writeJson(join(staged, 'npm-shrinkwrap.json'), lock);
  const paths = [...packages.map(({ path }) => path), ...Object.keys(lock.packages)];
  writeJson(
    join(staged, 'sbom.cdx.json'),
    createSbom(createNpmComponent('application', manifest), listNpmComponents(paths, repositoryLock)),
  );
  return packFolder(staged, target);
}
