import type { DocumentNode, ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Context } from '../../context.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { listPlannedFields, planCalls } from '../../schema/cost/callPlan.ts';
import { evaluateConditions, resolveConditions } from './conditions.ts';
import type { Plan, Variant } from './plan.ts';
import { SchemaResponses } from './schemaResponses.ts';

let compiler: typeof import('graphql-jit') | undefined;

/** Loads the compiler, which takes longer than loading graphql-js, so it's called once the server listens. Nothing is compiled before. */
export async function loadCompiler(): Promise<void> {
  compiler ??= await import('graphql-jit');
}

export type Execute = (args: ExecutionArgs) => unknown;

/**
 * Maximum number of selections of a query that is compiled, counted once for each type of an interface or union, because code is generated for each. Chosen:
 * compiling blocks the event loop for 0.03 ms per selection. The examples have up to 43.
 */
const MAX_SELECTIONS = 250;
/** Memory of a compiled selection, including its part of the document, in bytes. Measured: 2.5 to 5.8 kB. */
const SELECTION_BYTES = 6_000;
/** Maximum number of compiled queries. Chosen: their functions take memory that the number of selections doesn't account for. */
const MAX_COMPILED = 512;
/** Default memory limit of all compiled queries, in bytes. */
const COMPILED_BYTES = 32 * 1024 * 1024;
/**
 * Maximum number of combinations of conditions that an operation is compiled for. Chosen: clients use a few. Further ones aren't compiled, because compiling them in
 * place of others would take longer than it saves.
 */
const MAX_VARIANTS = 16;

interface Compiled {
  readonly query: CompiledQuery['query'];
  readonly selections: number;
}

/** Whether a response may have a member of this name: compiled code would set the prototype of an object. */
const hasPrototypeName = ({ loc }: DocumentNode) => loc?.source.body.includes('__proto__') === true;

const isCompilable = ({ isQuery, isIncremental, document, size, variableUse }: Plan) =>
  isQuery && !isIncremental && !hasPrototypeName(document) && size.selections <= MAX_SELECTIONS && variableUse.isCompilable;

/**
 * Executes a compiled query. If it encounters an error, graphql-js executes it again, because it determines exactly what becomes null, and the wording. No call
 * is repeated, since the session and the loaders have cached everything that was read.
 */
function runCompiled({ query }: Compiled, args: ExecutionArgs, otherwise: Execute): unknown {
  const { rootValue, contextValue, variableValues } = args;
  const { upstream, responseBudget } = contextValue as Context;
  const repeat = () => {
    responseBudget.restart();
    return otherwise(args);
  };
  // The result isn't sent if the client has disconnected or the response is too large.
  const check = (result: ExecutionResult) => (!result.errors || upstream.isDisconnected || responseBudget.isExceeded ? result : repeat());
  let result: unknown;
  try {
    result = query(rootValue, contextValue, variableValues ?? {});
  } catch {
    return repeat();
  }
  return result instanceof Promise ? result.then(check, repeat) : check(result as ExecutionResult);
}

/** Compiles queries that are executed repeatedly. Mutations aren't compiled: they have few fields, and their effect matters more than their speed. */
export class Executor {
  readonly #after: number;
  readonly #compiled: BoundedCache<Compiled>;
  readonly #schemaResponses = new SchemaResponses();

  /** `after` is the number of executions after which a query is compiled, or 0 to compile none. `maxBytes` limits the memory of all compiled queries. */
  constructor(after: number, maxBytes = COMPILED_BYTES) {
    this.#after = after === 0 ? Number.POSITIVE_INFINITY : after;
    const weightOf = (_id: string, { selections }: Compiled) => selections * SELECTION_BYTES;
    this.#compiled = new BoundedCache({ entries: MAX_COMPILED, weight: { max: maxBytes, weightOf } });
  }

  /** Executes an operation, compiled or by `otherwise`. Responses that contain only the schema are cached. */
  execute(plan: Plan, args: ExecutionArgs, otherwise: Execute): unknown {
    if (plan.isSchemaOnly) return this.#schemaResponses.execute(plan, args, otherwise);
    const compiled = this.#getCompiled(plan, args);
    return compiled ? runCompiled(compiled, args, otherwise) : otherwise(args);
  }

  #getCompiled(plan: Plan, args: ExecutionArgs): Compiled | undefined {
    const variant = this.#getVariant(plan, args.variableValues ?? {});
    if (!variant?.isCompilable) return undefined;
    const known = this.#compiled.get(variant.id);
    if (known) return known;
    variant.executions += 1;
    return variant.executions >= this.#after ? this.#compile(plan, variant, args) : undefined;
  }

  #getVariant(plan: Plan, variables: Readonly<Record<string, unknown>>): Variant | undefined {
    if (plan.variants === undefined) plan.variants = isCompilable(plan) ? new Map() : null;
    const { variants } = plan;
    if (!variants || !plan.variableUse.isExactFor(plan.operation, variables)) return undefined;
    const conditions = evaluateConditions(plan.variableUse.conditions, plan.operation, variables);
    if (!conditions) return undefined;
    const key = Object.values(conditions).join();
    const known = variants.get(key);
    if (known || variants.size >= MAX_VARIANTS) return known;
    const variant = { id: `${plan.id} ${key}`, conditions, executions: 0, isCompilable: true };
    variants.set(key, variant);
    return variant;
  }

  /** Compiles one operation of a document. Null if graphql-jit can't compile it. */
  protected compileQuery(schema: GraphQLSchema, document: DocumentNode, operationName?: string): CompiledQuery | null {
    const compiled = compiler?.compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true });
    return compiled && compiler?.isCompiledQuery(compiled) ? compiled : null;
  }

  #compile({ operation }: Plan, variant: Variant, { schema, document, operationName }: ExecutionArgs): Compiled | undefined {
    if (!compiler) return undefined;
    const root = planCalls(schema, document, operation, variant.conditions);
    const selections = root ? [...listPlannedFields(root).take(MAX_SELECTIONS + 1)].length : 0;
    const compiled =
      selections > MAX_SELECTIONS
        ? null
        : this.compileQuery(schema, resolveConditions(document, variant.conditions), operationName ?? undefined);
    variant.isCompilable = compiled !== null;
    if (!compiled) return undefined;
    const entry = { query: compiled.query, selections };
    this.#compiled.set(variant.id, entry);
    return entry;
  }
}
