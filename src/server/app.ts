import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sendNodeResponse } from '@whatwg-node/server';
import type { DocumentNode } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Logger } from 'pino';
import { createContext } from '../context.ts';
import { createGraph } from '../graph.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withPrefixedTypes } from '../subgraph/prefix.ts';
import type { Session, Upstream } from '../upstream/client.ts';
import { BoundedCache } from './boundedCache.ts';
import { compress } from './compression.ts';
import type { Config } from './config.ts';
import { corsFor } from './cors.ts';
import { useCost } from './cost.ts';
import { type CurrentRequest, currentRequest, readRequest } from './currentRequest.ts';
import { automaticDocuments, useDocumentIds } from './documentIds.ts';
import { useGraphiql } from './graphiql.ts';
import { createHealth } from './health.ts';
import { createHttpServer, HTTP_LIMITS, type HttpLimits } from './http.ts';
import { useIncremental } from './incremental.ts';
import { useIntrospection, withoutSuggestions } from './introspection.ts';
import { useDocumentLimits } from './limits.ts';
import { maskError } from './masking.ts';
import { Overload, sendOverloaded } from './overload.ts';
import { useRequestForm } from './requestForm.ts';
import { useTrace } from './trace.ts';
import { readTrustedDocuments } from './trustedDocuments.ts';

/** The largest request body, in bytes. Ours: 100 lines with notes are far below it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The longest path that is logged, in characters. */
const MAX_PATH = 200;

export interface AppOptions {
  readonly config: Config;
  readonly upstream: Upstream;
  readonly ledger: Ledger;
  readonly logger: Logger;
  /** Limits of connections, over the usual ones. */
  readonly http?: Partial<HttpLimits>;
  /** What `config` makes of it, unless given. */
  readonly overload?: Overload;
}

/** The graph, listening. */
export interface App {
  readonly url: string;
  /** Stops accepting, lets what runs finish, then closes the upstream's connections and the ledger. */
  close(): Promise<void>;
}

interface ServerContext extends CurrentRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Nobody reads, or ends, the parts of an answer whose caller leaves before the first: so the session ends with the connection at the latest. */
function sessionOf(upstream: Upstream, { apiKey, requestId, res }: ServerContext): Session {
  const session = upstream.for(apiKey, requestId);
  if (res.closed) session.finish();
  else res.once('close', () => session.finish());
  return session;
}

function createHandler({ config, upstream, ledger, logger }: AppOptions, documents: Documents, hasTraces: boolean) {
  const { schema } = createGraph(config.subgraph);
  const mask = (error: unknown) => {
    const masked = maskError(error, (cause) =>
      logger.error({ requestId: currentRequest.getStore()?.requestId, err: cause }, 'unexpected error'),
    );
    return config.introspection === 'true' ? masked : withoutSuggestions(masked);
  };
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
    parserAndValidationCache: documents.parsed,
    plugins: [
      config.hasGraphiql && useGraphiql(config.graphiqlKey, (document) => withPrefixedTypes(document, schema, config.subgraph.typePrefix)),
      useDocumentLimits(),
      useRequestForm(),
      useDocumentIds(documents.sources),
      useIntrospection(config.introspection),
      useCost(config.costLimit),
      ...useIncremental(mask),
      hasTraces && useTrace(),
    ],
    context: (given) => createContext(sessionOf(upstream, given), ledger),
  });
}

/**
 * Yoga's own caches count entries, of which each may hold megabytes. Of a document of many short names one character takes 200 bytes when
 * it is parsed, so that this is 200 MB at worst.
 */
const PARSED = { entries: 1_024, weight: 1_000_000, weightOf: (source: string) => source.length };

/** The documents that all handlers know: those that can be named, those that have been read before, and those that could not be. */
const knownDocuments = ({ trustedDocuments: file, trustedDocumentsMode: mode, hasAutomaticDocuments }: Config) => ({
  sources: { trusted: file ? readTrustedDocuments(file) : new Map(), mode, automatic: hasAutomaticDocuments ? automaticDocuments() : null },
  parsed: { documentCache: new BoundedCache<DocumentNode>(PARSED), errorCache: new BoundedCache<Error>(PARSED) },
});
type Documents = ReturnType<typeof knownDocuments>;

/** The requests that a router wants traced. */
const wantsTrace = ({ headers }: IncomingMessage) => headers['apollo-federation-include-trace'] === 'ftv1';

/** Handlers of requests. The one that traces wraps every resolver, so it is apart, and made when it is first asked for. */
function createHandlers(options: AppOptions): (request: IncomingMessage) => ReturnType<typeof createHandler> {
  const documents = knownDocuments(options.config);
  const plain = createHandler(options, documents, false);
  let tracing: typeof plain | undefined;
  return (request) => {
    if (!wantsTrace(request)) return plain;
    tracing ??= createHandler(options, documents, true);
    return tracing;
  };
}

