import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const DOCUMENT = new URL('../docs/performance.md', import.meta.url);
const [START, END] = ['<!-- bars -->', '<!-- /bars -->'];

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Writes the table of targets to docs/performance.md, with its commit and command. */
export function writeTargets(table: string): void {
  const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ' with changes' : '');
  const from = `Measured on ${new Date().toISOString().slice(0, 10)} at ${commit} by \`${['npm run bench --', ...process.argv.slice(2)].join(' ')}\`, Node.js ${process.versions.node}:`;
  const text = readFileSync(DOCUMENT, 'utf8');
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start === -1 || end < start)
    throw new Error(`docs/performance.md must contain ${START} before ${END}. Restore these markers; the table goes between them.`);
  writeFileSync(DOCUMENT, `${text.slice(0, start + START.length)}\n\n${from}\n\n${table}\n\n${text.slice(end)}`);
}
