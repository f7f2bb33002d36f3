import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../lib/packageRoot.ts';
import type { Catalog, CatalogField } from './catalog.ts';

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
export function printCatalog({ entities }: Catalog): string {
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
