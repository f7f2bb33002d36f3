import type { IncomingMessage } from 'node:http';
import type { DocumentNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { type Context, createContext } from '../context.ts';
import { createGraph, type Graph } from '../graph.ts';
import type { Ledger, RequestLedger } from '../ledger/ledger.ts';
import { NO_LEDGER } from '../ledger/noLedger.ts';
import { BoundedCache } from '../lib/boundedCache.ts';
import type { Clock } from '../lib/clock.ts';
import { onClose } from '../lib/onClose.ts';
import type { Live } from '../live/live.ts';
import { RequestLive } from '../live/requestLive.ts';
import type { InProcessExecutor, ToolCaller } from '../tools/inProcess.ts';
import type { Upstream } from '../upstream/client.ts';
import type { Index } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Session, SessionOptions } from '../upstream/session.ts';
import type { Auth } from './auth/openAuth.ts';
import { createAutomaticDocuments } from './documents/documentIds.ts';
import { DocumentParser } from './documents/documentParser.ts';
import { Preparation } from './documents/preparation.ts';
import { StagedValidation } from './documents/stagedValidation.ts';
import { type CurrentRequest, currentRequest } from './execution/currentRequest.ts';
import { DocumentNames } from './execution/documentNames.ts';
import { Executor, loadCompiler } from './execution/executor.ts';
import { maskError, toRefusedKeyError } from './execution/masking.ts';
import { OperationMeter } from './execution/operationMeter.ts';
import { Operations } from './execution/operations.ts';
import type { Overload } from './execution/overload.ts';
import type { Spans } from './execution/spans.ts';
import { FastPath } from './fastPath.ts';
import { createInProcessExecutor } from './inProcess.ts';
import type { DemoSandbox } from './pages/demoSandbox.ts';
import { type Config, getSubgraphOptions } from './settings/config.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createGraphYoga, type Documents, respondWithYoga } from './yoga.ts';

/** Memory of a cached document in addition to its tokens: its cache entry and the plan of an operation. Chosen: measured 2 to 3 kB, and 2.5 kB for each further plan. */
const ENTRY_BYTES = 3_000;
/**
 * Memory of a token of a parsed document, including its share of the AST nodes. Measured: 310 bytes for most documents, 500 for one that contains only short
 * names.
 */
const TOKEN_BYTES = 500;
/** Strings can use two bytes per character. */
const CHARACTER_BYTES = 2;

/** Set because documents are parsed with a token limit. graphql-js doesn't declare its type. */
const countTokens = (document: DocumentNode) =>
  (document as { readonly tokenCount?: number }).tokenCount ?? document.loc?.source.body.length ?? 0;

/** Estimated memory of a parsed document in a cache, in bytes. Not an underestimate. */
export const estimateDocumentBytes = (source: string, document: DocumentNode): number =>
  ENTRY_BYTES * document.definitions.length + TOKEN_BYTES * countTokens(document) + CHARACTER_BYTES * source.length;

/** Memory of the cached error of a document that can't be parsed, in bytes. Its message can repeat most of the document. */
const estimateErrorBytes = (source: string, { message }: Error): number => ENTRY_BYTES + CHARACTER_BYTES * (source.length + message.length);

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
  /**
   * The sandbox that is the upstream, if it runs in this process. GraphiQL names its keys. The start page uses it, unless other machines can reach the graph.
   */
  readonly demo?: DemoSandbox | undefined;
  /** Nothing is traced without it. */
  readonly telemetry?: Spans | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** Target of a response. */
type ResponseTarget = ToolCaller['response'];

/** Who sends a request. */
type Sender = Pick<CurrentRequest, 'credential' | 'requestId'>;

/**
 * Opens the session of a request. The session ends with the connection at the latest, because if the client disconnects before the first part of an incremental
 * response, nothing consumes or ends the parts. Reads in flight are then aborted.
 */
function openSession(upstream: Upstream, { credential, requestId }: Sender, recipient: ResponseTarget, options?: SessionOptions): Session {
  const current = currentRequest.getStore();
  const session = upstream.openSession(credential, requestId, {
    ...options,
    requiresAdmission: true,
    traceparent: current?.traceparent ?? null,
    trace: current?.span?.createSessionTrace() ?? null,
  });
  const end = () => {
    session.finish();
    if (!recipient.writableFinished) session.abandon();
  };
  if (recipient.destroyed) end();
  else onClose(recipient, end);
  return session;
}

