import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  ApolloGateway,
  type GraphQLDataSourceProcessOptions,
  RemoteGraphQLDataSource,
  type ServiceEndpointDefinition,
} from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { WORKSPACE } from '../../../examples/supergraph/gateway.ts';
import { type ListeningServer, listen } from '../../../examples/supergraph/listen.ts';

/** A proxy between the gateways and a subgraph. */
export interface Tap extends ListeningServer {
  /** Headers of each request that reached the subgraph. */
  readonly received: IncomingHttpHeaders[];
  /** Whether to close the connection after the subgraph's response, so that the gateway can't know the outcome. */
  dropsResponses: boolean;
}

/** The given headers that a request has. */
const pick = (headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));

const KEY_HEADERS = ['authorization', 'x-api-key'];

/** Listens in front of a subgraph and records the requests. */
export async function tap(url: string): Promise<Tap> {
  const received: IncomingHttpHeaders[] = [];
  const state = { dropsResponses: false };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    received.push(request.headers);
    const headers = pick(request.headers, ['content-type', 'accept', ...KEY_HEADERS]);
    const subgraphResponse = await fetch(url, { method: 'POST', headers, body });
    const responseText = await subgraphResponse.text();
    if (state.dropsResponses) return request.socket.destroy();
    response.writeHead(subgraphResponse.status, { 'content-type': subgraphResponse.headers.get('content-type') ?? '' }).end(responseText);
  };
  const server = await listen(
    createServer((request, response) => void handle(request, response)),
    0,
  );
  return Object.assign(state, { ...server, received });
}

interface GatewayContext {
  readonly keys: Readonly<Record<string, string>>;
}

/** Forwards the client's API keys. */
class KeyedSource extends RemoteGraphQLDataSource {
  override willSendRequest(options: GraphQLDataSourceProcessOptions): void {
    // The gateway also sends requests of its own, without a client.
    const { keys = {} }: Partial<GatewayContext> = options.context;
    for (const [name, value] of Object.entries(keys)) options.request.http?.headers.set(name, value);
  }
}

function buildService({ name, url = '' }: ServiceEndpointDefinition): RemoteGraphQLDataSource {
  return name === WORKSPACE ? new KeyedSource({ url }) : new RemoteGraphQLDataSource({ url });
}

/** Serves a supergraph with Apollo's gateway on a free port. */
export async function serveApolloGateway(supergraphSdl: string): Promise<ListeningServer> {
  const gateway = new ApolloGateway({ supergraphSdl, buildService });
  const server = new ApolloServer<GatewayContext>({ gateway, includeStacktraceInErrorResponses: false });
  const { url } = await startStandaloneServer(server, {
    listen: { host: '127.0.0.1', port: 0 },
    context: async ({ req }) => ({ keys: pick(req.headers, KEY_HEADERS) }),
  });
  return { url: url.replace(/\/$/, ''), close: () => server.stop() };
}
