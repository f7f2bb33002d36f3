import {
  type ExecutionArgs,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { QueryTooExpensiveError } from '../../failures.ts';
import { literalBytes, variablesOf } from '../../schema/kit/argumentNodes.ts';
import { jsonBytes } from '../../schema/kit/jsonValues.ts';
import { fragmentsOf, weighSelections } from '../../schema/kit/selections.ts';

/**
 * Bytes of arguments, each counted as often as a field is given it. Ours: four bodies of the largest size. A body is read once, but each field reads
 * its own arguments, checks them, and may send them.
 */
const MAX_BYTES = 4 * 1024 * 1024;
/** So many references cannot go past the limit: a body is shorter than a quarter of it. */
const HARMLESS = 4;

interface Written {
  /** References to variables in all arguments, with fragments written out. */
  readonly references: number;
  /** Bytes of all arguments as they stand in the document. */
  readonly bytes: number;
}

const known = new WeakMap<OperationDefinitionNode, Written>();

const argumentsOf = (node: SelectionNode) => (node.kind === Kind.FIELD ? (node.arguments ?? []) : []);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** JSON bytes of what a variable holds: what it is given, or its default, which stands in the document. */
function bytesOf({ variable, defaultValue }: VariableDefinitionNode, variables: Readonly<Record<string, unknown>>): number {
  const value = variables[variable.name.value];
  if (value !== undefined) return jsonBytes(value, MAX_BYTES);
  return defaultValue?.loc ? defaultValue.loc.end - defaultValue.loc.start : 0;
}

function tooLarge(bytes: number, counted: string): QueryTooExpensiveError {
  const message = `The arguments of this operation total ${bytes} bytes across its fields${counted}, which exceeds the maximum of ${MAX_BYTES}. Nothing was executed. Pass large values to fewer fields.`;
  return new QueryTooExpensiveError(message, MAX_BYTES, 'ARGUMENT_BYTES', { argumentBytes: bytes });
}

/** Why an operation is not executed whose arguments are large where its document gives them; undefined when it may be. Reads no argument. */
export function argumentProblem({ document, operationName, variableValues }: ExecutionArgs): QueryTooExpensiveError | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation) return undefined;
  const weigh = (weightOf: (node: SelectionNode) => number) => weighSelections(operation.selectionSet, fragmentsOf(document), weightOf);
  const { references, bytes } = known.get(operation) ?? {
    references: weigh((node) => sumOf(argumentsOf(node).map(({ value }) => variablesOf(value).length))),
    bytes: weigh((node) => sumOf(argumentsOf(node).map(({ value }) => literalBytes(value)))),
  };
  known.set(operation, { references, bytes });
  if (bytes > MAX_BYTES) return tooLarge(bytes, '');
  if (references <= HARMLESS) return undefined;
  const definitions = operation.variableDefinitions ?? [];
  const sizes = new Map(definitions.map((each) => [each.variable.name.value, bytesOf(each, variableValues ?? {})]));
  if (references * sumOf([...sizes.values()]) + bytes <= MAX_BYTES) return undefined;
  const given = weigh((node) => sumOf(argumentsOf(node).flatMap(({ value }) => variablesOf(value).map((name) => sizes.get(name) ?? 0))));
  return given > MAX_BYTES ? tooLarge(given, '') : undefined;
}

/** The same for lists and objects that fields are given once for each object that they are expected to be asked of. */
export const repeatedArgumentProblem = (bytes: number): QueryTooExpensiveError | undefined =>
  bytes > MAX_BYTES ? tooLarge(bytes, ' (counted once for each object of a page or list)') : undefined;
