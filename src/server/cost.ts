import { type ExecutionArgs, type ExecutionResult, getOperationAST } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { type Context, endContext } from '../context.ts';
import { type ApiError, QueryTooExpensiveError, RateLimitedError } from '../upstream/errors.ts';
import { CostShares } from './costShares.ts';
import { KnownCosts } from './knownCosts.ts';

interface Part extends ExecutionResult {
  readonly hasNext?: boolean;
}

/** Failures that keep an operation from making the calls that it would make. */
const CUT_SHORT = new Set<unknown>(['RATE_LIMITED', 'UPSTREAM_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'QUERY_TOO_EXPENSIVE']);

const isCutShort = ({ errors = [] }: Part) => errors.some(({ extensions }) => CUT_SHORT.has(extensions.code));

/** No part of the operation was executed: what its status is, where the media type of the answer can say so. */
function refused(error: ApiError, status: number, headers: Readonly<Record<string, string>> = {}): ExecutionResult {
  error.extensions.http = { spec: true, status, headers };
  return { errors: [error] };
}

function tooExpensive(limit: number): ExecutionResult {
  const reason = `may take more than ${limit} upstream calls, or is too long to tell with its fragments written out`;
  const message = `This operation ${reason}; none was made. Ask for smaller pages, or for less at a time.`;
  return refused(new QueryTooExpensiveError(message, limit), 400);
}

/** An answer with what it took: `predictedCalls` is the operation's cost, null when it is above the limit. */
function withReport<Answer extends Part>(answer: Answer, { upstream }: Context, predictedCalls: number | null): Answer {
  const cost = { predictedCalls, actualCalls: upstream.sentCalls, quota: upstream.quota };
  return { ...answer, extensions: { ...answer.extensions, cost } };
}

const contextOf = ({ contextValue }: ExecutionArgs) => contextValue as Context;

type Execute = (args: ExecutionArgs) => unknown;

/**
 * Counts the cost of operations. One that is above the limit is refused; so is one that does not fit into what is left of its key's quota,
 * before it makes a call. All others are told what they took, with the last part of their answer.
 */
export class CostControl {
  readonly #limit: number;
  readonly #costs: KnownCosts;
  readonly #shares = new CostShares();

  constructor(limit: number) {
    this.#limit = limit;
    this.#costs = new KnownCosts(limit);
  }

  /** Executes an operation that is answered in one part. */
  async execute(
    args: ExecutionArgs,
    execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const cost = this.#begin(args);
    if (cost === null) return this.#tooExpensive(args);
    if (cost === 0) return execute(args);
    const answer = (await this.#admitted(execute, cost)(args)) as ExecutionResult;
    this.#end(args, cost, answer);
    return withReport(answer, contextOf(args), cost);
  }

  /** The same for operations that may be answered in several parts. */
  plugin(): Plugin<Context> {
    return {
      onExecute: ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
        const cost = this.#begin(args);
        if (cost === null) return setResultAndStopExecution(this.#tooExpensive(args));
        if (cost === 0) return;
        // Within the execution: another plugin may still refuse it, and then nothing must stay set aside.
        setExecuteFn(this.#admitted(executeFn as Execute, cost));
        return {
          onExecuteDone: ({ result, setResult }) => {
            if (isAsyncIterable(result)) return this.#inParts(args, cost);
            setResult(withReport(result, contextOf(args), cost));
            this.#end(args, cost, result);
          },
        };
      },
    };
  }

  /** What the operation costs: null when that is too much, 0 when nothing is to be watched. */
  #begin(args: ExecutionArgs): number | null {
    const cost = this.#costs.cost(args);
    if (cost && getOperationAST(args.document, args.operationName)?.operation === 'query') {
      contextOf(args).upstream.permitAbandonment();
    }
    return cost;
  }

  #tooExpensive(args: ExecutionArgs): ExecutionResult {
    return withReport(tooExpensive(this.#limit), contextOf(args), null);
  }

  #admitted(execute: Execute, cost: number): Execute {
    return async (args) => {
      const { upstream } = contextOf(args);
      try {
        await upstream.admit(this.#shares.estimate(args.document, args.operationName ?? '', cost));
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
        return refused(error, 429, { 'retry-after': String(error.retryAfterSeconds) });
      }
      try {
        return await execute(args);
      } catch (error) {
        endContext(contextOf(args));
        throw error;
      }
    };
  }

  #inParts(args: ExecutionArgs, cost: number) {
    let last: Part | undefined;
    return {
      onNext: ({ result: part, setResult: setPart }: { result: Part; setResult(part: Part): void }) => {
        if (part.hasNext !== false) return;
        last = part;
        setPart(withReport(part, contextOf(args), cost));
      },
      onEnd: () => this.#end(args, cost, last),
    };
  }

  /** The operation has ended, and this is its last answer; without one, its caller has left. */
  #end(args: ExecutionArgs, cost: number, answer?: Part): void {
    const context = contextOf(args);
    endContext(context);
    if (answer && !isCutShort(answer)) this.#shares.learn(args.document, args.operationName ?? '', cost, context.upstream.sentCalls);
  }
}
