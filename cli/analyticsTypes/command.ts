import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT } from '../../src/lib/packageRoot.ts';
import { escapeLines } from '../../src/lib/printableText.ts';
import type { HttpProxy } from '../../src/lib/proxy.ts';
import { readTextFile } from '../../src/lib/utf8.ts';
import { GraphClient } from '../bulk/graphClient.ts';
import { readProxy } from '../bulk/proxy.ts';

/** A field of the catalog, with the operators, aggregations and buckets that it supports. */
export interface CatalogField {
  readonly name: string;
  readonly description: string | null;
  readonly valueType: string;
  readonly operators: readonly string[];
  readonly aggregations: readonly string[];
  readonly buckets: readonly string[];
  readonly supportsCurrentMember: boolean | null;
  readonly currencyField: string | null;
  readonly words: readonly string[] | null;
  readonly isNullable: boolean | null;
}

interface CatalogEntity {
  readonly entity: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly CatalogField[];
  readonly relationships: readonly { readonly name: string; readonly entity: string; readonly description: string | null }[];
}

/** The analytics catalog, in the shape that `CATALOG_QUERY` returns. */
export interface Catalog {
  readonly entities: readonly CatalogEntity[];
}

export const CATALOG_QUERY = `query AnalyticsTypes {
  analyticsCatalog {
    entities {
      entity
      name
      description
      fields {
        name
        description
        valueType
        operators
        aggregations
        buckets
        supportsCurrentMember
        currencyField
        words
        isNullable
      }
      relationships {
        name
        description
        entity
      }
    }
  }
}`;

interface CatalogResponse {
  readonly data?: { readonly analyticsCatalog?: Catalog | null } | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** Extracts the catalog from the graph's response. Throws with the messages of its errors, or if it isn't such a response. */
function requireCatalog({ data, errors = [] }: CatalogResponse, source: string): Catalog {
  if (data?.analyticsCatalog && errors.length === 0) return data.analyticsCatalog;
  const reasons =
    errors.map(({ message }) => message).join(' ') ||
    'data.analyticsCatalog is missing. Save the response to the query of cli/analyticsTypes/command.ts.';
  throw new Error(`Can’t read the catalog from ${source}: ${reasons}`);
}

function parseFile(text: string, source: string): CatalogResponse {
  try {
    return JSON.parse(text) as CatalogResponse;
  } catch (cause) {
    throw new Error(
      `${source} isn’t JSON: ${JSON.stringify(text.slice(0, 40))}. Expected the graph’s response to a query for its catalog.`,
      { cause },
    );
  }
}

/** Fetches the catalog that an API key can see. */
export async function fetchCatalog(url: string, apiKey: string, proxy: HttpProxy | undefined): Promise<Catalog> {
  const client = new GraphClient({ url, readCredential: () => apiKey, proxy });
  try {
    return requireCatalog((await client.send(CATALOG_QUERY, {})) as CatalogResponse, url);
  } finally {
    await client.close();
  }
}

const HEADER = '// Generated from the analytics catalog by `workspace-graph analytics-types`. Do not edit.';

const IMPORT = /^import [\s\S]*? from '\.\/\w+\.ts';\n/gm;
/** Names that the two source files export only to each other are printed without `export`. */
const INTERNAL = /^export (?=type (?!Row)|class|function|interface (?!Money))/gm;
const FILE_COMMENT = /^\/\/ .*\n/;

const readPart = (file: string): string =>
  readFileSync(new URL(`cli/analyticsTypes/${file}`, PACKAGE_ROOT), 'utf8')
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
  if (file) return requireCatalog(parseFile(readTextFile(file), file), file);
  const { GRAPH_URL, API_KEY } = process.env;
  return fetchCatalog(url ?? (GRAPH_URL || 'http://127.0.0.1:4000/graphql'), key ?? (API_KEY || 'demo-owner'), readProxy(process.env));
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
