import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { DocumentNode, ExecutionResult } from 'graphql';
import { createYoga, isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Context } from '../context.ts';
import type { Graph } from '../graph.ts';
import type { BoundedCache } from '../lib/boundedCache.ts';
import { onClose } from '../lib/onClose.ts';
import { runWithoutTraces } from '../lib/withoutTraces.ts';
import type { Auth } from './auth/openAuth.ts';
import { type DocumentSources, readAllParams, readRawId, useDocumentIds } from './documents/documentIds.ts';
import { useIntrospection } from './documents/introspection.ts';
import { type Preparation, usePreparation } from './documents/preparation.ts';
import type { StagedValidation } from './documents/stagedValidation.ts';
import { useDocumentLimits, useValidationRules } from './documents/validation.ts';
import { useValidationCache } from './documents/validationCache.ts';
import { type CurrentRequest, currentRequest } from './execution/currentRequest.ts';
import type { DocumentNames } from './execution/documentNames.ts';
import type { Operations } from './execution/operations.ts';
import { failedWith } from './execution/outcome.ts';
import type { Overload } from './execution/overload.ts';
import { type ExecutionOutcome, useExecution } from './fastPath.ts';
import { useGraphiql } from './graphiql/graphiql.ts';
import { findAccepted, SINGLE_RESPONSE_TYPES } from './http/accept.ts';
import type { JsonBody } from './http/body.ts';
import { sendBody } from './http/compression.ts';
import { HEALTH_PATHS } from './http/health.ts';
import { useCompleteResponses, useIncremental } from './http/incremental.ts';
import { type BodyContext, type RequestParams, useRequestForm } from './http/requestForm.ts';
import { useSubscriptions } from './http/subscriptions.ts';
import type { DemoSandbox } from './pages/demoSandbox.ts';
import type { Config } from './settings/config.ts';

/** An operation name of GraphQL, which clients can send in any form. */
const NAME = /^[_A-Za-z]\w*$/;
/** Form of the unknown document IDs that are logged. Chosen: those of all known tools have this form, and a client can't inject anything with it. */
const DOCUMENT_ID = /^[\w:.-]{1,100}$/;

/** What a rejected request says about its operation. */
function describeOperation(params: RequestParams, names: DocumentNames) {
  const { query, operationName } = params;
  const id = readRawId(params);
  const name = typeof operationName === 'string' && NAME.test(operationName) ? operationName : undefined;
  const text = typeof query === 'string' && query !== '' ? names.getSourceName(query) : null;
  return { name, document: text ?? (typeof id === 'string' && DOCUMENT_ID.test(id) ? id : null) };
}

/** Logs operations that are rejected before they're executed: requests and documents that are malformed, unknown, or don't match the schema. */
function useRejectionLog(names: DocumentNames): Plugin {
  const params = new WeakMap<Request, RequestParams>();
  return {
    onParams({ request, params: sent }) {
      params.set(request, readAllParams(request, sent ?? {}));
    },
    onResultProcess({ request, result }) {
      const log = currentRequest.getStore()?.log;
      if (!log || log.operation || isAsyncIterable(result)) return;
      const errors = (Array.isArray(result) ? result : [result]).flatMap((each) => each.errors ?? []);
      if (errors.length === 0) return;
      const { name, document } = describeOperation(params.get(request) ?? {}, names);
      log.onRejected(failedWith(errors).codes, name, document);
    },
  };
}

/** Status of a response with both data and errors. Source: GraphQL over HTTP, September 2026, "Status Codes". */
const PARTIAL_SUCCESS = 294;

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** Sets the status of partial responses in GraphQL's own media type, in which clients ignore the status. Logs and proxies can count partial failures by it. */
const usePartialStatus = (): Plugin => ({
  onResultProcess({ request, result, setResult }) {
    if (isAsyncIterable(result) || Array.isArray(result) || !findAccepted(request.headers.get('accept'), [GRAPHQL_RESPONSE])) return;
    const { data, errors, extensions } = result as ExecutionResult;
    if (data === undefined || !errors?.length) return;
    // Yoga sends the status, and removes the member.
    setResult({ ...(result as ExecutionResult), extensions: { ...extensions, http: { status: PARTIAL_SUCCESS } } });
  },
});

