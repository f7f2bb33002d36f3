import {
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { Cost } from '../../schema/cost/cost.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Maximum number of costs that are cached for an operation. Chosen: clients use a few page sizes. */
const MAX_ENTRIES = 64;
/** Maximum length of a cache key, in characters. Chosen: computing the cost takes no longer than looking up a longer key. */
const MAX_KEY = 200;

/** Whether a value is known to be valid for a type without coercing it: a string for `ID`, for example. */
function isKnownValid(declared: TypeNode, value: unknown): boolean {
  const type = declared.kind === Kind.NON_NULL_TYPE ? declared.type : declared;
  if (type.kind !== Kind.NAMED_TYPE) return false;
  const { value: name } = type.name;
  return name === 'Boolean' ? typeof value === 'boolean' : (name === 'ID' || name === 'String') && typeof value === 'string';
}

/** Costs of an operation, by the values of its variables that affect them. Most operations are repeated with variables that cost the same. */
export class CostCache {
  readonly #schema: GraphQLSchema;
  readonly #definitions: readonly VariableDefinitionNode[];
  readonly #priced: ReadonlySet<string>;
  readonly #costs = new BoundedCache<{ readonly cost: Cost | null }>({ entries: MAX_ENTRIES });

  /** `priced` names the variables whose strings and booleans can change the cost. */
  constructor(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode, priced: ReadonlySet<string>) {
    this.#schema = schema;
    this.#definitions = variableDefinitions;
    this.#priced = priced;
  }

  /** Cache key, equal for variables that cost the same. Null if it would be too long, or if a list or an object decides the cost. */
  #createKey(variables: Variables): string | null {
    let key = '';
    for (const definition of this.#definitions) {
      const { variable, type } = definition;
      const name = variable.name.value;
      const value = variables[name];
      // Null where a value is required makes the field fail, which then costs nothing.
      if (value === undefined) key += 'absent ';
      else if (value === null) key += 'null ';
      else if (!this.#priced.has(name) && isKnownValid(type, value)) key += 'given ';
      else if (typeof value !== 'object') key += `${JSON.stringify(value)} `;
      else if (this.#priced.has(name)) return null;
      else key += this.#isValid(definition, value) ? 'valid ' : 'invalid ';
      if (key.length > MAX_KEY) return null;
    }
    return key;
  }

  /** Whether a list or an object is valid. Its cost then only depends on its size, which is measured separately. */
  #isValid(definition: VariableDefinitionNode, value: object): boolean {
    // Stops at the first error, because a list may have a hundred thousand.
    return (
      getVariableValues(this.#schema, [definition], { [definition.variable.name.value]: value }, { maxErrors: 0 }).coerced !== undefined
    );
  }

  /** The cost for these variables, from the cache or by `compute`. */
  get(variables: Variables, compute: () => Cost | null): Cost | null {
    const key = this.#createKey(variables);
    if (key === null) return compute();
    const known = this.#costs.get(key);
    if (known !== undefined) return known.cost;
    const cost = compute();
    this.#costs.set(key, { cost });
    return cost;
  }
}
