import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  GraphQLUnionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type NameNode,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { Maybe } from 'graphql/jsutils/Maybe.js';
import { createStartError } from '../lib/startup.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import type { RenamedExtensions, RenamedSchemaExtensions } from '../schema/kit/typeNames.ts';
import type { RenameRule, SubgraphOptions } from './options.ts';

const ROOT_OF_OPERATION = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;
const ROOTS: readonly string[] = Object.values(ROOT_OF_OPERATION);
/** Names that Relay and federation depend on. */
const FIXED = new Set([...ROOTS, 'Node', 'Query.node', 'Query.nodes']);
/** Types that subgraphs share by name. */
const SHARED = new Set([...FIXED, 'PageInfo']);

/** A name in GraphQL. Names that start with an underscore are reserved for GraphQL and federation. */
const NAME = /^[A-Za-z]\w*$/;

/** New names, by coordinate: `Type`, or a field of a root type such as `Query.field`. */
type Names = ReadonlyMap<string, string>;

const isOwnType = (type: GraphQLNamedType) => !type.name.startsWith('_') && !isSpecifiedScalarType(type);

/** The names of non-entity types with the prefix. Scalars are shared by name, so they aren't renamed. */
function prefixNames(types: readonly GraphQLNamedType[], prefix: string): Names {
  if (prefix === '') return new Map();
  const renamedTypes = types.filter((type) => !isScalarType(type) && !SHARED.has(type.name) && !getEntityOfType(type));
  return new Map(renamedTypes.map(({ name }) => [name, prefix + name]));
}

/** Coordinates of the fields of a root type. */
const getFieldCoordinates = (root: GraphQLNamedType): string[] =>
  isObjectType(root) ? Object.keys(root.getFields()).map((field) => `${root.name}.${field}`) : [];

/** Returns a problem for each name that several coordinates would get. */
function findClashes(coordinates: readonly string[], names: Names): string[] {
  const byName = Map.groupBy(coordinates, (coordinate) => names.get(coordinate) ?? coordinate.split('.').at(-1) ?? '');
  return [...byName].filter(([, same]) => same.length > 1).map(([name, same]) => `${same.join(' and ')} must not both be called ${name}.`);
}

/** The new names of a schema's types and root fields. Throws with all problems at once. */
function resolveNames(schema: GraphQLSchema, { renames, typePrefix }: SubgraphOptions): Names {
  const types = Object.values(schema.getTypeMap()).filter(isOwnType);
  const roots = types.filter(({ name }) => ROOTS.includes(name));
  const rootFields = roots.map(getFieldCoordinates);
  const known = new Set([...types.map(({ name }) => name), ...rootFields.flat()]);
  const findProblem = ({ coordinate, name }: RenameRule, index: number): string | undefined => {
    if (FIXED.has(coordinate)) return 'has a name that Relay or federation goes by';
    if (!known.has(coordinate)) return 'is neither a type nor a root field, such as Order or Query.order';
    if (!NAME.test(name)) return `must get a name of letters, digits and _ that begins with a letter, but gets ${name || 'none'}`;
    return renames.findIndex((rule) => rule.coordinate === coordinate) === index ? undefined : 'is renamed twice';
  };
  const problems = renames.flatMap((rule, index) => {
    const problem = findProblem(rule, index);
    return problem ? [`${rule.coordinate} ${problem}.`] : [];
  });
  const names = new Map([...prefixNames(types, typePrefix), ...renames.map(({ coordinate, name }) => [coordinate, name] as const)]);
  problems.push(...[Object.values(schema.getTypeMap()).map(({ name }) => name), ...rootFields].flatMap((each) => findClashes(each, names)));
  if (problems.length > 0) {
    const messages = problems.map((problem) => `SUBGRAPH_RENAME or SUBGRAPH_TYPE_PREFIX: ${problem}`);
    throw createStartError('graph', messages);
  }
  return names;
}

