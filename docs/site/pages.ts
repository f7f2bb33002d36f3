// The pages of the site, from the Markdown of the repository: docs/ stays readable where it is, and has no front matter.
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { descriptionOf } from './descriptions.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONTENT = join(import.meta.dirname, 'src', 'content', 'docs');

/** Pages beside docs/, by their names in the site. */
const OTHERS: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'changelog',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'reporting',
};
/** The start page, which has its own text. */
const START = 'docs/README.md';

/** The name of a page in the site, by its path in the repository. */
function slugOf(path: string): string | undefined {
  if (path in OTHERS) return OTHERS[path];
  if (path === START || path === 'README.md' || !path.startsWith('docs/') || !path.endsWith('.md')) return undefined;
  const slug = path.slice('docs/'.length, -'.md'.length);
  return basename(slug) === 'README' ? dirname(slug) : slug;
}

const LINK = /(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g;

/** Where a link of the repository leads in the site: to a page, to an image, or nowhere, as files of the repository are no part of it. */
function linkIn(from: string, image: string, text: string, target: string): string {
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return `${image}[${text}](${target})`;
  const [path = '', anchor] = target.split('#');
  const file = normalize(join(dirname(from), path)).replace(/\/$/, '');
  if (image) return `![${text}](/${relative('docs', file)})`;
  if (file === START || file === 'README.md') return `[${text}](/${anchor ? `#${anchor}` : ''})`;
  const slug = slugOf(file) ?? slugOf(`${file}/README.md`);
  if (slug !== undefined && existsSync(join(ROOT, file))) return `[${text}](/${slug}/${anchor ? `#${anchor}` : ''})`;
  return text.includes('`') ? text : `${text} (\`${file}\`)`;
}

/** Fenced blocks as they are, and the text between them with its links for the site. */
function withLinks(from: string, markdown: string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(LINK, (_link, image: string, text: string, target: string) => linkIn(from, image, text, target)),
    )
    .join('');
}

function pageOf(path: string): string {
  const markdown = readFileSync(join(ROOT, path), 'utf8').replace(/^<!--[\s\S]*?-->\s*/, '');
  const [, title = basename(path), body = markdown] = /^\s*# (.+)\n([\s\S]*)$/.exec(markdown) ?? [];
  const head = [`title: ${JSON.stringify(title.replaceAll('`', ''))}`, `description: ${JSON.stringify(descriptionOf(body))}`];
  return `---\n${head.join('\n')}\n---\n${withLinks(path, body)}`;
}

/** The start page of the site, which is written by hand. */
const BY_HAND = 'index.mdx';

/** Writes the pages anew, without those of the reference. */
export function writePages(): void {
  const pages = [...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/site/**'] }), ...Object.keys(OTHERS)];
  for (const old of readdirSync(CONTENT)) if (old !== BY_HAND) rmSync(join(CONTENT, old), { recursive: true });
  for (const path of pages) {
    const slug = slugOf(path);
    if (slug === undefined) continue;
    const file = join(CONTENT, `${path.endsWith('/README.md') ? `${slug}/index` : slug}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageOf(path));
  }
  for (const image of globSync('docs/images/*', { cwd: ROOT })) {
    const copy = join(import.meta.dirname, 'public', relative('docs', image));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, image), copy);
  }
}
