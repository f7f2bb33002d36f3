// Writes the modules that import every file of a kind, so that adding a file requires no other change. The lists are generated instead of read from folders at
// run time, because bundlers, tsc, and knip follow imports.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

const HEADER = '// Generated from the files of the areas by `npm run codegen`. Do not edit, but for the order of a list that says so.';

const readText = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const listFiles = (pattern: string) => globSync(pattern).map((file) => file.replaceAll('\\', '/'));

/** The import specifier of a file, relative to a folder. */
function toImportPath(folder: string, file: string): string {
  const path = posix.relative(folder, file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Lines in their current order in the list. New ones are sorted and appended. */
function keepOrder(lines: readonly string[], list: string): string[] {
  const known = readText(list).split('\n');
  return [...known.filter((line) => lines.includes(line)), ...lines.filter((line) => !known.includes(line)).sort()];
}

const ORDERED = '// The printed schemas have fields in this order. Lines can be moved; new ones are added at the end.';

/** Adding a file must not reorder fields in the printed schemas. */
function writeResolvers(): void {
  const list = 'src/resolvers/all.gen.ts';
  const files = listFiles('src/resolvers/*/*.ts').filter((file) => !file.startsWith('src/resolvers/kit/'));
  const imports = files.map((file) => `import '${toImportPath('src/resolvers', file)}';`);
  writeFileSync(list, `${[HEADER, ORDERED, ...keepOrder(imports, list)].join('\n')}\n`);
}

/** An exported declaration of a sandbox file. */
interface Declaration {
  readonly name: string;
  readonly file: string;
}

const printImport = ({ name, file }: Declaration) => `import { ${name} } from '${toImportPath('sandbox', file)}';`;

/** Finds exports of the form `export const name = …`, with the captured part of each declaration. */
const findDeclarations = (file: string, pattern: RegExp) =>
  Array.from(readText(file).matchAll(pattern), ([, name = '', part = '']) => ({ name, file, part }));

/** Writes the list of all domains by service, and of the demo data. */
function writeSandbox(): void {
  const list = 'sandbox/all.gen.ts';
  const files = listFiles('sandbox/*/*.ts').filter((file) => !file.startsWith('sandbox/kernel/'));
  const services = listFiles('src/upstream/contract/generated/publicapi/v1/*_pb.ts').flatMap((file) =>
    findDeclarations(file, /^export const (\w+): GenService</gm),
  );
  const domains = files.flatMap((file) => findDeclarations(file, /^export const (\w+) = domain\(\s*(\w+),/gm));
  const demos = files.flatMap((file) => findDeclarations(file, /^export const (\w+) = demoData\(/gm));
  // A service without domains is listed as well: tsc reports its operations as unhandled.
  const entries = services.map(({ name }) => {
    const names = domains.filter(({ part }) => part === name).map((domain) => domain.name);
    return `  service(${name}, [${names.sort().join(', ')}]),`;
  });
  const lines = [
    HEADER,
    ...[...services, ...domains, ...demos].map(printImport).sort(),
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
