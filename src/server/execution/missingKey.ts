import { type ExecutionArgs, type ExecutionResult, isNonNullType, locatedError, SchemaMetaFieldDef } from 'graphql';
import type { UnauthenticatedError } from '../../failures/failures.ts';
import { collectFields, createTraversal } from '../../schema/kit/lookahead.ts';
import { collectFragments } from '../../schema/kit/selections.ts';
import { evaluateConditions } from './conditions.ts';
import type { Plan } from './plan.ts';

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
  return { errors: failed.map(({ name, nodes }) => locatedError(error, nodes, [name])), data: isLost ? null : data };
}
