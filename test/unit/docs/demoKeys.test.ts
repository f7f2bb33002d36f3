import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { describeSandbox } from '../../../sandbox/serve.ts';

it('prints the demo keys of docs/sandbox.md at the start', () => {
  const rows = readFileSync('docs/sandbox.md', 'utf8').matchAll(/^\| `(demo-\w+)` \| (.+) \|$/gm);
  const printed = describeSandbox({ url: '', adminUrl: null }, readSandboxConfig({})).matchAll(/^ +(demo-\w+) +(.+)$/gm);
  const list = (matches: typeof rows) => Array.from(matches, ([, key, purpose]) => ({ key, purpose }));
  expect(list(printed)).toEqual(list(rows));
});
