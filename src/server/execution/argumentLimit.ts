import { type ExecutionArgs, Kind, type SelectionNode, type VariableDefinitionNode } from 'graphql';
import { QueryTooExpensiveError } from '../../failures/failures.ts';
import type { Cost } from '../../schema/cost/cost.ts';
import { listVariableNames } from '../../schema/kit/argumentNodes.ts';
import { countJsonBytes } from '../../schema/kit/jsonValues.ts';
import { collectFragments, weighSelections } from '../../schema/kit/selections.ts';
import type { Plan } from './plan.ts';

/**
 * Maximum number of bytes of arguments, counted for each field that they're passed to. Chosen: four request bodies of the maximum size. A body is read once, but
 * each field reads, validates and may send its own arguments.
 */
const MAX_BYTES = 4 * 1024 * 1024;
/** Number of references to variables that can't exceed the limit, because a request body is smaller than a quarter of it. */
const HARMLESS_REFERENCES = 4;

const getArguments = (node: SelectionNode) => (node.kind === Kind.FIELD ? (node.arguments ?? []) : []);

const sum = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** JSON bytes of the value of a variable, or bytes of its default in the document. */
function measureVariable({ variable, defaultValue }: VariableDefinitionNode, variables: Readonly<Record<string, unknown>>): number {
  const value = variables[variable.name.value];
  if (value !== undefined) return countJsonBytes(value, MAX_BYTES);
  return defaultValue?.loc ? defaultValue.loc.end - defaultValue.loc.start : 0;
}

function createTooLargeError(bytes: number, counted: string): QueryTooExpensiveError {
  const message = `The arguments of this operation total ${bytes} bytes across its fields${counted}, which exceeds the maximum of ${MAX_BYTES}. Nothing was executed. Pass large values to fewer fields.`;
  return new QueryTooExpensiveError(message, MAX_BYTES, 'ARGUMENT_BYTES', { argumentBytes: bytes });
}

/** The error for an operation whose fields have too large arguments. Undefined if they don't. Coerces no argument. */
export function checkArguments({ document, operation, size }: Plan, { variableValues }: ExecutionArgs): QueryTooExpensiveError | undefined {
  if (size.argumentBytes > MAX_BYTES) return createTooLargeError(size.argumentBytes, '');
  if (size.argumentReferences <= HARMLESS_REFERENCES) return undefined;
  const definitions = operation.variableDefinitions ?? [];
  const sizes = new Map(definitions.map((each) => [each.variable.name.value, measureVariable(each, variableValues ?? {})]));
  if (size.argumentReferences * sum([...sizes.values()]) + size.argumentBytes <= MAX_BYTES) return undefined;
  const countBytes = (node: SelectionNode) =>
    sum(getArguments(node).flatMap(({ value }) => listVariableNames(value).map((name) => sizes.get(name) ?? 0)));
  const bytes = weighSelections(operation.selectionSet, collectFragments(document), countBytes);
  return bytes > MAX_BYTES ? createTooLargeError(bytes, '') : undefined;
}

/** Whether a variable is a list or an object. Strings don't count, because their length rarely affects processing time. */
function isComposite({ variable, defaultValue }: VariableDefinitionNode, variables: Readonly<Record<string, unknown>>): boolean {
  const value = variables[variable.name.value];
  if (value !== undefined) return typeof value === 'object' && value !== null;
  return defaultValue?.kind === Kind.OBJECT || defaultValue?.kind === Kind.LIST;
}

/** The same for lists and objects that are passed to fields of each object of a list, according to the predicted cost. */
export function checkRepeatedArguments(
  { literalBytes, variableUses }: Cost,
  { operation: { variableDefinitions = [] } }: Plan,
  { variableValues }: ExecutionArgs,
): QueryTooExpensiveError | undefined {
  const variables = variableValues ?? {};
  const counted = variableDefinitions.filter(({ variable }) => variableUses.has(variable.name.value));
  const bytes = counted
    .filter((each) => isComposite(each, variables))
    .reduce((total, each) => total + (variableUses.get(each.variable.name.value) ?? 0) * measureVariable(each, variables), literalBytes);
  return bytes > MAX_BYTES ? createTooLargeError(bytes, ' (counted once for each object of a page or list)') : undefined;
}
