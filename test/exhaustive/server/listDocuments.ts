import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Random } from '../../../sandbox/kernel/random.ts';

type Field = GraphQLField<unknown, unknown>;

/** A field that leads to objects. */
export interface Step {
  readonly parent: GraphQLObjectType;
  readonly field: Field;
  /** Type of the objects: the rows of a connection. */
  readonly node: GraphQLNamedType;
  readonly isPaged: boolean;
  readonly isList: boolean;
}

/** A document, with the path to the rows that its response must contain. */
export interface ListDocument {
  readonly source: string;
  readonly rows: readonly Step[];
}

/** Values of required arguments, by coordinate or by name. */
export type Arguments = Readonly<Record<string, string>>;

/** Fields that lead to no records, or whose arguments determine which: analytics queries and objects by ID have documents of their own. */
const EXCLUDED = /^Query\.(_service|_entities|node|nodes|viewerCan|idempotentOperation|analytics\w*)$|^\w+\.(pageInfo|edges|facets)$/;

function createStep(parent: GraphQLObjectType, field: Field): Step | undefined {
  const target = getNamedType(field.type);
  if (!isCompositeType(target) || EXCLUDED.test(`${parent.name}.${field.name}`)) return undefined;
  const nodes = isObjectType(target) ? target.getFields().nodes : undefined;
  const isList = nodes !== undefined || isListType(getNullableType(field.type));
  return { parent, field, node: nodes ? getNamedType(nodes.type) : target, isPaged: nodes !== undefined, isList };
}

const listSteps = (type: GraphQLNamedType): Step[] =>
  isObjectType(type) ? Object.values(type.getFields()).flatMap((field) => createStep(type, field) ?? []) : [];

const listLists = (type: GraphQLNamedType): Step[] => listSteps(type).filter(({ isList }) => isList);

/** How much longer a step makes a path. Lists lead to several owners. The prediction of a search would hide calls that are missing elsewhere. */
const getLength = ({ field, isList }: Step): number => (field.name.endsWith('Search') ? 9 : 1) + (isList ? 0 : 3);

/** The shortest path from the root to each type. */
export function findPaths(schema: GraphQLSchema): ReadonlyMap<GraphQLNamedType, readonly Step[]> {
  const paths = new Map<GraphQLNamedType, readonly Step[]>();
  const open: { readonly type: GraphQLNamedType; readonly path: readonly Step[]; readonly length: number }[] = [
    { type: schema.getQueryType() as GraphQLObjectType, path: [], length: 0 },
  ];
  for (let next = open.shift(); next; next = open.shift()) {
    const { type, path, length } = next;
    if (paths.has(type)) continue;
    paths.set(type, path);
    open.push(...listSteps(type).map((step) => ({ type: step.node, path: [...path, step], length: length + getLength(step) })));
    open.sort((one, other) => one.length - other.length);
  }
  return paths;
}

/** Paths to every list of the schema, except those of the root that are on the way to no other. */
export const listPaths = (schema: GraphQLSchema): (readonly Step[])[] =>
  [...findPaths(schema)].flatMap(([type, path]) => listLists(type).map((list) => [...path, list]));

/** Number of objects at the end of a path in a response. */
export function countRows(value: unknown, path: readonly Step[]): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + countRows(each, path), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const [step, ...rest] = path;
  if (!step) return 1;
  const next = (value as Readonly<Record<string, unknown>>)[step.field.name];
  return countRows(step.isPaged ? (next as { readonly nodes?: unknown } | null)?.nodes : next, rest);
}

/** Writes documents with nested lists. */
export class ListWriter {
  readonly #schema: GraphQLSchema;
  readonly #args: Arguments;
  #aliases = 0;

  constructor(schema: GraphQLSchema, args: Arguments) {
    this.#schema = schema;
    this.#args = args;
  }

