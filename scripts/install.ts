// Installs the packages of folders that have a lockfile of their own: `node scripts/install.ts examples/web scripts/codegen`. Does nothing for those that are up to date.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optional?: true }>>;
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns whether the packages are installed now. */
function install(folder: string): boolean {
  const lock = readIfExists(join(folder, 'package-lock.json'));
  if (lock === undefined) {
    console.error(`${folder} has no package-lock.json, so there is nothing to install. Pass folders that have one.`);
    return false;
  }
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'package.json')))
    .update(lock)
    .digest('hex');
  // `npm ci` starts by deleting node_modules, so an interrupted installation leaves no stamp.
  const stamp = join(folder, 'node_modules', '.installed');
  const installed = readIfExists(stamp);
  if (installed === hash) return true;

  // Optional packages are mostly binaries for other platforms.
  const count = Object.entries((JSON.parse(lock) as Lock).packages).filter(([path, { optional }]) => path !== '' && !optional).length;
  console.error(`Installing ${folder} (${installed === undefined ? 'first use' : 'changed lockfile'}): ${count} packages …`);
  // The log level is set because `npm run --silent` would also silence npm's errors here.
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    console.error(
      `Installing the packages of ${folder} failed. Check that npm can reach its registry. Offline, set npm_config_offline=true to install from npm’s cache.`,
    );
    return false;
  }
  writeFileSync(stamp, hash);
  return true;
}

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('No folder given. Run: node scripts/install.ts <folder>…');
if (!folders.every(install)) process.exitCode = 1;
