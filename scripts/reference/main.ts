// Writes the reference of the graph as Markdown, one page per area and subject: `node scripts/reference/main.ts <folder>`. The docs site is built with it.
import '../help.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createGraph } from '../../src/graph.ts';
import { createReferencePages } from './referencePages.ts';
import { createToolsPage } from './toolsPage.ts';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('Missing output directory. Run `node scripts/reference/main.ts docs/site/src/content/docs/reference`.');
  process.exit(1);
}

function writePage(path: string, frontMatter: readonly string[], text: string): void {
  const file = join(folder ?? '', `${path}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `---\n${[...frontMatter, 'searchWeight: 0.3'].join('\n')}\n---\n\n${text}`);
}

const { schema } = createGraph();
const pages = createReferencePages(schema);
rmSync(folder, { recursive: true, force: true });
for (const { path, title, description, text } of pages) {
  const isArea = !path.includes('/');
  const order = isArea ? ['sidebar: { order: 0, label: Overview }'] : [];
  const head = [`title: ${title}`, `description: ${description}`, 'tableOfContents: { maxHeadingLevel: 3 }', ...order];
  writePage(isArea ? `${path}/index` : path, head, text);
}
const areas = pages.filter(({ path }) => !path.includes('/'));
const list = areas.map(({ path, title }) => {
  const subjects = pages.filter((page) => page.path.startsWith(`${path}/`)).map((page) => `[${page.title}](/reference/${page.path}/)`);
  return `- [${title.replace(' overview', '')}](/reference/${path}/)${subjects.length > 0 ? `: ${subjects.join(', ')}` : ''}`;
});
writePage(
  'index',
  ['title: Reference', 'description: Every field and type of the GraphQL schema, by area, with scopes and cost'],
  `Every field and type of the schema, by area. Each field lists its required scopes, its cost in upstream calls, and whether its shape is assumed.\n\n${list.join('\n')}\n`,
);
writePage(
  'tools',
  ['title: Tool list', 'description: The tools for agents, with what each does and the scopes that it requires'],
  await createToolsPage(schema),
);
console.log(`Wrote ${pages.length} reference pages to ${folder}.`);
