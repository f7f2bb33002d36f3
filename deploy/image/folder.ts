import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, run } from '../../scripts/release/pack/files.ts';
import { packServer } from '../../scripts/release/pack/server.ts';
import { findLockedPaths, type Lock, type Manifest } from '../../scripts/release/pack/serverManifest.ts';

/** The optional packages of the image, and what they depend on, by their keys in package-lock.json: MCP=true requires them. */
export const listOptionalPaths = (lock: Lock): string[] =>
  findLockedPaths(lock, Object.keys(readJson<Manifest>('package.json').peerDependencies));

/**
 * Packs the server, and installs it in a folder of `target`, from which the Dockerfile copies. The package's npm-shrinkwrap.json pins the dependencies that
 * aren't bundled, and package-lock.json the optional ones. No install scripts are run. Returns the path of the folder.
 */
export async function prepareFolder(target: string): Promise<string> {
  const folder = join(target, 'image');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'data'), { recursive: true });
  const lock = readJson<Lock>('package-lock.json');
  const optional = listOptionalPaths(lock).map((path) => `${path.replace(/^.*node_modules\//, '')}@${lock.packages[path]?.version}`);
  const options = ['--prefix', folder, '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['install', ...options, await packServer(target), ...optional]);
  // npm's own records: they contain the URL of the registry, so that the image would depend on it.
  for (const name of ['.bin', '.package-lock.json']) rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
  return folder;
}
