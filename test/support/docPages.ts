import { globSync, readFileSync } from 'node:fs';

/** The text of all documentation pages, except the changelog, which also mentions removed features. */
export const docPages: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'client/README.md',
    'examples/supergraph/README.md',
    'docs/site/src/content/docs/index.mdx',
    ...globSync('docs/**/*.md', { exclude: ['docs/site/**'] }).sort(),
  ].map((file) => [file, readFileSync(file, 'utf8')]),
);
