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
import { getOperation } from '../src/schema/kit/operations.ts';
import { fieldFacts } from '../src/server/graphiql/fieldFacts.ts';
import { Areas, SHARED } from '../src/subgraph/areas.ts';
import type { Effect } from '../src/upstream/contract/operation.ts';

/** A page of the reference, in Markdown. */
export interface ReferencePage {
  /** Of the area, and the file. */
  readonly name: string;
  readonly text: string;
}

/** Words for what a repeat of an operation does, by its effect in the contract. */
const EFFECTS: Readonly<Record<Effect, string>> = {
  READ: 'read-only',
  EXPENSIVE_READ: 'read-only, never retried',
  SETTLED: 'idempotent',
  KEYED: 'deduplicated by the upstream, by idempotency key',
  CRITICAL: 'not idempotent, so an idempotency key is required',
  CREATING: 'not idempotent without an idempotency key',
  SETTING: 'a repeat sets the same values again',
};

/** Text in a cell of a table, where neither its bars nor its lines may end the cell; braces and angle brackets are no markup of the site. */
const cell = (text: string) =>
  text
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' ');

const isOfFederation = ({ name }: { readonly name: string }) => name.startsWith('_');

/** Writes the reference of a schema. */
class Reference {
  readonly #schema: GraphQLSchema;
  readonly #areas: Areas;
  readonly #facts: Readonly<Record<string, string>>;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#areas = new Areas(schema);
    this.#facts = fieldFacts(schema);
  }

  pages(): ReferencePage[] {
    const roots = [this.#schema.getQueryType(), this.#schema.getMutationType()].flatMap((root) => root ?? []);
    const types = Object.values(this.#schema.getTypeMap())
      .filter(
        (type) =>
          !roots.includes(type as GraphQLObjectType) && !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !isOfFederation(type),
      )
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
    const fields = roots.flatMap((root) =>
      Object.values(root.getFields())
        .filter((field) => !isOfFederation(field))
        .map((field) => ({ root, field, area: this.#areas.ofField(root, field) ?? SHARED })),
    );
    const byArea = Map.groupBy(types, (type) => this.#areaOf(type));
    const names = [...new Set([...fields.map(({ area }) => area), ...byArea.keys()])].sort();
    return names.map((name) => {
      const sections = roots.flatMap((root) => {
        const own = fields.filter((each) => each.root === root && each.area === name);
        return own.length === 0
          ? []
          : [`## ${root === roots[0] ? 'Queries' : 'Mutations'}\n`, ...own.map(({ field }) => this.#rootField(root, field))];
      });
      const text = [...sections, '## Types\n', ...(byArea.get(name) ?? []).map((type) => this.#type(type))].join('\n');
      return { name, text };
    });
  }

  #areaOf(type: GraphQLNamedType): string {
    return this.#areas.ofType(type) ?? SHARED;
  }

  /** A type in its wrappers, with a link to the page that has it. */
  #link(type: GraphQLType): string {
    const named = getNamedType(type);
    const text = String(type);
    if (isSpecifiedScalarType(named) || isOfFederation(named)) return `\`${text}\``;
    const [before = '', after = ''] = text.split(named.name);
    const wrap = (part: string) => (part ? `\`${part}\`` : '');
    return `${wrap(before)}[\`${named.name}\`](/reference/${this.#areaOf(named)}/#${named.name})${wrap(after)}`;
  }

  #rootField(root: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string {
    const operation = getOperation(field);
    const facts = [
      `Returns ${this.#link(field.type)}.`,
      this.#facts[`${root.name}.${field.name}`],
      operation && `Calls \`${operation.name}\`: ${EFFECTS[operation.effect]}.`,
      field.deprecationReason && `**Deprecated:** ${field.deprecationReason}`,
    ];
    return [
      `<a id="${root.name}.${field.name}"></a>\n`,
      `### ${field.name}\n`,
      `${field.description ?? ''}\n`,
      `${facts.filter(Boolean).join(' ')}\n`,
      field.args.length > 0 ? this.#inputs('Argument', field.args) : '',
    ].join('\n');
  }

  #inputs(heading: string, inputs: readonly (GraphQLArgument | GraphQLInputField)[]): string {
    const rows = inputs.map(({ name, type, defaultValue, description }) => {
      const value = defaultValue === undefined ? '' : ` Default: \`${this.#printed(defaultValue, type)}\`.`;
      return `| \`${name}\` | ${this.#link(type)} | ${isNonNullType(type) && defaultValue === undefined ? 'Yes' : ''} | ${cell(`${description ?? ''}${value}`)} |`;
    });
    return `| ${heading} | Type | Required | Description |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  }

  #printed(value: unknown, type: GraphQLInputType): string {
    const node = astFromValue(value, type);
    return node ? print(node) : 'null';
  }

  #type(type: GraphQLNamedType): string {
    const head = [`<a id="${type.name}"></a>\n`, `### ${type.name}\n`, `${type.description ?? ''}\n`].join('\n');
    if (isObjectType(type) || isInterfaceType(type)) {
      const interfaces = type.getInterfaces().map((each) => this.#link(each));
      const implementing = interfaces.length > 0 ? `Implements ${interfaces.join(', ')}.\n\n` : '';
      const rows = Object.values(type.getFields()).map((field) => this.#fieldRow(type.name, field));
      return `${head}\n${implementing}| Field | Type | Description |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
    }
    if (isInputObjectType(type)) {
      const oneOf = type.isOneOf ? 'Exactly one of these fields must be set.\n\n' : '';
      return `${head}\n${oneOf}${this.#inputs('Field', Object.values(type.getFields()))}`;
    }
    if (isEnumType(type)) {
      const rows = type.getValues().map(({ name, description }) => `| \`${name}\` | ${cell(description ?? '')} |`);
      return `${head}\n| Value | Description |\n| --- | --- |\n${rows.join('\n')}\n`;
    }
    if (isUnionType(type))
      return `${head}\nOne of ${type
        .getTypes()
        .map((each) => this.#link(each))
        .join(', ')}.\n`;
    return head;
  }

  #fieldRow(parent: string, field: GraphQLField<unknown, unknown>): string {
    const args = field.args.length > 0 ? `(${field.args.map(({ name, type }) => `${name}: ${String(type)}`).join(', ')})` : '';
    const told = [
      field.description,
      this.#facts[`${parent}.${field.name}`],
      field.deprecationReason && `**Deprecated:** ${field.deprecationReason}`,
    ];
    return `| \`${field.name}${args}\` | ${this.#link(field.type)} | ${cell(told.filter(Boolean).join(' '))} |`;
  }
}

/** Pages of all that a schema has, one for each area of the business. Links between them are those of the site. */
export const referencePages = (schema: GraphQLSchema): ReferencePage[] => new Reference(schema).pages();
