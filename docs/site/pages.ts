// Creates the pages of the site from the repository's Markdown, so that docs/ stays readable on its own and needs no front matter.
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { createDescription } from './descriptions.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONTENT = join(import.meta.dirname, 'src', 'content', 'docs');

/** Pages outside of docs/, with their names on the site. */
const EXTRA_PAGES: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'reporting',
  'client/README.md': 'clients/package',
};
/** The start page of docs/, which the site replaces with its own. */
const START = 'docs/README.md';

/** The name of a page on the site, from its path in the repository. Undefined if it isn't part of the site. */
function getSlug(path: string): string | undefined {
  if (path in EXTRA_PAGES) return EXTRA_PAGES[path];
  if (path === START || path === 'README.md' || !path.startsWith('docs/') || !path.endsWith('.md')) return undefined;
  const slug = path.slice('docs/'.length, -'.md'.length);
  return basename(slug) === 'README' ? dirname(slug) : slug;
}

/** Pages that few readers look for, although they contain most terms. Matches in them and in their headings rank below those of other pages. */
const SECONDARY = /^(?:decisions\b|changelog|contributing|architecture|adding-an-operation|assumed|performance|upgrading)/;

/** The repository's files on GitHub, which pages link to if they're also published elsewhere. */
const PUBLISHED = 'https://github.com/your-org/workspace-graph/blob/main/';

const LINK = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g;

/** Converts a repository link to a link on the site: to a page or an image. Links to other files become text. */
function convertLink(from: string, image: string, text: string, target: string): string {
  const isPublished = target.startsWith(PUBLISHED);
  if ((/^[a-z]+:/.test(target) && !isPublished) || target.startsWith('#')) return `${image}[${text}](${target})`;
  const [path = '', anchor] = target.replace(PUBLISHED, '').split('#');
  const file = normalize(isPublished ? path : join(dirname(from), path)).replace(/\/$/, '');
  if (image) return `![${text}](/${relative('docs', file)})`;
  if (file === START || file === 'README.md') return `[${text}](/${anchor ? `#${anchor}` : ''})`;
  const slug = getSlug(file) ?? getSlug(`${file}/README.md`);
  if (slug !== undefined && existsSync(join(ROOT, file))) return `[${text}](/${slug}/${anchor ? `#${anchor}` : ''})`;
  return text.includes('`') ? text : `${text} (\`${file}\`)`;
}

/** Converts the links outside of fenced code blocks. */
function convertLinks(from: string, markdown: string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(LINK, (_link, image: string, text: string, target: string) => convertLink(from, image, text, target)),
    )
    .join('');
}

function createPage(path: string, slug: string): string {
  const markdown = readFileSync(join(ROOT, path), 'utf8').replace(/^<!--[\s\S]*?-->\s*/, '');
  const [, title = basename(path), body = markdown] = /^\s*# (.+)\n([\s\S]*)$/.exec(markdown) ?? [];
  const head = [`title: ${JSON.stringify(title.replaceAll('`', ''))}`, `description: ${JSON.stringify(createDescription(body))}`];
  if (SECONDARY.test(slug)) head.push('searchWeight: 0.3');
  return `---\n${head.join('\n')}\n---\n${convertLinks(path, body)}`;
}

/** The pages of the site that aren't generated. */
const OWN_PAGES: readonly string[] = ['index.mdx', '404.md'];

/** Rewrites all pages except the reference. */
export function writePages(): void {
  const pages = [...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/site/**'] }), ...Object.keys(EXTRA_PAGES)];
  for (const old of readdirSync(CONTENT)) if (!OWN_PAGES.includes(old)) rmSync(join(CONTENT, old), { recursive: true });
  for (const path of pages) {
    const slug = getSlug(path);
    if (slug === undefined) continue;
    const file = join(CONTENT, `${path.startsWith('docs/') && path.endsWith('/README.md') ? `${slug}/index` : slug}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, createPage(path, slug));
  }
  for (const image of globSync('docs/images/*', { cwd: ROOT })) {
    const copy = join(import.meta.dirname, 'public', relative('docs', image));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, image), copy);
  }
}