type TypeResolver = Maybe<GraphQLTypeResolver<unknown, unknown>>;

/** Translates the type names that a resolver returns, which are the original ones. */
const wrapTypeResolver = (resolveType: TypeResolver, names: Names): TypeResolver =>
  resolveType &&
  (async (...args) => {
    const name = await resolveType(...args);
    return name && (names.get(name) ?? name);
  });

/** The fields of an object type, renamed. */
const renameFields = ({ name, ...config }: ReturnType<GraphQLObjectType['toConfig']>, names: Names) =>
  Object.fromEntries(
    Object.entries(config.fields).map(([field, { extensions, ...rest }]) => {
      const newName = names.get(`${name}.${field}`);
      return newName
        ? [newName, { ...rest, extensions: { ...extensions, canonicalName: field } satisfies RenamedExtensions }]
        : [field, { ...rest, extensions }];
    }),
  );

/**
 * Renames types and root fields as a deployment configures it, for supergraphs in which the original names are taken. References to the types are updated.
 * Global IDs and settings use the original names.
 */
export function applyNames(schema: GraphQLSchema, options: SubgraphOptions): GraphQLSchema {
  const names = resolveNames(schema, options);
  if (names.size === 0) return schema;
  const renameConfig = <Config extends { readonly name: string; readonly extensions?: object | null }>(config: Config) => {
    const name = names.get(config.name);
    return name
      ? { ...config, name, extensions: { ...config.extensions, canonicalName: config.name } satisfies RenamedExtensions }
      : config;
  };
  const mapped = mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      const config = type.toConfig();
      return new GraphQLObjectType({ ...renameConfig(config), fields: renameFields(config, names) });
    },
    [MapperKind.ENUM_TYPE]: (type) => new GraphQLEnumType(renameConfig(type.toConfig())),
    [MapperKind.INPUT_OBJECT_TYPE]: (type) => new GraphQLInputObjectType(renameConfig(type.toConfig())),
    [MapperKind.SCALAR_TYPE]: (type) => (isSpecifiedScalarType(type) ? type : new GraphQLScalarType(renameConfig(type.toConfig()))),
    [MapperKind.INTERFACE_TYPE]: (type) => {
      const config = renameConfig(type.toConfig());
      return new GraphQLInterfaceType({ ...config, resolveType: wrapTypeResolver(config.resolveType, names) });
    },
    [MapperKind.UNION_TYPE]: (type) => {
      const config = renameConfig(type.toConfig());
      return new GraphQLUnionType({ ...config, resolveType: wrapTypeResolver(config.resolveType, names) });
    },
  });
  mapped.extensions = { ...mapped.extensions, names } satisfies RenamedSchemaExtensions;
  return mapped;
}

/** Converts a document with original names to the names of a schema. Preserves its layout, its comments, and the names in its response. */
export function applySchemaNames(document: string, schema: GraphQLSchema): string {
  const { names } = schema.extensions as RenamedSchemaExtensions;
  if (!names) return document;
  const edits: { readonly at: number; readonly end: number; readonly text: string }[] = [];
  const edit = ({ loc, value }: NameNode, coordinate: string, before = '') => {
    const name = names.get(coordinate);
    if (loc && name) edits.push({ at: loc.start, end: loc.end, text: before + name });
    return value;
  };
  const editRoot = ({ selections }: SelectionSetNode, root: string) => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) edit(node.name, `${root}.${node.name.value}`, node.alias ? '' : `${node.name.value}: `);
    }
  };
  visit(parse(document), {
    [Kind.NAMED_TYPE]: ({ name }) => void edit(name, name.value),
    [Kind.OPERATION_DEFINITION]: ({ operation, selectionSet }) => editRoot(selectionSet, ROOT_OF_OPERATION[operation]),
  });
  // In reverse order, so that earlier positions stay valid.
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, end, text: name }) => text.slice(0, at) + name + text.slice(end), document);
}
