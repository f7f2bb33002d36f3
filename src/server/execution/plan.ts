import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import { BoundedCache } from '../../lib/boundedCache.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type PlannedSelection, planCalls } from '../../schema/cost/callPlan.ts';
import type { Cost } from '../../schema/cost/cost.ts';
import { measureOperation, type OperationSize, SCHEMA_FIELDS } from '../../schema/kit/operationSize.ts';
import { collectFragments } from '../../schema/kit/selections.ts';
import type { FixedConditions } from './conditions.ts';
import type { DocumentNames } from './documentNames.ts';
import { ValueLimits } from './valueLimits.ts';
import { VariableUse } from './variableUse.ts';

/** Maximum number of costs that are cached, of all operations. Chosen: clients use a few page sizes, and each takes 1 kB. */
const MAX_COSTS = 8_192;
/** Maximum length of a cache key, in characters. Chosen: computing the cost takes no longer than looking up a longer key. */
const MAX_KEY = 200;

/** Whether a value is known to be valid for a type without coercing it: a string for `ID`, for example. */
function isKnownValid(declared: TypeNode, value: unknown): boolean {
  const type = declared.kind === Kind.NON_NULL_TYPE ? declared.type : declared;
  if (type.kind !== Kind.NAMED_TYPE) return false;
  const { value: name } = type.name;
  return name === 'Boolean' ? typeof value === 'boolean' : (name === 'ID' || name === 'String') && typeof value === 'string';
}

/** Costs of the operations of a schema, which share the limit: a document can have many operations, and each many costs. */
type Costs = BoundedCache<{ readonly cost: Cost | null }>;

/** Costs of an operation, by the values of its variables that affect them. Most operations are repeated with variables that cost the same. */
export class CostCache {
  readonly #schema: GraphQLSchema;
  readonly #definitions: readonly VariableDefinitionNode[];
  readonly #priced: ReadonlySet<string>;
  /** Start of the cache keys. */
  readonly #prefix: string;
  readonly #costs: Costs;

  /** `priced` names the variables whose strings and booleans can change the cost. `id` identifies the operation in `costs`. */
  constructor(
    schema: GraphQLSchema,
    { variableDefinitions = [] }: OperationDefinitionNode,
    priced: ReadonlySet<string>,
    id: number,
    costs: Costs,
  ) {
    this.#schema = schema;
    this.#definitions = variableDefinitions;
    this.#priced = priced;
    this.#prefix = `${id} `;
    this.#costs = costs;
  }

  /** Cache key, equal for variables that cost the same. Null if it would be too long, or if a list or an object decides the cost. */
  #createKey(variables: JsonObject): string | null {
    let key = this.#prefix;
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
  get(variables: JsonObject, compute: () => Cost | null): Cost | null {
    const key = this.#createKey(variables);
    if (key === null) return compute();
    const known = this.#costs.get(key);
    if (known !== undefined) return known.cost;
    const cost = compute();
    this.#costs.set(key, { cost });
    return cost;
  }
}

/** Names of the root fields of an operation, for all values of its variables. */
const listRootFields = (root: PlannedSelection | undefined): readonly string[] =>
  root?.listTypes().flatMap((type) => root.select(type).fields.map(({ field }) => field.name)) ?? [];

const isPartOfSchema = (name: string) => SCHEMA_FIELDS.has(name) || name === '__typename';

/** An operation with fixed values for the variables of its @skip and @include. */
export interface Variant {
  readonly id: string;
  readonly conditions: FixedConditions;
  executions: number;
  isCompilable: boolean;
}

let lastId = 0;

/** What the plans of a document, or of a schema, share. */
interface PlanParts {
  readonly names: DocumentNames;
  /** That of the whole document. */
  readonly variableUse: VariableUse;
  readonly costs: Costs;
}

