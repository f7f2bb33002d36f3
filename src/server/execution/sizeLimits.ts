import {
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import { QueryTooExpensiveError, type RetryAdvice } from '../../failures/failures.ts';
import { createResponseTooLargeError, type ResponseBudget } from '../../responseBudget.ts';
import { type Cost, computeCost } from '../../schema/cost/cost.ts';
import type { ResponseSize } from '../../schema/cost/responseSize.ts';
import { listVariableNames } from '../../schema/kit/argumentNodes.ts';
import { countJsonBytes, isDefinitelyWithin } from '../../schema/kit/jsonValues.ts';
import { collectFragments, type Fragments } from '../../schema/kit/selections.ts';
import type { ResultPart } from './outcome.ts';
import type { Plan } from './plan.ts';
import { toRejectedResult } from './rejections.ts';

/**
 * Maximum number of bytes of arguments, counted for each field that they're passed to. Chosen: four request bodies of the maximum size. A body is read once, but
 * each field reads, validates and may send its own arguments.
 */
const MAX_ARGUMENT_BYTES = 4 * 1024 * 1024;
/** Number of references to variables that can't exceed the limit, because a request body is smaller than a quarter of it. */
const HARMLESS_REFERENCES = 4;

const getArguments = (node: SelectionNode) => (node.kind === Kind.FIELD ? (node.arguments ?? []) : []);

const sum = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** JSON bytes of the value of a variable, or bytes of its default in the document. */
function measureVariable({ variable, defaultValue }: VariableDefinitionNode, variables: Readonly<Record<string, unknown>>): number {
  const value = variables[variable.name.value];
  if (value !== undefined) return countJsonBytes(value, MAX_ARGUMENT_BYTES);
  return defaultValue?.loc ? defaultValue.loc.end - defaultValue.loc.start : 0;
}

/** Adds up the weights of all selections, with fragments expanded at each spread. Takes linear time. Stops at fragment cycles, which are rejected elsewhere. */
function weighSelections(
  set: SelectionSetNode,
  fragments: Fragments,
  getWeight: (node: SelectionNode) => number,
  weights = new Map<string, number>(),
): number {
  const weigh = (inner: SelectionSetNode) => weighSelections(inner, fragments, getWeight, weights);
  const weighFragment = (name: string) => {
    const fragment = fragments[name];
    if (!weights.has(name)) weights.set(name, 0).set(name, fragment ? weigh(fragment.selectionSet) : 0);
    return weights.get(name) ?? 0;
  };
  return set.selections.reduce((sum, node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return sum + getWeight(node) + weighFragment(node.name.value);
    return sum + getWeight(node) + (node.selectionSet ? weigh(node.selectionSet) : 0);
  }, 0);
}

function createArgumentsError(bytes: number, counted: string): QueryTooExpensiveError {
  const message = `The arguments of this operation total ${bytes} bytes across its fields${counted}, which exceeds the maximum of ${MAX_ARGUMENT_BYTES}. Nothing was executed. Pass large values to fewer fields.`;
  return new QueryTooExpensiveError(message, MAX_ARGUMENT_BYTES, 'ARGUMENT_BYTES', { argumentBytes: bytes });
}

/** The error for an operation whose fields have too large arguments. Undefined if they don't. Coerces no argument. */
export function checkArguments({ document, operation, size }: Plan, { variableValues }: ExecutionArgs): QueryTooExpensiveError | undefined {
  if (size.argumentBytes > MAX_ARGUMENT_BYTES) return createArgumentsError(size.argumentBytes, '');
  if (size.argumentReferences <= HARMLESS_REFERENCES) return undefined;
  const definitions = operation.variableDefinitions ?? [];
  const sizes = new Map(definitions.map((each) => [each.variable.name.value, measureVariable(each, variableValues ?? {})]));
  if (size.argumentReferences * sum([...sizes.values()]) + size.argumentBytes <= MAX_ARGUMENT_BYTES) return undefined;
  const countBytes = (node: SelectionNode) =>
    sum(getArguments(node).flatMap(({ value }) => listVariableNames(value).map((name) => sizes.get(name) ?? 0)));
  const bytes = weighSelections(operation.selectionSet, collectFragments(document), countBytes);
  return bytes > MAX_ARGUMENT_BYTES ? createArgumentsError(bytes, '') : undefined;
}

/** Whether a variable is a list or an object. Strings don't count, because their length rarely affects processing time. */
function isComposite({ variable, defaultValue }: VariableDefinitionNode, variables: Readonly<Record<string, unknown>>): boolean {
  const value = variables[variable.name.value];
  if (value !== undefined) return typeof value === 'object' && value !== null;
  return defaultValue?.kind === Kind.OBJECT || defaultValue?.kind === Kind.LIST;
}

/** The same for lists and objects that are passed to fields of each object of a list, according to the predicted cost. */
export function checkRepeatedArguments(
  { literalBytes, variableUses }: Cost,
  { operation: { variableDefinitions = [] } }: Plan,
  { variableValues }: ExecutionArgs,
): QueryTooExpensiveError | undefined {
  const variables = variableValues ?? {};
  const counted = variableDefinitions.filter(({ variable }) => variableUses.has(variable.name.value));
  const bytes = counted
    .filter((each) => isComposite(each, variables))
    .reduce((total, each) => total + (variableUses.get(each.variable.name.value) ?? 0) * measureVariable(each, variables), literalBytes);
  return bytes > MAX_ARGUMENT_BYTES ? createArgumentsError(bytes, ' (counted once for each object of a page or list)') : undefined;
}

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
export const formatPrediction = ({ nodes, leaves }: ResponseSize) => ({
  predictedNodes: Math.ceil(nodes),
  predictedLeaves: Math.ceil(leaves),
});

function createResponseError({ nodes, leaves, bytes }: ResponseSize, limit: number, scope: string, advice = ''): QueryTooExpensiveError {
  const numbers = { predictedNodes: Math.ceil(nodes), predictedLeaves: Math.ceil(leaves), predictedBytes: Math.ceil(bytes) };
  const message = `The response could contain ${numbers.predictedNodes} objects and ${numbers.predictedLeaves} values (about ${numbers.predictedBytes} bytes), which exceeds the limit of ${limit} bytes ${scope}. Nothing was executed.${advice}`;
  return new QueryTooExpensiveError(message, limit, 'RESPONSE_BYTES', numbers);
}

/** The last part of an incremental result that is too large. The result that it replaces has failed. */
function createLastPart({ incremental }: ResultPart, error: QueryTooExpensiveError): ResultPart {
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
export async function* limitParts(parts: AsyncIterable<ResultPart>, budget: ResponseBudget): AsyncGenerator<ResultPart, void> {
  let bytes = 0;
  for await (const part of parts) {
    bytes += countJsonBytes(part, budget.limit - bytes);
    if (bytes > budget.limit || budget.isExceeded) {
      // Leaving the loop ends the execution.
      yield createLastPart(part, createResponseTooLargeError(budget.limit));
      return;
    }
    budget.size = bytes;
    yield part;
  }
}

/** The result of a mutation, which has been applied: returns the root fields that fit, and errors for the others. */
function trimResult({ data, errors = [], ...rest }: ExecutionResult, budget: ResponseBudget): ExecutionResult {
  const returned: Record<string, unknown> = Object.create(null);
  const failures: GraphQLError[] = [];
  let left = budget.limit;
  for (const [name, value] of Object.entries(data ?? {})) {
    const bytes = countJsonBytes(value, left);
    returned[name] = bytes > left ? null : value;
    if (bytes <= left) left -= bytes;
    else failures.push(createOmittedError(name, budget.limit));
  }
  budget.size = budget.limit - left;
  return { ...rest, data: returned, errors: [...errors, ...failures] };
}

function createOmittedError(name: string, limit: number): GraphQLError {
  const message = `${name} was executed, but the response exceeds ${limit} bytes (MAX_RESPONSE_BYTES), so this part was omitted. Query the affected record, or retry with the same idempotencyKey and fewer fields.`;
  const extensions = {
    code: 'QUERY_TOO_EXPENSIVE' satisfies ErrorCode,
    retry: 'CHECK_FIRST' satisfies RetryAdvice,
    limit,
    limitOf: 'RESPONSE_BYTES',
  };
  return new GraphQLError(message, { path: [name], extensions });
}

/** JSON bytes of the data. If it can't be too long, it's serialized unless it already was, which is faster than counting, and the JSON is stored in the budget for the response. */
function measureData(result: ExecutionResult, budget: ResponseBudget): number {
  if (budget.json === null) {
    const { data = null } = result;
    if (!isDefinitelyWithin(data, budget.limit)) return countJsonBytes(data, budget.limit);
    budget.json = JSON.stringify(data);
  }
  return Buffer.byteLength(budget.json);
}

/** Limits the size of responses: the predicted size before execution, and the actual size after it. */
export class ResponseLimit {
  readonly #maxBytes: number;
  #schemaBytes: number | undefined;

  /** `maxBytes`: maximum size of the data of a response, in JSON bytes. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The error for an operation whose predicted response is too large. Undefined if it isn't. */
  checkPredicted({ response }: Cost, schema: GraphQLSchema): QueryTooExpensiveError | undefined {
    if (response.schemaBytes > 0) {
      const limit = Math.min(this.#maxBytes, this.#schemaLimit(schema));
      const scope = 'for the schema (twice the size of the standard introspection query)';
      if (response.schemaBytes > limit) return createResponseError(response, limit, scope);
    }
    return this.checkPredictedSize({ response });
  }

  /** The same for every client, without the schema. */
  checkPredictedSize({ response }: Pick<Cost, 'response'>): QueryTooExpensiveError | undefined {
    if (response.bytes - response.schemaBytes <= this.#maxBytes) return undefined;
    return createResponseError(response, this.#maxBytes, '(MAX_RESPONSE_BYTES)', ' Request smaller pages, fewer fields, or fewer aliases.');
  }

  /** The result, or an error if it's too large. */
  limitResult(plan: Plan, result: ExecutionResult, budget: ResponseBudget): ExecutionResult {
    budget.size = result.errors ? countJsonBytes(result.data ?? null, budget.limit) : measureData(result, budget);
    const total = result.errors ? budget.size + countJsonBytes(result.errors, budget.limit) : budget.size;
    if (total <= budget.limit && !budget.isExceeded) return result;
    if (plan.isMutation) return trimResult(result, budget);
    budget.size = null;
    return toRejectedResult(createResponseTooLargeError(budget.limit), 400);
  }

  #schemaLimit(schema: GraphQLSchema): number {
    this.#schemaBytes ??= computeCost(schema, parse(STANDARD_INTROSPECTION), undefined, {}, 0)?.response.schemaBytes ?? 0;
    return Math.ceil(this.#schemaBytes * INTROSPECTION_MARGIN);
  }
}
