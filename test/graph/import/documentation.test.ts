import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { USAGE } from '../../../cli/import/arguments.ts';
import { runImportCommand } from '../../../cli/import/command.ts';
import { FULL } from '../../../sandbox/demo.ts';
import { listBlocks } from '../../support/codeBlocks.ts';
import { runCommand } from '../../support/commands.ts';
import { useTestGraph } from '../../support/testGraph.ts';

// The seed and sizes of `npm start`.
const testGraph = useTestGraph({ seed: 1, sizes: FULL });
const page = readFileSync('docs/import.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'import-'));

for (const [, name = '', text = ''] of page.matchAll(/^```(?:csv|yaml) (\S+)\n([^`]+)```$/gm)) writeFileSync(join(folder, name), text);
const shell = listBlocks('import').flatMap(([, { language, text }]) => (language === 'sh' ? text.split('\n') : []));
const commands = shell.flatMap((line) => (line.startsWith('npx workspace-graph import ') ? [line.split(' ').slice(3)] : []));

describe('docs/import.md', () => {
  it.each(commands)('imports every row of %s', async (...args) => {
    const found = args.map((arg) => (/\.(?:csv|yaml)$/.test(arg) ? join(folder, arg) : arg));
    const { code, err } = await runCommand(runImportCommand, testGraph.sandbox.url, found);
    expect([code, err]).toEqual([0, expect.stringContaining('2 DONE')]);
  });

  it('mentions all options of the command', () => {
    expect(commands).toHaveLength(4);
    const options = [...USAGE.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option);
    expect(options.filter((option) => !page.includes(option) && !['--progress', '--share'].includes(option))).toEqual([]);
  });
});
