import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Programs that only other programs and workflows start, and modules that read the arguments of the program that imports them. */
const INTERNAL = new Set(['scripts/help.ts', 'scripts/install.ts', 'bench/generator.ts', 'bench/writeTables.ts']);

/** The programs that read arguments. The command of the package in src/ has its own help. */
const programs = globSync(
  ['{bench,deploy,scripts,test/load,test/teeth}/**/*.ts', 'examples/client/*.ts', 'docs/site/*.ts', 'test/exhaustive/fuzz/*.ts'],
  {
    exclude: ['**/node_modules'],
  },
)
  .filter((file) => !INTERNAL.has(file))
  .sort()
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => /parseArgs\(|process\.argv/.test(text));

describe('programs with arguments', () => {
  it.each(programs)('$file describes its options for --help', ({ text }) => {
    const [, comment = '', code = ''] = /^((?:\/\/.*\n)+)([\s\S]+)$/.exec(text) ?? [];
    expect(code).toMatch(/^import '(?:\.\.?\/)+(?:scripts\/)?help\.ts';\n/);
    const options = Array.from(code.matchAll(/(?<=[\s{'])([\w-]+)'?: \{ type: '/g), ([, option]) => `--${option}`);
    expect(options.filter((option) => !comment.includes(option))).toEqual([]);
  });

  it('prints the description without running the script', () => {
    const output = execFileSync(process.execPath, ['scripts/release/pack/main.ts', '--help'], { encoding: 'utf8' });
    expect(output).toMatch(/^Creates the npm packages: .*`--to <folder>`[^\n]*\n$/s);
  });
});
