import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import type { Context } from '../context.ts';
import type { InProcessExecution, InProcessExecutor, ToolCaller } from '../tools/inProcess.ts';
import { REHEARSED } from '../upstream/calls/call.ts';
import type { Upstream } from '../upstream/client.ts';
import type { Operations } from './execution/operations.ts';
import { checkParams } from './http/requestForm.ts';

export interface InProcessOptions {
  readonly schema: GraphQLSchema;
  readonly upstream: Upstream;
  readonly check: InProcessExecutor['parseAndValidate'];
  readonly operations: Operations;
  readonly createRequestContext: (caller: ToolCaller, isRehearsal: boolean) => Context;
  readonly mask: (error: unknown) => Error;
}

/** Executes documents within the process. Variables, costs and errors are handled as in requests. */
export function createInProcessExecutor({
  schema,
  upstream,
  check,
  operations,
  createRequestContext,
  mask,
}: InProcessOptions): InProcessExecutor {
  const run = async ({ document, operationName, variables }: InProcessExecution, contextValue: Context): Promise<ExecutionResult> => {
    checkParams({ variables });
    const args: ExecutionArgs = { schema, document, operationName, contextValue, variableValues: variables };
    return operations.execute(args) as Promise<ExecutionResult>;
  };
  const maskResult = async (running: Promise<ExecutionResult>): Promise<ExecutionResult> => {
    try {
      const { data, errors } = await running;
      return { ...(data !== undefined && { data }), ...(errors && { errors: errors.map(mask) as GraphQLError[] }) };
    } catch (failure) {
      return { errors: [mask(failure) as GraphQLError] };
    }
  };
  return {
    schema,
    parseAndValidate: check,
    findCostProblem: (document, operationName, variables) =>
      operations.findProblem({ schema, document, operationName, variableValues: variables }),
    execute: async (execution) => {
      const context = createRequestContext(execution.caller, false);
      if (execution.bypassesReadCache) context.upstream.forget('key');
      return maskResult(run(execution, context));
    },
    rehearse: async (execution) => {
      const context = createRequestContext(execution.caller, true);
      context.upstream.forget('key');
      const result = await run(execution, context).catch((failure: unknown): ExecutionResult => ({ errors: [failure as GraphQLError] }));
      // A dry run has reached the write. Not masked, because a masked failure would be logged.
      const isAllowed = result.errors?.some(({ originalError }) => originalError === REHEARSED);
      return isAllowed ? null : maskResult(Promise.resolve(result));
    },
    findMissingScopes: async ({ credential, requestId }, scopes) => {
      const session = upstream.openSession(credential, requestId);
      try {
        return await session.access.findMissingByName(scopes);
      } finally {
        session.finish();
      }
    },
  };
}
