// Hive Gateway, with the upstream's calls described by Mesh's JSON handler. The handler can't rename, unwrap or compute fields, so additional resolvers do,
// which are the same as those of the other servers. A gateway has no `_entities` field.
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { composeSubgraphs } from '@graphql-mesh/fusion-composition';
import { useJIT } from '@graphql-mesh/plugin-jit';
import rest from '@graphql-mesh/transport-rest';
import { loadJSONSchemaSubgraph } from '@omnigraph/json-schema';
import { Kind } from 'graphql';
import { resolvers, typeDefs } from './resolvers.mjs';
import { createOperations, fetcher, getPath, ORIGIN } from './upstream.mjs';

const CALLS = [
  'Customer/GetCustomer',
  'Customer/ListCustomerTimelineEvents',
  'Catalog/GetProduct',
  'Catalog/ListProducts',
  'Inventory/ListInventoryBalances',
  'Quote/ListQuotes',
  'Order/ListOrders',
];

/** The handler's field name for a call. */
const getFieldName = (call) => call.slice(call.indexOf('/') + 1);

const SOURCE = 'workspace';

// Messages are JSON scalars, because the handler would resolve each field of a type twice.
const operations = CALLS.map((call) => ({
  type: 'Query',
  field: getFieldName(call),
  path: getPath(call),
  method: 'POST',
  requestSchema: { type: 'object', additionalProperties: true },
}));

const log = { log() {}, debug() {}, info() {}, warn: console.error, error: console.error, child: () => log };
const { schema$ } = loadJSONSchemaSubgraph(SOURCE, {
  endpoint: ORIGIN,
  operationHeaders: { 'content-type': 'application/json', authorization: '{context.headers.authorization}' },
  operations,
})({ fetch: fetcher, cwd: import.meta.dirname, logger: log });
const { supergraphSdl: supergraph, errors } = composeSubgraphs([{ name: SOURCE, schema: await schema$ }]);
if (errors) throw new AggregateError(errors, 'The supergraph does not compose.');

/** The upstream's operations of each request, which fetch each record once. */
const operationsByContext = new WeakMap();

function getRequestOperations(context, info) {
  const known = operationsByContext.get(context);
  if (known) return known;
  const created = createOperations(async (call, input) => {
    const response = await context[SOURCE].Query[getFieldName(call)]({ args: { input }, context, info });
    // The handler returns errors as values.
    if (response instanceof Error) throw response;
    return response;
  });
  operationsByContext.set(context, created);
  return created;
}

/** Wraps the same resolvers with operations that go through the gateway. */
const wrapResolver = (resolve) => (parent, args, context, info) =>
  resolve(parent, args, { operations: getRequestOperations(context, info) }, info);

const additionalResolvers = Object.fromEntries(
  Object.entries(resolvers).map(([type, { __resolveReference: _resolveReference, ...fields }]) => [
    type,
    Object.fromEntries(Object.entries(fields).map(([field, resolve]) => [field, wrapResolver(resolve)])),
  ]),
);

const gateway = createGatewayRuntime({
  supergraph,
  transports: { rest },
  additionalTypeDefs: {
    ...typeDefs,
    definitions: typeDefs.definitions
      .filter(({ kind }) => kind !== Kind.SCHEMA_EXTENSION)
      .map((definition) => ({
        ...definition,
        directives: [],
        kind: definition.name.value === 'Query' ? Kind.OBJECT_TYPE_EXTENSION : definition.kind,
      })),
  },
  additionalResolvers,
  fetchAPI: { fetch: fetcher },
  inboundInflightRequestDeduplication: true,
  // Combines concurrent calls into one document for the handler.
  __experimental__batchExecution: true,
  plugins: () => [useJIT()],
  logging: false,
  landingPage: false,
  graphiql: false,
  cors: false,
  multipart: false,
  requestId: false,
  healthCheckEndpoint: false,
  readinessCheckEndpoint: false,
});

const server = createServer(gateway);
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), process.env.HOST);