/** Logs each operation once that creates records without an idempotency key. */
function createUnkeyedLog(logger: Logger): (operation: string) => void {
  const logged = new Set<string>();
  return (operation) => {
    if (logged.has(operation)) return;
    logged.add(operation);
    logger.warn({ operation }, 'records created without idempotency keys, see docs/clients/writing.md#apply-mutations-once');
  };
}

function createOperations(
  { config, upstream, logger, executor, metrics, overload, telemetry, clock }: HandlerOptions,
  { names }: Documents,
  isTraced: boolean,
): Operations {
  const isMeasured = metrics !== undefined || telemetry !== undefined || logger.isLevelEnabled('warn');
  return new Operations({
    maxCalls: config.COST_LIMIT,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
    costFactors: {
      getRowsPerCall: (operation: AnyOperation) => upstream.contract.getOperation(operation).page?.maxSize ?? 0,
      getCoveringLists: (operation: AnyOperation) => (config.LIST_BATCHING === 'on' ? upstream.contract.getOperation(operation) : {}),
      getRowColumns: (index: Index) => (config.SEARCH_ROWS === 'records' ? {} : upstream.contract.indexes.listColumns(index)),
    },
    // Traces require that graphql-js calls the resolver of each field, except for those of the schema.
    executor: isTraced ? new Executor(0) : (executor ?? new Executor(config.COMPILE_AFTER, config.DOCUMENT_CACHE_MB * BYTES_PER_MB)),
    meter: isMeasured ? new OperationMeter(metrics?.onOperation ?? null) : null,
    names,
    unreadProblem: overload && ((keyHash) => overload.findUnreadProblem(keyHash)),
    clock,
  });
}

/** Creates the contexts of requests. */
class Contexts {
  readonly #options: HandlerOptions;
  readonly #ledger: RequestLedger;
  readonly #onUnkeyedCreation: (operation: string) => void;

  constructor(options: HandlerOptions) {
    const { ledger, logger, metrics } = options;
    this.#options = options;
    this.#ledger = metrics ? metrics.countUses(ledger) : ledger;
    this.#onUnkeyedCreation = createUnkeyedLog(logger);
  }

