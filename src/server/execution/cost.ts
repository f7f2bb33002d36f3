import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { type Context, endContext } from '../../context.ts';
import { OverloadedError, QueryTooExpensiveError, RateLimitedError } from '../../failures.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AnswerSize } from '../../schema/cost/answerSize.ts';
import type { Cost, RowsPerCall } from '../../schema/cost/cost.ts';
import { AnswerLimit, predictionOf } from './answerLimit.ts';
import { argumentProblem, repeatedArgumentProblem } from './argumentLimit.ts';
import { badVariables } from './badVariables.ts';
import { CostShares, type PricedOperation } from './costShares.ts';
import { withOrderedErrors } from './errorOrder.ts';
import { KnownCosts } from './knownCosts.ts';
import type { OperationMeter } from './operationMeter.ts';
import { refused } from './refusals.ts';

interface Part extends ExecutionResult {
  readonly hasNext?: boolean;
}

/** Failures that keep an operation from making the calls that it would make. */
const CUT_SHORT = new Set<unknown>(['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'QUERY_TOO_EXPENSIVE']);

const isCutShort = ({ errors = [] }: Part) => errors.some(({ extensions }) => CUT_SHORT.has(extensions.code));

function tooManyCalls(limit: number): QueryTooExpensiveError {
  const reason = `may require more than ${limit} upstream calls, or is too long to estimate after fragments are expanded`;
  const message = `This operation ${reason}. Nothing was sent. Request smaller pages or less data at a time.`;
  return new QueryTooExpensiveError(message, limit, 'UPSTREAM_CALLS');
}

/** Reads that take much work in an operation. Ours: a page of figures has as many; more would wait for one another. */
const MAX_EXPENSIVE_READS = 4;

function tooManyExpensive({ expensiveReads }: Cost): QueryTooExpensiveError | undefined {
  if (expensiveReads <= MAX_EXPENSIVE_READS) return undefined;
  const message = `This operation has ${expensiveReads} analytics fields, but the maximum is ${MAX_EXPENSIVE_READS}, so nothing was executed. Split it into several operations.`;
  return new QueryTooExpensiveError(message, MAX_EXPENSIVE_READS, 'ANALYTICS_QUERIES', { analyticsQueries: expensiveReads });
}

/** An answer with what it took: `calls` and `size` are what was predicted, null when that is above the limit. */
function withReport<Answer extends Part>(answer: Answer, context: Context, calls: number | null, size: AnswerSize | null): Answer {
  const { upstream, answer: budget } = context;
  const cost = {
    predictedCalls: calls,
    actualCalls: upstream.sentCalls,
    savedCalls: upstream.lists?.savedCalls ?? 0,
    quota: upstream.quota,
    ...(size ? predictionOf(size) : { predictedNodes: null, predictedLeaves: null }),
    responseBytes: budget.size,
  };
  return { ...answer, extensions: { ...answer.extensions, cost } };
}

const contextOf = ({ contextValue }: ExecutionArgs) => contextValue as Context;

const isQuery = ({ document, operationName }: ExecutionArgs) => getOperationAST(document, operationName)?.operation === 'query';

const pricedOperation = (args: ExecutionArgs, cost: Cost): PricedOperation => ({
  document: args.document,
  operationName: args.operationName ?? '',
  keyHash: contextOf(args).upstream.keyHash,
  cost,
});

/** The response to an operation that doesn't fit the quota of its key. Rethrows all other errors. */
function notAdmitted(error: unknown): ExecutionResult {
  if (error instanceof RateLimitedError) return refused(error, 429, { 'retry-after': String(error.retryAfterSeconds) });
  if (error instanceof QueryTooExpensiveError) return refused(error, 400);
  throw error;
}

type Execute = (args: ExecutionArgs) => unknown;

/** An operation that may be executed, with its cost, or the answer to one that is not. */
type Weighed = { readonly cost: Cost; readonly refusal?: undefined } | { readonly cost?: undefined; readonly refusal: ExecutionResult };

export interface CostLimits {
  /** Upstream calls that one operation may take. */
  readonly calls: number;
  /** JSON bytes that one operation may answer. */
  readonly responseBytes: number;
  /** Without it, the contract's. */
  readonly rowsPerCall?: RowsPerCall;
  /** Measures operations that are executed here; those of the plugin have a plugin of their own. */
  readonly meter?: OperationMeter | null;
  /** Why no response can be built for an API key now, as a clause. By default, all can. */
  readonly unreadProblem?: ((keyHash: string | null) => string | undefined) | undefined;
  /** Without it, the clocks of this machine. */
  readonly clock?: Clock | undefined;
}

/**
 * Counts the cost of operations. An operation above a limit is refused; so is one that does not fit into what is left of its key's quota,
 * before it makes a call. All others are told what they took, with the last part of their answer.
 */
export class CostControl {
  readonly #limits: CostLimits;
  readonly #meter: OperationMeter | null;
  readonly #costs: KnownCosts;
  readonly #answers: AnswerLimit;
  readonly #shares: CostShares;

  constructor(limits: CostLimits) {
    this.#limits = limits;
    this.#meter = limits.meter ?? null;
    this.#costs = new KnownCosts(limits.calls, limits.rowsPerCall);
    this.#answers = new AnswerLimit(limits.responseBytes);
    this.#shares = new CostShares(limits.clock);
  }

  /** Executes an operation that is answered in one part. */
  execute(args: ExecutionArgs, execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>): Promise<ExecutionResult> {
    return this.#meter ? this.#meter.execute(args, () => this.#execute(args, execute)) : this.#execute(args, execute);
  }

  async #execute(
    args: ExecutionArgs,
    execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const { cost, refusal } = this.#weigh(args);
    if (refusal) return refusal;
    const answer = (await this.#executor(execute, args, cost)(args)) as ExecutionResult;
    if (cost.calls === 0) return answer;
    this.#end(args, cost, answer);
    return withReport(answer, contextOf(args), cost.calls, cost.answer);
  }

  /** Why an operation would be refused, whoever asks; undefined where it would not. */
  problemOf({ schema, document, operationName, variableValues }: Omit<ExecutionArgs, 'contextValue'>): string | undefined {
    const args = { schema, document, operationName, variableValues } as ExecutionArgs;
    const cost = this.#costs.cost(args);
    if (!cost) return tooManyCalls(this.#limits.calls).message;
    return cost.hasBadVariables
      ? 'The cost can’t be computed because a variable has an invalid value.'
      : this.#answers.sizeProblem(cost)?.message;
  }

  /** The same for operations that may be answered in several parts. */
  plugin(): Plugin<Context> {
    return {
      onExecute: ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
        const { cost, refusal } = this.#weigh(args);
        if (refusal) return setResultAndStopExecution(refusal);
        // Within the execution: another plugin may still refuse it, and then nothing must stay set aside.
        setExecuteFn(this.#executor(executeFn as Execute, args, cost));
        if (cost.calls === 0) return;
        return {
          onExecuteDone: ({ result, setResult }) => {
            if (isAsyncIterable(result)) return this.#inParts(args, cost);
            setResult(withReport(result, contextOf(args), cost.calls, cost.answer));
            this.#end(args, cost, result);
          },
        };
      },
    };
  }

  #weigh(args: ExecutionArgs): Weighed {
    const refusal = (problem: QueryTooExpensiveError, calls: number | null, answer: AnswerSize | null) => ({
      refusal: withReport(refused(problem, 400), contextOf(args), calls, answer),
    });
    // First, since to count the cost reads the arguments, too.
    const tooLarge = argumentProblem(args);
    if (tooLarge) return refusal(tooLarge, null, null);
    const cost = this.#costs.cost(args);
    if (!cost) return refusal(tooManyCalls(this.#limits.calls), null, null);
    const problem = tooManyExpensive(cost) ?? repeatedArgumentProblem(cost.argumentBytes) ?? this.#answers.problemOf(cost, args);
    return problem ? refusal(problem, cost.calls, cost.answer) : { cost };
  }

  /**
   * Executes with an answer that is bounded; an operation that takes calls once they are admitted. Bad variables are not left to the executor: compiled queries
   * make an error for each value of a list.
   */
  #executor(execute: Execute, args: ExecutionArgs, cost: Cost): Execute {
    if (cost.hasBadVariables) return badVariables;
    const bounded = async (executed: ExecutionArgs) => {
      const result = await execute(executed);
      const bound = this.#discarded(executed, result) ?? this.#answers.bound(executed, result);
      // `useIncremental` orders the errors of incremental results.
      return isAsyncIterable(bound) ? bound : withOrderedErrors(bound as ExecutionResult, executed);
    };
    if (cost.calls === 0) return bounded;
    if (isQuery(args)) contextOf(args).upstream.permitAbandonment();
    return this.#admitted(bounded, cost);
  }

  /**
   * The error for a query whose response isn't serialized, because its key has too many that its clients haven't read. Undefined if it is. The result of a
   * mutation isn't discarded, and incremental results are only produced as fast as they are read.
   */
  #discarded(args: ExecutionArgs, result: unknown): ExecutionResult | undefined {
    const problem = this.#limits.unreadProblem?.(contextOf(args).upstream.keyHash);
    if (problem === undefined || !isQuery(args) || isAsyncIterable(result)) return undefined;
    const error = new OverloadedError(`${problem}.`, 'The response was discarded.');
    return refused(error, 503, { 'retry-after': String(error.extensions.retryAfterSeconds) });
  }

  #admitted(execute: Execute, cost: Cost): Execute {
    return async (args) => {
      const { upstream } = contextOf(args);
      try {
        await upstream.admit(this.#shares.demandOf(pricedOperation(args, cost)), cost.answer.leaves);
      } catch (error) {
        return notAdmitted(error);
      }
      try {
        const result = await execute(args);
        // Of a query that was stopped, what was read is of little use among the errors. A mutation returns what it has done.
        const isStopped = upstream.stop !== null && isQuery(args) && !isAsyncIterable(result) && (result as Part).errors;
        return isStopped ? notAdmitted(upstream.stop?.error) : result;
      } catch (error) {
        endContext(contextOf(args));
        throw error;
      }
    };
  }

  #inParts(args: ExecutionArgs, cost: Cost) {
    let last: Part | undefined;
    return {
      onNext: ({ result: part, setResult: setPart }: { result: Part; setResult(part: Part): void }) => {
        if (part.hasNext !== false) return;
        last = part;
        setPart(withReport(part, contextOf(args), cost.calls, cost.answer));
      },
      onEnd: () => this.#end(args, cost, last),
    };
  }

  /** The operation has ended, and this is its last answer; without one, its caller has left. */
  #end(args: ExecutionArgs, cost: Cost, answer?: Part): void {
    const context = contextOf(args);
    endContext(context);
    const { stop, sentCalls } = context.upstream;
    if (stop) this.#shares.learnStopped(pricedOperation(args, cost), stop.neededCalls);
    else if (answer && !isCutShort(answer)) this.#shares.learn(pricedOperation(args, cost), sentCalls);
  }
}
