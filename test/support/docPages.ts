import { globSync, readFileSync } from 'node:fs';

/** The pages that people read, with their texts. The changelog tells of what is gone, so it is left out. */
export const docPages: ReadonlyMap<string, string> = new Map(
  ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/supergraph/README.md', ...globSync('docs/**/*.md').sort()].map((file) => [
    file,
    readFileSync(file, 'utf8'),
  ]),
);
