import { type DocumentNode, type ExecutionArgs, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import { BoundedCache } from '../../lib/boundedCache.ts';
import { fragmentsOf, weighSelections } from '../../schema/kit/selections.ts';
import { SchemaAnswers } from '../documents/introspection.ts';
import { mayBeInParts } from '../execution/documentOrder.ts';
import { ArgumentUse } from './argumentUse.ts';
import { conditionsIn, type Truths, truthsOf, withoutConditions } from './conditions.ts';

let compiler: typeof import('graphql-jit') | undefined;

/** Loads the compiler, which takes longer than all of GraphQL: once the server listens. Until then nothing is compiled. */
export async function loadCompiler(): Promise<void> {
  compiler ??= await import('graphql-jit');
}

type Execute = (args: ExecutionArgs) => unknown;

/**
 * The most selections of a query that is compiled, with its fragments written out. Ours: nobody else is served meanwhile, and a selection takes 0.03 ms, on
 * interfaces of many types 0.2 ms. The examples have up to 43.
 */
const MAX_SELECTIONS = 250;
/** Memory of a selection of a compiled query, its document included, in bytes. Measured. */
const SELECTION_BYTES = 6_000;
/** Compiled queries. Ours: their functions take memory that no count of selections tells. */
const MAX_COMPILED = 512;
/** Memory that compiled queries may take, where nothing else is said, in bytes. */
const COMPILED_BYTES = 32 * 1024 * 1024;

interface Compiled {
  readonly query: CompiledQuery['query'];
  readonly selections: number;
}

/**
 * Ways of meeting its conditions that an operation is compiled for. Ours: clients have a few. A limit and no cache: to compile a seventeenth in the place of
 * another would take longer than it spares.
 */
const MAX_VARIANTS = 16;

/** Variant of an operation: its conditions are met in a single way. */
interface Variant {
  readonly id: string;
  readonly truths: Truths;
  hits: number;
  mayBeCompiled: boolean;
}

/** A query that may be compiled. */
interface Operation {
  readonly node: OperationDefinitionNode;
  /** How many it has, with its fragments written out. */
  readonly selections: number;
  /** The variables of its @skip and @include: what is compiled mixes those up that meet in one field, so that each way is compiled apart. */
  readonly conditions: readonly string[];
  readonly variants: Map<string, Variant>;
  readonly argumentUse: ArgumentUse;
}

/** Whether an answer may have a member of this name: what is compiled would set the prototype of an object. */
const namesPrototype = ({ loc }: DocumentNode) => loc?.source.body.includes('__proto__') === true;

/** Null for an operation that is not to be compiled. */
function operationIn({ schema, document, operationName }: ExecutionArgs): Operation | null {
  const node = getOperationAST(document, operationName);
  if (node?.operation !== 'query' || mayBeInParts(document) || namesPrototype(document)) return null;
  const selections = weighSelections(node.selectionSet, fragmentsOf(document), () => 1);
  if (selections > MAX_SELECTIONS) return null;
  const argumentUse = new ArgumentUse(schema, document);
  if (!argumentUse.isCompilable) return null;
  return { node, selections, conditions: conditionsIn(document), variants: new Map(), argumentUse };
}

/**
 * Runs a compiled query. Where it meets an error, the usual executor answers instead, which is exact in what becomes null and in its words: all
 * that has been read is remembered by the session and the loaders, so that nothing is asked of the upstream twice.
 */
async function run({ query }: Compiled, args: ExecutionArgs, otherwise: Execute): Promise<unknown> {
  const { rootValue, contextValue, variableValues } = args;
  const context = contextValue as Context;
  try {
    const answer = await query(rootValue, context, variableValues ?? {});
    // Nobody reads what a caller that has left would be told, or more than may be answered.
    if (!answer.errors || context.upstream.isAbandoned || context.answer.isExceeded) return answer;
  } catch {
    // The usual executor meets the error again, and tells it.
  }
  context.answer.restart();
  return otherwise(args);
}

/**
 * Compiles queries that come again and again, each of a document by itself. Changes are not compiled: they have few fields, and what they
 * do matters more than how fast.
 */
export class Executor {
  readonly #after: number;
  readonly #operations = new WeakMap<DocumentNode, Map<string | undefined, Operation | null>>();
  readonly #compiled: BoundedCache<Compiled>;
  readonly #schemaAnswers = new SchemaAnswers();
  #lastId = 0;

  /** `after`: how often a query is executed before it is compiled; 0 compiles none. `maxBytes` bounds the memory of all that are. */
  constructor(after: number, maxBytes = COMPILED_BYTES) {
    this.#after = after === 0 ? Number.POSITIVE_INFINITY : after;
    const weightOf = (_id: string, { selections }: Compiled) => selections * SELECTION_BYTES;
    this.#compiled = new BoundedCache({ entries: MAX_COMPILED, weight: { max: maxBytes, weightOf } });
  }

  /** Executes an operation: as compiled, or by `otherwise`. Answers that tell the schema are cached. */
  execute(args: ExecutionArgs, otherwise: Execute): unknown {
    const known = this.#schemaAnswers.answer(args, otherwise);
    if (known !== undefined) return known;
    const compiled = this.#compiledOf(args);
    return compiled ? run(compiled, args, otherwise) : otherwise(args);
  }

  #compiledOf(args: ExecutionArgs): Compiled | undefined {
    const operation = this.#operationOf(args);
    const variant = operation && this.#variantOf(operation, args.variableValues ?? {});
    if (!operation || !variant?.mayBeCompiled) return undefined;
    const known = this.#compiled.get(variant.id);
    if (known) return known;
    variant.hits += 1;
    return variant.hits >= this.#after ? this.#compile(variant, operation.selections, args) : undefined;
  }

  /** Null for what is not compiled. */
  #operationOf(args: ExecutionArgs): Operation | null {
    const { document } = args;
    const name = args.operationName ?? undefined;
    const operations = this.#operations.get(document) ?? new Map<string | undefined, Operation | null>();
    const known = operations.get(name);
    if (known !== undefined) return known;
    const operation = operationIn(args);
    this.#operations.set(document, operations.set(name, operation));
    return operation;
  }

  #variantOf({ node, conditions, variants, argumentUse }: Operation, variables: Readonly<Record<string, unknown>>): Variant | undefined {
    const truths = truthsOf(conditions, node, variables);
    if (!truths || !argumentUse.isExactFor(node, variables)) return undefined;
    const key = conditions.map((name) => truths[name]).join();
    const known = variants.get(key);
    if (known || variants.size >= MAX_VARIANTS) return known;
    this.#lastId += 1;
    const variant = { id: String(this.#lastId), truths, hits: 0, mayBeCompiled: true };
    variants.set(key, variant);
    return variant;
  }

  /** Compiles one operation of a document. Null when that cannot be done. */
  protected compileQuery(schema: GraphQLSchema, document: DocumentNode, operationName?: string): CompiledQuery | null {
    const made = compiler?.compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true });
    return made && compiler?.isCompiledQuery(made) ? made : null;
  }

  #compile(variant: Variant, selections: number, { schema, document, operationName }: ExecutionArgs): Compiled | undefined {
    if (!compiler) return undefined;
    const made = this.compileQuery(schema, withoutConditions(document, variant.truths), operationName ?? undefined);
    variant.mayBeCompiled = made !== null;
    if (!made) return undefined;
    const compiled = { query: made.query, selections };
    this.#compiled.set(variant.id, compiled);
    return compiled;
  }
}

/** Puts the executor before the one that is there. */
export const useExecutor = (executor: Executor): Plugin => ({
  onExecute({ executeFn, setExecuteFn }) {
    setExecuteFn((args) => executor.execute(args, executeFn as Execute));
  },
});
