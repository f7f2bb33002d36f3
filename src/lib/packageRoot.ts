import { existsSync, readFileSync } from 'node:fs';

/** URL of the nearest folder above a module that has a package.json. */
function findPackageRoot(module: string): URL {
  for (let folder = new URL('.', module); ; folder = new URL('..', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error(`No package.json in the folders above ${module}. Reinstall the package.`);
  }
}

/**
 * URL of the root folder of the checkout or of the installed package. Files that are read at run time have the same path below it in both. A path relative to a module wouldn't work: the package has all modules bundled in `dist`.
 */
export const PACKAGE_ROOT = findPackageRoot(import.meta.url);

/** The fields of package.json that the programs display. */
interface PackageManifest {
  readonly version: string;
  readonly homepage: string;
}

/** Reads package.json, the only place that contains the version. */
export const readManifest = (): PackageManifest => JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8'));
