import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import { getOperation } from '../../src/schema/kit/operations.ts';
import { collectFieldFacts } from '../../src/server/graphiql/graphiql.ts';
import { SHARED } from '../../src/subgraph/areas.ts';
import type { Effect } from '../../src/upstream/contract/operation.ts';
import { AREAS, Layout, listSubjects } from './layout.ts';

/** A page of the reference, in Markdown. */
export interface ReferencePage {
  /** Path on the site, below `/reference/`: an area, or a subject of an area, such as `sales/quotes`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/** A root field, with the page that documents it. */
interface RootField {
  readonly root: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly path: string;
}

/** The subject of a page: `work/work-order-templates` becomes "work order templates". */
const getSubject = (path: string): string => path.slice(path.indexOf('/') + 1).replaceAll('-', ' ');

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const createTitle = (path: string): string => capitalize(listSubjects(path).length > 0 ? `${getSubject(path)} overview` : getSubject(path));

function createDescription(path: string): string {
  if (path === SHARED) return 'GraphQL types that several areas share';
  const isOverview = listSubjects(path).length > 0;
  return isOverview
    ? `Queries and mutations for ${getSubject(path)}, by page, and the types that these pages share`
    : `GraphQL fields and types for ${getSubject(path)}`;
}

/** What repeating an operation does, by its effect in the contract. */
const EFFECTS: Readonly<Record<Effect, string>> = {
  READ: 'read-only',
  EXPENSIVE_READ: 'read-only, never retried',
  SETTLED: 'idempotent',
  KEYED: 'deduplicated by the upstream, by idempotency key',
  CRITICAL: 'not idempotent, so an idempotency key is required',
  CREATING: 'not idempotent without an idempotency key',
  SETTING: 'a repeat sets the same values again',
};

/** Escapes text for a table cell: no pipes, newlines, or HTML tags. */
const escapeCell = (text: string) =>
  text
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' ');

const isFederationElement = ({ name }: { readonly name: string }) => name.startsWith('_');

