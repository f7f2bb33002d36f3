import {
  type ConstValueNode,
  type DefinitionNode,
  type FieldDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { costOfField, costOfType, listSizeOf, scopesOf, withDirectives } from './directives.ts';
import type { SubgraphOptions } from './options.ts';
import { withTypeNames } from './prefix.ts';
import { Tags } from './tags.ts';

const isQuery = (definition: DefinitionNode): definition is ObjectTypeDefinitionNode =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Query';

const withoutFields = (definition: ObjectTypeDefinitionNode, names: ReadonlySet<string>): ObjectTypeDefinitionNode => ({
  ...definition,
  fields: definition.fields?.filter(({ name }) => !names.has(name.value)) ?? [],
});

const printed = (definitions: readonly DefinitionNode[]): string => `${print({ kind: Kind.DOCUMENT, definitions })}\n`;

/** Federation's own fields of Query. */
const FEDERATION_FIELDS = new Set(['_entities', '_service']);

/** The types that federation brings along: nothing of them is for clients. */
const FEDERATION_TYPE = /^_|^(federation__|link__)|^(FieldSet|Policy|Scope)$/;

const isOfFederation = (definition: DefinitionNode): boolean =>
  'name' in definition && definition.name !== undefined && FEDERATION_TYPE.test(definition.name.value);

/** The graph as its own clients see it, without what is there for supergraphs only: for code generators, linters and readers. */
export function printClientSchema(schema: GraphQLSchema): string {
  const definitions = parse(printSchema(schema)).definitions.filter(
    (definition) => !isOfFederation(definition) && definition.kind !== Kind.DIRECTIVE_DEFINITION,
  );
  return printed(definitions.map((definition) => (isQuery(definition) ? withoutFields(definition, FEDERATION_FIELDS) : definition)));
}

const FEDERATION_DIRECTIVES = new Set(['cost', 'key', 'listSize', 'requiresScopes', 'shareable', 'tag']);

/** Relay's roads to any object: a supergraph cannot tell which of its subgraphs to ask. */
const NODE_FIELDS = new Set(['node', 'nodes']);

/** The definitions with a link that imports every directive of the federation that they use. */
function linked(definitions: readonly DefinitionNode[]): DefinitionNode[] {
  const names = new Set<string>();
  for (const definition of definitions) visit(definition, { [Kind.DIRECTIVE]: ({ name }) => void names.add(name.value) });
  const values = [...names]
    .filter((name) => FEDERATION_DIRECTIVES.has(name))
    .sort()
    .map((name): ConstValueNode => ({ kind: Kind.STRING, value: `@${name}` }));
  return definitions.map((definition) =>
    definition.kind !== Kind.SCHEMA_EXTENSION
      ? definition
      : visit(definition, {
          [Kind.ARGUMENT]: (argument) =>
            argument.name.value === 'import' ? { ...argument, value: { kind: Kind.LIST, values } } : undefined,
        }),
  );
}

function withFieldPolicy(node: FieldDefinitionNode, parent: GraphQLNamedType, { hasRequiresScopes }: SubgraphOptions): FieldDefinitionNode {
  // An interface's fields say nothing themselves: what they cost, and who may read them, hangs on the object.
  const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
  if (!field) return node;
  const scopes = hasRequiresScopes ? scopesOf(field) : [];
  return withDirectives(node, [...costOfField(parent, field), ...listSizeOf(parent, field), ...scopes]);
}

function withPolicy(definition: DefinitionNode, schema: GraphQLSchema, options: SubgraphOptions): DefinitionNode {
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return definition;
  const type = schema.getType(definition.name.value);
  if (!type) return definition;
  const fields = definition.fields?.map((field) => withFieldPolicy(field, type, options)) ?? [];
  return withDirectives({ ...definition, fields }, costOfType(type));
}

/**
 * The graph as a supergraph's composer sees it, with its federation directives. Fails when a tag's coordinate matches nothing: a contract
 * that was cut without it would show too much, or too little. `sdl` is the schema as federation's own printer has it; both come without the
 * prefix, and so do coordinates.
 */
export function printSubgraph(schema: GraphQLSchema, sdl: string, options: SubgraphOptions): string {
  const tags = new Tags(options.tags);
  const definitions = parse(sdl).definitions.map((definition) => {
    const shown = isQuery(definition) && !options.hasNode ? withoutFields(definition, NODE_FIELDS) : definition;
    return tags.on(withPolicy(shown, schema, options));
  });
  tags.checkAllUsed();
  return printed(withTypeNames(linked(definitions), schema, options.typePrefix));
}
