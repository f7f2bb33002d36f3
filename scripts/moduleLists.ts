// Writes the modules that import every file of a kind, so that a new file needs no line elsewhere. The lists are generated and not read from
// folders at run time, because bundlers, tsc and knip follow imports.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

const HEADER = '// Generated from the files of the areas by `npm run codegen`. Do not edit, but for the order of a list that says so.';

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const filesOf = (pattern: string) => globSync(pattern).map((file) => file.replaceAll('\\', '/'));

/** How the modules of a folder import a file. */
function pathFrom(folder: string, file: string): string {
  const path = posix.relative(folder, file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Lines in the order that a list has already. Others follow by their text. */
function keepOrder(lines: readonly string[], list: string): string[] {
  const known = textOf(list).split('\n');
  return [...known.filter((line) => lines.includes(line)), ...lines.filter((line) => !known.includes(line)).sort()];
}

const ORDERED = '// The printed schemas have fields in this order. Lines can be moved; new ones are added at the end.';

/** A new file must not move the fields of others in the printed schemas. */
function writeResolvers(): void {
  const list = 'src/resolvers/all.gen.ts';
  const files = filesOf('src/resolvers/*/*.ts').filter((file) => !file.startsWith('src/resolvers/kit/'));
  const imports = files.map((file) => `import '${pathFrom('src/resolvers', file)}';`);
  writeFileSync(list, `${[HEADER, ORDERED, ...keepOrder(imports, list)].join('\n')}\n`);
}

/** A declaration that a file of the sandbox exports. */
interface Declared {
  readonly name: string;
  readonly file: string;
}

const importOf = ({ name, file }: Declared) => `import { ${name} } from '${pathFrom('sandbox', file)}';`;

/** What a file exports as `export const name = …`, with a part of the declaration. */
const declaredIn = (file: string, pattern: RegExp) =>
  Array.from(textOf(file).matchAll(pattern), ([, name = '', part = '']) => ({ name, file, part }));

/** Every domain by its service, and the demo data. */
function writeSandbox(): void {
  const list = 'sandbox/all.gen.ts';
  const files = filesOf('sandbox/*/*.ts').filter((file) => !file.startsWith('sandbox/kernel/'));
  const services = filesOf('src/upstream/contract/generated/publicapi/v1/*_pb.ts').flatMap((file) =>
    declaredIn(file, /^export const (\w+): GenService</gm),
  );
  const domains = files.flatMap((file) => declaredIn(file, /^export const (\w+) = domain\(\s*(\w+),/gm));
  const demos = files.flatMap((file) => declaredIn(file, /^export const (\w+) = demoData\(/gm));
  // A service without domains is listed as well: tsc reports its operations as unhandled.
  const entries = services.map(({ name }) => {
    const names = domains.filter(({ part }) => part === name).map((domain) => domain.name);
    return `  service(${name}, [${names.sort().join(', ')}]),`;
  });
  const lines = [
    HEADER,
    ...[...services, ...domains, ...demos].map(importOf).sort(),
    "import type { DemoData } from './kernel/demoData.ts';",
    "import { type Service, service } from './kernel/service.ts';",
    '',
    '/** Every domain of the sandbox, by the service of the contract whose operations it handles. */',
    'export const services: readonly Service[] = [',
    ...entries.sort(),
    '];',
    '',
    '/** Demo data in the order in which it is created. Lines can be moved; new ones are added at the end, where they can build on all others. */',
    'export const demos: readonly DemoData[] = [',
    ...keepOrder(
      demos.map(({ name }) => `  ${name},`),
      list,
    ),
    '];',
  ];
  writeFileSync(list, `${lines.join('\n')}\n`);
}

writeResolvers();
writeSandbox();
