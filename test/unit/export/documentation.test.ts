import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { USAGE } from '../../../cli/export/arguments.ts';
import { ROOTS } from '../../../cli/export/roots.gen.ts';

describe('docs/export.md', () => {
  it('lists the columns of each root', () => {
    const rows = Object.entries(ROOTS).map(
      ([root, { columns }]) => `| \`${root}\` | ${columns.map(({ name }) => `\`${name}\``).join(', ')} |`,
    );
    const page = readFileSync('docs/export.md', 'utf8');
    const [, table = ''] = /^\| Root \| Columns \|\n\| --- \| --- \|\n((?:\|.*\n)+)/m.exec(page) ?? [];
    expect(table.trim().split('\n').toSorted()).toEqual(rows.toSorted());
  });

  it('mentions all options of the command', () => {
    const page = readFileSync('docs/export.md', 'utf8');
    const options = [...USAGE.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(options.length).toBeGreaterThan(10);
    expect(options.filter((option) => !page.includes(option) && !['--progress', '--overwrite'].includes(option))).toEqual([]);
  });
});
