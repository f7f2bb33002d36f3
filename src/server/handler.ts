import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { DocumentNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { type Context, createContext } from '../context.ts';
import { createGraph, type Graph } from '../graph.ts';
import { type Ledger, NO_LEDGER, type RequestLedger } from '../ledger/ledger.ts';
import { BoundedCache } from '../lib/boundedCache.ts';
import type { Clock } from '../lib/clock.ts';
import { onClose } from '../lib/onClose.ts';
import type { Live } from '../live/live.ts';
import { RequestLive } from '../live/requestLive.ts';
import type { Caller, InProcessExecutor } from '../tools/inProcess.ts';
import type { Upstream } from '../upstream/client.ts';
import type { Index } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Session, SessionOptions } from '../upstream/session.ts';
import type { Auth } from './auth/openAuth.ts';
import { estimateDocumentBytes, estimateErrorBytes } from './documents/documentBytes.ts';
import { createAutomaticDocuments, useDocumentIds } from './documents/documentIds.ts';
import { useIntrospection } from './documents/introspection.ts';
import { useDocumentLimits } from './documents/limits.ts';
import { useRejectionLog } from './documents/rejectionLog.ts';
import { useValidationRules } from './documents/validationRules.ts';
import { type CurrentRequest, currentRequest } from './execution/currentRequest.ts';
import { DocumentNames } from './execution/documentNames.ts';
import { Executor, loadCompiler } from './execution/executor.ts';
import { maskError, toRefusedKeyError } from './execution/masking.ts';
import { OperationMeter } from './execution/operationMeter.ts';
import { Operations } from './execution/operations.ts';
import type { Overload } from './execution/overload.ts';
import type { Spans } from './execution/spans.ts';
import { type Execution, FastPath, useExecution } from './fastPath.ts';
import { useGraphiql } from './graphiql/graphiql.ts';
import { SINGLE_RESPONSE_TYPES } from './http/accept.ts';
import type { JsonBody } from './http/body.ts';
import { sendBody } from './http/compression.ts';
import { HEALTH_PATHS } from './http/health.ts';
import { useCompleteResponses, useIncremental } from './http/incremental.ts';
import { usePartialStatus } from './http/partialStatus.ts';
import { type BodyContext, useRequestForm } from './http/requestForm.ts';
import { useSubscriptions } from './http/subscriptions.ts';
import { createInProcessExecutor } from './inProcess.ts';
import { type Config, getSubgraphOptions } from './settings/config.ts';
import type { Metrics } from './telemetry/metrics.ts';

