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
import { valueFor } from './values.ts';

/** A document and the values of its variables. */
export interface Operation {
  readonly query: string;
  readonly variables: unknown;
}

const NAME = /^[_A-Za-z]\w*$/;

/** A JSON value as a document has it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([name]) => NAME.test(name));
  return `{ ${fields.map(([name, member]) => `${name}: ${literal(member)}`).join(', ')} }`;
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

/** Writes operations from the schema as the dice fall, of which some are wrong. */
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
    const value = valueFor(type, this.#dice);
    if (this.#dice.once(2)) return `${name}: ${literal(value)}`;
    const variable = `v${this.#declared.length}`;
    this.#declared.push(`$${variable}: ${type}`);
    if (!this.#dice.once(30)) this.#variables[variable] = value;
    return `${name}: $${variable}`;
  };

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.filter((arg) => isRequiredArgument(arg) || this.#dice.once(3));
    const args = given.length > 0 ? `(${given.map(this.#argument).join(', ')})` : '';
    const alias = this.#dice.once(6) ? `${this.#dice.pick(NAMES)}: ` : '';
    const directive = this.#dice.once(15) ? this.#dice.pick(DIRECTIVES) : '';
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
    const asked = Array.from({ length: 1 + this.#dice.upTo(2) }, () => this.#dice.pick(depth > 0 || leaves.length === 0 ? all : leaves));
    const texts = asked.filter((field) => depth > -2 || leaves.includes(field)).map((field) => this.#field(field, depth));
    if (this.#dice.once(40)) texts.push(this.#dice.pick(NAMES));
    return texts.join(' ') || '__typename';
  }

  write(): Operation {
    const isMutation = this.#dice.once(3);
    const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType();
    if (!root) throw new Error('The graph has queries and mutations.');
    const fields = this.#fields(root, 1 + this.#dice.upTo(3));
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(', ')})` : '';
    return { query: `${isMutation ? 'mutation' : 'query'} ${declared} { ${fields} }`, variables: this.#variables };
  }
}

const times = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** Documents that are made to hurt, of a size as the dice fall. */
const HOSTILE: readonly ((size: number, name: string) => string)[] = [
  (size) => `{ ${times(size, (index) => `a${index}: __typename`)} }`,
  (size) => `{ ${times(size, () => 'viewer { __typename }')} }`,
  (size) => `{ ...F0 } ${times(size, (index) => `fragment F${index} on Query { ...F${(index + 1) % size} }`)}`,
  (size) =>
    `{ ...F0 } ${times(14, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F14 on Query { ${'__typename '.repeat(size)} }`,
  (size, name) => `{ ...${name} } fragment ${name} on ${name} { ${name} }${' '.repeat(size)}`,
  (size, name) => `query ${name}($${name}: [${name}!]) { ${name}(${name}: $${name}) @${name}(${name}: {${name}: ${size}}) }`,
  (size) => `{ customer(id: ${'['.repeat(size)}`,
  (size) => `${'{ customer(id: "x") { contact '.repeat(Math.ceil(size / 20))}`,
  (size) => `{ __typename ${'@skip(if: false) '.repeat(size)} }`,
  (size) => `{ customer(id: "${'\\u0041'.repeat(size)}") { id } }`,
  (size) => `{ customer(id: """${'\n\t'.repeat(size)}""") { id } }`,
  (size) => `${'#'.repeat(size)}\n{ __typename }`,
  (size) => times(size, (index) => `query Q${index} { __typename }`),
  (size) => `subscription { ${'a '.repeat(size)} }`,
  (size) => `{ _entities(representations: [${times(size, (index) => `{ __typename: "Customer", rawId: "${index}" }`)}]) { __typename } }`,
  (size) => `{ nodes(ids: [${times(size, (index) => `"${index}"`)}]) { id } }`,
  (size) => `{ ${times(Math.min(size, 60), (i) => `c${i}: customers(first: 100) { nodes { quotes(first: 100) { nodes { id } } } }`)} }`,
  (size) => `{ __schema { types { ${'fields { type { ofType '.repeat(Math.min(size, 30))}`,
];

const PIECES = [
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

/** A text with some edits that nobody meant. */
function mutated(text: string, dice: Dice): string {
  const edits = Array.from({ length: 1 + dice.upTo(3) }, () => {
    const at = dice.upTo(text.length);
    return { at, length: dice.upTo(8), piece: dice.pick(PIECES), kind: dice.upTo(3) };
  });
  return edits.reduce((now, { at, length, piece, kind }) => {
    const cut = now.slice(at, at + length);
    const middle = [piece, '', cut + cut, [...cut].reverse().join('')][kind] ?? '';
    return now.slice(0, at) + middle + now.slice(kind === 0 ? at : at + length);
  }, text);
}

/** Sizes on both sides of the limits. */
const SIZES = [1, 3, 20, 90, 110, 240, 260, 1_000, 3_000, 12_000];

export function operationOf(schema: GraphQLSchema, dice: Dice): Operation {
  const kind = dice.upTo(9);
  if (kind <= 2) {
    const author = new QueryGenerator(schema, dice.any);
    return { query: author.generate(1 + dice.upTo(3)), variables: author.variables };
  }
  if (kind <= 6) return new Grammar(schema, dice).write();
  if (kind === 7) return { query: dice.pick(HOSTILE)(dice.pick(SIZES), dice.pick(NAMES)), variables: {} };
  const { query, variables } = kind === 8 ? new Grammar(schema, dice).write() : operationOf(schema, dice);
  return { query: mutated(query, dice), variables };
}
