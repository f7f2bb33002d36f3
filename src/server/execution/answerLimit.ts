import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema, getIntrospectionQuery, parse } from 'graphql';
import type { Context } from '../../context.ts';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { QueryTooExpensiveError, type RetryAdvice } from '../../failures/failures.ts';
import { createResponseTooLargeError, type ResponseBudget } from '../../responseBudget.ts';
import { type Cost, computeCost } from '../../schema/cost/cost.ts';
import type { ResponseSize } from '../../schema/cost/responseSize.ts';
import { countJsonBytes, isDefinitelyWithin } from '../../schema/kit/jsonValues.ts';
import type { ResultPart } from './outcome.ts';
import type { Plan } from './plan.ts';
import { refused } from './refusals.ts';

/**
 * Maximum predicted size of a response for clients without an API key, in JSON bytes. Chosen: they can only read the schema, and all other fields fail. A thousand
 * references of a gateway with ten fields each are below it.
 */
const ANONYMOUS_BYTES = 256 * 1024;
/** Maximum size of a response with the schema, relative to the standard introspection query. Chosen: tools vary it. */
const INTROSPECTION_MARGIN = 2;

/** The standard introspection query with all options. */
const STANDARD_INTROSPECTION = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** Predicted size of a response, as reported to clients. */
export const predictionOf = ({ nodes, leaves }: ResponseSize) => ({ predictedNodes: Math.ceil(nodes), predictedLeaves: Math.ceil(leaves) });

function tooLarge({ nodes, leaves, bytes }: ResponseSize, limit: number, scope: string, advice = ''): QueryTooExpensiveError {
  const numbers = { predictedNodes: Math.ceil(nodes), predictedLeaves: Math.ceil(leaves), predictedBytes: Math.ceil(bytes) };
  const message = `The response could contain ${numbers.predictedNodes} objects and ${numbers.predictedLeaves} values (about ${numbers.predictedBytes} bytes), which exceeds the limit of ${limit} bytes ${scope}. Nothing was executed.${advice}`;
  return new QueryTooExpensiveError(message, limit, 'RESPONSE_BYTES', numbers);
}

/** The last part of an incremental result that is too large. The result that it replaces has failed. */
function lastPart({ incremental }: ResultPart, error: QueryTooExpensiveError): ResultPart {
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

/** The parts of an incremental result, up to the one that makes it too large. */
export async function* boundedParts(parts: AsyncIterable<ResultPart>, answer: ResponseBudget): AsyncGenerator<ResultPart, void> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += countJsonBytes(part, answer.limit - bytes);
    if (bytes > answer.limit || answer.isExceeded) {
      // Leaving the loop ends the execution.
      yield lastPart(part, createResponseTooLargeError(answer.limit));
      return;
    }
    answer.size = bytes;
    yield part;
  }
}

/** The result of a mutation, which has taken effect: root fields that fit are kept, and the others fail. */
function trimmed({ data, errors = [], ...rest }: ExecutionResult, answer: ResponseBudget): ExecutionResult {
  const kept: Record<string, unknown> = Object.create(null);
  const failures: GraphQLError[] = [];
  let left = answer.limit;
  for (const [name, value] of Object.entries(data ?? {})) {
    const bytes = countJsonBytes(value, left);
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

/** JSON bytes of the data. If it can't be too long, it's serialized, which is faster than counting, and the text is kept for the response. */
function sizeOf(data: unknown, answer: ResponseBudget): number {
  if (!isDefinitelyWithin(data, answer.limit)) return countJsonBytes(data, answer.limit);
  answer.json = JSON.stringify(data);
  return Buffer.byteLength(answer.json);
}

/** Limits the size of responses: the predicted size before execution, and the actual size after it. */
export class AnswerLimit {
  readonly #maxBytes: number;
  #schemaBytes: number | undefined;

  /** `maxBytes`: maximum size of the data of a response, in JSON bytes. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The error for an operation whose predicted response is too large. Undefined if it isn't. */
  problemOf({ response: answer }: Cost, { schema, contextValue }: ExecutionArgs): QueryTooExpensiveError | undefined {
    const { apiKey } = (contextValue as Context).upstream;
    if (answer.schemaBytes > 0) {
      const limit = Math.min(this.#maxBytes, this.#schemaLimit(schema));
      const scope = 'for the schema (twice the size of the standard introspection query)';
      if (answer.schemaBytes > limit) return tooLarge(answer, limit, scope);
    }
    const own = answer.bytes - answer.schemaBytes;
    if (own <= this.#maxBytes && apiKey === null && own > ANONYMOUS_BYTES)
      return tooLarge(answer, ANONYMOUS_BYTES, 'for requests without an API key');
    return this.sizeProblem({ response: answer });
  }

  /** The same for every client, without the schema. */
  sizeProblem({ response: answer }: Pick<Cost, 'response'>): QueryTooExpensiveError | undefined {
    if (answer.bytes - answer.schemaBytes <= this.#maxBytes) return undefined;
    return tooLarge(answer, this.#maxBytes, '(MAX_RESPONSE_BYTES)', ' Request smaller pages, fewer fields, or fewer aliases.');
  }

  /** The result, or an error if it's too large. */
  bound(plan: Plan, result: ExecutionResult, answer: ResponseBudget): ExecutionResult {
    answer.size = result.errors ? countJsonBytes(result.data ?? null, answer.limit) : sizeOf(result.data ?? null, answer);
    const total = result.errors ? answer.size + countJsonBytes(result.errors, answer.limit) : answer.size;
    if (total <= answer.limit && !answer.isExceeded) return result;
    if (plan.isMutation) return trimmed(result, answer);
    answer.size = null;
    return refused(createResponseTooLargeError(answer.limit), 400);
  }

  #schemaLimit(schema: GraphQLSchema): number {
    this.#schemaBytes ??= computeCost(schema, parse(STANDARD_INTROSPECTION), undefined, {}, 0)?.response.schemaBytes ?? 0;
    return Math.ceil(this.#schemaBytes * INTROSPECTION_MARGIN);
  }
}
