import { type ExecutionArgs, type ExecutionResult, getVariableValues } from 'graphql';
import { countJsonBytes } from '../../schema/kit/jsonValues.ts';
import type { Plan } from './plan.ts';

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
