// Writes the modules that import every file of a kind, so that a new file needs no line elsewhere. The lists are generated and not read from
// folders at run time, because bundlers, tsc and knip follow imports.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

const HEADER = `// Generated from the files of the areas by \`npm run codegen\`, which removes lines and adds new ones at the end.
// Lines can be reordered.`;

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const filesOf = (pattern: string) => globSync(pattern).map((file) => file.replaceAll('\\', '/'));

/** How the modules of a folder import a file. */
const pathFrom = (folder: string, file: string) => `./${posix.relative(folder, file)}`;

/** Lines in the order that a list has already. Others follow by their text. */
function keepOrder(lines: readonly string[], list: string): string[] {
  const known = textOf(list).split('\n');
  return [...known.filter((line) => lines.includes(line)), ...lines.filter((line) => !known.includes(line)).sort()];
}

/** Fields have the order of this list in the printed schemas: a new file must not move the fields of others. */
function writeResolvers(): void {
  const list = 'src/resolvers/all.gen.ts';
  const files = filesOf('src/resolvers/*/*.ts').filter((file) => !file.startsWith('src/resolvers/kit/'));
  const imports = files.map((file) => `import '${pathFrom('src/resolvers', file)}';`);
  writeFileSync(list, `${[HEADER, ...keepOrder(imports, list)].join('\n')}\n`);
}

writeResolvers();
