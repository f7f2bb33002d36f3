import {
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/** Values of the variables of conditions, by name. */
export type Truths = Readonly<Record<string, boolean>>;

/** Argument of @skip or @include, which decides whether a selection is taken. */
const conditionOf = ({ arguments: args = [] }: DirectiveNode) => args[0]?.value;

/** The variables that @skip and @include of a document ask. */
export function conditionsIn(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (node) => {
      const value = conditionOf(node);
      if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** The values that variables of conditions have in an operation; null when one is no boolean, so that its fields fail. */
export function truthsOf(
  names: readonly string[],
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Truths | null {
  const truths: Record<string, boolean> = Object.create(null);
  for (const name of names) {
    const definition = variableDefinitions.find(({ variable }) => variable.name.value === name);
    // The variable is one of another operation.
    if (!definition) continue;
    const { defaultValue } = definition;
    const standard = defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined;
    const value = variables[name] === undefined ? standard : variables[name];
    if (typeof value !== 'boolean') return null;
    truths[name] = value;
  }
  return truths;
}

function isTaken({ directives = [] }: SelectionNode, truths: Truths): boolean {
  return directives.every((directive) => {
    const condition = conditionOf(directive);
    const isTrue = condition?.kind === Kind.VARIABLE ? truths[condition.name.value] : condition?.kind === Kind.BOOLEAN && condition.value;
    return isTrue === (directive.name.value === 'include');
  });
}

/** New nodes throughout: what is remembered of a selection, by its node, holds for the same fragments only. */
const taken = (set: SelectionSetNode, truths: Truths): SelectionSetNode => ({
  ...set,
  selections: set.selections
    .filter((node) => isTaken(node, truths))
    .map((node) => {
      const inner = 'selectionSet' in node && node.selectionSet;
      return { ...node, directives: [], ...(inner && { selectionSet: taken(inner, truths) }) } as SelectionNode;
    }),
});

const isExecutable = (node: DefinitionNode) => node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION;

/** Carries out @skip and @include. The document that is left has no directives, and may have empty selections. */
export const withoutConditions = (document: DocumentNode, truths: Truths): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((node) =>
    isExecutable(node) ? { ...node, selectionSet: taken(node.selectionSet, truths) } : node,
  ),
});