/** Writes the reference of a schema. */
class Reference {
  readonly #schema: GraphQLSchema;
  readonly #layout: Layout;
  readonly #facts: Readonly<Record<string, string>>;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#layout = new Layout(schema);
    this.#facts = collectFieldFacts(schema);
  }

  createPages(): ReferencePage[] {
    const headings = new Map([
      [this.#schema.getQueryType(), 'Queries'],
      [this.#schema.getMutationType(), 'Mutations'],
      [this.#schema.getSubscriptionType(), 'Subscriptions'],
    ]);
    const roots = [...headings.keys()].flatMap((root) => root ?? []);
    const types = Object.values(this.#schema.getTypeMap())
      .filter(
        (type) =>
          !roots.includes(type as GraphQLObjectType) &&
          !isIntrospectionType(type) &&
          !isSpecifiedScalarType(type) &&
          !isFederationElement(type),
      )
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
    const fields = roots.flatMap((root) =>
      Object.values(root.getFields())
        .filter((field) => !isFederationElement(field))
        .map((field): RootField => ({ root, field, path: this.#layout.getFieldPage(root, field) })),
    );
    const typesByPath = Map.groupBy(types, (type) => this.#layout.getTypePage(type));
    const paths = AREAS.flatMap((area) => [area, ...listSubjects(area).map((subject) => `${area}/${subject}`)]);
    return paths.map((path) => {
      const own = typesByPath.get(path) ?? [];
      const sections = roots.flatMap((root) => {
        const ownFields = fields.filter((each) => each.root === root && each.path === path);
        return ownFields.length === 0 ? [] : [`## ${headings.get(root)}\n`, ...ownFields.map((each) => this.#printRootField(each))];
      });
      const typeSections = own.length === 0 ? [] : ['## Types\n', ...own.map((type) => this.#printType(type))];
      const text = [...printSubjects(path, fields), ...sections, ...typeSections].join('\n');
      return { path, title: createTitle(path), description: createDescription(path), text };
    });
  }

  /** A type with its wrappers, linked to the page that documents it. */
  #printLink(type: GraphQLType): string {
    const named = getNamedType(type);
    const text = String(type);
    if (isSpecifiedScalarType(named) || isFederationElement(named)) return `\`${text}\``;
    const [before = '', after = ''] = text.split(named.name);
    const wrap = (part: string) => (part ? `\`${part}\`` : '');
    return `${wrap(before)}[\`${named.name}\`](/reference/${this.#layout.getTypePage(named)}/#${named.name})${wrap(after)}`;
  }

  #printRootField({ root, field }: RootField): string {
    const operation = getOperation(field);
    const facts = [
      `Returns ${this.#printLink(field.type)}.`,
      this.#facts[`${root.name}.${field.name}`],
      operation && `Calls \`${operation.name}\`: ${EFFECTS[operation.effect]}.`,
      field.deprecationReason && `**Deprecated:** ${field.deprecationReason}`,
    ];
    return [
      `<a id="${root.name}.${field.name}"></a>\n`,
      // A search for the name of a field finds this page before the guides that mention the field.
      `### <span data-pagefind-weight="10">${field.name}</span>\n`,
      `${field.description ?? ''}\n`,
      `${facts.filter(Boolean).join(' ')}\n`,
      field.args.length > 0 ? this.#printInputs('Argument', field.args) : '',
    ].join('\n');
  }

  #printInputs(heading: string, inputs: readonly (GraphQLArgument | GraphQLInputField)[]): string {
    const rows = inputs.map(({ name, type, defaultValue, description }) => {
      const value = defaultValue === undefined ? '' : ` Default: \`${this.#printValue(defaultValue, type)}\`.`;
      return `| \`${name}\` | ${this.#printLink(type)} | ${isNonNullType(type) && defaultValue === undefined ? 'Yes' : ''} | ${escapeCell(`${description ?? ''}${value}`)} |`;
    });
    return `| ${heading} | Type | Required | Description |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  }

  #printValue(value: unknown, type: GraphQLInputType): string {
    const node = astFromValue(value, type);
    return node ? print(node) : 'null';
  }

  #printType(type: GraphQLNamedType): string {
    const head = [`<a id="${type.name}"></a>\n`, `### ${type.name}\n`, `${type.description ?? ''}\n`].join('\n');
    if (isObjectType(type) || isInterfaceType(type)) {
      const interfaces = type.getInterfaces().map((each) => this.#printLink(each));
      const implementing = interfaces.length > 0 ? `Implements ${interfaces.join(', ')}.\n\n` : '';
      const rows = Object.values(type.getFields()).map((field) => this.#printFieldRow(type.name, field));
      return `${head}\n${implementing}| Field | Type | Description |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
    }
    if (isInputObjectType(type)) {
      const oneOf = type.isOneOf ? 'Exactly one of these fields must be set.\n\n' : '';
      return `${head}\n${oneOf}${this.#printInputs('Field', Object.values(type.getFields()))}`;
    }
    if (isEnumType(type)) {
      const rows = type.getValues().map(({ name, description }) => `| \`${name}\` | ${escapeCell(description ?? '')} |`);
      return `${head}\n| Value | Description |\n| --- | --- |\n${rows.join('\n')}\n`;
    }
    if (isUnionType(type))
      return `${head}\nOne of ${type
        .getTypes()
        .map((each) => this.#printLink(each))
        .join(', ')}.\n`;
    return head;
  }

  #printFieldRow(parent: string, field: GraphQLField<unknown, unknown>): string {
    const args = field.args.length > 0 ? `(${field.args.map(({ name, type }) => `${name}: ${String(type)}`).join(', ')})` : '';
    const parts = [
      field.description,
      this.#facts[`${parent}.${field.name}`],
      field.deprecationReason && `**Deprecated:** ${field.deprecationReason}`,
    ];
    return `| \`${field.name}${args}\` | ${this.#printLink(field.type)} | ${escapeCell(parts.filter(Boolean).join(' '))} |`;
  }
}

const linkRootField = ({ root, field: { name }, path }: RootField) => `[\`${name}\`](/reference/${path}/#${root.name}.${name})`;

/** The pages of an area's subjects, with their root fields. Empty for areas that have a single page. */
function printSubjects(area: string, fields: readonly RootField[]): string[] {
  const rows = listSubjects(area).map((subject) => {
    const path = `${area}/${subject}`;
    const links = fields.filter((field) => field.path === path).map(linkRootField);
    return `| [${capitalize(getSubject(path))}](/reference/${path}/) | ${links.join(', ')} |`;
  });
  return rows.length === 0 ? [] : [`| Page | Queries and mutations |\n| --- | --- |\n${rows.join('\n')}\n`];
}

/** Creates the reference pages of a schema: one per area, and one per subject of areas that have several. Links between them are paths on the docs site. */
export const createReferencePages = (schema: GraphQLSchema): ReferencePage[] => new Reference(schema).createPages();
