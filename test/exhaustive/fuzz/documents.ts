import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { QueryGenerator } from '../../support/randomQueries.ts';
import { type Dice, NAMES, TEXTS } from './dice.ts';
import { generateValue } from './values.ts';

/** A document with its variables. */
export interface Operation {
  readonly query: string;
  readonly variables: unknown;
}

const NAME = /^[_A-Za-z]\w*$/;

/** Prints a JSON value as a GraphQL literal. */
function printLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([name]) => NAME.test(name));
  return `{ ${fields.map(([name, member]) => `${name}: ${printLiteral(member)}`).join(', ')} }`;
}

const DIRECTIVES = [
  '@include(if: true)',
  '@skip(if: false)',
  '@defer',
  '@stream(initialCount: 0)',
  '@nothing',
  '@skip',
  '@include(if: $v0)',
];

/** Generates operations from the schema. Some of them are invalid. */
class Grammar {
  readonly #schema: GraphQLSchema;
  readonly #dice: Dice;
  readonly #declared: string[] = [];
  readonly #variables: Record<string, unknown> = {};

  constructor(schema: GraphQLSchema, dice: Dice) {
    this.#schema = schema;
    this.#dice = dice;
  }

  #argument = ({ name, type }: GraphQLField<unknown, unknown>['args'][number]): string => {
    const value = generateValue(type, this.#dice);
    if (this.#dice.oneIn(2)) return `${name}: ${printLiteral(value)}`;
    const variable = `v${this.#declared.length}`;
    this.#declared.push(`$${variable}: ${type}`);
    if (!this.#dice.oneIn(30)) this.#variables[variable] = value;
    return `${name}: $${variable}`;
  };

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const passed = field.args.filter((arg) => isRequiredArgument(arg) || this.#dice.oneIn(3));
    const args = passed.length > 0 ? `(${passed.map(this.#argument).join(', ')})` : '';
    const alias = this.#dice.oneIn(6) ? `${this.#dice.pick(NAMES)}: ` : '';
    const directive = this.#dice.oneIn(15) ? this.#dice.pick(DIRECTIVES) : '';
    return `${alias}${field.name}${args} ${directive} ${this.#selection(getNamedType(field.type), depth - 1)}`;
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (isAbstractType(type)) {
      const possible = this.#schema.getPossibleTypes(type);
      const arms = Array.from({ length: 2 }, () => this.#dice.pick(possible));
      const shared = isInterfaceType(type) ? this.#fields(type, depth) : '';
      return `{ __typename ${arms.map((arm) => `... on ${arm.name} { ${this.#fields(arm, depth)} }`).join(' ')} ${shared} }`;
    }
    return isObjectType(type) ? `{ ${this.#fields(type, depth)} }` : '';
  }

  #fields(type: Extract<GraphQLNamedType, { getFields: unknown }>, depth: number): string {
    const all = Object.values(type.getFields()) as GraphQLField<unknown, unknown>[];
    const leaves = all.filter((field) => !('getFields' in getNamedType(field.type)) && !isAbstractType(getNamedType(field.type)));
    const selected = Array.from({ length: 1 + this.#dice.upTo(2) }, () => this.#dice.pick(depth > 0 || leaves.length === 0 ? all : leaves));
    const texts = selected.filter((field) => depth > -2 || leaves.includes(field)).map((field) => this.#field(field, depth));
    if (this.#dice.oneIn(40)) texts.push(this.#dice.pick(NAMES));
    return texts.join(' ') || '__typename';
  }

  generate(): Operation {
    const isMutation = this.#dice.oneIn(3);
    const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType();
    if (!root) throw new Error('The graph has queries and mutations.');
    const fields = this.#fields(root, 1 + this.#dice.upTo(3));
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    return { query: `${isMutation ? 'mutation' : 'query'} ${declared} { ${fields} }`, variables: this.#variables };
  }
}

const repeat = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** Documents of a given size that are expensive to process. */
const HOSTILE: readonly ((size: number, name: string) => string)[] = [
  (size) => `{ ${repeat(size, (index) => `a${index}: __typename`)} }`,
  (size) => `{ ${repeat(size, () => 'viewer { __typename }')} }`,
  (size) => `{ ...F0 } ${repeat(size, (index) => `fragment F${index} on Query { ...F${(index + 1) % size} }`)}`,
  (size) =>
    `{ ...F0 } ${repeat(14, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F14 on Query { ${'__typename '.repeat(size)} }`,
  (size, name) => `{ ...${name} } fragment ${name} on ${name} { ${name} }${' '.repeat(size)}`,
  (size, name) => `query ${name}($${name}: [${name}!]) { ${name}(${name}: $${name}) @${name}(${name}: {${name}: ${size}}) }`,
  (size) => `{ customer(id: ${'['.repeat(size)}`,
  (size) => `${'{ customer(id: "x") { contact '.repeat(Math.ceil(size / 20))}`,
  (size) => `{ __typename ${'@skip(if: false) '.repeat(size)} }`,
  (size) => `{ customer(id: "${'\\u0041'.repeat(size)}") { id } }`,
  (size) => `{ customer(id: """${'\n\t'.repeat(size)}""") { id } }`,
  (size) => `${'#'.repeat(size)}\n{ __typename }`,
  (size) => repeat(size, (index) => `query Q${index} { __typename }`),
  (size) => `subscription { ${'a '.repeat(size)} }`,
  (size) => `{ _entities(representations: [${repeat(size, (index) => `{ __typename: "Customer", rawId: "${index}" }`)}]) { __typename } }`,
  (size) => `{ nodes(ids: [${repeat(size, (index) => `"${index}"`)}]) { id } }`,
  (size) => `{ ${repeat(Math.min(size, 60), (i) => `c${i}: customers(first: 100) { nodes { quotes(first: 100) { nodes { id } } } }`)} }`,
  (size) => `{ __schema { types { ${'fields { type { ofType '.repeat(Math.min(size, 30))}`,
];

const SNIPPETS = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '$',
  '@',
  '!',
  ':',
  '...',
  '"',
  '"""',
  '#',
  '\\',
  '\n',
  '\ufeff',
  '|',
  '&',
  ' on ',
  '1e9',
  '-',
  ...TEXTS,
];

/** Applies some random edits to a string. */
function mutate(text: string, dice: Dice): string {
  const edits = Array.from({ length: 1 + dice.upTo(3) }, () => {
    const at = dice.upTo(text.length);
    return { at, length: dice.upTo(8), snippet: dice.pick(SNIPPETS), kind: dice.upTo(3) };
  });
  return edits.reduce((now, { at, length, snippet, kind }) => {
    const cut = now.slice(at, at + length);
    const middle = [snippet, '', cut + cut, [...cut].reverse().join('')][kind] ?? '';
    return now.slice(0, at) + middle + now.slice(kind === 0 ? at : at + length);
  }, text);
}

/** Sizes below and above the limits. */
const SIZES = [1, 3, 20, 90, 110, 240, 260, 1_000, 3_000, 12_000];

export function generateOperation(schema: GraphQLSchema, dice: Dice): Operation {
  const kind = dice.upTo(9);
  if (kind <= 2) {
    const author = new QueryGenerator(schema, dice.any);
    return { query: author.generate(1 + dice.upTo(3)), variables: author.variables };
  }
  if (kind <= 6) return new Grammar(schema, dice).generate();
  if (kind === 7) return { query: dice.pick(HOSTILE)(dice.pick(SIZES), dice.pick(NAMES)), variables: {} };
  const { query, variables } = kind === 8 ? new Grammar(schema, dice).generate() : generateOperation(schema, dice);
  return { query: mutate(query, dice), variables };
}
