// Sets the owner of the repository: `node scripts/release/setOwner.ts <owner>` replaces the one that package.json names, in all files that git tracks. A test checks
// that all files name the same one. Generated files are replaced, too, so nothing has to be regenerated.
import '../help.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { exitWithError } from '../../src/lib/exit.ts';
import { StartError } from '../../src/lib/startup.ts';
import { readJson, run } from './pack/files.ts';

/** The form of names of users and organizations on GitHub. */
const OWNER = /^[a-z\d](?:[a-z\d-]{0,37}[a-z\d])?$/i;

/** Where files name the owner: URLs of the repository, and its teams. */
const listNames = (owner: string): readonly string[] => [`github.com/${owner}/workspace-graph`, `@${owner}/maintainers`];

function setOwner(owner: string): void {
  const { repository } = readJson<{ readonly repository: { readonly url: string } }>('package.json');
  const [, current = ''] = new URL(repository.url.replace('git+', '')).pathname.split('/');
  const names = listNames(owner);
  for (const file of run('git', ['ls-files']).trim().split('\n')) {
    const before = readFileSync(file, 'utf8');
    const after = listNames(current).reduce((text, name, index) => text.replaceAll(name, names[index] ?? name), before);
    if (after !== before) writeFileSync(file, after);
  }
}

const [owner = ''] = process.argv.slice(2);
try {
  if (!OWNER.test(owner))
    throw new StartError('No valid owner given. Run: node scripts/release/setOwner.ts <user or organization on GitHub>');
  setOwner(owner);
} catch (error) {
  exitWithError(error);
}
