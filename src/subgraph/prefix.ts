import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DefinitionNode,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  GraphQLUnionType,
  isScalarType,
  Kind,
  type NameNode,
  parse,
  visit,
} from 'graphql';
import type { Maybe } from 'graphql/jsutils/Maybe.js';
import { entityNamed } from '../schema/entities.ts';

/** Types that subgraphs share by their names. */
const SHARED = new Set(['Query', 'Mutation', 'Node', 'PageInfo']);

const isRenamed = ({ name }: GraphQLNamedType) => !SHARED.has(name) && !name.startsWith('_') && !entityNamed(name);

/** The names of types with a prefix on each that is no entity, by the names without. */
function prefixed(schema: GraphQLSchema, prefix: string): (name: string) => string {
  const types = Object.values(schema.getTypeMap()).filter((type) => !isScalarType(type) && isRenamed(type));
  const names = new Map(types.map(({ name }) => [name, prefix + name]));
  return (name) => names.get(name) ?? name;
}

type TypeResolver = Maybe<GraphQLTypeResolver<unknown, unknown>>;

/**
 * The schema with a prefix on the name of each type that is no entity: another subgraph may have a `Money` or a `ValidationError` of its
 * own, which would not compose. Scalars are shared by their names, and keep them.
 */
export function withTypePrefix(schema: GraphQLSchema, prefix: string): GraphQLSchema {
  if (prefix === '') return schema;
  const nameOf = prefixed(schema, prefix);
  const resolver = (resolveType: TypeResolver): TypeResolver =>
    resolveType &&
    (async (...args) => {
      const name = await resolveType(...args);
      return name && nameOf(name);
    });
  return mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => new GraphQLObjectType({ ...type.toConfig(), name: nameOf(type.name) }),
    [MapperKind.ENUM_TYPE]: (type) => new GraphQLEnumType({ ...type.toConfig(), name: nameOf(type.name) }),
    [MapperKind.INPUT_OBJECT_TYPE]: (type) => new GraphQLInputObjectType({ ...type.toConfig(), name: nameOf(type.name) }),
    [MapperKind.INTERFACE_TYPE]: (type) => {
      const config = type.toConfig();
      return new GraphQLInterfaceType({ ...config, name: nameOf(type.name), resolveType: resolver(config.resolveType) });
    },
    [MapperKind.UNION_TYPE]: (type) => {
      const config = type.toConfig();
      return new GraphQLUnionType({ ...config, name: nameOf(type.name), resolveType: resolver(config.resolveType) });
    },
  });
}

/** As `withTypePrefix`, for what was printed of the schema. */
export function withTypeNames(definitions: readonly DefinitionNode[], schema: GraphQLSchema, prefix: string): readonly DefinitionNode[] {
  if (prefix === '') return definitions;
  const nameOf = prefixed(schema, prefix);
  const rename = <Named extends { readonly name: NameNode }>(node: Named): Named => ({
    ...node,
    name: { ...node.name, value: nameOf(node.name.value) },
  });
  return definitions.map((definition) =>
    visit(definition, {
      [Kind.NAMED_TYPE]: rename,
      [Kind.OBJECT_TYPE_DEFINITION]: { leave: rename },
      [Kind.INTERFACE_TYPE_DEFINITION]: { leave: rename },
      [Kind.UNION_TYPE_DEFINITION]: { leave: rename },
      [Kind.ENUM_TYPE_DEFINITION]: { leave: rename },
      [Kind.INPUT_OBJECT_TYPE_DEFINITION]: { leave: rename },
    }),
  );
}

/** A document for the graph without prefix, as one for the schema that has it. Its layout and comments stay. */
export function withPrefixedTypes(document: string, schema: GraphQLSchema, prefix: string): string {
  const found: NameNode[] = [];
  visit(parse(document), { [Kind.NAMED_TYPE]: ({ name }) => void found.push(name) });
  // From the back, so that places before stay where they are.
  return found.reduceRight((text, { loc, value }) => {
    return loc && schema.getType(prefix + value) ? text.slice(0, loc.start) + prefix + text.slice(loc.start) : text;
  }, document);
}
