import { type OperationDefinitionNode, type ValueNode, valueFromASTUntyped } from 'graphql';
import { invalidInput, type ValidationError } from '../../failures/failures.ts';
import { type Excess, type InputPosition, SizeCheck } from '../../schema/kit/valueSizes.ts';

/** An argument or an input field, with its path as in validation issues. */
export interface LocatedInput {
  readonly path: readonly string[];
  readonly position: InputPosition | undefined;
}

/** A value in a document. */
export interface LocatedLiteral extends LocatedInput {
  readonly value: ValueNode;
}

/** An excess, with the path of its argument. */
type LocatedExcess = readonly [path: readonly string[], Excess];

/** The sizes of an operation's values, which are checked before anything else reads them. Literals are checked once. */
export class ValueLimits {
  readonly #variables: readonly (LocatedInput & { readonly name: string })[];
  readonly #literals = new SizeCheck();
  readonly #literalExcess: LocatedExcess | undefined;

  /** `uses` has the first use of each variable. */
  constructor(
    { variableDefinitions = [] }: OperationDefinitionNode,
    literals: readonly LocatedLiteral[],
    uses: ReadonlyMap<string, LocatedInput>,
  ) {
    this.#variables = variableDefinitions.flatMap(({ variable: { name } }) => {
      const use = uses.get(name.value);
      return use ? [{ ...use, name: name.value }] : [];
    });
    const defaults = variableDefinitions.flatMap(({ variable, defaultValue: value }): LocatedLiteral[] => {
      const use = uses.get(variable.name.value);
      return use && value ? [{ ...use, value }] : [];
    });
    for (const { path, position, value } of [...literals, ...defaults]) {
      const excess = this.#literals.find(valueFromASTUntyped(value), position);
      if (excess) this.#literalExcess ??= [path, excess];
    }
  }

  /** The error for an operation with a value that is too large. Undefined if there is none. */
  check(variables: Readonly<Record<string, unknown>>): ValidationError | undefined {
    const located = this.#literalExcess ?? this.#findInVariables(variables);
    if (!located) return undefined;
    const [path, { path: inner, limit, message }] = located;
    return invalidInput([...path, ...inner], 'TOO_LONG', message, limit);
  }

  #findInVariables(variables: Readonly<Record<string, unknown>>): LocatedExcess | undefined {
    if (this.#variables.length === 0) return undefined;
    const check = new SizeCheck();
    check.visited = this.#literals.visited;
    for (const { name, path, position } of this.#variables) {
      const excess = check.find(variables[name], position);
      if (excess) return [path, excess];
    }
    return undefined;
  }
}
