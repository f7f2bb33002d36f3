import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Targets of links in Markdown and of images in HTML, except URLs and anchors of the same page. */
const LINKS = /(\]\(|\bsrc=")(?![a-z]+:|#|\/)([^)"\s#]+)/g;

/**
 * Replaces links to files that a package doesn't contain by links to the repository, at the tag of the version. `source` is the folder of the repository that the
 * package's root corresponds to.
 */
export function rewriteLinks(
  staged: string,
  source: string,
  { homepage, version }: { readonly homepage: string; readonly version: string },
): void {
  const repository = homepage.replace(/#.*$/, '');
  for (const file of globSync('**/*.md', { cwd: staged, exclude: ['**/node_modules/**'] })) {
    const path = join(staged, file);
    const text = readFileSync(path, 'utf8');
    const rewritten = text.replaceAll(LINKS, (link, start: string, target: string) => {
      const original = join(source, dirname(file), target);
      if (existsSync(join(dirname(path), target)) || !existsSync(original)) return link;
      const kind = statSync(original).isDirectory() ? 'tree' : 'blob';
      return `${start}${repository}/${kind}/v${version}/${relative('.', original).replaceAll('\\', '/')}`;
    });
    if (rewritten !== text) writeFileSync(path, rewritten);
  }
}
