import { type ASTNode, type ExecutionResult, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import type { ApiError } from '../../failures/failures.ts';

/** Creates the error for a malformed request. Its status is sent for every media type. */
export const createRequestError = (status: number, code: ErrorCode, message: string, nodes?: ASTNode) =>
  new GraphQLError(message, { ...(nodes && { nodes }), extensions: { code, http: { status } } });

/**
 * Creates the error for a well-formed request that isn't executed. As in GraphQL over HTTP, its status is 400, or 200 if the response is application/json,
 * which Yoga calls `spec`.
 */
export const createDocumentError = (code: ErrorCode, message: string, nodes?: ASTNode) =>
  new GraphQLError(message, { ...(nodes && { nodes }), extensions: { code, http: { status: 400, spec: true } } });

/** The result of an operation that is rejected because of its cost or size. The status is only sent for media types that allow one. */
export function toRejectedResult(error: ApiError, status: number, headers: Readonly<Record<string, string>> = {}): ExecutionResult {
  error.extensions.http = { spec: true, status, headers };
  return { errors: [error] };
}
