import { type ASTNode, type ExecutionResult, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import type { ApiError } from '../../failures/failures.ts';

/** A request that is refused for its form: with this status in any media type. */
export const refusal = (status: number, code: ErrorCode, message: string, nodes?: ASTNode) =>
  new GraphQLError(message, { ...(nodes && { nodes }), extensions: { code, http: { status } } });

/**
 * A well-formed request of which nothing is executed: 400, and 200 where the answer is application/json, as GraphQL over HTTP has it.
 * `spec` is yoga's word for that.
 */
export const documentRefusal = (code: ErrorCode, message: string, nodes?: ASTNode) =>
  new GraphQLError(message, { ...(nodes && { nodes }), extensions: { code, http: { status: 400, spec: true } } });

/** The answer of an operation that is refused as a whole, by its cost or its size: its status is told where the media type of the answer can say so. */
export function refused(error: ApiError, status: number, headers: Readonly<Record<string, string>> = {}): ExecutionResult {
  error.extensions.http = { spec: true, status, headers };
  return { errors: [error] };
}
