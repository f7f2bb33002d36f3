import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** Fragments of a document by name. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** Collects the fragments that a document defines. The object has no prototype, because a document may spread `constructor`. */
export function collectFragments(document: DocumentNode): Fragments {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** Numbers of pairs and selections, as limits or as counted by `countFieldPairs`. */
export interface FieldPairCounts {
  readonly pairs: number;
  readonly selections: number;
}

/** Counts pairs of fields with the same response name and parent, which validation compares one by one. */
class FieldPairCounter {
  readonly #fragments: Fragments;
  readonly #bounds: FieldPairCounts;
  /** Named fragments that were visited. */
  readonly seen = new Set<string>();
  pairs = 0;
  /** Number of visited selections. */
  selections = 0;

  constructor(fragments: Fragments, bounds: FieldPairCounts) {
    this.#fragments = fragments;
    this.#bounds = bounds;
  }

  get #isOver(): boolean {
    return this.pairs > this.#bounds.pairs || this.selections > this.#bounds.selections;
  }

  /** Iterative, because fragments can be nested deeper than the call stack. */
  add(root: SelectionSetNode): void {
    const pending: (readonly SelectionSetNode[])[] = [[root]];
    for (let sets = pending.pop(); sets && !this.#isOver; sets = pending.pop()) {
      for (const nodes of this.#groupByName(sets).values()) {
        this.pairs += (nodes.length * (nodes.length - 1)) / 2;
        const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
        if (inner.length > 0) pending.push(inner);
      }
    }
  }

  /** Groups the fields of merged selection sets by response name. As in execution, each named fragment is visited once. */
  #groupByName(sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const byName = new Map<string, FieldNode[]>();
    const visitedNames = new Set<string>();
    const pending = [...sets];
    for (let set = pending.pop(); set; set = pending.pop()) {
      this.selections += set.selections.length;
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) {
          const name = (node.alias ?? node.name).value;
          const nodes = byName.get(name);
          if (nodes) nodes.push(node);
          else byName.set(name, [node]);
          continue;
        }
        const name = node.kind === Kind.FRAGMENT_SPREAD ? node.name.value : undefined;
        const inner = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments[node.name.value];
        if (inner && (name === undefined || !visitedNames.has(name))) pending.push(inner.selectionSet);
        if (name === undefined) continue;
        this.seen.add(name);
        visitedNames.add(name);
      }
    }
    return byName;
  }
}

/**
 * Counts the pairs of fields with the same response name and parent, with fragments expanded, and the visited selections. Stops soon after either number has
 * passed its limit, because fragment cycles have no end.
 */
export function countFieldPairs(document: DocumentNode, fragments: Fragments, bounds: FieldPairCounts): FieldPairCounts {
  const count = new FieldPairCounter(fragments, bounds);
  for (const node of document.definitions) if (node.kind === Kind.OPERATION_DEFINITION) count.add(node.selectionSet);
  // Validation also checks fragments that no operation spreads.
  for (const [name, { selectionSet }] of Object.entries(fragments)) if (!count.seen.has(name)) count.add(selectionSet);
  return { pairs: count.pairs, selections: count.selections };
}
