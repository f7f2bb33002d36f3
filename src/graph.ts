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
import { type GraphQLSchema, graphqlSync } from 'graphql';
import { builder } from './schema/builder.ts';
import { withCheckedReferences } from './schema/references.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from './subgraph/options.ts';
import { withTypePrefix } from './subgraph/prefix.ts';
import { printSubgraph } from './subgraph/print.ts';

/** The version of the federation specification: the newest that Apollo's, The Guild's and Cosmo's composers all take. */
const LINK_URL = 'https://specs.apollo.dev/federation/v2.9';

/** The graph, built. */
export interface Graph {
  /** What is executed, for clients and supergraphs alike. */
  readonly schema: GraphQLSchema;
  /** What composers of supergraphs are told of it. */
  readonly sdl: string;
}

/** What Pothos has printed of a schema while it built it: it need not be printed twice. */
const printedBy = (schema: GraphQLSchema): string => {
  const { data } = graphqlSync({ schema, source: '{ _service { sdl } }' });
  return (data as { readonly _service: { readonly sdl: string } })._service.sdl;
};

/** Builds the whole graph. */
export function createGraph(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const plain = withCheckedReferences(builder.toSubGraphSchema({ linkUrl: LINK_URL }));
  const sdl = printSubgraph(plain, printedBy(plain), options);
  const schema = withTypePrefix(plain, options.typePrefix);
  const service = schema.getQueryType()?.getFields()._service;
  if (!service) throw new Error('The graph is no subgraph.');
  service.resolve = () => ({ sdl });
  return { schema, sdl };
}