export interface HandlerOptions {
  readonly config: Config;
  readonly upstream: Upstream;
  readonly ledger: RequestLedger & Pick<Ledger, 'close'>;
  readonly logger: Logger;
  /** Built from the configuration by default. Requests that ask for a trace use a graph of their own, because tracing wraps its resolvers. */
  readonly graph?: Graph;
  /** Default: created from the configuration. */
  readonly executor?: Executor;
  /** The metrics that the upstream was created with. Nothing is measured without them. */
  readonly metrics?: Metrics | undefined;
  /** Sign-in with access tokens. Without it, clients send API keys. */
  readonly auth?: Auth | null | undefined;
  /** Live updates. They're disabled without it. */
  readonly live?: Live | null | undefined;
  /** Limits the responses that clients haven't read. `startApp` creates it from the configuration by default. */
  readonly overload?: Overload;
  /** Nothing is traced without it. */
  readonly telemetry?: Spans | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** Context that is passed to Yoga with a request. */
interface ServerContext extends CurrentRequest, BodyContext {
  /** Outcome of an operation that the fast path has already executed; Yoga only serializes it. */
  readonly execution?: Execution;
}

/** Target of a response. */
type ResponseTarget = Caller['response'];

/**
 * Opens the session of a request. The session ends with the connection at the latest, because if the client disconnects before the first part of an incremental
 * response, nothing consumes or ends the parts. Reads in flight are then aborted.
 */
function openSession(
  upstream: Upstream,
  { credential, requestId }: Pick<CurrentRequest, 'credential' | 'requestId'>,
  recipient: ResponseTarget,
  options?: SessionOptions,
): Session {
  const current = currentRequest.getStore();
  const trace = current?.span?.createSessionTrace() ?? null;
  const session = upstream.openSession(credential, requestId, {
    ...options,
    requiresAdmission: true,
    traceparent: current?.traceparent ?? null,
    trace,
  });
  const end = () => {
    session.finish();
    if (!recipient.writableFinished) session.abandon();
  };
  if (recipient.destroyed) end();
  else onClose(recipient, end);
  return session;
}

/** Request handlers: `fastPath` for plain JSON POSTs, `yoga` for everything else. */
interface Handler {
  readonly yoga: ReturnType<typeof createYoga<ServerContext>>;
  /** Null if it's disabled. */
  readonly fastPath: FastPath | null;
  /** Creates the context of a request, for its resolvers. */
  readonly createRequestContext: (current: Pick<CurrentRequest, 'credential' | 'requestId'>, recipient: ResponseTarget) => Context;
  readonly inProcess: InProcessExecutor;
}

/** Logs each operation once that creates records without an idempotency key. */
function createUnkeyedLog(logger: Logger): (operation: string) => void {
  const logged = new Set<string>();
  return (operation) => {
    if (logged.has(operation)) return;
    logged.add(operation);
    logger.warn({ operation }, 'records created without idempotency keys, see docs/clients.md#retries');
  };
}

function createHandler(
  { config, upstream, ledger, logger, graph, executor, metrics, overload, telemetry, clock, live, auth }: HandlerOptions,
  documents: Documents,
  trace: Plugin | null,
): Handler {
  const { schema, rename } = (trace === null && graph) || createGraph(getSubgraphOptions(config));
  const hidesNames = config.INTROSPECTION !== 'true';
  const logUnexpected = (cause: unknown) =>
    logger.error({ requestId: currentRequest.getStore()?.requestId, err: cause }, 'unexpected error');
  const maskForClient = (error: unknown) => {
    const isAccount = currentRequest.getStore()?.credential?.account;
    return maskError(isAccount ? toRefusedKeyError(error) : error, logUnexpected, hidesNames);
  };
  const costFactors = {
    getRowsPerCall: (operation: AnyOperation) => upstream.contract.getOperation(operation).page?.maxSize ?? 0,
    getRowColumns: (index: Index) => (config.SEARCH_ROWS === 'records' ? {} : upstream.contract.indexes.listColumns(index)),
  };
  const isMeasured = metrics !== undefined || telemetry !== undefined || logger.isLevelEnabled('warn');
  const warnOfUnkeyedCreation = createUnkeyedLog(logger);
  const requestLedger = metrics ? metrics.countUses(ledger) : ledger;
  const operations = new Operations({
    maxCalls: config.COST_LIMIT,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
    costFactors,
    // Traces require that graphql-js calls the resolver of each field.
    executor: trace === null ? (executor ?? new Executor(config.COMPILE_AFTER, config.DOCUMENT_CACHE_MB * BYTES_PER_MB)) : null,
    meter: isMeasured ? new OperationMeter(metrics?.onOperation ?? null) : null,
    names: documents.names,
    unreadProblem: overload && ((keyHash) => overload.findUnreadProblem(keyHash)),
    clock,
  });
  const createRequestContext = (current: Pick<CurrentRequest, 'credential' | 'requestId'>, recipient: ResponseTarget) => {
    const session = openSession(upstream, current, recipient);
    const requestLive = live ? new RequestLive(live, session, recipient) : null;
    return createContext(session, requestLedger, config.MAX_RESPONSE_BYTES, warnOfUnkeyedCreation, requestLive);
  };
  const yoga = createYoga<ServerContext>({
    schema,
    landingPage: false,
    // The server responds to health checks before Yoga, which would otherwise serve its own at `/health`.
    healthCheckEndpoint: HEALTH_PATHS.live,
    multipart: false,
    // `readBody` has a limit of its own.
    maxRequestBodySize: false,
    // `handleCors` sets the headers of all responses, including those that Yoga doesn't write.
    cors: false,
    graphiql: false,
    logging: false,
    maskedErrors: { maskError: maskForClient },
    parserAndValidationCache: documents.parsed,
    plugins: [
      config.GRAPHIQL &&
        useGraphiql({
          key: config.GRAPHIQL_KEY,
          schema,
          exposesSchema: config.INTROSPECTION === 'true',
          rename,
        }),
      // First, because the others reject requests.
      useRejectionLog(documents.names),
      useExecution(),
      useDocumentLimits(),
      useRequestForm(),
      useDocumentIds(documents.sources),
      useIntrospection(config.INTROSPECTION),
      useValidationRules(),
      useCompleteResponses(),
      operations.plugin(),
      ...useIncremental(maskForClient),
      useSubscriptions(overload, auth?.authenticator),
      usePartialStatus(),
      trace !== null && trace,
    ],
    context: (request) => createRequestContext(request, request.res),
  });
  // Yoga's plugins check the method, to reject mutations by GET.
  const getEnveloped = () => yoga.getEnveloped({ request: { method: 'POST' } } as never);
  const parseAndValidate = (text: string): DocumentNode | readonly string[] => {
    const { schema: known, parse, validate } = getEnveloped();
    try {
      const document: DocumentNode = parse(text);
      const errors: readonly Error[] = validate(known, document);
      return errors.length === 0 ? document : errors.map(({ message }) => message);
    } catch (error) {
      return [(error as Error).message];
    }
  };
  const parseValid = (text: string) => {
    const document = parseAndValidate(text);
    return 'definitions' in document ? document : null;
  };
  const hasFastPath = config.FAST_PATH && trace === null;
  const fastPath = hasFastPath
    ? new FastPath({
        // Includes what plugins add.
        schema: getEnveloped().schema,
        parseAndValidate: parseValid,
        documents: documents.parsed.documentCache,
        sources: documents.sources,
        operations,
        maskError: maskForClient,
      })
    : null;
  const tools = createInProcessExecutor({
    schema: getEnveloped().schema,
    upstream,
    check: parseAndValidate,
    operations,
    createRequestContext: ({ response: recipient, ...current }, isRehearsal) =>
      isRehearsal
        ? createContext(openSession(upstream, current, recipient, { isRehearsal }), NO_LEDGER, config.MAX_RESPONSE_BYTES)
        : createRequestContext(current, recipient),
    mask: maskForClient,
  });
  return { yoga, fastPath, createRequestContext, inProcess: tools };
}

const BYTES_PER_MB = 1024 * 1024;
/** Share of the document cache that is reserved for the errors of documents that can't be parsed. Chosen. */
const ERRORS_SHARE = 1 / 16;

/** The documents that all handlers share: document names and sources, and the caches of parsed documents and parse errors. */
function createDocumentStores(config: Config) {
  const trusted = config.TRUSTED_DOCUMENTS;
  const max = config.DOCUMENT_CACHE_MB * BYTES_PER_MB;
  // Yoga's own caches limit the number of entries, each of which can take megabytes.
  const documentCache = new BoundedCache<DocumentNode>({ weight: { max, weightOf: estimateDocumentBytes } });
  const errorCache = new BoundedCache<Error>({ weight: { max: max * ERRORS_SHARE, weightOf: estimateErrorBytes } });
  return {
    names: new DocumentNames(trusted),
    sources: {
      trusted,
      mode: config.TRUSTED_DOCUMENTS_MODE,
      automatic: config.APQ ? createAutomaticDocuments() : null,
    },
    parsed: { documentCache, errorCache },
  };
}
type Documents = ReturnType<typeof createDocumentStores>;

/** Whether a router requests a trace. */
const requestsTrace = ({ headers }: IncomingMessage) => headers['apollo-federation-include-trace'] === 'ftv1';

/** Creates the Fetch request of a request, without its body: `useRequestForm` reads it. */
function createFetchRequest(
  { fetchAPI }: Handler['yoga'],
  { method = 'POST', url, headers }: IncomingMessage,
  response: ServerResponse,
): Request {
  const left = new AbortController();
  onClose(response, () => response.writableFinished || left.abort());
  const address = `http://${headers.host || 'localhost'}${url}`;
  return new fetchAPI.Request(address, { method, headers: headers as Record<string, string>, signal: left.signal });
}

/** Handlers of GraphQL requests. Callers don't know whether the fast path or Yoga responds. */
export interface Handlers {
  /** Responds to a request. Always settles. If the client disconnects, after the execution, because a write continues. */
  handle(current: CurrentRequest, request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Loads the compiler, which takes longer than loading graphql-js. Call it once the server listens. */
  warmUp(): Promise<void>;
  /** Executes documents without an HTTP request. */
  readonly inProcess: InProcessExecutor;
}

/** Sends a response of Yoga. JSON is compressed if the client accepts it. The page of GraphiQL is compressed already, and parts of a response must not be delayed. */
async function sendResult(request: IncomingMessage, response: ServerResponse, result: Response): Promise<void> {
  // The client disconnected.
  if (response.destroyed) return;
  const type = result.headers.get('content-type') ?? '';
  if (SINGLE_RESPONSE_TYPES.some((name) => type.startsWith(name))) {
    const fields = [...result.headers].filter(([name]) => name !== 'content-length').flat();
    return sendBody(request, response, result.status, fields, await result.text());
  }
  // One by one, so that they replace the default headers.
  for (const [name, value] of result.headers) response.setHeader(name, value);
  response.writeHead(result.status);
  if (result.body) await pipeline(result.body, response);
  else response.end();
}

/** Responds to a request on the fast path or by Yoga. */
function respond(
  { yoga, fastPath, createRequestContext }: Handler,
  ...[current, request, response]: Parameters<Handlers['handle']>
): Promise<void> {
  // Not Yoga's own listener, which responds with the stack trace if it fails.
  const delegateToYoga = async (body?: JsonBody, execution?: Execution) => {
    const context: ServerContext = { req: request, res: response, ...current, ...(body && { body }), ...(execution && { execution }) };
    await sendResult(request, response, await yoga.handleRequest(createFetchRequest(yoga, request, response), context));
  };
  if (!fastPath?.canHandle(request)) return delegateToYoga();
  return fastPath.handle(request, response, () => createRequestContext(current, response), delegateToYoga);
}

/** Creates the handlers. The tracing handler is separate, because it wraps every resolver. It's created on first use. */
export function createHandlers(options: HandlerOptions): Handlers {
  const documents = createDocumentStores(options.config);
  const plain = createHandler(options, documents, null);
  let tracing: Promise<Handler> | undefined;
  const { renames, typePrefix } = getSubgraphOptions(options.config);
  const isRenamed = renames.length > 0 || typePrefix !== '';
  // The documents of tools have the names in the code.
  const tools =
    options.config.MCP && isRenamed
      ? createHandler({ ...options, graph: createGraph() }, createDocumentStores(options.config), null)
      : plain;
  const createTracing = async () => createHandler(options, documents, (await import('./execution/trace.ts')).useTrace());
  return {
    inProcess: tools.inProcess,
    handle: (...exchange) => {
      const [, request] = exchange;
      if (!requestsTrace(request)) return respond(plain, ...exchange);
      tracing ??= createTracing();
      return tracing.then((handler) => respond(handler, ...exchange));
    },
    warmUp: async () => {
      if (options.config.COMPILE_AFTER > 0) await loadCompiler();
    },
  };
}
