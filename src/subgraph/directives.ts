import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isUnionType,
  Kind,
  print,
} from 'graphql';
import { getAssumedSize, getFieldWeight, isPaged, SIZE_ARGUMENTS } from '../schema/cost/cost.ts';
import { getOperation } from '../schema/kit/operations.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';
import { getCanonicalName } from '../schema/kit/typeNames.ts';

type Field = GraphQLField<unknown, unknown>;
type Value = string | number | boolean | readonly Value[];

function literal(value: Value): ConstValueNode {
  if (typeof value === 'string') return { kind: Kind.STRING, value };
  if (typeof value === 'number') return { kind: Kind.INT, value: String(value) };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  return { kind: Kind.LIST, values: value.map(literal) };
}

/** A definition that may carry directives. */
export interface Directed {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}

/** The definition with further directives, each once. */
export function withDirectives<Node extends Directed>(node: Node, more: readonly ConstDirectiveNode[]): Node {
  if (more.length === 0) return node;
  const distinct = new Map([...(node.directives ?? []), ...more].map((each) => [print(each), each]));
  return { ...node, directives: [...distinct.values()] };
}

interface DeclaringExtensions {
  readonly directives?: readonly { readonly name: string; readonly args?: Readonly<Record<string, Value>> }[];
}

/** A directive as it is written in a schema. */
export const directive = (name: string, args: Readonly<Record<string, Value>>): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: Object.entries(args).map(([argument, value]) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: argument },
    value: literal(value),
  })),
});

/** A tag, which contracts are cut by. */
export const tag = (name: string): ConstDirectiveNode => directive('tag', { name });

/** Directives that the schema itself puts on a definition: keys, and the tags of what is assumed, raw or secret. */
export function declaredOn({ extensions }: { readonly extensions: object }): ConstDirectiveNode[] {
  const { directives = [] } = extensions as DeclaringExtensions;
  return directives.map(({ name, args = {} }) => directive(name, args));
}

/** The names of the tags among them. */
export const declaredTags = ({ extensions }: { readonly extensions: object }): unknown[] =>
  ((extensions as DeclaringExtensions).directives ?? []).flatMap(({ name, args }) => (name === 'tag' ? args?.name : []));

const isRoot = ({ name }: GraphQLNamedType) => name === 'Query' || name === 'Mutation';

/** Fields of an object that has an identity. */
const hasIdentity = (type: GraphQLObjectType) => 'id' in type.getFields() || 'rawId' in type.getFields();

/** Values are `@shareable`: the field that returns one always resolves it whole, so that another subgraph may have equal values. */
export function shareableOf(type: GraphQLNamedType): ConstDirectiveNode[] {
  return isObjectType(type) && !isRoot(type) && !hasIdentity(type) ? [directive('shareable', {})] : [];
}

/**
 * The cost of a type as a router counts it. Reading a record is a call, which is what a router takes for an object anyway; all else comes
 * with the record.
 */
export function costOfType(type: GraphQLNamedType): ConstDirectiveNode[] {
  return isObjectType(type) && !getEntityOfType(type) && !isRoot(type) ? [directive('cost', { weight: 0 })] : [];
}

/** The weight that a router gives a field of this type that says nothing itself. */
const defaultWeight = (type: GraphQLNamedType) => (isUnionType(type) || getEntityOfType(type) || getCanonicalName(type) === 'Node' ? 1 : 0);

/** The cost of a field: what the graph's own limit counts, where a router would count otherwise. */
export function costOfField(parent: GraphQLNamedType, field: Field): ConstDirectiveNode[] {
  const weight = getFieldWeight(parent, field);
  return weight === defaultWeight(getNamedType(field.type)) ? [] : [directive('cost', { weight })];
}

/** How long a list is taken to be: by its arguments for a page, else as the graph's own limit takes it. */
export function listSizeOf(parent: GraphQLNamedType, field: Field): ConstDirectiveNode[] {
  const assumedSize = getAssumedSize(parent, field);
  if (assumedSize === null) return [];
  if (!isPaged(field)) return [directive('listSize', { assumedSize })];
  const paging = { slicingArguments: SIZE_ARGUMENTS, sizedFields: ['edges', 'nodes'], requireOneSlicingArgument: false };
  return [directive('listSize', { assumedSize, ...paging })];
}

/** The scopes that a field demands of every caller, from its operation. */
export function scopesOf(field: Field): ConstDirectiveNode[] {
  const scopes = getOperation(field)?.scopes ?? [];
  return scopes.length > 0 ? [directive('requiresScopes', { scopes: [scopes] })] : [];
}
