import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEMO_KEYS, NEIGHBOUR_KEYS } from '../../../sandbox/workspace/workspaceDemo.ts';

describe('demo keys in docs/sandbox.md', () => {
  it('include all keys of the sandbox, with their purposes', () => {
    const rows = [...readFileSync('docs/sandbox.md', 'utf8').matchAll(/^\| `(demo-\w+)` \| (.+) \|$/gm)].map(([, key, purpose]) => ({
      key,
      purpose,
    }));
    expect(rows).toEqual([...DEMO_KEYS, ...NEIGHBOUR_KEYS].map(({ key, purpose }) => ({ key, purpose })));
  });
});
