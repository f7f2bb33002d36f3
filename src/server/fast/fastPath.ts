import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionResult, execute, type GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { AnswerBudget } from '../../answerBudget.ts';
import type { Context } from '../../context.ts';
import type { BoundedCache } from '../../lib/boundedCache.ts';
import { type DocumentSources, documentIn } from '../documents/documentIds.ts';
import type { CostControl } from '../execution/cost.ts';
import { currentRequest } from '../execution/currentRequest.ts';
import type { RequestLog } from '../execution/requestLog.ts';
import { acceptedOf, WHOLE } from '../http/accept.ts';
import { JSON_TYPE } from '../http/contentType.ts';
import { checkParams, type RequestParams, readParams } from '../http/requestForm.ts';
import type { Executor } from './executor.ts';
import type { Recipient, SharedDocuments } from './sharedDocuments.ts';

/** Outcome of an operation that was executed here but is left to Yoga to serialize. */
export interface Execution {
  readonly result?: ExecutionResult;
  /** The error that execution threw. */
  readonly error?: unknown;
}

/** A serialized response body, or an execution for Yoga to serialize. `log` is that of the request whose execution it was. */
export type FastResponse = ({ readonly body: string } | { readonly execution: Execution }) & { readonly log: RequestLog | undefined };

export interface FastPathOptions {
  readonly schema: GraphQLSchema;
  /** Parses and validates a document with every rule that Yoga applies. Null if it is rejected. */
  readonly parseAndValidate: (source: string) => DocumentNode | null;
  readonly documents: BoundedCache<DocumentNode>;
  readonly sources: DocumentSources;
  readonly executor: Executor;
  readonly costs: CostControl;
  readonly maskError: (error: unknown) => Error;
  readonly maxBodyBytes: number;
  /** In-flight deduplication of identical queries. Null if disabled. */
  readonly shared: SharedDocuments<FastResponse> | null;
}

/** Reads the whole request body. Never settles if the client disconnects first: no one is left to respond to. */
const readBody = (request: IncomingMessage) =>
  new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  });

const isObjectOrNullish = (value: unknown) => value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));

/** Parses the GraphQL parameters of a request body. Null if the body isn't valid JSON or needs Yoga. */
function parseParams(body: Buffer): RequestParams | null {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
    const params = readParams(json);
    const { variables, extensions } = params;
    return isObjectOrNullish(variables) && isObjectOrNullish(extensions) ? params : null;
  } catch {
    return null;
  }
}

/** Serializes a result, reusing the JSON of `data` if the response budget has already produced it. */
function serialize(result: ExecutionResult, budget: AnswerBudget): string {
  const { text } = budget;
  // Release the text: the context can outlive the request.
  budget.text = null;
  if (text === null) return JSON.stringify(result);
  const { extensions } = result;
  return extensions ? `{"data":${text},"extensions":${JSON.stringify(extensions)}}` : `{"data":${text}}`;
}

interface Prepared {
  readonly isQuery: boolean;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly params: RequestParams;
}

/**
 * Serves plain JSON POSTs, which are most of the load, directly on Node's request and response, without the Fetch API. Everything else is
 * delegated to Yoga: other request formats, rejected documents, incremental delivery, and results with errors. The fast path never rejects a
 * request itself, so the two paths can't differ in what they accept.
 */
export class FastPath {
  readonly #options: FastPathOptions;
  /** Documents that this handler has validated. The document cache is shared with other handlers. */
  readonly #validated = new WeakSet<DocumentNode>();

  constructor(options: FastPathOptions) {
    this.#options = options;
  }

  /** Whether the method, path and headers qualify for the fast path. The body may still need Yoga. */
  canHandle({ method, url, headers }: IncomingMessage): boolean {
    const { maxBodyBytes } = this.#options;
    const length = Number(headers['content-length']);
    return (
      method === 'POST' &&
      url === '/graphql' &&
      length > 0 &&
      length <= maxBodyBytes &&
      headers['content-type'] === JSON_TYPE &&
      (headers['content-encoding'] ?? 'identity') === 'identity' &&
      acceptedOf(headers.accept, WHOLE) !== undefined
    );
  }

