// Prints the schema for clients (schema.graphql) and for composition (subgraph.graphql). The directives are derived with the same functions that enforce the

// policies. Order: root types, the types of each area by name, then the types that areas share.
import {
  type ASTNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NameNode,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  type SchemaExtensionNode,
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import { createStartError } from '../lib/startup.ts';
import type { OutputField } from '../schema/kit/fieldAnnotations.ts';
import { ASSUMED } from '../schema/kit/fieldAnnotations.ts';
import { NODE_TYPE } from '../schema/kit/nodes.ts';
import { isNullOnlyWithError } from '../schema/kit/nullability.ts';
import { Areas } from './areas.ts';
import {
  addDirectives,
  createDirective,
  createFieldCost,
  createListSize,
  createRequiresScopes,
  createShareable,
  createTag,
  createTypeCost,
  type Directed,
  getDeclaredDirectives,
  getDeclaredTags,
} from './directives.ts';
import type { SubgraphOptions, TagRule } from './options.ts';
import { sortDefinitions } from './order.ts';

/** Tags that the deployment configures. */
export class Tags {
  readonly #rules: readonly { readonly rule: TagRule; readonly pattern: RegExp }[];
  readonly #used = new Set<TagRule>();

  constructor(rules: readonly TagRule[]) {
    this.#rules = rules.map((rule) => ({
      rule,
      pattern: new RegExp(`^${rule.coordinate.replaceAll('.', '\\.').replaceAll('*', '[^.]*')}$`),
    }));
  }

  /** The tags of a coordinate: `Type` or `Type.member`. */
  getTags(coordinate: string): ConstDirectiveNode[] {
    const matching = this.#rules.filter(({ pattern }) => pattern.test(coordinate)).map(({ rule }) => rule);
    for (const rule of matching) this.#used.add(rule);
    return matching.map((rule) => createTag(rule.tag));
  }

  /** Throws if a rule has matched nothing. */
  checkAllUsed(): void {
    const unused = this.#rules.filter(({ rule }) => !this.#used.has(rule)).map(({ rule }) => `${rule.coordinate}=${rule.tag}`);
    if (unused.length > 0)
      throw createStartError('graph', [`SUBGRAPH_TAGS has coordinates that the graph does not have: ${unused.join(', ')}.`]);
  }
}

/**
 * The assumed fields of a schema: fields with the tag, and fields whose type has only assumed fields. Without the latter, a contract that excludes assumed
 * fields would retain fields whose type is empty.
 */
class AssumedFields {
  readonly #types = new Set<GraphQLNamedType>();

  constructor(schema: GraphQLSchema) {
    const types = Object.values(schema.getTypeMap()).filter(isObjectType);
    const isFullyAssumed = (type: (typeof types)[number]) => Object.values(type.getFields()).every((field) => this.has(field));
    for (let before = -1; before !== this.#types.size; ) {
      before = this.#types.size;
      for (const type of types) if (isFullyAssumed(type)) this.#types.add(type);
    }
  }

  has(field: GraphQLField<unknown, unknown>): boolean {
    return getDeclaredTags(field).includes(ASSUMED) || this.#types.has(getNamedType(field.type));
  }
}

const isQuery = (definition: DefinitionNode): definition is ObjectTypeDefinitionNode =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Query';

/** Whether a type is defined by federation. Federation also adds the fields below to Query. */
const isFederationType = ({ name }: TypeDefinitionNode) => name.value.startsWith('_');
const FEDERATION_FIELDS = new Set(['_entities', '_service']);

const removeFields = (definition: ObjectTypeDefinitionNode, names: ReadonlySet<string>): ObjectTypeDefinitionNode => ({
  ...definition,
  fields: definition.fields?.filter(({ name }) => !names.has(name.value)) ?? [],
});

const printDefinitions = (definitions: readonly DefinitionNode[]): string => `${print({ kind: Kind.DOCUMENT, definitions })}\n`;

/** The definitions of a schema without those of federation, which clients don't need and composers know. */
function getDefinitions(schema: GraphQLSchema, areas: Areas): DefinitionNode[] {
  const definitions = parse(printSchema(schema)).definitions.flatMap((definition): DefinitionNode[] => {
    if (definition.kind === Kind.DIRECTIVE_DEFINITION || ('name' in definition && isFederationType(definition as TypeDefinitionNode)))
      return [];
    return [isQuery(definition) ? removeFields(definition, FEDERATION_FIELDS) : definition];
  });
  return sortDefinitions(definitions, schema, areas);
}

