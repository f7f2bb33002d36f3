import {
  type ASTNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  getVariableValues,
  isNonNullType,
  locatedError,
  SchemaMetaFieldDef,
} from 'graphql';
import type { ErrorCode } from '../../failures/errorCodes.ts';
import type { ApiError, UnauthenticatedError } from '../../failures/failures.ts';
import { runWithoutTraces } from '../../lib/withoutTraces.ts';
import { countJsonBytes } from '../../schema/kit/jsonValues.ts';
import { collectFields, createTraversal } from '../../schema/kit/lookahead.ts';
import { collectFragments } from '../../schema/kit/selections.ts';
import { evaluateConditions } from './conditions.ts';
import type { Plan } from './plan.ts';

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

/** Maximum number of errors. Source: graphql-js has the same limit in `execute`. */
const MAX_ERRORS = 50;
/** Maximum size of all messages, in bytes. Chosen: each message can repeat the whole value, so large variables get fewer errors. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** The result of an operation with invalid variables, which isn't executed. If there are more errors, the last one says so. */
export function rejectVariables({ operation }: Plan, { schema, variableValues }: ExecutionArgs): ExecutionResult {
  const variables = variableValues ?? {};
  const bytes = Math.max(1, countJsonBytes(variables, MAX_MESSAGE_BYTES));
  const maxErrors = Math.min(MAX_ERRORS, Math.max(1, Math.floor(MAX_MESSAGE_BYTES / bytes)));
  return { errors: getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors }).errors ?? [] };
}

/**
 * The result of an operation that requires an API key, for a client without one: each of its root fields fails, as in an execution, but no value except those of
 * conditions is read. Without data if a condition isn't a boolean, and for subscriptions.
 */
export function rejectMissingKey(
  { document, operation, variableUse }: Plan,
  { schema, variableValues }: ExecutionArgs,
  error: UnauthenticatedError,
): ExecutionResult {
  const type = schema.getRootType(operation.operation);
  const conditions = evaluateConditions(variableUse.conditions, operation, variableValues ?? {});
  if (!type || !conditions || operation.operation === 'subscription') return { errors: [error] };
  const scope = { schema, fragments: collectFragments(document), variableValues: conditions };
  const byName = Map.groupBy(
    collectFields(operation.selectionSet, type, scope, createTraversal()),
    ({ alias, name }) => (alias ?? name).value,
  );
  const fields = [...byName].map(([name, nodes]) => ({ name, nodes, field: nodes[0]?.name.value ?? '' }));
  const failed = fields.filter(({ field }) => field !== '__typename');
  const data = Object.fromEntries(fields.map(({ name, field }) => [name, field === '__typename' ? type.name : null]));
  if (failed.length === 0) return { data };
  const isLost = failed.some(({ field }) => isNonNullType((type.getFields()[field] ?? SchemaMetaFieldDef).type));
  const errors = runWithoutTraces(() => failed.map(({ name, nodes }) => locatedError(error, nodes, [name])));
  return { errors, data: isLost ? null : data };
}
