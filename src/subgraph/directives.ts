import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isUnionType,
  Kind,
  print,
} from 'graphql';
import { getFieldWeight } from '../schema/cost/fieldCalls.ts';
import { getAssumedSize, isPaged, ROW_LISTS, SIZE_ARGUMENTS } from '../schema/cost/listSizes.ts';
import type { OutputField } from '../schema/kit/fieldAnnotations.ts';
import { getOperation } from '../schema/kit/operations.ts';
import { getEntityOfType } from '../schema/kit/registry.ts';

type DirectiveValue = string | number | boolean | readonly DirectiveValue[];

function toConstValue(value: DirectiveValue): ConstValueNode {
  if (typeof value === 'string') return { kind: Kind.STRING, value };
  if (typeof value === 'number') return { kind: Kind.INT, value: String(value) };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  return { kind: Kind.LIST, values: value.map(toConstValue) };
}

/** A definition that can have directives. */
export interface Directed {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}

/** Adds directives to a definition. Removes duplicates. */
export function addDirectives<Node extends Directed>(node: Node, more: readonly ConstDirectiveNode[]): Node {
  if (more.length === 0) return node;
  const distinct = new Map([...(node.directives ?? []), ...more].map((each) => [print(each), each]));
  return { ...node, directives: [...distinct.values()] };
}

interface DeclaringExtensions {
  readonly directives?: readonly { readonly name: string; readonly args?: Readonly<Record<string, DirectiveValue>> }[];
}

/** Creates the AST node of a directive. */
export const createDirective = (name: string, args: Readonly<Record<string, DirectiveValue>>): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: Object.entries(args).map(([argument, value]) => ({
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: argument },
    value: toConstValue(value),
  })),
});

/** Creates a tag, by which contracts include or exclude definitions. */
export const createTag = (name: string): ConstDirectiveNode => createDirective('tag', { name });

/** Directives that the schema itself puts on a definition: keys, and the tags of assumed and secret values. */
export function getDeclaredDirectives({ extensions }: { readonly extensions: object }): ConstDirectiveNode[] {
  const { directives = [] } = extensions as DeclaringExtensions;
  return directives.map(({ name, args = {} }) => createDirective(name, args));
}

/** The names of the tags among the declared directives. */
export const getDeclaredTags = ({ extensions }: { readonly extensions: object }): unknown[] =>
  ((extensions as DeclaringExtensions).directives ?? []).flatMap(({ name, args }) => (name === 'tag' ? args?.name : []));

const isRoot = ({ name }: GraphQLNamedType) => name === 'Query' || name === 'Mutation';

/** Whether a type has a field that identifies its objects. */
const hasIdentity = (type: GraphQLObjectType) => 'id' in type.getFields() || 'rawId' in type.getFields();

/** Types without an identity are `@shareable`: the field that returns one always resolves it completely, so another subgraph may return equal values. */
export function createShareable(type: GraphQLNamedType): ConstDirectiveNode[] {
  return isObjectType(type) && !isRoot(type) && !hasIdentity(type) ? [createDirective('shareable', {})] : [];
}

/** The cost of a type for routers. Reading a record is one call, which is also a router's default weight of an object. All other types are part of a record. */
export function createTypeCost(type: GraphQLNamedType): ConstDirectiveNode[] {
  return isObjectType(type) && !getEntityOfType(type) && !isRoot(type) ? [createDirective('cost', { weight: 0 })] : [];
}

/** A router's weight for a field of this type without a cost of its own. */
const getDefaultWeight = (type: GraphQLNamedType) => (isUnionType(type) || getEntityOfType(type) || type.name === 'Node' ? 1 : 0);

/** The cost of a field by the graph's own limit, if it differs from a router's default. */
export function createFieldCost(parent: GraphQLNamedType, field: OutputField): ConstDirectiveNode[] {
  const weight = getFieldWeight(parent, field);
  return weight === getDefaultWeight(getNamedType(field.type)) ? [] : [createDirective('cost', { weight })];
}

/** The assumed size of a list: from the arguments of a page, or as in the graph's own limit. */
export function createListSize(parent: GraphQLNamedType, field: OutputField): ConstDirectiveNode[] {
  const assumedSize = getAssumedSize(parent, field);
  if (assumedSize === null) return [];
  if (!isPaged(field)) return [createDirective('listSize', { assumedSize })];
  const paging = { slicingArguments: SIZE_ARGUMENTS, sizedFields: ROW_LISTS, requireOneSlicingArgument: false };
  return [createDirective('listSize', { assumedSize, ...paging })];
}

/** The scopes that a field requires of every caller, from its operation. */
export function createRequiresScopes(field: OutputField): ConstDirectiveNode[] {
  const scopes = getOperation(field)?.scopes ?? [];
  return scopes.length > 0 ? [createDirective('requiresScopes', { scopes: [scopes] })] : [];
}
