import { GraphQLDeferDirective, GraphQLStreamDirective } from '@graphql-tools/utils';
import {
  type FieldNode,
  type GraphQLDirective,
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

/** The scope of a document: it tells which of its fields count. */
export type Scope = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues' | 'schema'>;

type Info = Scope & Pick<GraphQLResolveInfo, 'fieldNodes'>;

/** The need of a selection for a record: nothing but its keys, its keys and edges that are served by them, or the record itself. */
export type Need = 'keys' | 'edges' | 'record';

/** In a field's extensions: it is served by the record's id alone. */
export interface KeyServedExtensions {
  readonly isServedByKey?: boolean;
}

/** Fields that a record's id serves. */
export const KEYS: ReadonlySet<string> = new Set(['__typename', 'id', 'rawId']);

const hasDirectives = ({ directives = [] }: SelectionNode): boolean => directives.length > 0;

const isSkipped = (node: SelectionNode, { variableValues }: Scope): boolean =>
  hasDirectives(node) &&
  (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false);

const isLater = (directive: GraphQLDirective, node: SelectionNode, { variableValues }: Scope): boolean => {
  const values = hasDirectives(node) ? getDirectiveValues(directive, node, variableValues) : undefined;
  return values !== undefined && values.if !== false;
};

const isDeferred = (node: SelectionNode, scope: Scope): boolean => isLater(GraphQLDeferDirective, node, scope);

/** Whether each object or value of a list comes in a part of its own. */
export const isStreamed = (node: FieldNode, scope: Scope): boolean => isLater(GraphQLStreamDirective, node, scope);

function appliesTo(condition: string | undefined, type: GraphQLObjectType, { schema }: Scope): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

/** Notes of a walk through a selection. */
interface Visited {
  readonly fragments: Set<string>;
  /** Whether what counts may be another part of it for other variables. */
  isConditional: boolean;
  /** Fragments that come later, each in a part of its own. */
  deferred: number;
}

export const nothingVisited = (): Visited => ({ fragments: new Set(), isConditional: false, deferred: 0 });

/** The fields that a selection asks of a type, through its fragments: as in execution, each named one is gone into once, and again wherever it is deferred. */
export function* fieldsOf(
  set: SelectionSetNode,
  type: GraphQLObjectType,
  scope: Scope,
  visited: Visited = nothingVisited(),
): Generator<FieldNode> {
  for (const node of set.selections) {
    visited.isConditional ||= hasDirectives(node);
    if (isSkipped(node, scope)) continue;
    if (node.kind === Kind.FIELD) {
      yield node;
      continue;
    }
    const isLaterPart = isDeferred(node, scope);
    const name = node.kind === Kind.FRAGMENT_SPREAD && !isLaterPart ? node.name.value : null;
    if (name !== null && visited.fragments.has(name)) continue;
    if (name !== null) visited.fragments.add(name);
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : scope.fragments[node.name.value];
    if (!fragment || !appliesTo(fragment.typeCondition?.name.value, type, scope)) continue;
    if (isLaterPart) visited.deferred += 1;
    yield* fieldsOf(fragment.selectionSet, type, scope, visited);
  }
}

/** Cache of the needs of selections, by type, where they are the same for all variables. */
const known = new WeakMap<SelectionSetNode, Map<GraphQLObjectType, Need>>();

/** Looks ahead at what the selection of the current field asks of a type. `atHand` names fields that are known, as the keys always are. */
export function needOf(info: Info, type: GraphQLObjectType, atHand: readonly string[] = []): Need {
  const { fieldNodes } = info;
  const only = fieldNodes.length === 1 && atHand.length === 0 ? fieldNodes[0]?.selectionSet : undefined;
  const before = only && known.get(only)?.get(type);
  if (before) return before;
  const visited = nothingVisited();
  const need = look(info, type, atHand, visited);
  if (only && !visited.isConditional) known.set(only, (known.get(only) ?? new Map<GraphQLObjectType, Need>()).set(type, need));
  return need;
}

function look(info: Info, type: GraphQLObjectType, atHand: readonly string[], visited: Visited): Need {
  let need: Need = 'keys';
  for (const { selectionSet } of info.fieldNodes) {
    if (!selectionSet) continue;
    for (const { name } of fieldsOf(selectionSet, type, info, visited)) {
      if (KEYS.has(name.value) || atHand.includes(name.value)) continue;
      const { isServedByKey } = (type.getFields()[name.value]?.extensions ?? {}) as KeyServedExtensions;
      // Not all has been seen: what follows may be conditional, and changes nothing.
      if (!isServedByKey) return 'record';
      need = 'edges';
    }
  }
  return need;
}
