import type { ExecutionArgs, ExecutionResult } from 'graphql';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { countJsonBytes } from '../../schema/kit/jsonValues.ts';
import type { Plan } from './plan.ts';

/** Maximum length of the JSON of variables in a cache key, in characters. Chosen: a type name, and some conditions. */
const MAX_VARIABLES = 1_000;

interface Cached {
  readonly result: ExecutionResult;
  readonly bytes: number;
}

/** Chosen: the JSON bytes of some dozen complete schemas. */
const LIMITS = { entries: 256, weight: { max: 8 * 1024 * 1024, weightOf: (_key: string, { bytes }: Cached) => bytes } };

/** Cache key. Null if it would be too long. */
function createCacheKey({ document, operation }: Plan, { operationName, variableValues }: ExecutionArgs): string | null {
  const source = document.loc?.source.body;
  if (source === undefined) return null;
  const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const variables = JSON.stringify(Object.fromEntries(names.map((name) => [name, variableValues?.[name]])));
  return variables.length > MAX_VARIABLES ? null : JSON.stringify([operationName ?? null, variables, source]);
}

/** Cache of responses that contain only the schema: they never change while the process runs, and each takes as long as thousands of fields. */
export class SchemaResponses {
  readonly #cache = new BoundedCache<Cached>(LIMITS);

  /** The result of an operation that only reads the schema, from the cache or by `execute`. */
  execute(plan: Plan, args: ExecutionArgs, execute: (args: ExecutionArgs) => unknown): unknown {
    const key = createCacheKey(plan, args);
    if (key === null) return execute(args);
    const cached = this.#cache.get(key);
    if (cached) return cached.result;
    const result = execute(args);
    const store = (executed: ExecutionResult) => {
      if (!executed.errors) this.#cache.set(key, { result: executed, bytes: key.length + countJsonBytes(executed.data) });
      return executed;
    };
    return result instanceof Promise ? result.then(store) : store(result as ExecutionResult);
  }
}
