// Writes the reference of the graph as Markdown, a page for each area: `npm run reference -- <folder>`. The site of the docs is built with it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGraph } from '../src/graph.ts';
import { SHARED } from '../src/subgraph/areas.ts';
import { referencePages } from './referencePages.ts';
import { toolsPage } from './toolsPage.ts';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Missing output directory. Run `npm run reference -- docs/site/src/content/docs/reference`.');
  process.exit(1);
}
const { schema } = createGraph();
const pages = referencePages(schema);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const aboutOf = (name: string) => (name === SHARED ? 'GraphQL types that several areas share' : `GraphQL fields and types for ${name}`);
const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
for (const { name, text } of pages) {
  const head = `---\ntitle: ${titled(name)}\ndescription: ${aboutOf(name)}\ntableOfContents: { maxHeadingLevel: 3 }\n---\n`;
  writeFileSync(join(folder, `${name}.md`), `${head}\n${text}`);
}
const list = pages.map(({ name }) => `- [${titled(name)}](/reference/${name}/)`).join('\n');
writeFileSync(
  join(folder, 'index.md'),
  `---\ntitle: Reference\ndescription: Every field and type of the GraphQL schema, by area, with scopes and cost\nsidebar: { order: 0 }\n---\n\nEvery field and type of the schema, by area. Each field lists its required scopes, its cost in upstream calls, and whether its shape is assumed.\n\n${list}\n`,
);
// The sidebar has it next to the page about agents.
const toolsHead =
  '---\ntitle: Tool list\ndescription: The tools for agents, with what each does and the scopes that it requires\nsidebar: { hidden: true }\n---\n';
writeFileSync(join(folder, 'tools.md'), `${toolsHead}\n${await toolsPage(schema)}`);
console.log(`Wrote ${pages.length} reference pages to ${folder}.`);
