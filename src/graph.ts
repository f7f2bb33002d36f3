import './schema/kit/scalars.ts';
import './schema/kit/errors.ts';
import './resolvers/all.gen.ts';
// After everything that defines entities: its enum has a value for each.
import './schema/kit/nodeFields.ts';
import './schema/resolverPlugin.ts';
import type { GraphQLSchema } from 'graphql';
import { builder } from './schema/kit/builder.ts';
import { SPECIFIED_DIRECTIVES } from './schema/kit/specifiedDirectives.ts';
import { Areas } from './subgraph/areas.ts';
import { setServiceSdl } from './subgraph/federated.ts';
import { renameDocument, renameSchema, resolveNames } from './subgraph/names.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from './subgraph/options.ts';
import { sortSchema } from './subgraph/order.ts';
import { printSubgraph } from './subgraph/print.ts';

/** Schema description for introspection. Omitted from the SDL for composers, because a supergraph has its own keys and errors. */
const DESCRIPTION = `Customers, portfolios, catalog, quotes, orders, billing, inventory, people, work orders, appointments, and analytics of a workspace, on top of the Workspace Integration API.
Send your API key with each request, as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`.
Queries report errors in \`errors\`, each with a machine-readable \`extensions.code\`. Mutations return a union of their payload and the errors that a client can handle. Select \`... on MutationError\` last, to cover all of them.
\`extensions.cost\` of the response reports the upstream calls that the operation made, and the calls that the key has left.`;

/** The schema in its two forms. */
export interface Graph {
  /** The executable schema, for clients and supergraphs alike. */
  readonly schema: GraphQLSchema;
  /** The SDL for supergraph composers. Printed on first access, because it takes a third of the startup time and clients never request it. */
  readonly sdl: string;
  /** Converts a document with the names in the code to those of the deployment. */
  readonly rename: (document: string) => string;
}

/** Builds a schema with the names in the code. */
function buildSchema(): GraphQLSchema {
  const schema = builder.toSchema({ sortSchema: false, directives: SPECIFIED_DIRECTIVES });
  // Not a step of a plugin: the areas of fields follow from the types of the whole schema.
  sortSchema(schema, new Areas(schema));
  schema.description = DESCRIPTION;
  // Entities and records find their types here, whatever names the deployment gives them.
  schema.extensions = { types: schema.getTypeMap() };
  return schema;
}

/** Builds the graph. Throws if a tag or a name in the options is invalid. */
export function createGraph(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const original = buildSchema();
  const names = resolveNames(original, options);
  const isRenamed = names.size > 0;
  const schema = isRenamed ? renameSchema(original, names) : original;
  const rename = (document: string) => renameDocument(document, names);
  let printed: string | undefined;
  const sdl = () => {
    printed ??= rename(printSubgraph(isRenamed ? buildSchema() : schema, options));
    return printed;
  };
  // Only printing detects tags that match nothing, and that must fail at startup.
  if (options.tags.length > 0) sdl();
  setServiceSdl(schema, sdl);
  return {
    schema,
    rename,
    get sdl() {
      return sdl();
    },
  };
}