/** `running` holds what is being executed, also for callers that have left. */
function requestListener(options: AppOptions, overload: Overload, running: Set<Promise<unknown>>, isClosing: () => boolean) {
  const handlerOf = createHandlers(options);
  const { upstream, logger } = options;
  const serveHealth = createHealth(upstream, overload);
  const answer = async (current: CurrentRequest, request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    const { requestId } = current;
    response.setHeader('x-request-id', requestId);
    // Answers depend on the caller's key.
    response.setHeader('cache-control', 'no-store');
    // A client that keeps its connection open would send on and on.
    if (isClosing()) response.setHeader('connection', 'close');
    const [path = '/'] = (request.url ?? '/').split('?');
    const logAnswer = () => {
      const ms = Math.round(performance.now() - startedAt);
      const { statusCode: status } = response;
      logger.info({ requestId, method: request.method, path: path.slice(0, MAX_PATH), status, ms }, 'request');
    };
    response.once('close', AsyncLocalStorage.bind(logAnswer));
    if (path === '/health/live' || path === '/health/ready') return serveHealth(path, response);
    if (path === '/') return response.writeHead(302, { location: '/graphql' }).end();
    if (!URL.canParse(`http://${request.headers.host ?? 'localhost'}${request.url}`)) return sendBadAddress(response);
    const problem = overload.problem();
    if (problem) return sendOverloaded(request, response, problem);
    overload.enter(response);
    const handler = handlerOf(request);
    // Not the handler's own listener: it answers what it fails with, trace and all.
    const executing = Promise.resolve(handler.handleNodeRequestAndResponse(request, response, { req: request, res: response, ...current }));
    const forget = () => running.delete(executing);
    running.add(executing);
    executing.then(forget, forget);
    // Of a request that was not sent to its end nothing is executed: it would be waited for in vain.
    response.once('close', () => request.complete || forget());
    return sendNodeResponse(await executing, response, request, true);
  };
  return (request: IncomingMessage, response: ServerResponse) => {
    const current = readRequest(request);
    const answering = currentRequest.run(current, () => answer(current, request, response));
    answering.catch((error: unknown) => fail(response, error, logger));
  };
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body);
}

/** Node takes addresses, and hosts, that are none. */
const sendBadAddress = (response: ServerResponse) => sendError(response, 400, 'BAD_REQUEST', 'The address, or the Host header, is none.');

/** What fails outside the graph must not end the process. */
function fail(response: ServerResponse, error: unknown, logger: Logger): void {
  // The caller has left.
  if (response.destroyed) return;
  logger.error({ err: error }, 'a request failed');
  if (response.headersSent) response.destroy();
  else sendError(response, 500, 'INTERNAL_SERVER_ERROR', 'The graph failed; its log says why, under the request id.');
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

/** How long requests have to end whose calls were cut off, in milliseconds. Ours: nothing keeps them any more. */
const LAST_WORDS_MS = 1_000;

/** Until all have ended, those too that begin meanwhile. */
async function ended(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}

/** Waits for something, but no longer than this. */
async function within(ms: number, event: Promise<void>): Promise<void> {
  const timeUp = new AbortController();
  await Promise.race([event, wait(ms, undefined, { signal: timeUp.signal }).catch(() => {})]);
  timeUp.abort();
}

/** Serves the graph. Port 0 takes any free one. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, upstream, ledger } = options;
  let isClosing = false;
  const overload = options.overload ?? new Overload({ maxRequests: config.maxConcurrentRequests, maxDelayMs: config.maxEventLoopDelayMs });
  const running = new Set<Promise<unknown>>();
  const listener = requestListener(options, overload, running, () => isClosing);
  const server = createHttpServer({ ...HTTP_LIMITS, ...options.http }, (request, response) =>
    compress(request, response, () => listener(request, response)),
  );
  // What ends while closing leaves its connection idle: nobody is to wait for it to time out.
  server.on('request', (_request, response) => {
    response.once('close', () => isClosing && setImmediate(() => server.closeIdleConnections()));
  });
  const port = await listen(server, config.port, config.host);
  const end = async () => {
    isClosing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // A change whose caller has left is still made.
    await within(
      config.shutdownTimeoutMs,
      closed.then(() => ended(running)),
    );
    server.closeAllConnections();
    overload.close();
    await upstream.close();
    // What was cut off is written down as unknown.
    await within(LAST_WORDS_MS, ended(running));
    await ledger.close();
  };
  let ending: Promise<void> | undefined;
  return {
    url: `http://${config.host}:${port}`,
    close: () => {
      ending ??= end();
      return ending;
    },
  };
}
