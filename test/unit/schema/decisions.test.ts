import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = 'docs/decisions';
const read = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8');

const files = readdirSync(FOLDER).filter((file) => file !== 'README.md');
const index = read('README.md');

describe('each decision', () => {
  it.each(files)('%s has its title, status and date in one form, and they stand in the index', (file) => {
    const [, number] = /^(\d{4})-[a-z-]+\.md$/.exec(file) ?? [];
    const [, title, status, date] = /^# (.+)\n\n(Accepted|Superseded by \d{4}), (\d{4}-\d{2}-\d{2})\.\n/.exec(read(file)) ?? [];
    expect([number, title, status, date]).not.toContain(undefined);
    expect(index).toContain(`| [${number}](${file}) | ${title} | ${status?.toLowerCase()} | ${date} |`);
  });

  it('is in the index once, by its number', () => {
    const listed = [...index.matchAll(/^\| \[(\d{4})\]/gm)].map(([, number]) => number);
    expect(listed).toEqual(files.map((file) => file.slice(0, 4)).sort());
  });
});
