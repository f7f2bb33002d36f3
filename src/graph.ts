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
import { type GraphQLOutputType, type GraphQLSchema, getNamedType, graphqlSync, isObjectType } from 'graphql';
import type { SizeExtensions } from './schema/answerSize.ts';
import { withBoundedAnswers } from './schema/boundedAnswers.ts';
import { builder } from './schema/builder.ts';
import { withPartialRecords } from './schema/partialRecords.ts';
import { withCheckedReferences } from './schema/references.ts';
import { DEFAULT_SUBGRAPH, type SubgraphOptions } from './subgraph/options.ts';
import { withTypePrefix } from './subgraph/prefix.ts';
import { printSubgraph } from './subgraph/print.ts';

/** The version of the federation specification: the newest that Apollo's, The Guild's and Cosmo's composers all take. */
const LINK_URL = 'https://specs.apollo.dev/federation/v2.9';

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

/** What Pothos has printed of a schema while it built it: it need not be printed twice. */
const printedBy = (schema: GraphQLSchema): string => {
  const { data } = graphqlSync({ schema, source: '{ _service { sdl } }' });
  return (data as { readonly _service: { readonly sdl: string } })._service.sdl;
};

/** Weighs the SDL as long as it is: aliases may ask for it many times. */
function sizeOfSdl(service: GraphQLOutputType, bytes: number): void {
  const type = getNamedType(service);
  const field = isObjectType(type) ? type.getFields().sdl : undefined;
  if (!field) throw new Error('The graph tells no SDL.');
  field.extensions = { ...field.extensions, bytes } satisfies SizeExtensions;
}

/** Builds the whole graph. */
export function createGraph(options: SubgraphOptions = DEFAULT_SUBGRAPH): Graph {
  const built = withCheckedReferences(builder.toSubGraphSchema({ linkUrl: LINK_URL }));
  const plain = withBoundedAnswers(withPartialRecords(built));
  const sdl = printSubgraph(plain, printedBy(plain), options);
  plain.description = DESCRIPTION;
  const schema = withTypePrefix(plain, options.typePrefix);
  const service = schema.getQueryType()?.getFields()._service;
  if (!service) throw new Error('The graph is no subgraph.');
  service.resolve = () => ({ sdl });
  sizeOfSdl(service.type, sdl.length);
  return { schema, sdl };
}