/** Marks fields that are null only because of an error, for code generators and clients. Composers don't know this directive. */
const SEMANTIC_NON_NULL = parse(
  `"""Null only if the response has an error with the same path. Clients that throw on errors never see null here."""
  directive @semanticNonNull(
    """List depths that this applies to. 0 is the field itself."""
    levels: [Int!]! = [0]
  ) on FIELD_DEFINITION`,
).definitions;

/** Adds the directive to those fields of a definition that are only null because of an error. */
function addSemanticNonNull(definition: DefinitionNode, schema: GraphQLSchema): DefinitionNode {
  const type = 'name' in definition && definition.name ? schema.getType(definition.name.value) : undefined;
  if (!type || !isComposite(type)) return definition;
  const fields = type.getFields();
  return visit(definition, {
    [Kind.FIELD_DEFINITION]: (node) => {
      const field = fields[node.name.value];
      return field && isNullOnlyWithError(type, field) ? addDirectives(node, [createDirective('semanticNonNull', {})]) : undefined;
    },
  });
}

/** The directives of incremental delivery, which Yoga adds to the schema that it executes. */
const INCREMENTAL = parse(
  `"""Delivers a fragment later than the rest of the response."""
  directive @defer(
    """Whether to deliver it later."""
    if: Boolean! = true
    """Name in the response. A string in the document that is unique there."""
    label: String
  ) on FRAGMENT_SPREAD | INLINE_FRAGMENT

  """Delivers the items of a list one by one."""
  directive @stream(
    """Whether to deliver them one by one."""
    if: Boolean! = true
    """Name in the response. A string in the document that is unique there."""
    label: String
    """Number of items in the first part of the response."""
    initialCount: Int = 0
  ) on FIELD`,
).definitions;

/** Prints the schema for clients, code generators, and linters, without definitions that only supergraphs need. */
export const printClientSchema = (schema: GraphQLSchema): string =>
  printDefinitions([
    ...getDefinitions(schema, new Areas(schema)).map((definition) => addSemanticNonNull(definition, schema)),
    ...INCREMENTAL,
    ...SEMANTIC_NON_NULL,
  ]);

/** Version of the federation specification. The newest one that the composers of Apollo, The Guild, and Cosmo all support. */
const LINK_URL = 'https://specs.apollo.dev/federation/v2.9';

const FEDERATION_DIRECTIVES = new Set(['cost', 'key', 'listSize', 'requiresScopes', 'shareable', 'tag']);

/** Relay's fields that fetch any object. A supergraph can't determine which of its subgraphs to query for them. */
const NODE_FIELDS = new Set(['node', 'nodes']);

/**
 * Types that only subscriptions use. They're left out, because routers subscribe to subgraphs by protocols that this server doesn't have. Clients subscribe to the
 * graph itself.
 */
const SUBSCRIPTION_TYPES = new Set(['Subscription', 'RecordsChanged', 'ChangeSource', 'LiveType']);

/** Creates the link that imports the federation directives that the definitions use. */
function createLink(definitions: readonly DefinitionNode[]): SchemaExtensionNode {
  const names = new Set<string>();
  for (const definition of definitions) visit(definition, { [Kind.DIRECTIVE]: ({ name }) => void names.add(name.value) });
  const imported = [...names].filter((name) => FEDERATION_DIRECTIVES.has(name)).sort();
  return {
    kind: Kind.SCHEMA_EXTENSION,
    directives: [createDirective('link', { url: LINK_URL, import: imported.map((name) => `@${name}`) })],
  };
}

type SchemaMember = OutputField | GraphQLInputField | GraphQLEnumValue;

function getMember(type: GraphQLNamedType, name: string): SchemaMember {
  const found = isEnumType(type) ? type.getValue(name) : isInputObjectType(type) || isComposite(type) ? type.getFields()[name] : undefined;
  if (!found) throw new Error(`${type.name} has no ${name}.`);
  return found;
}

/** Directives of GraphQL itself that composers don't know, or drop. */
const UNKNOWN_TO_COMPOSERS = new Set(['oneOf', 'specifiedBy']);

const isComposite = (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type);