/** Serializes errors without creating traces: Yoga copies each of them twice, to remove members that aren't sent. A response can have hundreds. */
const useErrorsWithoutTraces = (): Plugin => ({
  onResultProcess({ request, result, resultProcessor, setResultProcessor }) {
    if (resultProcessor !== processRegularResult || isAsyncIterable(result) || Array.isArray(result) || !result.errors) return;
    const type = findAccepted(request.headers.get('accept'), SINGLE_RESPONSE_TYPES);
    if (type) setResultProcessor((...args) => runWithoutTraces(() => processRegularResult(...args)), type);
  },
});

/** The documents that all handlers share: their names and sources, and the caches of parsed documents and parse errors. */
export interface Documents {
  readonly names: DocumentNames;
  readonly sources: DocumentSources;
  readonly parsed: { readonly documentCache: BoundedCache<DocumentNode>; readonly errorCache: BoundedCache<Error> };
  /** Memory limit of the errors of documents that are parsed but invalid, for each schema. */
  readonly maxErrorBytes: number;
}

/** Context that is passed to Yoga with a request. */
interface ServerContext extends Pick<CurrentRequest, 'credential' | 'requestId'>, BodyContext {
  /** Outcome of an operation that the fast path has already executed; Yoga only serializes it. */
  readonly execution?: ExecutionOutcome;
}

interface YogaOptions {
  readonly config: Config;
  readonly graph: Graph;
  readonly documents: Documents;
  readonly operations: Operations;
  readonly staged: StagedValidation;
  readonly getPreparation: () => Preparation;
  readonly overload: Overload | undefined;
  readonly auth: Auth | null | undefined;
  readonly demo: DemoSandbox | undefined;
  readonly maskError: (error: unknown) => Error;
  readonly createContext: (request: ServerContext & { readonly res: ServerResponse }) => Context;
  /** Adds traces to responses. Null if no router requests them. */
  readonly trace: Plugin | null;
}

/** Yoga without what the server does itself: cross-origin requests, health checks, logs, and the limits of a body. */
export function createGraphYoga(options: YogaOptions) {
  const { graph, documents, maskError, createContext } = options;
  return createYoga<ServerContext>({
    schema: graph.schema,
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
    maskedErrors: { maskError },
    parserAndValidationCache: { ...documents.parsed, validationCache: false },
    plugins: listPlugins(options),
    context: createContext,
  });
}

/** The plugins, in the order in which they are called. */
function listPlugins(options: YogaOptions) {
  const { config, graph, documents, operations, staged, getPreparation, overload, auth, demo, maskError, trace } = options;
  const { schema, rename } = graph;
  const { GRAPHIQL_KEY: key, INTROSPECTION: introspection } = config;
  const demoKeys = demo?.keys ?? [];
  return [
    config.GRAPHIQL && useGraphiql({ key, demoKeys, schema, exposesSchema: introspection === 'true', rename }),
    // First, because the others reject requests.
    useRejectionLog(documents.names),
    useExecution(),
    staged.plugin(),
    useDocumentLimits(documents.parsed.documentCache),
    useRequestForm((body, sender) => getPreparation().waitForBody(body, sender)),
    useDocumentIds(documents.sources),
    usePreparation(getPreparation),
    useIntrospection(config.INTROSPECTION),
    useValidationRules(),
    useCompleteResponses(operations.plans),
    operations.plugin(),
    ...useIncremental(operations.plans, maskError),
    useValidationCache(documents.parsed.documentCache, documents.maxErrorBytes),
    useSubscriptions(overload, auth?.authenticator),
    usePartialStatus(),
    useErrorsWithoutTraces(),
    trace !== null && trace,
  ];
}

type GraphYoga = ReturnType<typeof createGraphYoga>;

/** Creates the Fetch request of a request, without its body: `useRequestForm` reads it. */
function createFetchRequest(
  { fetchAPI }: GraphYoga,
  { method = 'POST', url, headers }: IncomingMessage,
  response: ServerResponse,
): Request {
  const left = new AbortController();
  onClose(response, () => response.writableFinished || left.abort());
  const address = `http://${headers.host || 'localhost'}${url}`;
  return new fetchAPI.Request(address, { method, headers: headers as Record<string, string>, signal: left.signal });
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

/** Responds to a request by Yoga. Not by its own listener, which responds with the stack trace if it fails. */
export async function respondWithYoga(
  yoga: GraphYoga,
  { request, response, credential, requestId }: CurrentRequest,
  body?: JsonBody,
  execution?: ExecutionOutcome,
): Promise<void> {
  const context: ServerContext = {
    req: request,
    res: response,
    credential,
    requestId,
    ...(body && { body }),
    ...(execution && { execution }),
  };
  await sendResult(request, response, await yoga.handleRequest(createFetchRequest(yoga, request, response), context));
}
