import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { onClose } from '../lib/onClose.ts';
import type { Upstream } from '../upstream/client.ts';
import type { Auth } from './auth/openAuth.ts';
import { getRefusalCode, type RefusalReason, sendRefusal } from './auth/refusal.ts';
import { CurrentRequest, currentRequest } from './execution/currentRequest.ts';
import { type Overload, sendOverloaded } from './execution/overload.ts';
import type { Spans } from './execution/spans.ts';
import type { Handlers } from './handler.ts';
import { negotiateAccept } from './http/accept.ts';
import { normalizeContentType } from './http/contentType.ts';
import { handleCors } from './http/cors.ts';
import { type createHealth, isHealthPath } from './http/health.ts';
import { TOOLS_PATH } from './http/paths.ts';
import { isServerTarget, normalizeTarget, sendInvalidTarget, sendServerOptions } from './http/requestTarget.ts';
import type { HttpResponse } from './http/response.ts';
import { sendError, sendForeignHost } from './http/sendError.ts';
import type { ServePage } from './pages/landingPage.ts';
import type { Config } from './settings/config.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { sendNoTools, type ToolEndpoint } from './toolEndpoint.ts';

/** Responses depend on the API key, so they aren't cached. Browsers must not guess another content type, because clients can influence the content. */
const DEFAULT_HEADERS: readonly string[] = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];

const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/graphql/']);

/** Executions in progress, including those whose client has disconnected. */
export class Executions {
  #running = 0;
  #onIdle = () => {};

  get running(): number {
    return this.#running;
  }

  readonly #end = () => {
    this.#running -= 1;
    if (this.#running === 0) this.#onIdle();
  };

  add(executing: Promise<unknown>): void {
    this.#running += 1;
    executing.then(this.#end, this.#end);
  }

  /** Resolves when no execution is in progress. Call it once, when no further ones can start. */
  waitForAll(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#running === 0) resolve();
    });
  }
}

export interface RequestPipelineOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly telemetry?: Spans | undefined;
  /** Null if clients send API keys. */
  readonly auth?: Auth | null | undefined;
  readonly handlers: Handlers;
  /** Null if agent tools are disabled. */
  readonly tools: ToolEndpoint | null;
  readonly overload: Overload;
  readonly upstream: Pick<Upstream, 'getSender'>;
  readonly executions: Executions;
  readonly serveHealth: ReturnType<typeof createHealth>;
  /** Serves all other paths. */
  readonly servePage: ServePage;
  /** Whether the graph serves the host of a request. Null if it serves every host. */
  readonly isOwnHost: ((request: IncomingMessage) => boolean) | null;
}

/**
 * The steps of an HTTP request, in order. Each may respond, which ends the request:
 *
 * 1. `onRequest`: reads the credential, the request ID, and the trace from the headers
 * 2. `#begin`: normalizes the headers, rejects invalid and foreign hosts, and reports the request when its response is closed
 * 3. `#route`: responds on all paths but those of GraphQL and of agent tools
 * 4. `#enter`: rejects the request if the process is overloaded
 * 5. `#authenticate`: verifies an access token
 * 6. `#serve`: rejects a stranger's request if the event loop is slow; passes others to the handler of GraphQL requests (`handler.ts`) or of agent tools
 */
export class RequestPipeline {
  readonly #options: RequestPipelineOptions;

  constructor(options: RequestPipelineOptions) {
    this.#options = options;
  }