  create(sender: Sender, recipient: ResponseTarget): Context {
    const { upstream, live, config } = this.#options;
    const session = openSession(upstream, sender, recipient);
    const requestLive = live ? new RequestLive(live, session, recipient) : null;
    return createContext(session, this.#ledger, config.MAX_RESPONSE_BYTES, this.#onUnkeyedCreation, requestLive);
  }

  /** Creates the context of a rehearsal, which writes nothing. */
  createForRehearsal(sender: Sender, recipient: ResponseTarget): Context {
    const { upstream, config } = this.#options;
    return createContext(openSession(upstream, sender, recipient, { isRehearsal: true }), NO_LEDGER, config.MAX_RESPONSE_BYTES);
  }
}

/** Converts the errors of a result to those that clients may see. Logs unexpected ones. */
function createErrorMask({ config, logger }: HandlerOptions): (error: unknown) => Error {
  const hidesNames = config.INTROSPECTION !== 'true';
  const logUnexpected = (cause: unknown) =>
    logger.error({ requestId: currentRequest.getStore()?.requestId, err: cause }, 'unexpected error');
  return (error) => {
    const isAccount = currentRequest.getStore()?.credential?.account;
    return maskError(isAccount ? toRefusedKeyError(error) : error, logUnexpected, hidesNames);
  };
}

/** Handler of the requests to one schema. */
interface Handler {
  /** Responds to a request on the fast path or by Yoga. */
  respond(current: CurrentRequest): Promise<void>;
  readonly inProcess: InProcessExecutor;
}

/** Creates the handler of a graph. With `trace`, it adds traces to responses, which requires a graph of its own. */
function createHandler(options: HandlerOptions, graph: Graph, documents: Documents, trace: Plugin | null): Handler {
  const { config, upstream, overload, auth, demo } = options;
  const operations = createOperations(options, documents, trace !== null);
  const contexts = new Contexts(options);
  const maskForClient = createErrorMask(options);
  const staged = new StagedValidation();
  const yoga = createGraphYoga({
    config,
    graph,
    documents,
    operations,
    staged,
    getPreparation: () => preparation,
    overload,
    auth,
    demo,
    maskError: maskForClient,
    createContext: (request) => contexts.create(request, request.res),
    trace,
  });
  const parser = new DocumentParser(yoga, staged);
  const { schema } = parser;
  const preparation = new Preparation({ upstream, parser, documents: documents.parsed.documentCache, plans: operations.plans });
  const fastPath =
    config.FAST_PATH && trace === null
      ? new FastPath({
          schema,
          preparation,
          sources: documents.sources,
          operations,
          maskError: maskForClient,
        })
      : null;
  return {
    respond: (current) => {
      const delegateToYoga: Parameters<FastPath['handle']>[2] = (body, execution) => respondWithYoga(yoga, current, body, execution);
      if (fastPath?.canHandle(current.request))
        return fastPath.handle(current, () => contexts.create(current, current.response), delegateToYoga);
      return respondWithYoga(yoga, current);
    },
    inProcess: createInProcessExecutor({
      schema,
      upstream,
      check: parser.parse,
      operations,
      createRequestContext: ({ response, ...sender }, isRehearsal) =>
        isRehearsal ? contexts.createForRehearsal(sender, response) : contexts.create(sender, response),
      mask: maskForClient,
    }),
  };
}

const BYTES_PER_MB = 1024 * 1024;
/** Share of the document cache that is reserved for the errors of documents that can't be parsed, and another one for those that are invalid. Chosen. */
const ERRORS_SHARE = 1 / 16;

function createDocuments(config: Config): Documents {
  const trusted = config.TRUSTED_DOCUMENTS;
  const max = config.DOCUMENT_CACHE_MB * BYTES_PER_MB;
  // Yoga's own caches limit the number of entries, each of which can take megabytes.
  const documentCache = new BoundedCache<DocumentNode>({ weight: { max, weightOf: estimateDocumentBytes } });
  const maxErrorBytes = max * ERRORS_SHARE;
  const errorCache = new BoundedCache<Error>({ weight: { max: maxErrorBytes, weightOf: estimateErrorBytes } });
  return {
    names: new DocumentNames(trusted),
    sources: {
      trusted,
      mode: config.TRUSTED_DOCUMENTS_MODE,
      automatic: config.APQ ? createAutomaticDocuments() : null,
    },
    parsed: { documentCache, errorCache },
    maxErrorBytes,
  };
}

/** Whether a router requests a trace. */
const requestsTrace = ({ headers }: IncomingMessage) => headers['apollo-federation-include-trace'] === 'ftv1';

/** Handlers of GraphQL requests. Callers don't know whether the fast path or Yoga responds. */
export interface Handlers {
  /** Responds to a request. Always settles. If the client disconnects, after the execution, because a write continues. */
  readonly handle: Handler['respond'];
  /** Loads the compiler, which takes longer than loading graphql-js. Call it once the server listens. */
  warmUp(): Promise<void>;
  /** Executes documents without an HTTP request. */
  readonly inProcess: InProcessExecutor;
}

/** Creates the handlers. The tracing handler is separate, because it wraps every resolver. It's created on first use. */
export function createHandlers(options: HandlerOptions): Handlers {
  const { config } = options;
  const subgraph = getSubgraphOptions(config);
  const documents = createDocuments(config);
  const plain = createHandler(options, options.graph ?? createGraph(subgraph), documents, null);
  let tracing: Promise<Handler> | undefined;
  const isRenamed = subgraph.renames.length > 0 || subgraph.typePrefix !== '';
  // The documents of tools have the names in the code.
  const tools = config.MCP && isRenamed ? createHandler(options, createGraph(), createDocuments(config), null) : plain;
  const createTracing = async () =>
    createHandler(options, createGraph(subgraph), documents, (await import('./execution/trace.ts')).useTrace());
  return {
    inProcess: tools.inProcess,
    handle: (current) => {
      if (!requestsTrace(current.request)) return plain.respond(current);
      tracing ??= createTracing();
      return tracing.then((handler) => handler.respond(current));
    },
    warmUp: async () => {
      if (config.COMPILE_AFTER > 0) await loadCompiler();
    },
  };
}
