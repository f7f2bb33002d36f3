import { type ExecutionArgs, type ExecutionResult, execute, subscribe } from 'graphql';
import { finalAsyncIterator, isAsyncIterable, mapAsyncIterator, type Plugin } from 'graphql-yoga';
import { type Context, releaseContext } from '../../context.ts';
import { type ApiError, OverloadedError, QueryTooExpensiveError, RateLimitedError } from '../../failures/failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MaybePromise } from '../../lib/maybePromise.ts';
import { type Cost, type CostFactors, computeCost } from '../../schema/cost/cost.ts';
import type { ResponseSize } from '../../schema/cost/responseSize.ts';
import { CostShares } from './costShares.ts';
import type { DocumentNames } from './documentNames.ts';
import type { Execute, Executor } from './executor.ts';
import type { OperationMeter, OperationResult } from './operationMeter.ts';
import type { ResultPart } from './outcome.ts';
import { OperationPlans, type Plan } from './plan.ts';
import { rejectMissingKey, rejectVariables, toRejectedResult } from './rejections.ts';
import { checkArguments, checkRepeatedArguments, formatPrediction, limitParts, ResponseLimit } from './sizeLimits.ts';

/** Codes of errors that keep an operation from sending all of its calls. */
const CUT_SHORT = new Set<unknown>(['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'QUERY_TOO_EXPENSIVE']);

const isCutShort = ({ errors = [] }: ExecutionResult) => errors.some(({ extensions }) => CUT_SHORT.has(extensions.code));

function createTooManyCallsError(limit: number): QueryTooExpensiveError {
  const reason = `may require more than ${limit} upstream calls, or is too long to estimate after fragments are expanded`;
  const message = `This operation ${reason}. Nothing was sent. Request smaller pages or less data at a time.`;
  return new QueryTooExpensiveError(message, limit, 'UPSTREAM_CALLS');
}

/** Maximum number of analytics queries in an operation. Chosen: a board of four columns with totals has as many, and more would wait for each other. */
const MAX_EXPENSIVE_READS = 8;

function checkExpensiveCalls({ expensiveReads }: Cost): QueryTooExpensiveError | undefined {
  if (expensiveReads <= MAX_EXPENSIVE_READS) return undefined;
  const message = `This operation needs ${expensiveReads} analytics queries, but the maximum is ${MAX_EXPENSIVE_READS}, so nothing was executed. Split it into several operations.`;
  return new QueryTooExpensiveError(message, MAX_EXPENSIVE_READS, 'ANALYTICS_QUERIES', { analyticsQueries: expensiveReads });
}

/** Upper bound of an operation's calls. */
const predictCalls = ({ calls, probeCalls }: Cost): number => calls + probeCalls;

/** The content of `extensions.cost`. `calls` and `size` are the predictions, or null if the cost wasn't computed. */
const createCostReport = ({ upstream, responseBudget }: Context, calls: number | null, size: ResponseSize | null) => ({
  predictedCalls: calls,
  actualCalls: upstream.sent,
  savedCalls: upstream.savedCalls,
  quota: upstream.quota,
  ...(size ? formatPrediction(size) : { predictedNodes: null, predictedLeaves: null }),
  responseBytes: responseBudget.size,
});

/** The result of an operation that doesn't fit the quota of its key. Rethrows all other errors. */
function toQuotaRejection(error: unknown): ExecutionResult {
  if (error instanceof RateLimitedError) return toRejectedResult(error, 429, { 'retry-after': String(error.retryAfterSeconds) });
  if (error instanceof QueryTooExpensiveError) return toRejectedResult(error, 400);
  throw error;
}

/** The cost of an operation that may be executed, or the result of one that is rejected. */
type CostedOperation =
  | { readonly cost: Cost; readonly rejection?: undefined }
  | { readonly cost?: undefined; readonly rejection: ExecutionResult };

/** An operation that is executed. */
interface RunningOperation {
  readonly plan: Plan;
  readonly args: ExecutionArgs;
  readonly context: Context;
  /** graphql-js, or an executor of incremental results. */
  readonly interpret: Execute;
}

const addCostReport = <Reported extends ResultPart>(
  result: Reported,
  context: Context,
  calls: number | null,
  size: ResponseSize | null,
): Reported => ({
  ...result,
  extensions: { ...result.extensions, cost: createCostReport(context, calls, size) },
});

export interface OperationsOptions {
  /** Maximum number of upstream calls of an operation. */
  readonly maxCalls: number;
  /** Maximum size of the data of a result, in JSON bytes. */
  readonly maxResponseBytes: number;
  /** Default: as in the contract. */
  readonly costFactors?: CostFactors;
  readonly executor: Executor;
  /** Null if nothing is measured. */
  readonly meter: OperationMeter | null;
  readonly names: DocumentNames;
  /** Why no response can be built for an API key now, as a clause without a period. By default, responses can be built for all keys. */
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
  readonly #responseLimit: ResponseLimit;
  readonly #shares: CostShares;
  readonly plans: OperationPlans;

  constructor(options: OperationsOptions) {
    this.#options = options;
    this.#responseLimit = new ResponseLimit(options.maxResponseBytes);
    this.#shares = new CostShares(options.clock);
    this.plans = new OperationPlans(options.names);
  }

  /** Executes an operation. `executeIncrementally` executes documents with @defer or @stream. An unknown operation isn't measured. */
  execute(args: ExecutionArgs, executeIncrementally: Execute = execute): MaybePromise<OperationResult> {
    const plan = this.plans.getPlan(args);
    if (!plan) return execute(args) as MaybePromise<OperationResult>;
    const context = args.contextValue as Context;
    const run = { plan, args, context, interpret: plan.isIncremental ? executeIncrementally : execute };
    const { meter } = this.#options;
    return meter ? meter.measure(plan, context, () => this.#run(run)) : this.#run(run);
  }

  /** Starts a subscription. Its size and arguments are limited, and only its start is measured. The subscribed field itself admits what it calls. */
  async subscribe(args: ExecutionArgs): Promise<OperationResult> {
    const plan = this.plans.getPlan(args);
    if (!plan) return subscribe(args) as Promise<OperationResult>;
    const run = { plan, args, context: args.contextValue as Context, interpret: subscribe };
    const { meter } = this.#options;
    let stream: OperationResult | undefined;
    const start = async (): Promise<ResultPart> => {
      const result = await this.#start(run);
      if (!isAsyncIterable(result)) return result;
      stream = result;
      return { data: {} };
    };
    const result = await (meter ? meter.measure(plan, run.context, start) : start());
    return stream ?? result;
  }

  async #start(run: RunningOperation): Promise<OperationResult> {
    const { cost, rejection } = this.#checkCost(run);
    if (rejection) return rejection;
    return cost.hasInvalidVariables ? rejectVariables(run.plan, run.args) : (run.interpret(run.args) as Promise<OperationResult>);
  }

  /** Why an operation would be rejected for every client. Undefined if it wouldn't. */
  findProblem(args: Omit<ExecutionArgs, 'contextValue'>): string | undefined {
    const plan = this.plans.getPlan(args);
    if (!plan) return undefined;
    const cost = this.#getCost(plan, args);
    if (!cost) return createTooManyCallsError(this.#options.maxCalls).message;
    return cost.hasInvalidVariables
      ? 'The cost can’t be computed because a variable has an invalid value.'
      : this.#responseLimit.checkPredictedSize(cost)?.message;
  }

  #run(run: RunningOperation): MaybePromise<OperationResult> {
    const { plan, args, context } = run;
    const { cost, rejection } = this.#checkCost(run);
    if (rejection) return rejection;
    // Not left to the executor, because compiled queries create an error for each value of a list.
    if (cost.hasInvalidVariables) return rejectVariables(plan, args);
    if (cost.calls === 0) return this.#executeFree(run);
    if (plan.isQuery) context.upstream.permitAbandonment();
    return this.#admit(run, cost);
  }

  #getCost({ costs, document }: Plan, { schema, operationName, variableValues }: Omit<ExecutionArgs, 'contextValue'>): Cost | null {
    const { maxCalls, costFactors } = this.#options;
    const variables = variableValues ?? {};
    return costs.get(variables, () => computeCost(schema, document, operationName, variables, maxCalls, costFactors));
  }

  #checkCost({ plan, args, context }: RunningOperation): CostedOperation {
    const reject = (problem: ApiError, calls: number | null, size: ResponseSize | null) => ({
      rejection: addCostReport(toRejectedResult(problem, 400), context, calls, size),
    });
    if (plan.requiresKey && context.upstream.credential === null) {
      const rejection = rejectMissingKey(plan, args, context.upstream.createMissingCredentialError());
      return { rejection: addCostReport(rejection, context, null, null) };
    }
    // First, because everything below reads the arguments.
    const tooLarge = plan.valueLimits.check(args.variableValues ?? {}) ?? checkArguments(plan, args);
    if (tooLarge) return reject(tooLarge, null, null);
    const cost = this.#getCost(plan, args);
    if (!cost) return reject(createTooManyCallsError(this.#options.maxCalls), null, null);
    const problem =
      checkExpensiveCalls(cost) ?? checkRepeatedArguments(cost, plan, args) ?? this.#responseLimit.checkPredicted(cost, args.schema);
    return problem ? reject(problem, predictCalls(cost), cost.response) : { cost };
  }

  /** Executes an operation that sends no calls. */
  #executeFree(run: RunningOperation): MaybePromise<OperationResult> {
    const result = this.#execute(run);
    return result instanceof Promise ? result.then((executed) => this.#limit(run, executed)) : this.#limit(run, result);
  }

  /** Executes an operation when it's admitted to the quota of its key. */
  #admit(run: RunningOperation, cost: Cost): MaybePromise<OperationResult> {
    const { plan, context } = run;
    const { upstream } = context;
    const execute = () => this.#executeAdmitted(run, cost);
    const reject = (error: unknown) => this.#finish(run, cost, toQuotaRejection(error));
    try {
      const demand = this.#shares.predictDemand({ plan, keyHash: upstream.keyHash, cost });
      const admitting = upstream.admit(demand, cost.response.leaves);
      if (admitting) return admitting.then(execute, reject);
    } catch (error) {
      return reject(error);
    }
    return execute();
  }

  #executeAdmitted(run: RunningOperation, cost: Cost): MaybePromise<OperationResult> {
    const onError = (error: unknown): never => {
      releaseContext(run.context);
      throw error;
    };
    const onResult = (result: OperationResult) => {
      try {
        return this.#finish(run, cost, this.#replaceStopped(run, this.#limit(run, result)));
      } catch (error) {
        return onError(error);
      }
    };
    try {
      const result = this.#execute(run);
      return result instanceof Promise ? result.then(onResult, onError) : onResult(result);
    } catch (error) {
      return onError(error);
    }
  }

  #execute({ plan, args, interpret }: RunningOperation): MaybePromise<OperationResult> {
    return this.#options.executor.execute(plan, args, interpret) as MaybePromise<OperationResult>;
  }

  /** The partial data of a stopped query is of little use next to its errors. A mutation must report what it has applied. */
  #replaceStopped({ plan, context }: RunningOperation, result: OperationResult): OperationResult {
    const { stop } = context.upstream;
    return stop !== null && plan.isQuery && !isAsyncIterable(result) && result.errors ? toQuotaRejection(stop.error) : result;
  }

  /** Limits the size of a result. */
  #limit(run: RunningOperation, result: OperationResult): OperationResult {
    const { plan, context } = run;
    if (isAsyncIterable(result)) return limitParts(result, context.responseBudget);
    return this.#discardUnread(run) ?? this.#responseLimit.limitResult(plan, result, context.responseBudget);
  }

  /** Ends an operation, and reports its cost. */
  #finish(run: RunningOperation, cost: Cost, result: OperationResult): OperationResult {
    if (isAsyncIterable(result)) return this.#addReportToLastPart(run, cost, result);
    this.#end(run, cost, result);
    return addCostReport(result, run.context, predictCalls(cost), cost.response);
  }

  /**
   * The result of a query whose response isn't serialized, because its key has too many that its clients haven't read. Undefined if it is. The result of a mutation
   * isn't discarded, and incremental results are only produced as fast as they are read.
   */
  #discardUnread({ plan, context }: RunningOperation): ExecutionResult | undefined {
    const problem = plan.isQuery ? this.#options.unreadProblem?.(context.upstream.keyHash) : undefined;
    if (problem === undefined) return undefined;
    const error = new OverloadedError(`${problem}.`, 'The response was discarded.');
    return toRejectedResult(error, 503, { 'retry-after': String(error.extensions.retryAfterSeconds) });
  }

  /** Reports the cost with the last part. */
  #addReportToLastPart(run: RunningOperation, cost: Cost, parts: AsyncIterable<ResultPart>): AsyncIterable<ResultPart> {
    let last: ResultPart | undefined;
    const reported = mapAsyncIterator(parts, (part: ResultPart) => {
      if (part.hasNext !== false) return part;
      last = part;
      return addCostReport(part, run.context, predictCalls(cost), cost.response);
    });
    return finalAsyncIterator(reported, () => this.#end(run, cost, last));
  }

  /** Called when an operation has ended, with its last part. Without one, its client has disconnected. */
  #end({ plan, context }: RunningOperation, cost: Cost, last?: ResultPart): void {
    releaseContext(context);
    const { stop, sent, keyHash } = context.upstream;
    const pricedOperation = { plan, keyHash, cost };
    if (stop) this.#shares.learnStopped(pricedOperation, stop.neededCalls);
    else if (last && !isCutShort(last)) this.#shares.learn(pricedOperation, sent);
  }

  /** Makes Yoga execute operations with this object. Its own executor is only used for incremental results: it adds fields in the order in which they resolve, contrary to the specification. */
  plugin(): Plugin<Context> {
    return {
      onExecute: ({ executeFn, setExecuteFn }) => setExecuteFn((args: ExecutionArgs) => this.execute(args, executeFn as Execute)),
      onSubscribe: ({ setSubscribeFn }) => setSubscribeFn((args: ExecutionArgs) => this.subscribe(args)),
    };
  }
}
