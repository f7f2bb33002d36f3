import { OLDEST_NODE } from '../src/cli/nodeVersion.ts';

type Versions = Readonly<Record<string, string>>;

/** The fields of the repository's package.json that are published. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
  readonly dependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** A package-lock.json of version 3. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  /** There where only development needs it. */
  readonly dev?: true;
}

/** Packages of Node itself. The repository brings its own Node, and whoever runs the package has one. */
const NODE = /^node-(bin-)?(darwin|linux|win)-/;

/** The package.json of the package that is published: a program, with the dependencies that running takes. */
export function publishedManifest(manifest: Manifest) {
  const { name, version, description, homepage, license, dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  return {
    name,
    version,
    description,
    homepage,
    license,
    type: 'module',
    engines: { node: `>=${OLDEST_NODE}` },
    bin: { 'workspace-graph': 'src/cli/main.js' },
    exports: { './package.json': './package.json' },
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
}

/** The npm-shrinkwrap.json of that package: the versions that are tested here, and no others, wherever it is installed. */
export function publishedLock({ packages }: Lock, manifest: ReturnType<typeof publishedManifest>) {
  const { name, version } = manifest;
  const kept = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev && !NODE.test(path.replace('node_modules/', '')));
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': manifest, ...Object.fromEntries(kept) } };
}
