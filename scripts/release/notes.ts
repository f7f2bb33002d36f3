// Prints release notes: `node scripts/release/notes.ts v1.2.0` prints the section of CHANGELOG.md for the tag's version. The release workflow runs it, so that
// no release has a version that differs from package.json or lacks notes.
import '../help.ts';
import { readFileSync } from 'node:fs';
import { findReleaseNotes } from './changelog.ts';

const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const notes = findReleaseNotes(tag, version, readFileSync('CHANGELOG.md', 'utf8'));
if ('problem' in notes) {
  console.error(notes.problem);
  process.exitCode = 1;
} else console.log(notes.text);