  /**
   * Handles a request for which `canHandle` returned true. `createContext` is called only if an operation is executed. `delegateToYoga` sends
   * the response through Yoga; if the operation was already executed, Yoga only serializes the outcome.
   */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    apiKey: string | null,
    createContext: (recipient: Recipient) => Context,
    delegateToYoga: (body: Buffer, execution?: Execution) => Promise<void>,
  ): Promise<void> {
    const body = await readBody(request);
    const prepared = this.#prepare(body);
    if (!prepared) return delegateToYoga(body);
    const { shared } = this.#options;
    const run = (recipient: Recipient) => this.#run(prepared, createContext(recipient));
    const result = await (shared && prepared.isQuery ? shared.answer(apiKey, body, response, run) : run(response));
    const log = currentRequest.getStore()?.log;
    if (result.log && result.log !== log) log?.onCoalesced(result.log.operation);
    // The client disconnected.
    if (response.destroyed) return;
    if ('execution' in result) return delegateToYoga(body, result.execution);
    response.writeHead(200, {
      'content-type': `${acceptedOf(request.headers.accept, WHOLE)}; charset=utf-8`,
      'content-length': Buffer.byteLength(result.body),
    });
    // A string rather than a Buffer, so that Node sends headers and body in a single write.
    response.end(result.body);
  }

  async #run(prepared: Prepared, context: Context): Promise<FastResponse> {
    const { shared } = this.#options;
    const log = currentRequest.getStore()?.log;
    try {
      // A mutation ends in-flight deduplication both when it starts and when it finishes.
      if (!prepared.isQuery) shared?.onChange();
      const result = await this.#execute(prepared, context);
      if (!result.errors) return { body: serialize(result, context.answer), log };
      const errors = result.errors.map(this.#options.maskError) as GraphQLError[];
      return { execution: { result: { ...result, errors } }, log };
    } catch (error) {
      return { execution: { error }, log };
    } finally {
      if (!prepared.isQuery) shared?.onChange();
    }
  }

  /** Resolves the document and operation to execute. Null if the request must be delegated to Yoga. */
  #prepare(body: Buffer): Prepared | null {
    const params = parseParams(body);
    const source = params && this.#sourceOf(params);
    if (!source) return null;
    const document = this.#validatedDocument(source);
    if (!document) return null;
    const operationName = params.operationName ?? undefined;
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation !== 'query' && operation !== 'mutation') return null;
    return { document, operationName, params, isQuery: operation === 'query' };
  }

  #sourceOf(params: RequestParams): string | null {
    try {
      checkParams(params);
      const source = documentIn(params, this.#options.sources);
      // A cheap test that may match harmless documents: those only lose the speed-up.
      return typeof source === 'string' && !/defer|stream/.test(source) ? source : null;
    } catch {
      return null;
    }
  }

  #validatedDocument(source: string): DocumentNode | null {
    const { documents, parseAndValidate } = this.#options;
    const cached = documents.get(source);
    if (cached && this.#validated.has(cached)) return cached;
    const document = parseAndValidate(source);
    if (document) this.#validated.add(document);
    return document;
  }

  #execute({ document, operationName, params }: Prepared, contextValue: Context): Promise<ExecutionResult> {
    const { schema, executor, costs } = this.#options;
    const args = {
      schema,
      document,
      contextValue,
      variableValues: params.variables ?? {},
      ...(operationName !== undefined && { operationName }),
    };
    return costs.execute(args, (counted) => executor.execute(counted, execute) as ExecutionResult | Promise<ExecutionResult>);
  }
}

/** Yoga plugin that serializes an operation which the fast path has already executed. */
export const useExecution = (): Plugin<{ readonly execution?: Execution }> => ({
  onParams({ context, setResult }) {
    const { execution } = context as { readonly execution?: Execution };
    if (execution?.result) setResult(execution.result);
    else if (execution) throw execution.error;
  },
});
