/** A tag that a platform adds to coordinates of the graph, to derive contracts from it. */
export interface TagRule {
  /** `Type` or `Type.member`, with names without the prefix. `*` matches any characters of a name. */
  readonly coordinate: string;
  readonly tag: string;
}

/** Another name for a type or a root field. */
export interface RenameRule {
  /** `Type`, `Query.field` or `Mutation.field`. */
  readonly coordinate: string;
  readonly name: string;
}

/** How the graph's schema is presented, mainly to supergraphs. */
export interface SubgraphOptions {
  /** Whether `Query.node` and `Query.nodes` are part of the subgraph. In a supergraph only one subgraph can have them. */
  readonly hasNode: boolean;
  /** Whether fields have `@requiresScopes`. Only for routers that know the caller's scopes: other routers would deny every request. */
  readonly hasRequiresScopes: boolean;
  readonly tags: readonly TagRule[];
  readonly renames: readonly RenameRule[];
  /** Prefix for the names of types that aren't entities and aren't listed in `renames`. Empty for no prefix. */
  readonly typePrefix: string;
}

export const DEFAULT_SUBGRAPH: SubgraphOptions = {
  hasNode: false,
  hasRequiresScopes: false,
  tags: [],
  renames: [],
  typePrefix: '',
};
