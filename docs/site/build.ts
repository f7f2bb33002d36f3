// Builds the docs as a site: `npm run docs` writes it to build/site, and `npm run docs -- --serve` serves it on this machine.
// `--port` is the port of the server.
import '../../scripts/help.ts';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { addLineBreaks } from './lineBreaks.ts';
import { writePages } from './pages.ts';
import { adaptTables } from './tables.ts';

const SITE = import.meta.dirname;
const ROOT = join(SITE, '../..');
const BUILT = join(ROOT, 'build', 'site');
const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false }, port: { type: 'string', default: '4321' } } });

function run(command: string, args: readonly string[], cwd: string): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', env });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} exited with status ${status}, expected 0.`);
}

/** The description of a page, for search engines and link previews. */
const extractDescription = (html: string): string => /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';

/** Missing and duplicate descriptions of the pages. */
function findDescriptionProblems(pages: readonly string[]): string[] {
  const byText = Map.groupBy(pages, (file) => extractDescription(readFileSync(join(BUILT, file), 'utf8')));
  return [...byText].flatMap(([text, files]) => {
    if (text === '') return files.map((file) => `${file} has no description. Start it with a paragraph.`);
    return files.length > 1 ? [`${files.join(' and ')} have the same description. Start each with a paragraph of its own.`] : [];
  });
}

/** Pages that aren't in the sidebar. The start page and the page for unknown URLs don't have to be. */
function findUnlistedPages(pages: readonly string[]): string[] {
  const [sidebar = ''] = /<nav\b[^>]*\bsidebar\b[\s\S]*?<\/nav>/.exec(readFileSync(join(BUILT, 'quick-start', 'index.html'), 'utf8')) ?? [];
  return pages
    .filter((file) => file.includes('/') && !sidebar.includes(`href="/${dirname(file)}/"`))
    .map((file) => `${file} isn’t in the sidebar. Add it to docs/site/astro.config.ts.`);
}

/** Problems of a built page: external resources, missing icons and images, and broken links within the site. */
function findProblems(file: string): string[] {
  const html = readFileSync(join(BUILT, file), 'utf8');
  const loaded = [...html.matchAll(/<(?:script|img|link|source|iframe)\b[^>]*?\b(?:src|href)="((?:https?:)?\/\/[^"]+)"/g)];
  // The URL of the page itself isn't loaded.
  const external = loaded
    .filter(([tag]) => !/rel="(?:canonical|alternate|sitemap)"/.test(tag))
    .map(([, url]) => `${file} loads the external resource ${url}.`);
  const icons = [...html.matchAll(/<link\b[^>]*?\brel="(?:shortcut )?icon"[^>]*?\bhref="(\/[^"]*)"/g)];
  const missing = icons.flatMap(([, path = '']) =>
    existsSync(join(BUILT, path)) ? [] : [`${file} has the icon ${path}, which doesn’t exist.`],
  );
  for (const [, path = ''] of html.matchAll(/<img\b[^>]*?\bsrc="(\/[^"]*)"/g))
    if (!existsSync(join(BUILT, path))) missing.push(`${file} has the image ${path}, which doesn’t exist.`);
  if (icons.length === 0) missing.push(`${file} has no icon.`);
  const links = [...html.matchAll(/<a\b[^>]*?\bhref="(\/[^"#?]*)(?:#([^"]*))?"/g)];
  const broken = links.flatMap(([, path = '', anchor]) => {
    const target = join(BUILT, path, path.endsWith('/') ? 'index.html' : '');
    if (!existsSync(target)) return [`${file} links to ${path}, which doesn’t exist.`];
    const hasAnchor = !anchor || !target.endsWith('.html') || readFileSync(target, 'utf8').includes(`id="${decodeURIComponent(anchor)}"`);
    return hasAnchor ? [] : [`${file} links to ${path}#${anchor}, but the page has no such anchor.`];
  });
  return [...external, ...missing, ...broken];
}

/** Adds line breaks, adapts tables to phones, and hides the boxes of checklists, which can't be checked, from screen readers. */
const finishPage = (html: string): string =>
  adaptTables(addLineBreaks(html)).replaceAll('<input type="checkbox" disabled', '<input type="checkbox" aria-hidden="true" disabled');

run(process.execPath, ['scripts/install.ts', 'docs/site'], ROOT);
writePages();
run(process.execPath, ['scripts/reference/main.ts', join(SITE, 'src', 'content', 'docs', 'reference')], ROOT);
run('npx', ['--no-install', 'astro', 'build'], SITE);
const pages = globSync('**/*.html', { cwd: BUILT });
for (const file of pages) {
  const path = join(BUILT, file);
  writeFileSync(path, finishPage(readFileSync(path, 'utf8')));
}
const problems = [...new Set([...pages.flatMap(findProblems), ...findDescriptionProblems(pages), ...findUnlistedPages(pages)])];
for (const problem of problems) console.error(problem);
console.log(`Built ${pages.length} pages in build/site with ${problems.length} problems.`);
if (problems.length > 0) process.exitCode = 1;
else if (values.serve) run('npx', ['--no-install', 'astro', 'preview', '--host', '127.0.0.1', '--port', values.port], SITE);
