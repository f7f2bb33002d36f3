// Notes of a release: `node scripts/releaseNotes.ts v1.2.0` prints what CHANGELOG.md has on the version that the tag names. The release workflow runs it, so that nothing is
// published under a version that the package does not have, or that nobody has described.
import { readFileSync } from 'node:fs';
import { notesFor } from './changelog.ts';

const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const notes = notesFor(tag, version, readFileSync('CHANGELOG.md', 'utf8'));
if ('problem' in notes) {
  console.error(notes.problem);
  process.exitCode = 1;
} else console.log(notes.text);
