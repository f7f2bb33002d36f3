import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRecordedSecrets, SecretSearch, setSecretsFile } from './secrets.ts';

/**
 * Sets up the whole run. Tests and their programs write all temporary files, including the logs of their graphs, to one folder. After the run, the folder is
 * searched for API keys and for each secret that a sandbox has returned, and then deleted.
 */
export default function setup(): () => void {
  const root = mkdtempSync(join(tmpdir(), 'wg-'));
  const written = join(root, 't');
  mkdirSync(written);
  // Tests also start programs as other users.
  for (const folder of [root, written]) chmodSync(folder, 0o755);
  const list = join(root, 'secrets');
  process.env.TMPDIR = written;
  setSecretsFile(list);
  return () => {
    const found = new SecretSearch(readRecordedSecrets(list)).searchFolder(written);
    rmSync(root, { recursive: true, force: true });
    if (found.length === 0) return;
    console.error(`Secrets that were handed out in this run lie in what it wrote:\n  ${found.join('\n  ')}`);
    process.exitCode = 1;
  };
}
