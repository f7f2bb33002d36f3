import {
  type DefinitionNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { JsonObject } from '../../lib/json.ts';
import { getCondition } from './variableUse.ts';

/** Values of the variables of @skip and @include, by name. */
export type FixedConditions = Readonly<Record<string, boolean>>;

/** The values that the named variables have in an operation. Null if one isn't a boolean, so that its fields fail. */
export function evaluateConditions(
  names: ReadonlySet<string>,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: JsonObject,
): FixedConditions | null {
  const conditions: Record<string, boolean> = Object.create(null);
  for (const name of names) {
    const definition = variableDefinitions.find(({ variable }) => variable.name.value === name);
    // The variable belongs to another operation.
    if (!definition) continue;
    const { defaultValue } = definition;
    const fallback = defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined;
    const value = variables[name] === undefined ? fallback : variables[name];
    if (typeof value !== 'boolean') return null;
    conditions[name] = value;
  }
  return conditions;
}

function isIncluded({ directives = [] }: SelectionNode, conditions: FixedConditions): boolean {
  return directives.every((directive) => {
    const value = getCondition(directive);
    const isTrue = value?.kind === Kind.VARIABLE ? conditions[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
    return isTrue === (directive.name.value === 'include');
  });
}

/** Creates new nodes throughout, because entries of caches by node are only valid for the node's own selections. */
const resolveSelections = (set: SelectionSetNode, conditions: FixedConditions): SelectionSetNode => ({
  ...set,
  selections: set.selections
    .filter((node) => isIncluded(node, conditions))
    .map((node) => {
      const inner = 'selectionSet' in node && node.selectionSet;
      return { ...node, directives: [], ...(inner && { selectionSet: resolveSelections(inner, conditions) }) } as SelectionNode;
    }),
});

const isExecutable = (node: DefinitionNode) => node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION;

/** The document with @skip and @include resolved. It has no directives, and may have empty selection sets. */
export const resolveConditions = (document: DocumentNode, conditions: FixedConditions): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((node) =>
    isExecutable(node) ? { ...node, selectionSet: resolveSelections(node.selectionSet, conditions) } : node,
  ),
});
