import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { finalAsyncIterator, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import { type Context, releaseContext } from '../../context.ts';
import { OverloadedError, QueryTooExpensiveError, RateLimitedError } from '../../failures/failures.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Cost, computeCost, type RowsPerCall } from '../../schema/cost/cost.ts';
import type { ResponseSize } from '../../schema/cost/responseSize.ts';
import { AnswerLimit, boundedParts, predictionOf } from './answerLimit.ts';
import { argumentProblem, repeatedArgumentProblem } from './argumentLimit.ts';
import { badVariables } from './badVariables.ts';
import { CostShares } from './costShares.ts';
import type { DocumentNames } from './documentNames.ts';
import { withOrderedErrors } from './errorOrder.ts';
import type { Execute, Executor } from './executor.ts';
import type { OperationMeter, Result } from './operationMeter.ts';
import type { ResultPart } from './outcome.ts';
import { type Plan, Plans } from './plan.ts';
import { refused } from './refusals.ts';

/** Codes of errors that keep an operation from sending all of its calls. */
const CUT_SHORT = new Set<unknown>(['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'QUERY_TOO_EXPENSIVE']);

const isCutShort = ({ errors = [] }: ExecutionResult) => errors.some(({ extensions }) => CUT_SHORT.has(extensions.code));

function tooManyCalls(limit: number): QueryTooExpensiveError {
  const reason = `may require more than ${limit} upstream calls, or is too long to estimate after fragments are expanded`;
  const message = `This operation ${reason}. Nothing was sent. Request smaller pages or less data at a time.`;
  return new QueryTooExpensiveError(message, limit, 'UPSTREAM_CALLS');
}

/** Maximum number of analytics fields in an operation. Chosen: a page of figures has as many, and more would wait for each other. */
const MAX_EXPENSIVE_READS = 4;

function tooManyExpensive({ expensiveReads }: Cost): QueryTooExpensiveError | undefined {
  if (expensiveReads <= MAX_EXPENSIVE_READS) return undefined;
  const message = `This operation has ${expensiveReads} analytics fields, but the maximum is ${MAX_EXPENSIVE_READS}, so nothing was executed. Split it into several operations.`;
  return new QueryTooExpensiveError(message, MAX_EXPENSIVE_READS, 'ANALYTICS_QUERIES', { analyticsQueries: expensiveReads });
}

/** Adds the cost to a result. `calls` and `size` are the predictions, or null if the cost wasn't computed. */
function withReport<Reported extends ResultPart>(
  result: Reported,
  context: Context,
  calls: number | null,
  size: ResponseSize | null,
): Reported {
  const { upstream, responseBudget } = context;
  const cost = {
    predictedCalls: calls,
    actualCalls: upstream.sentCalls,
    savedCalls: upstream.lists?.savedCalls ?? 0,
    quota: upstream.quota,
    ...(size ? predictionOf(size) : { predictedNodes: null, predictedLeaves: null }),
    responseBytes: responseBudget.size,
  };
  return { ...result, extensions: { ...result.extensions, cost } };
}

/** The result of an operation that doesn't fit the quota of its key. Rethrows all other errors. */
function notAdmitted(error: unknown): ExecutionResult {
  if (error instanceof RateLimitedError) return refused(error, 429, { 'retry-after': String(error.retryAfterSeconds) });
  if (error instanceof QueryTooExpensiveError) return refused(error, 400);
  throw error;
}

/** The cost of an operation that may be executed, or the result of one that is rejected. */
type Weighed = { readonly cost: Cost; readonly rejection?: undefined } | { readonly cost?: undefined; readonly rejection: ExecutionResult };

/** An operation that is executed. */
interface Run {
  readonly plan: Plan;
  readonly args: ExecutionArgs;
  readonly context: Context;
  /** graphql-js, or an executor of incremental results. */
  readonly interpret: Execute;
}

export interface OperationsOptions {
  /** Maximum number of upstream calls of an operation. */
  readonly maxCalls: number;
  /** Maximum size of the data of a result, in JSON bytes. */
  readonly maxResponseBytes: number;
  /** Default: as in the contract. */
  readonly rowsPerCall?: RowsPerCall;
  /** Compiles queries. Null if the resolver of each field has to be called by graphql-js, as traces require. */
  readonly executor: Executor | null;
  /** Null if nothing is measured. */
  readonly meter: OperationMeter | null;
  readonly names: DocumentNames;
  /** Why no response can be built for an API key now, as a clause. By default, all can. */
  readonly unreadProblem?: ((keyHash: string | null) => string | undefined) | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Executes operations of valid documents, for the fast path, Yoga, and agent tools. An operation passes these steps: its plan, the limits of its arguments, cost and
 * response, admission to the quota of its key, execution, the size of its result, and the report of its cost.
 */
export class Operations {
  readonly #options: OperationsOptions;
  readonly #answers: AnswerLimit;
  readonly #shares: CostShares;
  readonly plans: Plans;

  constructor(options: OperationsOptions) {
    this.#options = options;
    this.#answers = new AnswerLimit(options.maxResponseBytes);
    this.#shares = new CostShares(options.clock);
    this.plans = new Plans(options.names);
  }

  /** Executes an operation. `executeIncrementally` executes documents with @defer or @stream. An unknown operation isn't measured. */
  async execute(args: ExecutionArgs, executeIncrementally: Execute = execute): Promise<Result> {
    const plan = this.plans.of(args);
    if (!plan) return execute(args);
    const context = args.contextValue as Context;
    const run = { plan, args, context, interpret: plan.isIncremental ? executeIncrementally : execute };
    const { meter } = this.#options;
    return meter ? meter.measure(plan, context, () => this.#run(run)) : this.#run(run);
  }

  /** Why an operation would be rejected for every client. Undefined if it wouldn't. */
  problemOf(args: Omit<ExecutionArgs, 'contextValue'>): string | undefined {
    const plan = this.plans.of(args);
    if (!plan) return undefined;
    const cost = this.#costOf(plan, args);
    if (!cost) return tooManyCalls(this.#options.maxCalls).message;
    return cost.hasInvalidVariables
      ? 'The cost can’t be computed because a variable has an invalid value.'
      : this.#answers.sizeProblem(cost)?.message;
  }

  async #run(run: Run): Promise<Result> {
    const { plan, args, context } = run;
    const { cost, rejection } = this.#weigh(run);
    if (rejection) return rejection;
    // Not left to the executor, because compiled queries create an error for each value of a list.
    if (cost.hasInvalidVariables) return badVariables(plan, args);
    if (cost.calls === 0) return this.#executeBounded(run);
    if (plan.isQuery) context.upstream.permitAbandonment();
    const result = await this.#executeAdmitted(run, cost);
    if (isAsyncIterable(result)) return this.#reportedParts(run, cost, result);
    this.#end(run, cost, result);
    return withReport(result, context, cost.calls, cost.response);
  }

  #costOf({ costs, document }: Plan, { schema, operationName, variableValues }: Omit<ExecutionArgs, 'contextValue'>): Cost | null {
    const { maxCalls, rowsPerCall } = this.#options;
    const variables = variableValues ?? {};
    return costs.get(variables, () => computeCost(schema, document, operationName, variables, maxCalls, rowsPerCall));
  }

  #weigh({ plan, args, context }: Run): Weighed {
    const reject = (problem: QueryTooExpensiveError, calls: number | null, size: ResponseSize | null) => ({
      rejection: withReport(refused(problem, 400), context, calls, size),
    });
    // First, because computing the cost reads the arguments.
    const tooLarge = argumentProblem(plan, args);
    if (tooLarge) return reject(tooLarge, null, null);
    const cost = this.#costOf(plan, args);
    if (!cost) return reject(tooManyCalls(this.#options.maxCalls), null, null);
    const problem = tooManyExpensive(cost) ?? repeatedArgumentProblem(cost.argumentBytes) ?? this.#answers.problemOf(cost, args);
    return problem ? reject(problem, cost.calls, cost.response) : { cost };
  }

  async #executeAdmitted(run: Run, cost: Cost): Promise<Result> {
    const { plan, context } = run;
    const { upstream } = context;
    try {
      await upstream.admit(this.#shares.demandOf({ plan, keyHash: upstream.keyHash, cost }), cost.response.leaves);
    } catch (error) {
      return notAdmitted(error);
    }
    try {
      const result = await this.#executeBounded(run);
      // What a stopped query has read is of little use among its errors. A mutation returns what it has done.
      const isStopped = upstream.stop !== null && plan.isQuery && !isAsyncIterable(result) && result.errors;
      return isStopped ? notAdmitted(upstream.stop?.error) : result;
    } catch (error) {
      releaseContext(context);
      throw error;
    }
  }

  /** Executes an operation and limits the size of its result. */
  async #executeBounded(run: Run): Promise<Result> {
    const { plan, args, context, interpret } = run;
    const { executor } = this.#options;
    const result = (await (executor ? executor.execute(plan, args, interpret) : interpret(args))) as Result;
    if (isAsyncIterable(result)) return boundedParts(result, context.responseBudget);
    const bounded = this.#discarded(run) ?? this.#answers.bound(plan, result, context.responseBudget);
    return withOrderedErrors(bounded, args);
  }

  /**
   * The result of a query whose response isn't serialized, because its key has too many that its clients haven't read. Undefined if it is. The result of a mutation
   * isn't discarded, and incremental results are only produced as fast as they are read.
   */
  #discarded({ plan, context }: Run): ExecutionResult | undefined {
    const problem = plan.isQuery ? this.#options.unreadProblem?.(context.upstream.keyHash) : undefined;
    if (problem === undefined) return undefined;
    const error = new OverloadedError(`${problem}.`, 'The response was discarded.');
    return refused(error, 503, { 'retry-after': String(error.extensions.retryAfterSeconds) });
  }

  /** Reports the cost with the last part. */
  #reportedParts(run: Run, cost: Cost, parts: AsyncIterable<ResultPart>): AsyncIterable<ResultPart> {
    let last: ResultPart | undefined;
    const reported = mapAsyncIterator(parts, (part: ResultPart) => {
      if (part.hasNext !== false) return part;
      last = part;
      return withReport(part, run.context, cost.calls, cost.response);
    });
    return finalAsyncIterator(reported, () => this.#end(run, cost, last));
  }

  /** Called when an operation has ended, with its last part. Without one, its client has disconnected. */
  #end({ plan, context }: Run, cost: Cost, last?: ResultPart): void {
    releaseContext(context);
    const { stop, sentCalls, keyHash } = context.upstream;
    const priced = { plan, keyHash, cost };
    if (stop) this.#shares.learnStopped(priced, stop.neededCalls);
    else if (last && !isCutShort(last)) this.#shares.learn(priced, sentCalls);
  }

  /** Has Yoga execute operations here. Its own executor is only used for incremental results: it adds fields in the order in which they resolve, contrary to the specification. */
  plugin(): Plugin<Context> {
    return {
      onExecute: ({ executeFn, setExecuteFn }) => setExecuteFn((args: ExecutionArgs) => this.execute(args, executeFn as Execute)),
    };
  }
}
