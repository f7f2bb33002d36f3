// Checks what publishing would only report at its end: `node scripts/release/check.ts <URL of the repository>` fails if a version is already published, or if the
// packages name another repository than the one that publishes them, which npm rejects for packages with provenance.
import '../help.ts';
import { spawnSync } from 'node:child_process';
import { exitWithError } from '../../src/lib/exit.ts';
import { StartError } from '../../src/lib/startup.ts';
import { readJson } from './pack/files.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository: { readonly url: string };
}

function isPublished({ name, version }: Manifest): boolean {
  const { status, stdout, stderr } = spawnSync('npm', ['view', `${name}@${version}`, 'version', '--json'], { encoding: 'utf8' });
  if (status === 0) return stdout.trim() !== '';
  if (stdout.includes('E404')) return false;
  throw new StartError(`Can’t find out whether ${name} ${version} is published. npm view failed:\n${stdout}${stderr}`);
}

function check(repository: string): void {
  for (const folder of ['.', 'client']) {
    const manifest = readJson<Manifest>(`${folder}/package.json`);
    const { name, version } = manifest;
    if (manifest.repository.url !== `git+${repository}.git`)
      throw new StartError(
        `${folder}/package.json has the repository ${manifest.repository.url}, but git+${repository}.git publishes it. Correct the field repository.`,
      );
    if (isPublished(manifest))
      throw new StartError(`${name} ${version} is already published. Set a new version in ${folder}/package.json, and tag again.`);
  }
}

const [repository] = process.argv.slice(2);
try {
  if (!repository)
    throw new StartError('No repository given. Run: node scripts/release/check.ts https://github.com/your-org/workspace-graph');
  check(repository);
} catch (error) {
  exitWithError(error);
}
