import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What tells which fields of a document count. */
export type Scope = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues' | 'schema'>;

type Info = Scope & Pick<GraphQLResolveInfo, 'fieldNodes'>;

/** What a selection needs of a record: nothing but its keys, its keys and edges that are served by them, or the record itself. */
export type Need = 'keys' | 'edges' | 'record';

/** In a field's extensions: it is served by the record's id alone. */
export interface KeyServedExtensions {
  readonly isServedByKey?: boolean;
}

const KEYS = new Set(['__typename', 'id', 'rawId']);

const isSkipped = (node: SelectionNode, { variableValues }: Scope): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true ||
  getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false;

function appliesTo(condition: string | undefined, type: GraphQLObjectType, { schema }: Scope): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

/** The fields that a selection asks of a type, through its fragments: as in execution, each named one is gone into once. */
export function* fieldsOf(set: SelectionSetNode, type: GraphQLObjectType, scope: Scope, visited = new Set<string>()): Generator<FieldNode> {
  for (const node of set.selections) {
    if (isSkipped(node, scope)) continue;
    if (node.kind === Kind.FIELD) {
      yield node;
      continue;
    }
    const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : null;
    if (name !== null && visited.has(name)) continue;
    if (name !== null) visited.add(name);
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : scope.fragments[node.name.value];
    if (fragment && appliesTo(fragment.typeCondition?.name.value, type, scope))
      yield* fieldsOf(fragment.selectionSet, type, scope, visited);
  }
}

/** Looks ahead at what the selection of the current field asks of a type. `known` names fields that are at hand, as the keys always are. */
export function needOf(info: Info, type: GraphQLObjectType, known: readonly string[] = []): Need {
  let need: Need = 'keys';
  const visited = new Set<string>();
  for (const { selectionSet } of info.fieldNodes) {
    if (!selectionSet) continue;
    for (const { name } of fieldsOf(selectionSet, type, info, visited)) {
      if (KEYS.has(name.value) || known.includes(name.value)) continue;
      const { isServedByKey } = (type.getFields()[name.value]?.extensions ?? {}) as KeyServedExtensions;
      if (!isServedByKey) return 'record';
      need = 'edges';
    }
  }
  return need;
}
