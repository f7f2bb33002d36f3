import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n');

const locks = git('ls-files', '*package-lock.json');

/** Whether a lockfile has the package that a module in `folder` would import. */
function hasPackage({ packages }: Lock, folder: string, name: string): boolean {
  if (packages[join(folder, 'node_modules', name)]) return true;
  return folder !== '' && hasPackage({ packages }, folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1)), name);
}

/** Optional packages, mostly binaries for other platforms, that a lockfile lacks. `npm ci` then fails. */
const findMissing = (lock: Lock): string[] =>
  Object.entries(lock.packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !hasPackage(lock, folder, name)),
  );

describe('repository', () => {
  it('names the owner in package.json everywhere', () => {
    const [, owner = ''] = new URL(readJson('package.json').repository.url.replace('git+', '')).pathname.split('/');
    const urls = git('grep', '-hoE', 'github\\.com/[A-Za-z0-9-]+/workspace-graph', '--', ':!test/unit/install');
    expect(urls.length).toBeGreaterThan(20);
    expect([...new Set(urls)]).toEqual([`github.com/${owner}/workspace-graph`]);
    expect(readFileSync('.github/CODEOWNERS', 'utf8')).toContain(`* @${owner}/maintainers\n`);
  });

  it.each(locks)('has all optional packages in %s, without which npm ci fails', (file) => {
    expect(findMissing(readJson(file))).toEqual([]);
  });

  it('updates the packages of every lockfile', () => {
    const { updates } = parse(readFileSync('.github/dependabot.yml', 'utf8'));
    expect(updates[0].directories).toEqual(locks.map((file) => join('/', dirname(file)).replace(/(?<=.)\/$/, '')).sort());
  });
});
