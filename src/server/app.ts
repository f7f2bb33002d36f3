import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useApolloInlineTrace } from '@graphql-yoga/plugin-apollo-inline-trace';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import { createContext } from '../context.ts';
import { createGraph } from '../graph.ts';
import { Ledger } from '../ledger/ledger.ts';
import { MemoryLedgerStore } from '../ledger/memoryStore.ts';
import { withPrefixedTypes } from '../subgraph/prefix.ts';
import type { Upstream } from '../upstream/client.ts';
import { compress } from './compression.ts';
import type { Config } from './config.ts';
import { corsFor } from './cors.ts';
import { useCostLimit } from './costLimit.ts';
import { useGraphiql } from './graphiql.ts';
import { useIncremental } from './incremental.ts';
import { useDocumentLimits, useRequestForm } from './limits.ts';
import { maskError } from './masking.ts';

/** The largest request body, in bytes. Ours: 100 lines with notes are far below it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A request id that a caller may choose: for finding a request in both logs. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

export interface AppOptions {
  readonly config: Config;
  readonly upstream: Upstream;
  readonly logger: Logger;
}

/** The graph, listening. */
export interface App {
  readonly url: string;
  /** Stops accepting, lets what runs finish, then closes the upstream's connections. */
  close(): Promise<void>;
}

/** The caller's key; null when there is none. The same two headers that the upstream takes. */
function apiKeyOf(headers: Headers): string | null {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer ?? (headers.get('x-api-key')?.trim() || null);
}

/** The id of the request that is being answered, for what is logged far from it. */
const currentRequest = new AsyncLocalStorage<string>();

interface ServerContext {
  readonly req: IncomingMessage;
  readonly requestId: string;
}

function createHandler({ config, upstream, logger }: AppOptions, ledger: Ledger, hasTraces: boolean) {
  const { schema } = createGraph(config.subgraph);
  const mask = (error: unknown) =>
    maskError(error, (cause) => logger.error({ requestId: currentRequest.getStore(), err: cause }, 'unexpected error'));
  return createYoga<ServerContext>({
    schema,
    landingPage: false,
    // Ours, below, is asked first; yoga's own would answer at `/health`, whatever the upstream does.
    healthCheckEndpoint: '/health/live',
    multipart: false,
    maxRequestBodySize: MAX_BODY_BYTES,
    cors: corsFor(config.corsOrigins),
    graphiql: false,
    logging: false,
    maskedErrors: { maskError: mask },
    plugins: [
      config.hasGraphiql && useGraphiql(config.graphiqlKey, (document) => withPrefixedTypes(document, schema, config.subgraph.typePrefix)),
      useDocumentLimits(),
      useRequestForm(),
      useCostLimit(config.costLimit),
      ...useIncremental(mask),
      hasTraces && useApolloInlineTrace(),
    ],
    context: ({ request, requestId }) => createContext(upstream.for(apiKeyOf(request.headers), requestId), ledger),
  });
}

/** The requests that a router wants traced. */
const wantsTrace = ({ headers }: IncomingMessage) => headers['apollo-federation-include-trace'] === 'ftv1';

/** Handlers of requests. The one that traces wraps every resolver, so it is apart, and made when it is first asked for. */
function createHandlers(options: AppOptions): (request: IncomingMessage) => ReturnType<typeof createHandler> {
  const ledger = new Ledger(new MemoryLedgerStore());
  const plain = createHandler(options, ledger, false);
  let tracing: typeof plain | undefined;
  return (request) => {
    if (!wantsTrace(request)) return plain;
    tracing ??= createHandler(options, ledger, true);
    return tracing;
  };
}

function sendHealth(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Whether the process lives, and whether it can serve: that takes the upstream. */
async function serveHealth(path: string, upstream: Upstream, response: ServerResponse): Promise<void> {
  if (path === '/health/live') return sendHealth(response, 200, { status: 'ok' });
  try {
    await upstream.probe();
    sendHealth(response, 200, { status: 'ok' });
  } catch {
    sendHealth(response, 503, { status: 'unavailable', reason: 'The upstream cannot be reached.' });
  }
}

function requestListener(options: AppOptions, isClosing: () => boolean) {
  const handlerOf = createHandlers(options);
  const { upstream, logger } = options;
  return async (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('x-request-id', requestId);
    // Answers depend on the caller's key.
    response.setHeader('cache-control', 'no-store');
    // A client that keeps its connection open would send on and on.
    if (isClosing()) response.setHeader('connection', 'close');
    const [path = '/'] = (request.url ?? '/').split('?');
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      logger.info({ requestId, method: request.method, path, status: response.statusCode, ms }, 'request');
    });
    if (path === '/health/live' || path === '/health/ready') return serveHealth(path, upstream, response);
    if (path === '/') return response.writeHead(302, { location: '/graphql' }).end();
    return currentRequest.run(requestId, () => handlerOf(request)(request, response, { req: request, requestId }));
  };
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

/** Serves the graph. Port 0 takes any free one. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, upstream } = options;
  let isClosing = false;
  const answer = requestListener(options, () => isClosing);
  const server = createServer((request, response) => compress(request, response, () => void answer(request, response)));
  // What ends while closing leaves its connection idle: nobody is to wait for it to time out.
  server.on('request', (_request, response) => {
    response.once('close', () => isClosing && setImmediate(() => server.closeIdleConnections()));
  });
  const port = await listen(server, config.port, config.host);
  const end = async () => {
    isClosing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), config.shutdownTimeoutMs);
    await closed;
    clearTimeout(timer);
    await upstream.close();
  };
  let ended: Promise<void> | undefined;
  return {
    url: `http://${config.host}:${port}`,
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}
