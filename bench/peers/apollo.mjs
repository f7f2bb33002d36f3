// Apollo Server on a bare HTTP server instead of Express, with a REST data source and DataLoader, as its documentation recommends. `CLIENT=dispatch` replaces
// the data source.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { RESTDataSource } from '@apollo/datasource-rest';
import { ApolloServer, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { execute } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { schema } from './resolvers.mjs';
import { createOperations, createRequestOperations, fetcher, getPath, ORIGIN } from './upstream.mjs';

class Workspace extends RESTDataSource {
  baseURL = ORIGIN;
  #headers;

  constructor(authorization, options) {
    super(options);
    this.#headers = { authorization, 'content-type': 'application/json' };
  }

  willSendRequest(_path, request) {
    request.headers = this.#headers;
    // The data source only caches GET responses.
    request.skipCache = true;
  }

  parseBody(response) {
    return response.json();
  }

  send(operation, body) {
    return this.post(getPath(operation), { body });
  }
}

/** Compiled queries by document. The server caches documents by their text. */
const compiled = new WeakMap();

/** Apollo Server only accepts an executor from a gateway. This one executes compiled queries locally. */
const gateway = {
  onSchemaLoadOrUpdate: (onSchema) => {
    onSchema({ apiSchema: schema, coreSupergraphSdl: '' });
    return () => {};
  },
  load: async () => ({ executor: run }),
  stop: async () => {},
};

async function run({ document, operationName, request: { variables = {} }, context }) {
  const query = compiled.get(document) ?? compileQuery(schema, document, operationName);
  compiled.set(document, query);
  if (isCompiledQuery(query)) return query.query(undefined, context, variables);
  return execute({ schema, document, operationName, variableValues: variables, contextValue: context });
}

const server = new ApolloServer({
  gateway,
  nodeEnv: 'production',
  introspection: false,
  csrfPrevention: false,
  persistedQueries: false,
  // By default, it computes the cache policy of every field.
  plugins: [
    ApolloServerPluginCacheControlDisabled(),
    ApolloServerPluginInlineTraceDisabled(),
    ApolloServerPluginLandingPageDisabled(),
    ApolloServerPluginSchemaReportingDisabled(),
    ApolloServerPluginUsageReportingDisabled(),
  ],
});
await server.start();

/** Whether it calls the upstream with the fastest client instead of its REST data source. */
const isDispatched = process.env.CLIENT === 'dispatch';

function createContext({ headers }) {
  if (isDispatched) return { operations: createRequestOperations(headers.authorization) };
  // Without a custom fetch, it uses node-fetch.
  const workspace = new Workspace(headers.authorization, { cache: server.cache, fetch: fetcher });
  return { operations: createOperations((operation, body) => workspace.send(operation, body)) };
}

const http = createServer(async (request, response) => {
  const { headers: sent, method } = request;
  const { status, headers, body } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, search: '', body: await json(request), headers: new HeaderMap(Object.entries(sent)) },
    context: async () => createContext(request),
  });
  response.writeHead(status ?? 200, { ...Object.fromEntries(headers), 'content-length': Buffer.byteLength(body.string) }).end(body.string);
});
http.keepAliveTimeout = 60_000;
http.listen(Number(process.env.PORT), process.env.HOST);
