import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DocumentNode, type ExecutionResult, execute, type GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { AnswerBudget } from '../../answerBudget.ts';
import type { Context } from '../../context.ts';
import type { BoundedCache } from '../../lib/boundedCache.ts';
import { type DocumentSources, documentIn, type GivenParams } from '../documents/documentIds.ts';
import type { CostControl } from '../execution/cost.ts';
import { acceptedOf, WHOLE } from '../http/accept.ts';
import { checkParams, JSON_TYPE } from '../http/requestForm.ts';
import type { Executor } from './executor.ts';
import type { Recipient, SharedDocuments } from './sharedDocuments.ts';

/** Result of a request that was executed before it was handed on: yoga writes it down as it would its own. */
export interface Executed {
  readonly result?: ExecutionResult;
  /** Failure of the execution. */
  readonly failure?: unknown;
}

/** An answer as text, or one that yoga is to write down. */
export type Answer = { readonly text: string } | { readonly executed: Executed };

export interface ShortPathOptions {
  readonly schema: GraphQLSchema;
  /** Reads a document and checks it, in all ways that any request is checked. Null when it is to be refused. */
  readonly check: (text: string) => DocumentNode | null;
  readonly documents: BoundedCache<DocumentNode>;
  readonly sources: DocumentSources;
  readonly executor: Executor;
  readonly costs: CostControl;
  readonly mask: (error: unknown) => Error;
  readonly maxBodyBytes: number;
  /** Null where every request is executed by itself. */
  readonly shared: SharedDocuments<Answer> | null;
  /** Whether pages on other origins may call: their requests get headers of their own. */
  readonly hasCors: boolean;
}

/** The bytes of a request, joined. Never fulfilled when its caller leaves before its end: then there is nobody to answer. */
const readBody = (request: IncomingMessage) =>
  new Promise<Buffer>((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  });

const PARAMS = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId']);

const isObjectOrAbsent = (value: unknown) => value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));

/** Reads a body; null when its form is not the plain one. */
function paramsIn(body: Buffer): GivenParams | null {
  try {
    const params: unknown = JSON.parse(body.toString('utf8'));
    if (typeof params !== 'object' || params === null || Array.isArray(params)) return null;
    if (!Object.keys(params).every((name) => PARAMS.has(name))) return null;
    const { variables, extensions } = params as GivenParams;
    return isObjectOrAbsent(variables) && isObjectOrAbsent(extensions) ? params : null;
  } catch {
    return null;
  }
}

/** JSON of an answer, from that of its data where it was written before. */
function textOf(result: ExecutionResult, answer: AnswerBudget): string {
  const { text } = answer;
  // A context may outlive its request by far.
  answer.text = null;
  if (text === null) return JSON.stringify(result);
  const { extensions } = result;
  return extensions ? `{"data":${text},"extensions":${JSON.stringify(extensions)}}` : `{"data":${text}}`;
}

interface Prepared {
  readonly isQuery: boolean;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly params: GivenParams;
}

/**
 * Answers plain POSTs of JSON, which are most of the load, without the fetch API in between. All that is out of the ordinary goes the long way
 * through yoga: requests of another form, those that are to be refused, answers in parts, and answers with errors, which yoga writes down.
 * So the two cannot differ in what they refuse.
 */
export class ShortPath {
  readonly #options: ShortPathOptions;
  /** Documents that have passed all checks, by this handler. */
  readonly #checked = new WeakSet<DocumentNode>();

  constructor(options: ShortPathOptions) {
    this.#options = options;
  }

  /** Whether a request has the plain form, as far as its head tells. */
  takes({ method, url, headers }: IncomingMessage): boolean {
    const { maxBodyBytes, hasCors } = this.#options;
    const length = Number(headers['content-length']);
    return (
      method === 'POST' &&
      url === '/graphql' &&
      length > 0 &&
      length <= maxBodyBytes &&
      JSON_TYPE.test(headers['content-type'] ?? '') &&
      (headers['content-encoding'] ?? 'identity') === 'identity' &&
      !(hasCors && headers.origin !== undefined) &&
      acceptedOf(headers.accept, WHOLE) !== undefined
    );
  }

  /**
   * Answers a request that it takes. `contextFor` is called when something is executed; `handOn` answers the request by yoga, with its
   * result when it has been executed.
   */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    apiKey: string | null,
    contextFor: (recipient: Recipient) => Context,
    handOn: (body: Buffer, executed?: Executed) => Promise<void>,
  ): Promise<void> {
    const body = await readBody(request);
    const prepared = this.#prepare(body);
    if (!prepared) return handOn(body);
    const { shared } = this.#options;
    const execute = (recipient: Recipient) => this.#answerTo(prepared, contextFor(recipient));
    const answer = await (shared && prepared.isQuery ? shared.answer(apiKey, body, response, execute) : execute(response));
    // Its caller has left.
    if (response.destroyed) return;
    if ('executed' in answer) return handOn(body, answer.executed);
    response.writeHead(200, {
      'content-type': `${acceptedOf(request.headers.accept, WHOLE)}; charset=utf-8`,
      'content-length': Buffer.byteLength(answer.text),
    });
    // As text: node then writes head and body in one go.
    response.end(answer.text);
  }

  async #answerTo(prepared: Prepared, context: Context): Promise<Answer> {
    const { shared } = this.#options;
    try {
      if (!prepared.isQuery) shared?.onChange();
      const result = await this.#execute(prepared, context);
      if (!result.errors) return { text: textOf(result, context.answer) };
      return { executed: { result: { ...result, errors: result.errors.map(this.#options.mask) as GraphQLError[] } } };
    } catch (failure) {
      return { executed: { failure } };
    } finally {
      if (!prepared.isQuery) shared?.onChange();
    }
  }

  /** Reads what is to be executed; null when it is to be refused, or answered in parts. */
  #prepare(body: Buffer): Prepared | null {
    const params = paramsIn(body);
    const text = params && this.#textOf(params);
    if (!text) return null;
    const document = this.#documentOf(text);
    if (!document) return null;
    const operationName = params.operationName ?? undefined;
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation !== 'query' && operation !== 'mutation') return null;
    return { document, operationName, params, isQuery: operation === 'query' };
  }

  #textOf(params: GivenParams): string | null {
    try {
      checkParams(params);
      const text = documentIn(params, this.#options.sources);
      return typeof text === 'string' && !/defer|stream/.test(text) ? text : null;
    } catch {
      return null;
    }
  }

  #documentOf(text: string): DocumentNode | null {
    const { documents, check } = this.#options;
    const known = documents.get(text);
    if (known && this.#checked.has(known)) return known;
    const document = check(text);
    if (document) this.#checked.add(document);
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

/** Has yoga write down the result of a request that was executed before. */
export const useExecuted = (): Plugin<{ readonly executed?: Executed }> => ({
  onParams({ context, setResult }) {
    const { executed } = context as { readonly executed?: Executed };
    if (executed?.result) setResult(executed.result);
    else if (executed) throw executed.failure;
  },
});
