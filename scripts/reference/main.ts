// Writes the reference of the graph as Markdown, one page per area: `node scripts/reference/main.ts <folder>`. The docs site is built with it.
import '../help.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGraph } from '../../src/graph.ts';
import { SHARED } from '../../src/subgraph/areas.ts';
import { createReferencePages } from './referencePages.ts';
import { createToolsPage } from './toolsPage.ts';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Missing output directory. Run `node scripts/reference/main.ts docs/site/src/content/docs/reference`.');
  process.exit(1);
}
const { schema } = createGraph();
const pages = createReferencePages(schema);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const describeArea = (name: string) =>
  name === SHARED ? 'GraphQL types that several areas share' : `GraphQL fields and types for ${name}`;
const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
for (const { name, text } of pages) {
  const head = `---\ntitle: ${capitalize(name)}\ndescription: ${describeArea(name)}\ntableOfContents: { maxHeadingLevel: 3 }\n---\n`;
  writeFileSync(join(folder, `${name}.md`), `${head}\n${text}`);
}
const list = pages.map(({ name }) => `- [${capitalize(name)}](/reference/${name}/)`).join('\n');
writeFileSync(
  join(folder, 'index.md'),
  `---\ntitle: Reference\ndescription: Every field and type of the GraphQL schema, by area, with scopes and cost\nsidebar: { order: 0 }\n---\n\nEvery field and type of the schema, by area. Each field lists its required scopes, its cost in upstream calls, and whether its shape is assumed.\n\n${list}\n`,
);
// Hidden, because the sidebar lists it next to the page about agents.
const toolsHead =
  '---\ntitle: Tool list\ndescription: The tools for agents, with what each does and the scopes that it requires\nsidebar: { hidden: true }\n---\n';
writeFileSync(join(folder, 'tools.md'), `${toolsHead}\n${await createToolsPage(schema)}`);
console.log(`Wrote ${pages.length} reference pages to ${folder}.`);
