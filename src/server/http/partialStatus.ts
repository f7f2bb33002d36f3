import type { ExecutionResult } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { findAccepted } from './accept.ts';

/** Status of a response with both data and errors. Source: GraphQL over HTTP, September 2026, "Status Codes". */
const PARTIAL_SUCCESS = 294;

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** Sets the status of partial responses in GraphQL's own media type, in which clients ignore the status. Logs and proxies can count partial failures by it. */
export const usePartialStatus = (): Plugin => ({
  onResultProcess({ request, result, setResult }) {
    if (isAsyncIterable(result) || Array.isArray(result) || !findAccepted(request.headers.get('accept'), [GRAPHQL_RESPONSE])) return;
    const { data, errors, extensions } = result as ExecutionResult;
    if (data === undefined || !errors?.length) return;
    // Yoga sends the status, and removes the member.
    setResult({ ...(result as ExecutionResult), extensions: { ...extensions, http: { status: PARTIAL_SUCCESS } } });
  },
});