/** What is known about an operation of a valid document before it has variables, and what is learned when it's executed. */
export class Plan {
  /** Unique in this process. */
  readonly id: number;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly size: Readonly<OperationSize>;
  readonly variableUse: VariableUse;
  /** Whether its result may be incremental: it has @defer or @stream, which aren't applied to the schema. */
  readonly isIncremental: boolean;
  /** Whether it only reads the schema, so that its response is the same for all clients. */
  readonly isSchemaOnly: boolean;
  /** Names of its root fields, for all values of its variables. */
  readonly rootFields: ReadonlySet<string>;
  /** Whether it fails for clients without an API key, whatever its variables are. */
  readonly requiresKey: boolean;
  readonly valueLimits: ValueLimits;
  readonly costs: CostCache;
  /** ID of the trusted document, for metrics. Null for all others. */
  readonly documentId: string | null;
  /** Largest share of its predicted calls that it has sent recently. Undefined before it was executed. */
  callShare: number | undefined;
  /** Variants that are or may be compiled, by their conditions. Null if it can't be compiled. Undefined before it was executed. */
  variants: Map<string, Variant> | null | undefined;
  readonly #names: DocumentNames;
  #documentName: string | undefined;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, { names, variableUse, costs }: PlanParts) {
    lastId += 1;
    this.id = lastId;
    this.document = document;
    this.operation = operation;
    this.size = measureOperation(operation, collectFragments(document));
    this.rootFields = new Set(listRootFields(planCalls(schema, document, operation, null)));
    this.requiresKey = !this.rootFields.values().every(isPartOfSchema);
    this.variableUse = variableUse;
    this.valueLimits = new ValueLimits(operation, this.variableUse.literals, this.variableUse.inputs);
    this.isSchemaOnly = !this.requiresKey && this.size.schemaFields > 0;
    this.isIncremental = this.size.incrementalDirectives > 0 && !this.isSchemaOnly;
    this.costs = new CostCache(schema, operation, this.variableUse.priced, this.id, costs);
    this.documentId = names.getTrustedId(document);
    this.#names = names;
  }

  get isQuery(): boolean {
    return this.operation.operation === 'query';
  }

  get isMutation(): boolean {
    return this.operation.operation === 'mutation';
  }

  /** ID of the trusted document, or hash of any other, for logs and spans. */
  get documentName(): string {
    this.#documentName ??= this.#names.getName(this.document);
    return this.#documentName;
  }
}

/** The plans of a document, by the names that requests send. */
interface DocumentPlans {
  readonly byName: Map<string | undefined, Plan>;
  readonly variableUse: VariableUse;
}

/** The plans of one schema. Each is built when its operation is first executed, and cached as long as its document. */
export class OperationPlans {
  readonly #names: DocumentNames;
  readonly #plans = new WeakMap<DocumentNode, DocumentPlans>();
  readonly #costs: Costs = new BoundedCache({ entries: MAX_COSTS });

  constructor(names: DocumentNames) {
    this.#names = names;
  }

  /** The plan of an operation. Null if the document doesn't contain it. The document must be valid. */
  getPlan({ schema, document, operationName }: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName'>): Plan | null {
    const name = operationName ?? undefined;
    const known = this.#plans.get(document)?.byName.get(name);
    if (known) return known;
    const operation = getOperationAST(document, name);
    if (!operation) return null;
    const { byName, variableUse } = this.#getPlans(schema, document);
    // The only operation can be requested with and without its name.
    const ownName = operation.name?.value;
    const plan = byName.get(ownName) ?? new Plan(schema, document, operation, { names: this.#names, variableUse, costs: this.#costs });
    byName.set(ownName, plan).set(name, plan);
    return plan;
  }

  #getPlans(schema: GraphQLSchema, document: DocumentNode): DocumentPlans {
    const known = this.#plans.get(document);
    if (known) return known;
    const plans = { byName: new Map<string | undefined, Plan>(), variableUse: new VariableUse(schema, document) };
    this.#plans.set(document, plans);
    return plans;
  }

  /** Whether an operation of this document has been executed, which only valid ones are. */
  has(document: DocumentNode): boolean {
    return this.#plans.has(document);
  }
}
