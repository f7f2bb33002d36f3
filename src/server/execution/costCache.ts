import { Kind, type OperationDefinitionNode, type TypeNode, type VariableDefinitionNode } from 'graphql';
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
  readonly #definitions: readonly VariableDefinitionNode[];
  readonly #priced: ReadonlySet<string>;
  readonly #costs = new BoundedCache<{ readonly cost: Cost | null }>({ entries: MAX_ENTRIES });

  /** `priced` names the variables whose strings and booleans can change the cost. */
  constructor({ variableDefinitions = [] }: OperationDefinitionNode, priced: ReadonlySet<string>) {
    this.#definitions = variableDefinitions;
    this.#priced = priced;
  }

  /** Cache key, equal for variables that cost the same. Null if it would be too long. */
  #createKey(variables: Variables): string | null {
    let key = '';
    for (const { variable, type } of this.#definitions) {
      const name = variable.name.value;
      const value = variables[name];
      // Null where a value is required makes the field fail, which then costs nothing.
      if (value === undefined) key += 'absent ';
      else if (value === null) key += 'null ';
      else if (!this.#priced.has(name) && isKnownValid(type, value)) key += 'given ';
      else if (typeof value === 'object') return null;
      else key += `${JSON.stringify(value)} `;
      if (key.length > MAX_KEY) return null;
    }
    return key;
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
