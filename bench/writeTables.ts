import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const DOCUMENT = new URL('../docs/performance.md', import.meta.url);

/** The parts of the page that the benchmark writes, each between two comments: `<!-- peers -->` and `<!-- /peers -->`, for example. */
export type Tables = Readonly<Record<'peers' | 'threads' | 'growth' | 'bars', string>>;

function replacePart(text: string, name: string, content: string): string {
  const [startMark, endMark] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(startMark), text.indexOf(endMark)];
  if (start === -1 || end < start)
    throw new Error(`docs/performance.md must contain ${startMark} before ${endMark}. Restore these markers; the table goes between them.`);
  return `${text.slice(0, start + startMark.length)}\n\n${content}\n\n${text.slice(end)}`;
}

/** The arguments of the command, without those that name local files. */
const listOptions = (): string[] =>
  process.argv
    .slice(2)
    .filter((option, index, all) => ![option, all[index - 1]].some((each) => each === '--json' || each === '--profiles'));

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Writes tables to docs/performance.md, with their commit and command. Leaves the part of an empty table unchanged. */
export function writeTables(tables: Tables): void {
  const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ' with changes' : '');
  const from = `Measured on ${new Date().toISOString().slice(0, 10)} at ${commit} by \`${['npm run bench --', ...listOptions()].join(' ')}\`, Node.js ${process.versions.node}:`;
  const written = Object.entries(tables)
    .filter(([, table]) => table !== '')
    .reduce((text, [name, table]) => replacePart(text, name, `${from}\n\n${table}`), readFileSync(DOCUMENT, 'utf8'));
  writeFileSync(DOCUMENT, written);
}
