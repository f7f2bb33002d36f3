import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ErrorCode } from '../failures/errorCodes.ts';
import { createGraph, type Graph } from '../graph.ts';
import type { Clock } from '../lib/clock.ts';
import { onClose } from '../lib/onClose.ts';
import { listen, StartProblems } from '../lib/startup.ts';
import type { SubgraphOptions } from '../subgraph/options.ts';
import { startAdmin } from './adminServer.ts';
import { type CurrentRequest, currentRequest, readRequest } from './execution/currentRequest.ts';
import { Overload, sendOverloaded } from './execution/overload.ts';
import { createHandlers, type HandlerOptions, type Handlers } from './handler.ts';
import { settleAccept } from './http/accept.ts';
import { compress } from './http/compression.ts';
import { settleContentType } from './http/contentType.ts';
import { handleCors } from './http/cors.ts';
import { createHealth, isHealthPath, UpstreamHealth } from './http/health.ts';
import { createHttpServer, HTTP_LIMITS, type HttpLimits, type HttpResponse } from './http/http.ts';
import { createLandingPage } from './landingPage.ts';
import { subgraphOf } from './settings/config.ts';
import { createToolEndpoint, sendNoTools, TOOLS_PATH, type ToolEndpoint } from './toolEndpoint.ts';

/** Responses depend on the API key, so they aren't cached. Browsers must not guess another content type, because clients can influence the content. */
const DEFAULT_HEADERS: readonly string[] = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];

const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/graphql/']);

export interface AppOptions extends HandlerOptions {
  /** Limits of connections, over the usual ones. */
  readonly http?: Partial<HttpLimits>;
  /** Clocks of confirmation tokens, of stopped operations, and of health checks. Default: those of this machine. */
  readonly clock?: Clock;
  /** Problems that were found before. `startApp` adds its own, and throws all of them. */
  readonly problems?: StartProblems;
  /** Invalid settings, which have their defaults in `config`. */
  readonly invalid?: ReadonlySet<string>;
}

/** The graph, listening. */
export interface App {
  readonly url: string;
  /** Base address of the admin port; null without one. */
  readonly adminUrl: string | null;
  /**
   * Serves on for as long as the settings say, stops accepting, answers what runs and what comes on open connections, then closes the upstream's
   * connections and the ledger. Called again, it stops accepting at once.
   */
  close(): Promise<void>;
}

/** `running` holds what is being executed, also for callers that have left. */
function requestListener(
  { config, logger, metrics, telemetry }: AppOptions,
  handlers: Handlers,
  tools: ToolEndpoint | null,
  overload: Overload,
  running: Set<Promise<unknown>>,
  serveHealth: ReturnType<typeof createHealth>,
  serveLandingPage: ReturnType<typeof createLandingPage>,
) {
  const keep = (executing: Promise<unknown>, request: IncomingMessage, response: ServerResponse) => {
    const forget = () => running.delete(executing);
    running.add(executing);
    executing.then(forget, forget);
    // Of a request that was not sent to its end nothing is executed: it would be waited for in vain.
    onClose(response, () => request.complete || forget());
  };
  const answer = (current: CurrentRequest, path: string, request: IncomingMessage, response: HttpResponse): void | Promise<void> => {
    const startedAt = performance.now();
    response.defaultHeaders = ['x-request-id', current.requestId, ...DEFAULT_HEADERS];
    settleAccept(request);
    settleContentType(request);
    // Everything below handles it as GET. Node omits the body.
    if (request.method === 'HEAD') request.method = 'GET';
    const report = () => {
      const ms = performance.now() - startedAt;
      const status = response.headersSent ? response.statusCode : null;
      metrics?.onResponse(status, ms);
      current.span?.end(status);
      current.log.onClose(status, ms);
    };
    onClose(response, () => currentRequest.run(current, report));
    if (isHealthPath(path)) return serveHealth(path, response);
    if (path === '/' && request.method === 'GET') return serveLandingPage(request, response);
    if (!URL.canParse(`http://${request.headers.host ?? 'localhost'}${request.url}`)) return sendBadAddress(response);
    if (path === '/') return sendMethodNotAllowed(response);
    if (path === TOOLS_PATH && !tools) return sendNoTools(response);
    if (path !== TOOLS_PATH && !GRAPHQL_PATHS.has(path)) return sendUnknownPath(response);
    // Tools have rules of their own for origins.
    if (path !== TOOLS_PATH && handleCors(request, response, config.CORS_ORIGINS)) return;
    const { keyHash } = current;
    const problem = overload.problem() ?? overload.unreadProblem(keyHash);
    if (problem) {
      current.log.onRejected(['OVERLOADED']);
      return sendOverloaded(request, response, problem);
    }
    overload.enter(response, keyHash);
    if (path === TOOLS_PATH && tools) {
      const calling = tools(current, request, response);
      keep(calling, request, response);
      return calling;
    }
    return handlers.answer(current, request, response, (executing) => keep(executing, request, response));
  };
  return (request: IncomingMessage, response: HttpResponse) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const current = readRequest(request, telemetry?.request(request) ?? null, { logger, path, isGraphql: GRAPHQL_PATHS.has(path) });
    const onError = (error: unknown) => fail(response, error, current, logger);
    try {
      currentRequest.run(current, answer, current, path, request, response)?.catch(onError);
    } catch (error) {
      onError(error);
    }
  };
}

