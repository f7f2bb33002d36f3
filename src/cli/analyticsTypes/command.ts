import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from '../../lib/packageRoot.ts';
import { escapeLines } from '../../lib/printableText.ts';
import { type Catalog, type CatalogField, fetchCatalog, parseCatalog } from './catalog.ts';

const HEADER = '// Generated from the analytics catalog by `npm run analytics:types`. Do not edit.';

const IMPORT = /^import [\s\S]*? from '\.\/\w+\.ts';\n/gm;
/** Names that the two source files export only to each other are printed without `export`. */
const INTERNAL = /^export (?=type (?!Row)|class|function|interface (?!Money))/gm;
const FILE_COMMENT = /^\/\/ .*\n/;

const readPart = (file: string): string =>
  readFileSync(new URL(`src/cli/analyticsTypes/${file}`, PACKAGE_ROOT), 'utf8')
    .replace(FILE_COMMENT, '')
    .replace(IMPORT, '')
    .trim();

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
const quote = (text: string): string => JSON.stringify(text);
const list = (texts: readonly string[]): string => `[${texts.map(quote).join(', ')}]`;
const comment = (text: string | null, indent: string): string => (text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '');

/** The value with which the graph represents enum values that it doesn't know yet. */
const OTHER = 'OTHER';
const omitOther = (words: readonly string[]): readonly string[] => words.filter((word) => word !== OTHER);

const printKind = ({ valueType, operators, aggregations, buckets, isNullable, supportsCurrentMember }: CatalogField): string =>
  `{ type: ${quote(valueType)}, operators: ${list(omitOther(operators))}, aggregations: ${list(omitOther(aggregations))}, buckets: ${list(omitOther(buckets))}, isNullable: ${isNullable === true}, isMember: ${supportsCurrentMember === true} }`;

/** Names of the distinct kinds of fields, such as `textField` and `textField2`. */
function nameKinds(fields: readonly CatalogField[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const field of fields) {
    const kind = printKind(field);
    if (names.has(kind)) continue;
    const count = (counts.get(field.valueType) ?? 0) + 1;
    counts.set(field.valueType, count);
    names.set(kind, `${field.valueType.toLowerCase()}Field${count > 1 ? count : ''}`);
  }
  return names;
}

function printField(field: CatalogField, kinds: ReadonlyMap<string, string>): string {
  const { name, description, words, currencyField } = field;
  const kind = kinds.get(printKind(field)) ?? '';
  const more = [...(words?.length ? [`words: ${list(words)}`] : []), ...(currencyField ? [`currency: ${quote(currencyField)}`] : [])];
  const value = more.length > 0 ? `{ ...${kind}, ${more.join(', ')} }` : kind;
  return `${comment(description, '      ')}      ${key(name)}: ${value},\n`;
}

/** Prints the types of a catalog and a query builder for it, as TypeScript without imports. Omits values that the graph can't represent. */
function printCatalog({ entities }: Catalog): string {
  const printedEntities = entities
    .filter(({ entity }) => entity !== OTHER)
    .map((each) => ({ ...each, fields: each.fields.filter(({ valueType }) => valueType !== OTHER) }));
  const kinds = nameKinds(printedEntities.flatMap(({ fields }) => fields));
  const names = new Map(printedEntities.map(({ entity, name }) => [entity, name]));
  const constants = [...kinds].map(([kind, name]) => `const ${name} = ${kind} as const;`);
  const roots = printedEntities.map(({ name, description, fields, relationships }) => {
    const steps = relationships.flatMap(({ name, entity, description }) => {
      const root = names.get(entity);
      return root === undefined ? [] : `${comment(description, '      ')}      ${key(name)}: ${quote(root)},\n`;
    });
    const members = fields.map((field) => printField(field, kinds)).join('');
    return `${comment(description, '  ')}  ${key(name)}: {\n    fields: {\n${members}    },\n    relationships: {\n${steps.join('')}    },\n  },\n`;
  });
  const builder = [readPart('conditions.ts'), readPart('queries.ts')].join('\n\n').replace(INTERNAL, '');
  return `${HEADER}

${builder}

${constants.join('\n')}

const ROOTS = {
${roots.join('')}} as const satisfies Roots;

/** Starts a query over an entity of the catalog. */
export const from = queriesOver(ROOTS);
`;
}

const USAGE = `Usage:
  analytics-types [--url URL] [--key KEY]   Fetch the analytics catalog from a graph
  analytics-types --file FILE               Read the catalog from a saved response of the graph

Options:
  --url URL    URL of the graph. Default: GRAPH_URL, or http://127.0.0.1:4000/graphql
  --key KEY    API key. Default: API_KEY, or demo-owner
  --file FILE  JSON file with the response to a query for the catalog
  --help       Show this help`;

const OPTIONS = { url: { type: 'string' }, key: { type: 'string' }, file: { type: 'string' }, help: { type: 'boolean' } } as const;

interface CatalogSource {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly file?: string | undefined;
}

function read({ url, key, file }: CatalogSource): Catalog | Promise<Catalog> {
  if (file) return parseCatalog(readFileSync(file, 'utf8'), file);
  const { GRAPH_URL, API_KEY } = process.env;
  return fetchCatalog(url ?? (GRAPH_URL || 'http://127.0.0.1:4000/graphql'), key ?? (API_KEY || 'demo-owner'));
}

/** Prints TypeScript types and a typed query builder for the analytics catalog. Failures are reported on stderr, with exit code 1. */
export async function printAnalyticsTypes(args: readonly string[]): Promise<void> {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    process.stdout.write(values.help ? `${USAGE}\n` : printCatalog(await read(values)));
  } catch (error) {
    console.error(escapeLines(error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
}
