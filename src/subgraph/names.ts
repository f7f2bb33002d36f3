import {
  type GraphQLAbstractType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  isAbstractType,
  isScalarType,
  isSpecifiedScalarType,
  isTypeDefinitionNode,
  Kind,
  type Location,
  type NameNode,
  parse,
  visit,
} from 'graphql';
import { createStartError } from '../lib/startup.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import type { RenameRule, SubgraphOptions } from './options.ts';

const ROOT_OF_OPERATION = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
const ROOTS: readonly string[] = Object.values(ROOT_OF_OPERATION);
/** Names that Relay and federation depend on. */
const FIXED = new Set([...ROOTS, 'Node', 'Query.node', 'Query.nodes', 'Query._entities', 'Query._service']);
/** Types that subgraphs share by name. */
const SHARED = new Set([...FIXED, 'PageInfo']);

/** A name in GraphQL. Names that start with an underscore are reserved for GraphQL and federation. */
const NAME = /^[A-Za-z]\w*$/;

/** New names, by coordinate: `Type`, or a field of a root type such as `Query.field`. */
type Names = ReadonlyMap<string, string>;

const isRoot = (type: GraphQLNamedType): type is GraphQLObjectType => ROOTS.includes(type.name);
const isOwnType = (type: GraphQLNamedType) => !type.name.startsWith('_') && !isSpecifiedScalarType(type);

/** The coordinates that have names of their own: a type, and its fields if it's a root type. */
const listCoordinates = (type: GraphQLNamedType): string[] =>
  isRoot(type) ? [type.name, ...Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)] : [type.name];

/** The names of non-entity types with the prefix. Scalars are shared by name, so they aren't renamed. */
const prefixNames = (types: readonly GraphQLNamedType[], prefix: string): [string, string][] =>
  types
    .filter((type) => prefix !== '' && !isScalarType(type) && !SHARED.has(type.name) && !getEntityOfType(type))
    .map(({ name }) => [name, prefix + name]);

/** Returns a problem for each name that several coordinates would get. */
function findClashes(coordinates: readonly string[], names: Names): string[] {
  const byName = Map.groupBy(coordinates, (coordinate) => coordinate.replace(/\w+$/, (name) => names.get(coordinate) ?? name));
  return [...byName].flatMap(([name, same]) =>
    same.length > 1 ? `${same.join(' and ')} must not both be called ${name.split('.').at(-1)}.` : [],
  );
}

/** The new names of a schema's types and root fields. Throws with all problems at once. */
export function resolveNames(schema: GraphQLSchema, { renames, typePrefix }: SubgraphOptions): Names {
  const all = Object.values(schema.getTypeMap());
  const types = all.filter(isOwnType);
  const known = new Set(types.flatMap(listCoordinates));
  const findProblem = ({ coordinate, name }: RenameRule, index: number): string | undefined => {
    if (FIXED.has(coordinate)) return 'has a name that Relay or federation goes by';
    if (!known.has(coordinate)) return 'is neither a type nor a root field, such as Order or Query.order';
    if (!NAME.test(name)) return `must get a name of letters, digits and _ that begins with a letter, but gets ${name || 'none'}`;
    return renames.findIndex((rule) => rule.coordinate === coordinate) === index ? undefined : 'is renamed twice';
  };
  const invalid = renames.flatMap((rule, index) => {
    const problem = findProblem(rule, index);
    return problem ? [`${rule.coordinate} ${problem}.`] : [];
  });
  const names = new Map([...prefixNames(types, typePrefix), ...renames.map(({ coordinate, name }) => [coordinate, name] as const)]);
  const problems = [...invalid, ...findClashes(all.flatMap(listCoordinates), names)];
  if (problems.length === 0) return names;
  throw createStartError(
    'graph',
    problems.map((problem) => `SUBGRAPH_RENAME or SUBGRAPH_TYPE_PREFIX: ${problem}`),
  );
}

/** Renames the fields of a root type in place. */
function renameFields(root: GraphQLObjectType, names: Names): void {
  const fields = root.getFields();
  const renamed = Object.values(fields).map((field) => ({ field, name: names.get(`${root.name}.${field.name}`) ?? field.name }));
  for (const name of Object.keys(fields)) delete fields[name];
  for (const { field, name } of renamed) fields[name] = Object.assign(field, { name });
}

/** Makes an abstract type resolve to the new names of types. Its resolver returns those in the code. */
function renameResolved(type: GraphQLAbstractType, names: Names): void {
  const { resolveType } = type;
  if (!resolveType) return;
  type.resolveType = (...args) => {
    const name = resolveType(...args);
    return typeof name === 'string' ? (names.get(name) ?? name) : name;
  };
}

/** Renames the types and root fields of a schema in place. Returns the schema to execute. */
export function renameSchema(schema: GraphQLSchema, names: Names): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) renameResolved(type, names);
    if (isRoot(type)) renameFields(type, names);
    type.name = names.get(type.name) ?? type.name;
  }
  return new GraphQLSchema(schema.toConfig());
}

/** Converts a document or an SDL to new names. Preserves its layout and its comments. */
export function renameDocument(document: string, names: Names): string {
  if (names.size === 0) return document;
  const edits: { readonly loc: Location; readonly name: string }[] = [];
  const edit = ({ loc, value }: NameNode, parent = '') => {
    const name = names.get(parent + value);
    if (loc && name) edits.push({ loc, name });
  };
  visit(parse(document), {
    enter: (node) => {
      if (node.kind === Kind.NAMED_TYPE || isTypeDefinitionNode(node)) edit(node.name);
      if (node.kind === Kind.OBJECT_TYPE_DEFINITION) for (const { name } of node.fields ?? []) edit(name, `${node.name.value}.`);
      if (node.kind !== Kind.OPERATION_DEFINITION) return;
      for (const field of node.selectionSet.selections)
        if (field.kind === Kind.FIELD) edit(field.name, `${ROOT_OF_OPERATION[node.operation]}.`);
    },
  });
  let renamed = '';
  let position = 0;
  for (const { loc, name } of edits.toSorted((a, b) => a.loc.start - b.loc.start)) {
    renamed += document.slice(position, loc.start) + name;
    position = loc.end;
  }
  return renamed + document.slice(position);
}