function sendError(response: ServerResponse, status: number, code: ErrorCode, message: string): void {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(body);
}

/** Node takes addresses, and hosts, that are none. */
const sendBadAddress = (response: ServerResponse) => sendError(response, 400, 'BAD_REQUEST', 'Invalid request URL or Host header.');

const sendUnknownPath = (response: ServerResponse) =>
  sendError(response, 404, 'BAD_REQUEST', 'Unknown path. Send GraphQL requests to /graphql, or open / for a list of entry points.');

function sendMethodNotAllowed(response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD');
  sendError(response, 405, 'BAD_REQUEST', 'Method not allowed. Use GET here, or send GraphQL requests to /graphql.');
}

/** Responds to a request that failed outside of the graph. Such a failure must not end the process. */
function fail(response: ServerResponse, error: unknown, { log }: CurrentRequest, logger: Logger): void {
  // The client disconnected.
  if (response.destroyed) return;
  logger.error({ err: error }, 'request failed');
  log.onRejected(['INTERNAL_SERVER_ERROR']);
  if (response.headersSent) response.destroy();
  else sendError(response, 500, 'INTERNAL_SERVER_ERROR', 'Internal server error. The server log has the cause under the request ID.');
}

/** How long requests have to end whose upstream calls were ended, in milliseconds. Chosen: they only have to write their responses. */
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

/** The options of a schema without names and tags, which the schema can contradict. */
const withoutNames = (options: SubgraphOptions): SubgraphOptions => ({ ...options, tags: [], renames: [], typePrefix: '' });

/** Builds the graph. If its names or tags are problems, builds it without them, so that whatever needs the schema can be checked, too. */
async function buildGraph({ graph, config }: AppOptions, problems: StartProblems): Promise<Graph> {
  const subgraph = subgraphOf(config);
  const built = graph ?? (await problems.collect(() => createGraph(subgraph)));
  if (built) return built;
  const untagged = { ...subgraph, renames: [], typePrefix: '' };
  return (await problems.collect(() => createGraph(untagged))) ?? createGraph(withoutNames(subgraph));
}

/** Serves the graph. Port 0 picks a free port. Throws a StartError that lists every problem, such as a port that's in use or an invalid file of the configuration. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, upstream, ledger, logger, metrics, problems = new StartProblems(), invalid = new Set() } = options;
  let isClosing = false;
  const overload =
    options.overload ?? new Overload({ maxRequests: config.MAX_CONCURRENT_REQUESTS, maxDelayMs: config.MAX_EVENT_LOOP_DELAY_MS });
  const running = new Set<Promise<unknown>>();
  const handlers = createHandlers({ ...options, graph: await buildGraph(options, problems), overload });
  const createTools = () => createToolEndpoint({ config, graph: handlers.inProcess, logger, clock: options.clock });
  const tools = config.MCP ? ((await problems.collect(createTools)) ?? null) : null;
  const upstreamHealth = new UpstreamHealth(upstream, options.clock);
  const serveHealth = createHealth(upstreamHealth, overload, () => isClosing);
  const listener = requestListener(options, handlers, tools, overload, running, serveHealth, createLandingPage(config));
  const http = createHttpServer({ ...HTTP_LIMITS, ...options.http }, (request, response) => {
    if (request.headers['accept-encoding'] === undefined) listener(request, response);
    else compress(request, response, () => listener(request, response));
  });
  const isListening = !invalid.has('HOST') && !invalid.has('PORT');
  const url = isListening ? await problems.collect(() => listen(http.server, config.PORT, config.HOST, 'HOST and PORT')) : undefined;
  http.server.on('error', (error) => logger.error({ err: error }, 'http server error'));
  const { ADMIN_HOST: adminHost, ADMIN_PORT: adminPort } = config;
  const admin =
    metrics && adminPort !== undefined
      ? await problems.collect(() => startAdmin({ host: adminHost, port: adminPort, upstream, upstreamHealth, metrics, serveHealth }))
      : null;
  if (url === undefined || admin === undefined || !problems.isEmpty) {
    http.cut();
    admin?.close();
    overload.close();
    problems.check();
    throw new Error('The graph isn’t listening.');
  }
  await handlers.warmUp();
  const hurried = Promise.withResolvers<void>();
  const end = async () => {
    isClosing = true;
    http.announceEnd();
    // Balancers are told by the health of the graph, and send new connections until they have asked.
    if (config.SHUTDOWN_DRAIN_MS > 0) await within(config.SHUTDOWN_DRAIN_MS, hurried.promise);
    const closed = http.close().then(() => ended(running));
    // A change whose caller has left is still made.
    await within(config.SHUTDOWN_TIMEOUT_MS, closed);
    overload.close();
    // Before the connections of their clients, which can then still be sent the outcome: that of a write in flight is unknown, as the ledger records.
    await Promise.all([upstream.close(), within(LAST_WORDS_MS, closed)]);
    http.cut();
    await ledger.close();
    // Last: the end is watched, too.
    admin?.close();
  };
  let ending: Promise<void> | undefined;
  return {
    url,
    adminUrl: admin?.url ?? null,
    close: () => {
      if (ending) hurried.resolve();
      ending ??= end();
      return ending;
    },
  };
}
