import type { IncomingMessage } from 'node:http';
import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import type { ResponseBudget } from '../responseBudget.ts';
import { type DocumentSources, resolveDocument } from './documents/documentIds.ts';
import type { Preparation } from './documents/preparation.ts';
import type { CurrentRequest } from './execution/currentRequest.ts';
import type { Operations } from './execution/operations.ts';
import { findAccepted, SINGLE_RESPONSE_TYPES } from './http/accept.ts';
import { getMaxBodyBytes, type JsonBody, readBody } from './http/body.ts';
import { sendBody } from './http/compression.ts';
import { JSON_TYPE } from './http/contentType.ts';
import { checkParams, type RequestParams, readParams } from './http/requestForm.ts';

/** Outcome of an operation that was executed here but is left to Yoga to serialize. */
export interface ExecutionOutcome {
  readonly result?: ExecutionResult;
  /** The error that execution threw. */
  readonly error?: unknown;
}

export interface FastPathOptions {
  readonly schema: GraphQLSchema;
  readonly preparation: Preparation;
  readonly sources: DocumentSources;
  readonly operations: Operations;
  readonly maskError: (error: unknown) => Error;
}

const isObjectOrNullish = (value: unknown) => value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));

/** The GraphQL parameters in the JSON of a request body. Null if it needs Yoga. */
function getParams(json: unknown): RequestParams | null {
  if (!isJsonObject(json)) return null;
  const params = readParams(json);
  return isObjectOrNullish(params.variables) && isObjectOrNullish(params.extensions) ? params : null;
}

const START = '{"data":';

/** Serializes a result, reusing the JSON of `data` if the response budget has already produced it. */
function serialize(result: ExecutionResult, budget: ResponseBudget): string | Buffer {
  const { json } = budget;
  // Release the JSON, because the context can outlive the request.
  budget.json = null;
  if (json === null) return JSON.stringify(result);
  const { extensions } = result;
  const end = extensions ? `,"extensions":${JSON.stringify(extensions)}}` : '}';
  return typeof json === 'string' ? START + json + end : Buffer.concat([Buffer.from(START), json, Buffer.from(end)]);
}

/**
 * Serves plain JSON POSTs, which are most of the load, directly on Node's request and response, without the Fetch API. Everything else is
 * delegated to Yoga: other request formats, rejected documents, incremental delivery, and results with errors. The fast path never rejects a
 * request itself, so the two paths can't differ in what they accept.
 */
export class FastPath {
  readonly #options: FastPathOptions;

  constructor(options: FastPathOptions) {
    this.#options = options;
  }

  /** Whether the method, path and headers qualify for the fast path. The body may still need Yoga. */
  canHandle(request: IncomingMessage): boolean {
    const { method, url, headers } = request;
    const length = Number(headers['content-length']);
    return (
      method === 'POST' &&
      url === '/graphql' &&
      length > 0 &&
      length <= getMaxBodyBytes(request) &&
      headers['content-type'] === JSON_TYPE &&
      (headers['content-encoding'] ?? 'identity') === 'identity' &&
      findAccepted(headers.accept, SINGLE_RESPONSE_TYPES) !== undefined
    );
  }

  /**
   * Handles a request for which `canHandle` returned true. `createContext` is called only if an operation is executed. `delegateToYoga` sends
   * the response through Yoga; if the operation was already executed, Yoga only serializes the outcome.
   */
  async handle(
    current: CurrentRequest,
    createContext: () => Context,
    delegateToYoga: (body: JsonBody, execution?: ExecutionOutcome) => Promise<void>,
  ): Promise<void> {
    const { request, response } = current;
    const body = await readBody(request, response);
    if (body === null) return;
    if (typeof body !== 'string') return delegateToYoga(body);
    const { preparation } = this.#options;
    const turn = preparation.waitForBody(body, current);
    if (turn) await turn;
    const json = parseJson(body);
    const params = getParams(json);
    const source = params && this.#sourceOf(params);
    if (!params || !source) return delegateToYoga({ json });
    const { operationName } = params;
    const document = preparation.getReady(source, current) ?? (await preparation.prepare(source, operationName, current, response));
    if (response.destroyed) return;
    const prepared = document && this.#prepare(params, document);
    if (!prepared) return delegateToYoga({ json });
    const outcome = await this.#execute({ ...prepared, contextValue: createContext() });
    // The client disconnected.
    if (response.destroyed) return;
    if (typeof outcome !== 'string' && !Buffer.isBuffer(outcome)) return delegateToYoga({ json }, outcome);
    const type = `${findAccepted(request.headers.accept, SINGLE_RESPONSE_TYPES)}; charset=utf-8`;
    return sendBody(request, response, 200, ['content-type', type], outcome);
  }

  /** The operation of a request. Null if it must be delegated to Yoga. */
  #prepare({ operationName, variables }: RequestParams, document: DocumentNode): ExecutionArgs | null {
    const { schema, operations } = this.#options;
    const args = { schema, document, operationName, variableValues: variables ?? {} };
    const plan = operations.plans.getPlan(args);
    // Yoga rejects subscriptions.
    return plan && (plan.isQuery || plan.isMutation) && !plan.isIncremental ? args : null;
  }

  #sourceOf(params: RequestParams): string | null {
    try {
      checkParams(params);
      const source = resolveDocument(params, this.#options.sources);
      return typeof source === 'string' ? source : null;
    } catch {
      return null;
    }
  }

  /** Executes an operation. Returns the response body, or the outcome if Yoga has to serialize it. */
  async #execute(args: ExecutionArgs & { readonly contextValue: Context }): Promise<string | Buffer | ExecutionOutcome> {
    const { operations, maskError } = this.#options;
    try {
      const executing = operations.execute(args);
      const result = (executing instanceof Promise ? await executing : executing) as ExecutionResult;
      if (!result.errors) return serialize(result, args.contextValue.responseBudget);
      return { result: { ...result, errors: result.errors.map(maskError) as GraphQLError[] } };
    } catch (error) {
      return { error };
    }
  }
}

/** Yoga plugin that serializes an operation which the fast path has already executed. */
export const useExecution = (): Plugin<{ readonly execution?: ExecutionOutcome }> => ({
  onParams({ context, setResult }) {
    const { execution } = context as { readonly execution?: ExecutionOutcome };
    if (execution?.result) setResult(execution.result);
    else if (execution) throw execution.error;
  },
});
