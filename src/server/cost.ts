import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Context } from '../context.ts';
import { costOf } from '../schema/cost.ts';
import { type ApiError, QueryTooExpensiveError, RateLimitedError } from '../upstream/errors.ts';
import { CostShares } from './costShares.ts';

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

type Execute = (args: ExecutionArgs) => unknown;

/**
 * Counts the cost of an operation. One that is above the limit is refused; so is one that does not fit into what is left of its key's quota,
 * before it makes a call. All others are told what they took, with the last part of their answer.
 */
export function useCost(limit: number): Plugin<Context> {
  const shares = new CostShares();

  const admitted =
    (execute: Execute, cost: number, { upstream }: Context): Execute =>
    async (args) => {
      try {
        await upstream.admit(shares.estimate(args.document, args.operationName ?? '', cost));
      } catch (error) {
        if (!(error instanceof RateLimitedError)) throw error;
        return refused(error, 429, { 'retry-after': String(error.retryAfterSeconds) });
      }
      try {
        return await execute(args);
      } catch (error) {
        upstream.finish();
        throw error;
      }
    };

  /** The operation has ended, and this is its last answer; without one, its caller has left. */
  const end = ({ document, operationName }: ExecutionArgs, { upstream }: Context, cost: number, answer?: Part) => {
    upstream.finish();
    if (answer && !isCutShort(answer)) shares.learn(document, operationName ?? '', cost, upstream.sentCalls);
  };

  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const { schema, document, operationName, variableValues } = args;
      const context: Context = args.contextValue;
      const cost = costOf(schema, document, operationName, variableValues ?? {}, limit);
      if (cost === null) return setResultAndStopExecution(withReport(tooExpensive(limit), context, null));
      if (cost === 0) return;
      // Within the execution: another plugin may still refuse it, and then nothing must stay set aside.
      setExecuteFn(admitted(executeFn as Execute, cost, context));
      return {
        onExecuteDone({ result, setResult }) {
          if (!isAsyncIterable(result)) {
            setResult(withReport(result, context, cost));
            return end(args, context, cost, result);
          }
          let last: Part | undefined;
          return {
            onNext({ result: part, setResult: setPart }) {
              if ((part as Part).hasNext !== false) return;
              last = part;
              setPart(withReport(part, context, cost));
            },
            onEnd: () => end(args, context, cost, last),
          };
        },
      };
    },
  };
}
