import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { JsonObject } from '../lib/json.ts';
import type { Fragments } from '../schema/kit/selections.ts';

/** A field of a selection, with fragments resolved and repeated fields merged. */
export interface SelectedField {
  /** Name of the field in the response. */
  readonly key: string;
  readonly type: GraphQLOutputType;
  /** The nodes that select it. Several if fragments repeat it. */
  readonly nodes: readonly FieldNode[];
  /** The selected fields of each possible object type. Empty for leaf fields. */
  readonly variants: ReadonlyMap<GraphQLObjectType, readonly SelectedField[]>;
}

const isApplicable = (schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean => {
  const target = condition === undefined ? type : schema.getType(condition);
  return target === type || (isAbstractType(target) && schema.isSubType(target, type));
};

/** Collects the field nodes of selection sets that apply to a type, by response name. */
function collectNodes(
  schema: GraphQLSchema,
  fragments: Fragments,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  collected = new Map<string, FieldNode[]>(),
): ReadonlyMap<string, readonly FieldNode[]> {
  for (const node of sets.flatMap(({ selections }) => selections)) {
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      collected.set(key, [...(collected.get(key) ?? []), node]);
      continue;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
    if (fragment && isApplicable(schema, fragment.typeCondition?.name.value, type))
      collectNodes(schema, fragments, type, [fragment.selectionSet], collected);
  }
  return collected;
}

function collectFields(
  schema: GraphQLSchema,
  fragments: Fragments,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): readonly SelectedField[] {
  return [...collectNodes(schema, fragments, type, sets)].flatMap(([key, nodes]) => {
    const name = nodes[0]?.name.value ?? '';
    const field = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : type.getFields()[name];
    if (!field) return [];
    const named = getNamedType(field.type);
    const types = isAbstractType(named) ? schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
    const inner = isCompositeType(named) ? nodes.flatMap(({ selectionSet }) => selectionSet ?? []) : [];
    const variants = new Map(types.map((each) => [each, collectFields(schema, fragments, each, inner)]));
    return [{ key, type: field.type, nodes, variants }];
  });
}

/** The fields that an operation selects. */
export const listSelectedFields = (
  schema: GraphQLSchema,
  fragments: Fragments,
  { operation, selectionSet }: OperationDefinitionNode,
): readonly SelectedField[] => {
  const root = schema.getRootType(operation);
  return root ? collectFields(schema, fragments, root, [selectionSet]) : [];
};

/** The selected fields of an object in a response. Uses its `__typename` if it's selected, otherwise the first variant that has all its members. */
export function selectVariant({ variants }: SelectedField, value: JsonObject): readonly SelectedField[] {
  const all = [...variants];
  const named = all.find(([{ name }]) => name === value.__typename);
  const fitting = named ?? all.find(([, fields]) => Object.keys(value).every((key) => fields.some((field) => field.key === key)));
  return fitting?.[1] ?? [];
}
