import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  parse,
} from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { type AnswerBudget, answerTooLarge } from '../../answerBudget.ts';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../errorCodes.ts';
import { QueryTooExpensiveError, type RetryAdvice } from '../../failures.ts';
import type { AnswerSize } from '../../schema/cost/answerSize.ts';
import { type Cost, costOf } from '../../schema/cost/cost.ts';
import { isSurelyWithin, jsonBytes } from '../../schema/kit/jsonValues.ts';
import { refused } from './refusals.ts';

/**
 * JSON bytes that may be predicted for callers without a key. Ours: nothing but the schema is told to them, and what they ask for fails field by
 * field; a thousand references of a gateway, with ten fields each, are below it.
 */
const ANONYMOUS_BYTES = 256 * 1024;
/** How much more of the schema may be asked for than the standard introspection query does. Ours: tools vary it. */
const INTROSPECTION_MARGIN = 2;

/** The standard introspection query, with all that it may ask. */
const STANDARD_INTROSPECTION = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Predicted size of an answer, as it is told. */
export const predictionOf = ({ nodes, leaves }: AnswerSize) => ({ predictedNodes: Math.ceil(nodes), predictedLeaves: Math.ceil(leaves) });

function tooLarge({ nodes, leaves, bytes }: AnswerSize, limit: number, scope: string, advice = ''): QueryTooExpensiveError {
  const numbers = { predictedNodes: Math.ceil(nodes), predictedLeaves: Math.ceil(leaves), predictedBytes: Math.ceil(bytes) };
  const message = `The response could contain ${numbers.predictedNodes} objects and ${numbers.predictedLeaves} values (about ${numbers.predictedBytes} bytes), which exceeds the limit of ${limit} bytes ${scope}. Nothing was executed.${advice}`;
  return new QueryTooExpensiveError(message, limit, 'RESPONSE_BYTES', numbers);
}

interface Part extends ExecutionResult {
  readonly hasNext?: boolean;
  readonly incremental?: readonly { readonly items?: unknown; readonly path?: unknown; readonly label?: string }[];
}

/** The end of an answer in parts: what is dropped has failed. */
function lastPart({ incremental }: Part, error: QueryTooExpensiveError): Part {
  const [first] = incremental ?? [];
  if (!first) return { errors: [error], hasNext: false };
  const { items, path, label } = first;
  const failed = {
    ...(items === undefined ? { data: null } : { items: null }),
    path,
    ...(label !== undefined && { label }),
    errors: [error],
  };
  return { incremental: [failed], hasNext: false };
}

async function* boundedParts(parts: AsyncIterable<Part>, answer: AnswerBudget): AsyncGenerator<Part, void> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += jsonBytes(part, answer.limit - bytes);
    if (bytes > answer.limit || answer.isExceeded) {
      // To leave the loop ends the execution.
      yield lastPart(part, answerTooLarge(answer.limit));
      return;
    }
    answer.size = bytes;
    yield part;
  }
}

/** A mutation has been executed whatever is told of it: the fields that fit are answered, the others fail. */
function trimmed({ data, errors = [], ...rest }: ExecutionResult, answer: AnswerBudget): ExecutionResult {
  const kept: Record<string, unknown> = Object.create(null);
  const failures: GraphQLError[] = [];
  let left = answer.limit;
  for (const [name, value] of Object.entries(data ?? {})) {
    const bytes = jsonBytes(value, left);
    kept[name] = bytes > left ? null : value;
    if (bytes <= left) left -= bytes;
    else failures.push(unsent(name, answer.limit));
  }
  answer.size = answer.limit - left;
  return { ...rest, data: kept, errors: [...errors, ...failures] };
}

function unsent(name: string, limit: number): GraphQLError {
  const message = `${name} was executed, but the response exceeds ${limit} bytes (MAX_RESPONSE_BYTES), so this part was omitted. Query the affected record, or retry with the same idempotencyKey and fewer fields.`;
  const extensions = {
    code: 'QUERY_TOO_EXPENSIVE' satisfies ErrorCode,
    retry: 'CHECK_FIRST' satisfies RetryAdvice,
    limit,
    limitOf: 'RESPONSE_BYTES',
  };
  return new GraphQLError(message, { path: [name], extensions });
}

/** JSON bytes of the data. The text is written where it cannot be too long, since that takes less than counting, and is kept for the answer. */
function sizeOf(data: unknown, answer: AnswerBudget): number {
  if (!isSurelyWithin(data, answer.limit)) return jsonBytes(data, answer.limit);
  answer.text = JSON.stringify(data);
  return Buffer.byteLength(answer.text);
}

const isMutation = ({ document, operationName }: ExecutionArgs) => getOperationAST(document, operationName)?.operation === 'mutation';

/** Bounds answers: by what their documents predict before they are executed, and by what was built. */
export class AnswerLimit {
  readonly #maxBytes: number;
  #schemaBytes: number | undefined;

  /** JSON bytes that one operation may answer. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Why an operation is not executed; undefined when it may be. */
  problemOf({ answer }: Cost, { schema, contextValue }: ExecutionArgs): QueryTooExpensiveError | undefined {
    const { apiKey } = (contextValue as Context).upstream;
    if (answer.schemaBytes > 0) {
      const limit = Math.min(this.#maxBytes, this.#schemaLimit(schema));
      const scope = 'for the schema (twice the size of the standard introspection query)';
      if (answer.schemaBytes > limit) return tooLarge(answer, limit, scope);
    }
    const own = answer.bytes - answer.schemaBytes;
    if (own <= this.#maxBytes && apiKey === null && own > ANONYMOUS_BYTES)
      return tooLarge(answer, ANONYMOUS_BYTES, 'for requests without an API key');
    return this.sizeProblem({ answer });
  }

  /** The same for its records alone, whoever asks. */
  sizeProblem({ answer }: Pick<Cost, 'answer'>): QueryTooExpensiveError | undefined {
    if (answer.bytes - answer.schemaBytes <= this.#maxBytes) return undefined;
    return tooLarge(answer, this.#maxBytes, '(MAX_RESPONSE_BYTES)', ' Request smaller pages, fewer fields, or fewer aliases.');
  }

  /** The answer of an execution, or a refusal where that is too large. */
  bound(args: ExecutionArgs, result: unknown): unknown {
    const { answer } = args.contextValue as Context;
    return isAsyncIterable(result)
      ? boundedParts(result as AsyncIterable<Part>, answer)
      : this.#whole(args, result as ExecutionResult, answer);
  }

  #whole(args: ExecutionArgs, result: ExecutionResult, answer: AnswerBudget): ExecutionResult {
    answer.size = result.errors ? jsonBytes(result.data ?? null, answer.limit) : sizeOf(result.data ?? null, answer);
    const told = result.errors ? answer.size + jsonBytes(result.errors, answer.limit) : answer.size;
    if (told <= answer.limit && !answer.isExceeded) return result;
    if (isMutation(args)) return trimmed(result, answer);
    answer.size = null;
    return refused(answerTooLarge(answer.limit), 400);
  }

  #schemaLimit(schema: GraphQLSchema): number {
    this.#schemaBytes ??= costOf(schema, parse(STANDARD_INTROSPECTION), undefined, {}, 0)?.answer.schemaBytes ?? 0;
    return Math.ceil(this.#schemaBytes * INTROSPECTION_MARGIN);
  }
}