  #writeStep(step: Step, size: number, selection: string): string {
    const { parent, field, isPaged } = step;
    const required = field.args.filter(isRequiredArgument).map(({ name }) => {
      const value = this.#args[`${parent.name}.${field.name}.${name}`] ?? this.#args[name];
      if (value === undefined) throw new Error(`${parent.name}.${field.name} needs a value for ${name}.`);
      return `${name}: ${value}`;
    });
    const args = isPaged ? [`first: ${size}`, ...required] : required;
    return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} { ${isPaged ? `nodes { ${selection} }` : selection} }`;
  }

  /** Selects all leaves that need no arguments. */
  selectLeaves(type: GraphQLNamedType): string {
    if (isAbstractType(type))
      return [
        '__typename',
        ...this.#schema
          .getPossibleTypes(type)
          .map((each) => `... on ${each.name} { ${each.name}: ${this.#listLeaves(each)[0] ?? '__typename'} }`),
      ].join(' ');
    return ['__typename', ...(isObjectType(type) ? this.#listLeaves(type) : [])].join(' ');
  }

  /** Names of leaves that require the record, if there are any. */
  #listLeaves(type: GraphQLObjectType): string[] {
    const leaves = Object.values(type.getFields()).filter(
      ({ type: each, args }) => !isCompositeType(getNamedType(each)) && !args.some(isRequiredArgument),
    );
    const names = leaves.map(({ name }) => name);
    return names.toSorted((one, other) => Number(one === 'id' || one === 'rawId') - Number(other === 'id' || other === 'rawId'));
  }

  /** Writes a path with the sizes of its pages. */
  writePath(path: readonly Step[], sizes: readonly number[], selection: string): string {
    return path.reduceRight((inner, step, index) => this.#writeStep(step, sizes[index] ?? 1, inner), selection);
  }

  /** Every list of the schema, each list of its rows, and each field of those that leads to objects. */
  listDocuments(sizes: readonly number[]): ListDocument[] {
    const lists = listPaths(this.#schema).flatMap((outer) => [
      outer,
      ...listLists((outer.at(-1) as Step).node).map((inner) => [...outer, inner]),
    ]);
    const documents = lists.flatMap((rows) => {
      const { node } = rows.at(-1) as Step;
      const selections = [
        this.selectLeaves(node),
        ...listSteps(node).map((step) => this.#writeStep(step, 3, this.selectLeaves(step.node))),
      ];
      return selections.map((selection) => ({ rows, source: `{ ${this.writePath(rows, sizes, selection)} }` }));
    });
    return [...new Map(documents.map((document) => [document.source, document])).values()];
  }

  /** Selects the leaves of objects by ID, and all of their lists. */
  selectLists(type: GraphQLNamedType): string {
    const lists = listLists(type).map((step) => this.#writeStep(step, 3, this.selectLeaves(step.node)));
    return `... on ${type.name} { ${this.selectLeaves(type)} ${lists.join(' ')} }`;
  }

  /** Selects the leaves of a type and some of its lists and objects, to a depth. */
  writeRandom(type: GraphQLNamedType, depth: number, random: Random): string {
    if (isAbstractType(type))
      return `__typename ${this.#schema
        .getPossibleTypes(type)
        .map((each) => `... on ${each.name} { ${this.writeRandom(each, depth - 1, random)} }`)
        .join(' ')}`;
    const all = depth > 0 ? listSteps(type) : [];
    if (all.length === 0) return '__typename';
    const lists = all.filter(({ isList }) => isList);
    // Single records of the root need an ID.
    const steps = type === this.#schema.getQueryType() ? lists : all;
    const picked = Array.from({ length: random.nextInteger(1, 2) }, () =>
      random.pick(lists.length > 0 && random.nextBoolean(0.7) ? lists : steps),
    );
    const fields = picked.map((step) => {
      this.#aliases += 1;
      const leaves = random.nextBoolean(0.5) && isObjectType(step.node) ? this.selectLeaves(step.node) : '';
      const selection = `${leaves} ${this.writeRandom(step.node, depth - 1, random)}`;
      return `n${this.#aliases}: ${this.#writeStep(step, random.nextInteger(1, depth + 2), selection)}`;
    });
    return random.nextBoolean(0.2) ? `... { ${fields.join(' ')} }` : fields.join(' ');
  }
}
