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

/** The parts of a request that determine which of a document's fields are selected. */
export interface DocumentScope extends Pick<GraphQLResolveInfo, 'fragments' | 'schema'> {
  /** Null to include all fields that any variables select. */
  readonly variableValues: GraphQLResolveInfo['variableValues'] | null;
}

type Info = DocumentScope & Pick<GraphQLResolveInfo, 'fieldNodes'>;

/** What a selection requires of a record: its keys only, its keys and edges that they serve, or the full record. */
export type SelectionNeed = 'keys' | 'edges' | 'record';

/** Extensions of a field that is resolved from the record's ID alone. */
export interface KeyServedExtensions {
  readonly isServedByKey?: boolean;
}

/** Fields that are resolved from a record's ID. */
export const KEY_FIELDS: ReadonlySet<string> = new Set(['__typename', 'id', 'rawId']);

const hasDirectives = ({ directives = [] }: SelectionNode): boolean => directives.length > 0;

const isSkipped = (node: SelectionNode, { variableValues }: DocumentScope): boolean =>
  hasDirectives(node) &&
  variableValues !== null &&
  (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false);

const hasActiveDirective = (directive: GraphQLDirective, node: SelectionNode, { variableValues }: DocumentScope): boolean => {
  const values = hasDirectives(node) && variableValues !== null ? getDirectiveValues(directive, node, variableValues) : undefined;
  return values !== undefined && values.if !== false;
};

const isDeferred = (node: SelectionNode, scope: DocumentScope): boolean => hasActiveDirective(GraphQLDeferDirective, node, scope);

/** Whether the items of a list are delivered separately. */
export const isStreamed = (node: FieldNode, scope: DocumentScope): boolean => hasActiveDirective(GraphQLStreamDirective, node, scope);

function appliesTo(condition: string | undefined, type: GraphQLObjectType, { schema }: DocumentScope): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

/** State of a traversal of a selection. */
interface Traversal {
  readonly fragments: Set<string>;
  /** Whether the selected fields may differ for other variables. */
  isConditional: boolean;
  /** Number of deferred fragments, each delivered separately. */
  deferred: number;
}

export const createTraversal = (): Traversal => ({ fragments: new Set(), isConditional: false, deferred: 0 });

/**
 * Collects the fields that are selected for a type, including those in fragments. As in execution, each named fragment is visited once, and again each time
 * it's deferred.
 */
export function* collectFields(
  set: SelectionSetNode,
  type: GraphQLObjectType,
  scope: DocumentScope,
  traversal: Traversal = createTraversal(),
): Generator<FieldNode> {
  for (const node of set.selections) {
    traversal.isConditional ||= hasDirectives(node);
    if (isSkipped(node, scope)) continue;
    if (node.kind === Kind.FIELD) {
      yield node;
      continue;
    }
    const isDeferredNode = isDeferred(node, scope);
    const name = node.kind === Kind.FRAGMENT_SPREAD && !isDeferredNode ? node.name.value : null;
    if (name !== null && traversal.fragments.has(name)) continue;
    if (name !== null) traversal.fragments.add(name);
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : scope.fragments[node.name.value];
    if (!fragment || !appliesTo(fragment.typeCondition?.name.value, type, scope)) continue;
    if (isDeferredNode) traversal.deferred += 1;
    yield* collectFields(fragment.selectionSet, type, scope, traversal);
  }
}

/** Whether the selections of field nodes include a field of their type. */
export const selectsField = (nodes: readonly FieldNode[], type: GraphQLObjectType, name: string, scope: DocumentScope): boolean =>
  nodes.some(({ selectionSet }) => selectionSet && collectFields(selectionSet, type, scope).some((node) => node.name.value === name));

/** Needs of selections by type. Contains only selections that don't depend on variables. */
const needCache = new WeakMap<SelectionSetNode, Map<GraphQLObjectType, SelectionNeed>>();

/** Determines what the selection of the current field requires of a type. `availableFields` names further fields that are known without the record. */
export function getSelectionNeed(info: Info, type: GraphQLObjectType, availableFields: readonly string[] = []): SelectionNeed {
  const { fieldNodes } = info;
  const cacheKey = fieldNodes.length === 1 && availableFields.length === 0 ? fieldNodes[0]?.selectionSet : undefined;
  const cached = cacheKey && needCache.get(cacheKey)?.get(type);
  if (cached) return cached;
  const traversal = createTraversal();
  const need = computeNeed(info, type, availableFields, traversal);
  if (cacheKey && !traversal.isConditional)
    needCache.set(cacheKey, (needCache.get(cacheKey) ?? new Map<GraphQLObjectType, SelectionNeed>()).set(type, need));
  return need;
}

function computeNeed(info: Info, type: GraphQLObjectType, availableFields: readonly string[], traversal: Traversal): SelectionNeed {
  let need: SelectionNeed = 'keys';
  for (const { selectionSet } of info.fieldNodes) {
    if (!selectionSet) continue;
    for (const { name } of collectFields(selectionSet, type, info, traversal)) {
      if (KEY_FIELDS.has(name.value) || availableFields.includes(name.value)) continue;
      const { isServedByKey } = (type.getFields()[name.value]?.extensions ?? {}) as KeyServedExtensions;
      // The rest isn't traversed. Conditions in it can't change the result.
      if (!isServedByKey) return 'record';
      need = 'edges';
    }
  }
  return need;
}
