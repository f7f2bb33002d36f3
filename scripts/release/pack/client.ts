// The package `@workspace-graph/client`: one JavaScript file and one declaration per module, so that bundlers only include the modules that an application uses.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { copyFiles, packFolder, readJson, rewriteImports, run, writeJson } from './files.ts';
import { rewriteLinks } from './links.ts';
import { createNpmComponent, createSbom, listNpmComponents } from './sbom.ts';
import { findBundledPackages } from './serverManifest.ts';

const SOURCE = 'client';

/** Files that are published unchanged. */
const FILES = ['README.md', 'CHANGELOG.md', 'failure.graphql', 'schema.graphql'];

/** The fields of client/package.json that building reads. */
interface ClientManifest {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
  readonly license: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The modules behind the exports, by their names in `dist`: `./dist/apollo/index.js` is `apollo/index`. */
function listEntries({ exports }: ClientManifest): Record<string, string> {
  const names = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : (/^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1] ?? []),
  );
  return Object.fromEntries(names.map((name) => [name, join(SOURCE, 'src', `${name}.ts`)]));
}

/** Returns the paths of all bundled modules. */
async function bundle(manifest: ClientManifest, folder: string): Promise<string[]> {
  const external = [...Object.keys(manifest.peerDependencies), 'graphql'];
  const bundler = await rolldown({
    input: listEntries(manifest),
    platform: 'neutral',
    external: (id) => id.startsWith('node:') || external.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
  });
  const { output } = await bundler.write({
    dir: folder,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: resolve(SOURCE, 'src'),
  });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Writes the declarations of all modules. `npm run check:types` checks them, so this doesn't. */
function writeDeclarations(target: string, folder: string): void {
  const config = join(target, 'client.tsconfig.json');
  writeJson(config, {
    extends: resolve(SOURCE, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: resolve(SOURCE, 'src'),
      outDir: folder,
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
      paths: { 'workspace-graph/testing': [join(target, 'workspace-graph/dist/testing/index.d.ts')] },
    },
    include: [resolve(SOURCE, 'src')],
    exclude: [],
  });
  run('tsc', ['-p', config]);
  rmSync(config);
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, rewriteImports(readFileSync(path, 'utf8')));
  }
}

/** Builds the package in a folder of `target`, and packs it. Requires the server’s package there. Returns the path of the file. */
export async function packClient(target: string): Promise<string> {
  const staged = join(target, 'workspace-graph-client');
  rmSync(staged, { recursive: true, force: true });
  const { private: _private, ...manifest } = readJson<ClientManifest>(join(SOURCE, 'package.json'));
  const packages = findBundledPackages(await bundle(manifest, join(staged, 'dist')));
  writeDeclarations(target, join(staged, 'dist'));
  copyFiles(FILES, SOURCE, staged);
  copyFiles(['LICENSE'], '.', staged);
  rewriteLinks(staged, SOURCE, manifest);
  writeJson(join(staged, 'package.json'), manifest);
  const paths = packages.map(({ path }) => path);
  const sbom = createSbom(createNpmComponent('library', manifest), listNpmComponents(paths, readJson('package-lock.json')));
  writeJson(join(staged, 'sbom.cdx.json'), sbom);
  return packFolder(staged, target);
}
