import { type ExecutionArgs, type ExecutionResult, getOperationAST, getVariableValues } from 'graphql';
import { jsonBytes } from '../../schema/kit/jsonValues.ts';

/** Source: graphql-js, which ends after as many when it executes. */
const MAX_ERRORS = 50;
/** Bytes of all messages together. Ours: each may repeat the whole value, so large variables are told fewer times. */
const MAX_TOLD_BYTES = 1024 * 1024;

/** The answer to an operation of which a variable has a value that it may not have: nothing is executed. A last error says that there are more. */
export function badVariables({ schema, document, operationName, variableValues }: ExecutionArgs): ExecutionResult {
  const variables = variableValues ?? {};
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const bytes = Math.max(1, jsonBytes(variables, MAX_TOLD_BYTES));
  const maxErrors = Math.min(MAX_ERRORS, Math.max(1, Math.floor(MAX_TOLD_BYTES / bytes)));
  return { errors: getVariableValues(schema, definitions, variables, { maxErrors }).errors ?? [] };
}