/** Adds the directives for composers to definitions: those of the schema itself, costs, scopes, and tags. */
class CompositionAnnotator {
  readonly #schema: GraphQLSchema;
  readonly #areas: Areas;
  readonly #assumedFields: AssumedFields;
  readonly #hasRequiresScopes: boolean;
  readonly tags: Tags;

  constructor(schema: GraphQLSchema, areas: Areas, { hasRequiresScopes, tags }: SubgraphOptions) {
    this.#schema = schema;
    this.#areas = areas;
    this.#assumedFields = new AssumedFields(schema);
    this.#hasRequiresScopes = hasRequiresScopes;
    this.tags = new Tags(tags);
  }

  #getTypeDirectives(type: GraphQLNamedType): ConstDirectiveNode[] {
    const tags = [...this.#areas.getTypeTags(type).map(createTag), ...this.tags.getTags(type.name)];
    return [...getDeclaredDirectives(type), ...createShareable(type), ...createTypeCost(type), ...tags];
  }

  #getMemberDirectives(type: GraphQLNamedType, member: SchemaMember): ConstDirectiveNode[] {
    const tags = this.tags.getTags(`${type.name}.${member.name}`);
    // Fields of an interface have no costs or scopes, because those are on the fields of its objects. They're assumed if a field of an object is, so that a
    // contract that excludes assumed fields removes both.
    if (isInterfaceType(type))
      return [
        ...getDeclaredDirectives(member),
        ...(this.#isAssumedInImplementations(type, member.name) ? [createTag(ASSUMED)] : []),
        ...tags,
      ];
    if (!isObjectType(type)) return [...getDeclaredDirectives(member), ...tags];
    const field = member as OutputField;
    const scopes = this.#hasRequiresScopes ? createRequiresScopes(field) : [];
    const policy = [...createFieldCost(type, field), ...createListSize(type, field), ...scopes];
    const areas = this.#areas.getFieldTags(type, field).map(createTag);
    return [...getDeclaredDirectives(field), ...policy, ...(this.#assumedFields.has(field) ? [createTag(ASSUMED)] : []), ...areas, ...tags];
  }

  #isAssumedInImplementations(type: GraphQLInterfaceType, name: string): boolean {
    const fields = this.#schema.getPossibleTypes(type).flatMap((object) => object.getFields()[name] ?? []);
    return fields.some((field) => this.#assumedFields.has(field));
  }

  annotate(definition: DefinitionNode, type: GraphQLNamedType): DefinitionNode {
    const onMember = <Node extends Directed & { readonly name: NameNode }>(node: Node): Node =>
      addDirectives(node, this.#getMemberDirectives(type, getMember(type, node.name.value)));
    const members = visit<ASTNode>(definition, {
      [Kind.FIELD_DEFINITION]: onMember,
      [Kind.ENUM_VALUE_DEFINITION]: onMember,
      // Arguments aren't members of the type, although their nodes have the same kind as input fields.
      [Kind.INPUT_VALUE_DEFINITION]: (node) => (isInputObjectType(type) ? onMember(node) : undefined),
      [Kind.DIRECTIVE]: ({ name }) => (UNKNOWN_TO_COMPOSERS.has(name.value) ? null : undefined),
    }) as DefinitionNode & Directed;
    return addDirectives(members, this.#getTypeDirectives(type));
  }
}

/**
 * Prints the schema with federation directives, for supergraph composers. Throws if a tag's coordinate matches nothing: a contract derived without the tag
 * would contain too much or too little.
 */
export function printSubgraph(schema: GraphQLSchema, options: SubgraphOptions): string {
  const areas = new Areas(schema);
  const annotator = new CompositionAnnotator(schema, areas, options);
  // Only `nodes` uses the enum.
  const isPrinted = (name: string) => !SUBSCRIPTION_TYPES.has(name) && (options.hasNode || name !== NODE_TYPE);
  const definitions = getDefinitions(schema, areas).flatMap((definition): DefinitionNode[] => {
    const visible = isQuery(definition) && !options.hasNode ? removeFields(definition, NODE_FIELDS) : definition;
    const type = 'name' in visible && visible.name && schema.getType(visible.name.value);
    // The schema definition is omitted, because a supergraph has a description of its own.
    return type && isPrinted(type.name) ? [annotator.annotate(visible, type)] : [];
  });
  annotator.tags.checkAllUsed();
  return printDefinitions([createLink(definitions), ...definitions]);
}
