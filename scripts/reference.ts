// Writes the reference of the graph as Markdown, a page for each area: `npm run reference -- <folder>`. The site of the docs is built with it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGraph } from '../src/graph.ts';
import { referencePages } from './referencePages.ts';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Missing output directory. Run `npm run reference -- site/src/content/docs/reference`.');
  process.exit(1);
}
const pages = referencePages(createGraph().schema);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
for (const { name, text } of pages) {
  const head = `---\ntitle: ${titled(name)}\ndescription: GraphQL fields and types for ${name}\ntableOfContents: { maxHeadingLevel: 3 }\n---\n`;
  writeFileSync(join(folder, `${name}.md`), `${head}\n${text}`);
}
const list = pages.map(({ name }) => `- [${titled(name)}](/reference/${name}/)`).join('\n');
writeFileSync(
  join(folder, 'index.md'),
  `---\ntitle: Reference\nsidebar: { order: 0 }\n---\n\nEvery field and type of the schema, by area. Each field lists its required scopes, its cost in upstream calls, and whether its shape is assumed.\n\n${list}\n`,
);
console.log(`Wrote ${pages.length} reference pages to ${folder}.`);
