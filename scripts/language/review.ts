// Lists wording in the docs that readers stumbled over elsewhere: `node scripts/language/review.ts`. For review only, because some of it is right in prose.
import { globSync, readFileSync } from 'node:fs';
import { MESSAGE_PHRASES } from './phrases.ts';

/** Wording that is often unclear in prose, in addition to the phrases that messages must not contain. */
const UNCLEAR: readonly (readonly [pattern: string, instead: string])[] = [
  ['of which|that of|those of', 'a clause with a named subject'],
  ['as it (is|are|comes)|by now|so many', 'a plain statement'],
  ['answer(s|ed)?|ask(s|ed)?|kept|shown', 'return, request, cached, listed'],
];

const patterns = [...MESSAGE_PHRASES, ...UNCLEAR].map(([pattern, instead]) => [new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead] as const);
let count = 0;
for (const file of globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { exclude: ['docs/site/**'] })) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const prose = line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '');
    for (const [pattern, instead] of patterns) {
      for (const [match] of prose.matchAll(pattern)) {
        count += 1;
        console.log(`${file}:${index + 1}  "${match}"  consider: ${instead}`);
      }
    }
  }
}
console.log(`${count} places to review.`);
