import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_NODE } from '../../../src/lib/nodeVersion.ts';

type Versions = Readonly<Record<string, string>>;

/** The fields of the repository's package.json that are published. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly license: string;
  readonly dependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** A package-lock.json of version 3. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LockedPackage {
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
  readonly dependencies?: Versions;
}

/**
 * Dependencies that aren't bundled. @apollo/subgraph has parts under the Elastic License 2.0, which this package shouldn't contain. It needs the same copy of
 * graphql as the graph, because values of another copy are rejected.
 */
export const NOT_BUNDLED: readonly string[] = ['@apollo/subgraph', 'graphql'];

/** The package.json of the published package. Dependencies that are bundled are left out. */
export function createPublishedManifest(manifest: Manifest) {
  const { name, version, description, homepage, repository, license, peerDependencies, peerDependenciesMeta } = manifest;
  const dependencies = Object.fromEntries(NOT_BUNDLED.map((dependency) => [dependency, manifest.dependencies[dependency] ?? '']));
  return {
    name,
    version,
    description,
    homepage,
    repository,
    license,
    type: 'module',
    engines: { node: `>=${OLDEST_NODE}` },
    bin: { 'workspace-graph': 'dist/main.js' },
    exports: {
      './testing': { types: './dist/testing/index.d.ts', default: './dist/testing.js' },
      './package.json': './package.json',
    },
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
}

/** The keys in package-lock.json of these dependencies and of everything that they depend on, sorted. */
export function findLockedPaths({ packages }: Lock, dependencies: readonly string[]): string[] {
  /** Packages are resolved like modules: from the folder of the package that needs them, then from those above. */
  const resolvePath = (from: string, dependency: string): string => {
    const path = `${from}${from && '/'}node_modules/${dependency}`;
    if (packages[path]) return path;
    if (from === '') throw new Error(`package-lock.json has no ${dependency}. Run npm install, and commit the lockfile.`);
    return resolvePath(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), dependency);
  };
  const paths = new Set<string>();
  const add = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = resolvePath(from, name);
      if (paths.has(path)) continue;
      paths.add(path);
      add(path, Object.keys(packages[path]?.dependencies ?? {}));
    }
  };
  add('', dependencies);
  return [...paths].sort();
}

/** The npm-shrinkwrap.json of the published package: the tested versions of its dependencies, wherever it is installed. */
export function createPublishedLock(lock: Lock, manifest: ReturnType<typeof createPublishedManifest>) {
  const { name, version } = manifest;
  const paths = findLockedPaths(lock, Object.keys(manifest.dependencies));
  const locked: Readonly<Record<string, LockedPackage>> = Object.fromEntries(
    paths.flatMap((path) => (lock.packages[path] ? [[path, lock.packages[path]]] : [])),
  );
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': manifest, ...locked } };
}

/** A package that is part of the bundle. */
interface BundledPackage {
  readonly folder: string;
  /** Key of the package in package-lock.json. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The packages that contain these modules, sorted. Throws if one names no license. */
export function findBundledPackages(modules: readonly string[]): BundledPackage[] {
  const folders = modules.flatMap((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll('\\', '/')) ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as BundledPackage;
    if (!license)
      throw new Error(`${name} ${version} has no license in its package.json. Check that it can be published, or remove the dependency.`);
    return { folder, path: folder.slice(folder.indexOf('node_modules/')), name, version, license };
  });
}

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** License texts of packages. Their licenses require a copy in whatever contains the code. */
export function formatLicenses(packages: readonly BundledPackage[]): string {
  const sections = packages.map(({ folder, name, version, license }) => {
    const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
    return [`${name} ${version}: ${license}`, ...files.map((file) => readFileSync(join(folder, file), 'utf8').trim())].join('\n\n');
  });
  return `Workspace Graph contains these packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
