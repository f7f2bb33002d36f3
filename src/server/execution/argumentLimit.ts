import {
  type ExecutionArgs,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { QueryTooExpensiveError } from '../../failures.ts';
import { jsonBytes } from '../../schema/kit/jsonValues.ts';
import { fragmentsOf, weighSelections } from '../../schema/kit/selections.ts';

/**
 * JSON bytes of variables, each counted wherever the operation gives it to a field. Ours: four bodies of the largest size. A body is read once, but each field reads
 * its own arguments, checks them, and may send them.
 */
const MAX_BYTES = 4 * 1024 * 1024;
/** So many references cannot go past the limit: a body is shorter than a quarter of it. */
const HARMLESS = 4;

/** How many variables the fields of an operation are given, by the operation. */
const counts = new WeakMap<OperationDefinitionNode, number>();

/** Sum of the weights of all variables in a field's arguments. */
function weighVariables(node: SelectionNode, weightOf: (name: string) => number): number {
  if (node.kind !== Kind.FIELD || !node.arguments) return 0;
  let sum = 0;
  for (const { value } of node.arguments) {
    if (value.kind === Kind.VARIABLE) sum += weightOf(value.name.value);
    else if (value.kind === Kind.OBJECT || value.kind === Kind.LIST) {
      visit(value, {
        Variable: ({ name }) => {
          sum += weightOf(name.value);
        },
      });
    }
  }
  return sum;
}

/** JSON bytes of what a variable holds: what it is given, or its default, which stands in the document. */
function bytesOf({ variable, defaultValue }: VariableDefinitionNode, variables: Readonly<Record<string, unknown>>): number {
  const value = variables[variable.name.value];
  if (value !== undefined) return jsonBytes(value, MAX_BYTES);
  return defaultValue?.loc ? defaultValue.loc.end - defaultValue.loc.start : 0;
}

/** Why an operation is not executed whose variables are given to many fields; undefined when it may be. */
export function argumentProblem({ document, operationName, variableValues }: ExecutionArgs): QueryTooExpensiveError | undefined {
  const operation = getOperationAST(document, operationName);
  if (!operation?.variableDefinitions?.length) return undefined;
  const weigh = (weightOf: (name: string) => number) =>
    weighSelections(operation.selectionSet, fragmentsOf(document), (node) => weighVariables(node, weightOf));
  const count = counts.get(operation) ?? weigh(() => 1);
  counts.set(operation, count);
  if (count <= HARMLESS) return undefined;
  const sizes = new Map(operation.variableDefinitions.map((each) => [each.variable.name.value, bytesOf(each, variableValues ?? {})]));
  const once = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (count * once <= MAX_BYTES) return undefined;
  const bytes = weigh((name) => sizes.get(name) ?? 0);
  if (bytes <= MAX_BYTES) return undefined;
  const message = `The variables take ${bytes} bytes where the fields of this operation are given them; at most ${MAX_BYTES} are taken: give large values to fewer fields. Nothing was executed.`;
  return new QueryTooExpensiveError(message, MAX_BYTES, 'ARGUMENT_BYTES', { argumentBytes: bytes });
}
