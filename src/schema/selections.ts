import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';

/** The fragments of a document, by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The fragments that a document defines. The object has no prototype: a document may spread `constructor`. */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/**
 * What all selections weigh together when fragments are written out where they are spread. Takes no longer than to read the document once,
 * and passes a fragment that leads back to itself: it is refused elsewhere.
 */
export function weighSelections(
  set: SelectionSetNode,
  fragments: Fragments,
  weightOf: (node: SelectionNode) => number,
  known = new Map<string, number>(),
): number {
  const weigh = (inner: SelectionSetNode) => weighSelections(inner, fragments, weightOf, known);
  const weighFragment = (name: string) => {
    const fragment = fragments[name];
    if (!known.has(name)) known.set(name, 0).set(name, fragment ? weigh(fragment.selectionSet) : 0);
    return known.get(name) ?? 0;
  };
  return set.selections.reduce((sum, node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return sum + weightOf(node) + weighFragment(node.name.value);
    return sum + weightOf(node) + (node.selectionSet ? weigh(node.selectionSet) : 0);
  }, 0);
}
