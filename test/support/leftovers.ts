import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSecretsIn, SecretSearch, secretsIn } from './secrets.ts';

/**
 * Set-up of the whole run. All that tests and their programs write to the folder for temporary files lies below one folder, with the logs of their graphs.
 * At the end it is searched for each secret that a sandbox of the run has handed out, and for API keys, and removed. Tests leave what they wrote.
 */
export default function setup(): () => void {
  const root = mkdtempSync(join(tmpdir(), 'wg-'));
  const written = join(root, 't');
  mkdirSync(written);
  // Programs of other users are among those that tests start.
  for (const folder of [root, written]) chmodSync(folder, 0o755);
  const list = join(root, 'secrets');
  process.env.TMPDIR = written;
  listSecretsIn(list);
  return () => {
    const found = new SecretSearch(secretsIn(list)).below(written);
    rmSync(root, { recursive: true, force: true });
    if (found.length === 0) return;
    console.error(`Secrets that were handed out in this run lie in what it wrote:\n  ${found.join('\n  ')}`);
    process.exitCode = 1;
  };
}
