import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The npm scripts whose program reads its arguments itself. The others, such as verify, use the programs of the command line, which have their own help. */
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [file = ''] = /(?<=\bnode (?:--expose-gc )?)(?!scripts\/install)\S+\.ts\b/.exec(command) ?? [];
  const text = file && readFileSync(file, 'utf8');
  return /parseArgs\(|process\.argv/.test(text) && !file.startsWith('src/') ? [{ name, file, text }] : [];
});

describe('npm scripts with arguments', () => {
  it.each(programs)('$name describes its options for --help', ({ text }) => {
    const [, comment = '', code = ''] = /^((?:\/\/.*\n)+)([\s\S]+)$/.exec(text) ?? [];
    expect(code).toMatch(/^import '(?:\.\.?\/)+(?:scripts\/)?help\.ts';\n/);
    const options = Array.from(code.matchAll(/(?<=[\s{'])([\w-]+)'?: \{ type: '/g), ([, option]) => `--${option}`);
    expect(options.filter((option) => !comment.includes(option))).toEqual([]);
  });

  it('prints the description without running the script', () => {
    const output = execFileSync(process.execPath, ['scripts/pack.ts', '--help'], { encoding: 'utf8' });
    expect(output).toMatch(/^Creates the npm packages: .*`--to <folder>`[^\n]*\n$/s);
  });
});