  readonly onRequest = (request: IncomingMessage, response: HttpResponse): void => {
    const { logger, telemetry, auth } = this.#options;
    const isValid = normalizeTarget(request);
    const { url = '/' } = request;
    const queryStart = url.indexOf('?');
    const path = queryStart < 0 ? url : url.slice(0, queryStart);
    const current = new CurrentRequest(request, response, {
      logger,
      path,
      kind: GRAPHQL_PATHS.has(path) ? 'GRAPHQL' : isHealthPath(path) ? 'HEALTH' : 'OTHER',
      span: telemetry?.startRequest(request) ?? null,
      isToken: auth?.isToken ?? null,
    });
    response.defaultHeaders = ['x-request-id', current.requestId, ...DEFAULT_HEADERS];
    const onError = (error: unknown) => this.#onError(current, error);
    try {
      currentRequest.run(current, this.#begin, current, isValid)?.catch(onError);
    } catch (error) {
      onError(error);
    }
  };

  readonly #begin = (current: CurrentRequest, isValid: boolean): void | Promise<void> => {
    const { request, response } = current;
    negotiateAccept(request);
    normalizeContentType(request);
    // Everything below handles HEAD as GET. Node.js omits the body.
    if (request.method === 'HEAD') request.method = 'GET';
    onClose(response, () => currentRequest.run(current, this.#report, current));
    if (!isValid) return sendInvalidTarget(response);
    const { isOwnHost } = this.#options;
    return !isOwnHost || isOwnHost(request) ? this.#route(current) : sendForeignHost(response);
  };

  readonly #report = ({ response, startedAt, isSubscription, span, log }: CurrentRequest): void => {
    const ms = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : null;
    if (!isSubscription) this.#options.metrics?.onResponse(status, ms);
    span?.end(status);
    log.onClose(status, ms);
  };

  #route(current: CurrentRequest): void | Promise<void> {
    const { request, response, path } = current;
    const { config, auth, tools, serveHealth, servePage } = this.#options;
    if (GRAPHQL_PATHS.has(path)) return handleCors(request, response, config.CORS_ORIGINS) ? undefined : this.#enter(current, false);
    // The tool endpoint has its own rules for origins.
    if (path === TOOLS_PATH) return tools ? this.#enter(current, true) : sendNoTools(response);
    if (isHealthPath(path)) return serveHealth(path, response);
    if (auth?.metadata?.serve(path, response)) return undefined;
    if (isServerTarget(request)) return sendServerOptions(response);
    return servePage(path, request, response);
  }

  #enter(current: CurrentRequest, isTool: boolean): void | Promise<void> {
    const { overload } = this.#options;
    const problem = overload.findProblem();
    if (problem) return rejectOverloaded(current, problem);
    overload.enter(current.response, current);
    return this.#authenticate(current, isTool);
  }

  #authenticate(current: CurrentRequest, isTool: boolean): void | Promise<void> {
    if (current.hasSeveralCredentials) return this.#serve(current, isTool, 'TWO_CREDENTIALS');
    const refusal = this.#options.auth?.authenticator.authenticate(current, isTool);
    return refusal instanceof Promise
      ? refusal.then((reason) => this.#serve(current, isTool, reason))
      : this.#serve(current, isTool, refusal);
  }

  #serve(current: CurrentRequest, isTool: boolean, refusal: RefusalReason | undefined): void | Promise<void> {
    const { overload, executions, handlers, tools } = this.#options;
    // The client disconnected.
    if (current.response.destroyed) return undefined;
    if (refusal) return this.#refuse(current, isTool, refusal);
    const problem = overload.findUnreadProblem(current.credential?.keyHash ?? null) ?? this.#findProblemOfStranger(current);
    if (problem) return rejectOverloaded(current, problem);
    const executing = isTool && tools ? tools(current) : handlers.handle(current);
    executions.add(executing);
    return executing;
  }

  /** The sender is only looked up while there is a problem. */
  #findProblemOfStranger({ credential }: CurrentRequest): string | undefined {
    const { overload, upstream } = this.#options;
    const problem = overload.findProblemOfStrangers();
    return problem && upstream.getSender(credential).isStranger ? problem : undefined;
  }

  #refuse({ request, response, log, retryAfterSeconds }: CurrentRequest, isTool: boolean, refusal: RefusalReason): void {
    const { auth, metrics } = this.#options;
    log.onRejected([getRefusalCode(refusal)]);
    metrics?.onRefusal(refusal);
    const metadataUrl = auth?.metadata?.getUrl(isTool ? TOOLS_PATH : '/graphql') ?? null;
    sendRefusal(request, response, refusal, { isTool, metadataUrl, retryAfterSeconds: retryAfterSeconds ?? undefined });
  }

  /** Responds to a request that failed outside of the graph. Such a failure must not end the process. */
  #onError({ response, log }: CurrentRequest, error: unknown): void {
    // The client disconnected.
    if (response.destroyed) return;
    this.#options.logger.error({ err: error }, 'request failed');
    log.onRejected(['INTERNAL_SERVER_ERROR']);
    if (response.headersSent) response.destroy();
    else sendError(response, 500, 'INTERNAL_SERVER_ERROR', 'Internal server error. The server log has the cause under the request ID.');
  }
}

function rejectOverloaded({ request, response, log }: CurrentRequest, problem: string): void {
  log.onRejected(['OVERLOADED']);
  sendOverloaded(request, response, problem);
}
