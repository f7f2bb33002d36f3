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
import { Areas, SHARED } from '../../src/subgraph/areas.ts';
import type { Effect } from '../../src/upstream/contract/operation.ts';

/** A page of the reference, in Markdown. */
export interface ReferencePage {
  /** Name of the area and of the file. */
  readonly name: string;
  readonly text: string;
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
  readonly #areas: Areas;
  readonly #facts: Readonly<Record<string, string>>;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#areas = new Areas(schema);
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
        .map((field) => ({ root, field, area: this.#areas.getFieldArea(root, field) ?? SHARED })),
    );
    const byArea = Map.groupBy(types, (type) => this.#getArea(type));
    const names = [...new Set([...fields.map(({ area }) => area), ...byArea.keys()])].sort();
    return names.map((name) => {
      const sections = roots.flatMap((root) => {
        const own = fields.filter((each) => each.root === root && each.area === name);
        return own.length === 0 ? [] : [`## ${headings.get(root)}\n`, ...own.map(({ field }) => this.#printRootField(root, field))];
      });
      const text = [...sections, '## Types\n', ...(byArea.get(name) ?? []).map((type) => this.#printType(type))].join('\n');
      return { name, text };
    });
  }

  #getArea(type: GraphQLNamedType): string {
    return this.#areas.getTypeArea(type) ?? SHARED;
  }

  /** A type with its wrappers, linked to the page that documents it. */
  #printLink(type: GraphQLType): string {
    const named = getNamedType(type);
    const text = String(type);
    if (isSpecifiedScalarType(named) || isFederationElement(named)) return `\`${text}\``;
    const [before = '', after = ''] = text.split(named.name);
    const wrap = (part: string) => (part ? `\`${part}\`` : '');
    return `${wrap(before)}[\`${named.name}\`](/reference/${this.#getArea(named)}/#${named.name})${wrap(after)}`;
  }

  #printRootField(root: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
    const operation = getOperation(field);
    const facts = [
      `Returns ${this.#printLink(field.type)}.`,
      this.#facts[`${root.name}.${field.name}`],
      operation && `Calls \`${operation.name}\`: ${EFFECTS[operation.effect]}.`,
      field.deprecationReason && `**Deprecated:** ${field.deprecationReason}`,
    ];
    return [
      `<a id="${root.name}.${field.name}"></a>\n`,
      `### ${field.name}\n`,
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

/** Creates the reference pages of a schema, one per area. Links between them are paths on the docs site. */
export const createReferencePages = (schema: GraphQLSchema): ReferencePage[] => new Reference(schema).createPages();
