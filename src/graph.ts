import './schema/scalars.ts';
import './schema/errors.ts';
import './schema/nodes.ts';
import './resolvers/backorders.ts';
import './resolvers/catalog.ts';
import './resolvers/comments.ts';
import './resolvers/contacts.ts';
import './resolvers/customers.ts';
import './resolvers/dataFields.ts';
import './resolvers/files.ts';
import './resolvers/idempotency.ts';
import './resolvers/identifiers.ts';
import './resolvers/inventory.ts';
import './resolvers/journey.ts';
import './resolvers/orders.ts';
import './resolvers/portfolios.ts';
import './resolvers/quotes.ts';
import './resolvers/receipts.ts';
import './resolvers/reservations.ts';
import './resolvers/timeline.ts';
import './resolvers/transfers.ts';
import './resolvers/workspace.ts';
import type { GraphQLSchema } from 'graphql';
import { withBoundedAnswers } from './schema/boundedAnswers.ts';
import { builder } from './schema/builder.ts';
import { withPartialRecords } from './schema/partialRecords.ts';
import { withRawRecords } from './schema/records.ts';
import { Areas } from './subgraph/areas.ts';
import { tellSdl, withFederation } from './subgraph/federated.ts';
import { withNames } from './subgraph/names.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from './subgraph/options.ts';
import { withReadingOrder } from './subgraph/order.ts';
import { printSubgraph } from './subgraph/print.ts';

/** Schema description, as introspection tells it. Composers are not told: a supergraph is another graph, with keys and failures of its own. */
const DESCRIPTION = `The customers, portfolios, catalog, quotes, orders and stock of a workspace, over the Workspace Integration API.
Send your API key with each request, as \`Authorization: Bearer <key>\` or as \`X-API-Key: <key>\`.
A query tells its failures in \`errors\`, each with a word for programs in \`extensions.code\`. A mutation answers a union of its payload and the failures that a caller can act on: select \`... on MutationError\` as its last arm.
\`extensions.cost\` of an answer tells the upstream calls that it took, and those that are left to the key.`;

/** The graph, built. */
export interface Graph {
  /** What is executed, for clients and supergraphs alike. */
  readonly schema: GraphQLSchema;
  /** What composers of supergraphs are told of it. */
  readonly sdl: string;
}

/** Builds the whole graph. */
export function createGraph(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const built = withFederation(withRawRecords(builder.toSchema({ sortSchema: false }), options.hasRawRecords));
  const plain = withBoundedAnswers(withPartialRecords(withReadingOrder(built, new Areas(built))));
  plain.description = DESCRIPTION;
  const schema = withNames(plain, options);
  const sdl = printSubgraph(schema, options);
  tellSdl(schema, sdl);
  return { schema, sdl };
}
