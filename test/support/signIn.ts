import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { AUDIENCE, type IdentityProvider, RESOURCE } from './identityProvider.ts';

/** Assignments of API keys to subjects, in a file that only this user can read. Removed after the tests of the file that creates it. */
export class AssignmentFile {
  readonly path = join(mkdtempSync(join(tmpdir(), 'assignments-')), 'keys.json');

  constructor(entries: object) {
    this.write(entries);
    afterAll(() => rmSync(dirname(this.path), { recursive: true, force: true }));
  }

  write(entries: object | string): void {
    writeFileSync(this.path, typeof entries === 'string' ? entries : JSON.stringify(entries), { mode: 0o600 });
  }
}

/** Settings of a graph whose clients sign in with a provider. */
export const createSignInSettings = (provider: IdentityProvider, assignments: AssignmentFile) => ({
  AUTH_ISSUER: provider.issuer,
  AUTH_AUDIENCE: AUDIENCE,
  AUTH_KEYS: `file:${assignments.path}`,
  AUTH_RESOURCE: RESOURCE,
});
