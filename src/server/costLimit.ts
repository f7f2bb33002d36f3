import type { Plugin } from 'graphql-yoga';
import { costOf } from '../schema/cost.ts';
import { QueryTooExpensiveError } from '../upstream/errors.ts';

/** Refuses an operation that costs more than the limit, before it makes a call. */
export const useCostLimit = (limit: number): Plugin => ({
  onExecute({ args, setResultAndStopExecution }) {
    const { schema, document, operationName, variableValues } = args;
    if (costOf(schema, document, operationName, variableValues ?? {}, limit) !== null) return;
    const reason = `may take more than ${limit} upstream calls, or is too long to tell with its fragments written out`;
    const message = `This operation ${reason}; none was made. Ask for smaller pages, or for less at a time.`;
    const error = new QueryTooExpensiveError(message, limit);
    // No part of it was executed: a bad request, where the media type of the answer can say so.
    error.extensions.http = { spec: true, status: 400 };
    setResultAndStopExecution({ errors: [error] });
  },
});
