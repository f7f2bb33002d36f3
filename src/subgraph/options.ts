/** Tags that a platform puts on coordinates of the graph, to cut contracts from it. */
export interface TagRule {
  /** `Type` or `Type.member`, by names without prefix, where `*` stands for any letters. */
  readonly coordinate: string;
  readonly tag: string;
}

/** Another name for a type or a root field. */
export interface RenameRule {
  /** `Type`, `Query.field` or `Mutation.field`. */
  readonly coordinate: string;
  readonly name: string;
}

/** How the graph shows itself, above all to supergraphs. */
export interface SubgraphOptions {
  /** Whether records can be read unprocessed, as `upstreamRecord`. */
  readonly hasRawRecords: boolean;
  /** Whether `Query.node` and `Query.nodes` are part of the subgraph. In a supergraph only one subgraph can have them. */
  readonly hasNode: boolean;
  /** Whether fields carry `@requiresScopes`. For routers that know the scopes of the caller: others would deny everything. */
  readonly hasRequiresScopes: boolean;
  readonly tags: readonly TagRule[];
  readonly renames: readonly RenameRule[];
  /** Put in front of the names of types that are no entities and have no name of their own among `renames`; empty leaves them. */
  readonly typePrefix: string;
}

export const DEFAULT_SUBGRAPH: SubgraphOptions = {
  hasRawRecords: false,
  hasNode: false,
  hasRequiresScopes: false,
  tags: [],
  renames: [],
  typePrefix: '',
};
