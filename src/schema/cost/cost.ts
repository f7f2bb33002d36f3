import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isCompositeType,
  isIntrospectionType,
  type ValueNode,
} from 'graphql';
import { type AnyOperation, isRead } from '../../upstream/contract/operation.ts';
import { countLiteralBytes, listVariableNames } from '../kit/argumentNodes.ts';
import type { GetRowColumns, ListSizes, SearchSelection } from '../kit/costExtensions.ts';
import { getObjectType } from '../kit/edges.ts';
import type { OutputField } from '../kit/fieldAnnotations.ts';
import { decodeGlobalId } from '../kit/globalIds.ts';
import { type DocumentScope, isStreamed, selectsField } from '../kit/lookahead.ts';
import { measureOperation } from '../kit/operationSize.ts';
import { getOperation } from '../kit/operations.ts';
import { type References, summarizeReferences } from '../kit/references.ts';
import { getEntityOfType, type Reference } from '../kit/registry.ts';
import { estimateSpanCalls } from '../paging/timeSpans.ts';
import { MAX_VALUES } from '../search/inputs.ts';
import { type PlannedField, type PlannedFields, type PlannedSelection, planCalls, undefinedIfInvalid } from './callPlan.ts';
import { EXPENSIVE_CALLS, getCostExtensions, isExpensive, isNodeInterface, isReadById } from './fieldCalls.ts';
import { ASSUMED_LIST_SIZE, getAssumedSize, getListSizes, getRequestedRows, isList, isPaged } from './listSizes.ts';
import { type GetCoveringLists, ProbeCounter } from './probes.ts';
import {
  addSizes,
  getIntrospectionListSize,
  getLarger,
  markAsSchema,
  NOTHING,
  type ResponseSize,
  multiplySize as repeated,
  sizeLaterParts,
  sizeLeaves,
  sizeObjects,
} from './responseSize.ts';

/** Maximum number of selections with fragments expanded, because counting nested spreads could take hours. Chosen: the maximum number of tokens. */
const MAX_SELECTIONS = 10_000;

/** Returns the list that contains all records of a field's type, if the field refers to one of them by ID and the list is read as a whole. */
function getCompleteList(field: OutputField): AnyOperation | undefined {
  const { operation } = getEntityOfType(getNamedType(field.type)) ?? {};
  return operation?.page?.kind === 'WHOLE' && (getOperation(field) ?? operation) === operation ? operation : undefined;
}

/** Thrown when the count exceeds the limit, to stop counting a document that is rejected anyway. */
class LimitExceededError extends Error {}

/** Converts an ID to a reference, with the name of its type in the schema. Without the type, the ID must be global. */
function createReference(id: unknown, type: unknown, schema: GraphQLSchema): Reference {
  const { typename } = typeof type === 'string' ? { typename: type } : (typeof id === 'string' && decodeGlobalId(id)) || {};
  return { __typename: typename && (getObjectType({ schema }, typename)?.name ?? typename), id };
}

/** Whether a field returns the schema: introspection, or the SDL for composition. */
const returnsSchema = ({ type }: OutputField) => isIntrospectionType(getNamedType(type)) || getNamedType(type).name === '_Service';

/** What the cost depends on, and may differ from the contract. */
export interface CostFactors {
  /** Returns the maximum number of rows per call of a list. 0 if a single call returns all rows. */
  readonly getRowsPerCall: (operation: AnyOperation) => number;
  readonly getRowColumns: GetRowColumns;
  readonly getCoveringLists: GetCoveringLists;
}

const CONTRACT_FACTORS: CostFactors = {
  getRowsPerCall: ({ page }) => page?.maxSize ?? 0,
  getRowColumns: ({ columns }) => columns,
  getCoveringLists: (operation) => operation,
};

/** The scope of an operation whose variables are known. */
type ExecutedScope = DocumentScope & { readonly variableValues: object };

class CostCounter {
  readonly #scope: ExecutedScope;
  readonly #limit: number;
  readonly #factors: CostFactors;
  readonly #probes: ProbeCounter;
  /** References by type and argument value, because many fields can use the same variable. */
  readonly #references = new Map<unknown, Map<unknown, References>>();
  readonly #countedSharedCalls = new Set<AnyOperation>();
  /** Number of objects whose lists are counted, by what identifies the query. */
  readonly #counted = new Map<string, number>();
  /** Number of calls that search for what the current mutation may have created. */
  #candidateCalls = 0;
  /** Upstream calls. */
  total = 0;
  /** Bytes of literal lists and objects in arguments, counted for each field that receives them. */
  literalBytes = 0;
  /** Number of fields that receive each variable in an argument. */
  readonly variableUses = new Map<string, number>();
  expensiveReads = 0;
  writes = 0;

  constructor(scope: ExecutedScope, limit: number, factors: CostFactors) {
    this.#scope = scope;
    this.#limit = limit;
    this.#factors = factors;
    this.#probes = new ProbeCounter(factors.getCoveringLists);
  }

  #add(cost: number): void {
    this.total += cost;
    if (this.total > this.#limit) throw new LimitExceededError();
  }

  /** Adds calls of one of these operations for a field, which pages of lists may replace. */
  #addReplaceable({ parent }: PlannedField, calls: number, operations: readonly (AnyOperation | undefined)[]): void {
    this.#add(calls);
    const isRoot = parent === this.#scope.schema.getQueryType();
    for (const operation of operations) if (operation) this.#probes.add(operation, calls, isRoot);
  }

  /** Calls in addition to `total` that can find out whether pages of a list save calls. */
  get probeCalls(): number {
    return this.#probes.total;
  }

  /**
   * Adds the calls of the fields that are selected for `times` objects, and returns the size of the fields. Adds the calls of all possible types, and returns the
   * largest size. `sizes`: the lengths of lists in each object, as far as they are known.
   */
  addSelection(selection: PlannedSelection, times: number, sizes: ListSizes = {}, types = selection.listTypes()): ResponseSize {
    if (times === 0) return NOTHING;
    return types.map((type) => this.#addFields(selection.select(type), times, sizes)).reduce(getLarger, NOTHING);
  }

  #addFields({ fields, deferred }: PlannedFields, times: number, sizes: ListSizes): ResponseSize {
    return fields.map((field) => this.#addField(field, times, sizes)).reduce(addSizes, sizeLaterParts(times * deferred));
  }

  #addField(planned: PlannedField, times: number, sizes: ListSizes): ResponseSize {
    const { parent, field, nodes, target } = planned;
    const [node] = nodes;
    const args = undefinedIfInvalid(() => getArgumentValues(field, node, this.#scope.variableValues));
    if (!args) return NOTHING;
    for (const { value } of node.arguments ?? []) this.#addArgument(value, times);
    const { countReads, candidateCalls, identifyCount, analyzeSearch } = getCostExtensions(field);
    if (candidateCalls !== undefined) this.#candidateCalls = candidateCalls;
    const { reads = 0, expensiveReads = 0 } = countReads?.(args) ?? {};
    this.expensiveReads += times * expensiveReads;
    this.#add(times * (reads + expensiveReads * EXPENSIVE_CALLS));
    const references = countReads ? undefined : this.#getReferences(args, target);
    if (references) return repeated(this.#addReferences(planned, references.distinct, times), references.repeats);
    const listSize = sizes[field.name];
    const search = undefinedIfInvalid(() => analyzeSearch?.(nodes, target as GraphQLObjectType, this.#factors.getRowColumns, this.#scope));
    if (search) this.#addSearch(search, times, args);
    else this.#addCalls(planned, times * this.#countCallsPerObject(parent, field, args, listSize));
    const count = identifyCount?.(args);
    if (count && undefinedIfInvalid(() => selectsField(nodes, target as GraphQLObjectType, 'totalCount', this.#scope)))
      this.#addCounts(`${parent.name}.${field.name} ${count}`, times);
    const size = this.#estimateSize(planned, args, times, listSize);
    return returnsSchema(field) ? markAsSchema(size) : size;
  }

  #addArgument(value: ValueNode, times: number): void {
    this.literalBytes += times * countLiteralBytes(value);
    for (const name of listVariableNames(value)) this.variableUses.set(name, (this.variableUses.get(name) ?? 0) + times);
  }

  #estimateSize(planned: PlannedField, args: Readonly<Record<string, unknown>>, times: number, listSize: number | undefined): ResponseSize {
    const { parent, field, nodes, target } = planned;
    const isStreamedList = isList(field) && undefinedIfInvalid(() => nodes.some((node) => isStreamed(node, this.#scope)));
    const addParts = (size: ResponseSize, count: number) => (isStreamedList ? addSizes(size, sizeLaterParts(count)) : size);
    if (!isCompositeType(target)) {
      const count = isList(field) ? times * ASSUMED_LIST_SIZE : times;
      return addParts(sizeLeaves(field, count), count);
    }
    const assumed = getIntrospectionListSize(this.#scope.schema, parent, field.name) ?? getAssumedSize(parent, field) ?? 1;
    const count = isPaged(field) ? times : times * (listSize ?? assumed);
    return addParts(addSizes(sizeObjects(count), this.addSelection(planned, count, getListSizes(field, args))), count);
  }

  /** Number of calls per object: several for records that are read by the IDs in a list, and for a page if the upstream's pages are smaller. */
  #countCallsPerObject(parent: GraphQLObjectType, field: OutputField, args: Readonly<Record<string, unknown>>, size?: number): number {
    const { readsMissingRows, readsCandidates, isReadByItem } = getCostExtensions(field);
    if (readsMissingRows) return getRequestedRows(args);
    if (readsCandidates) return this.#candidateCalls;
    const isReadByIds = 'record' in parent.extensions && isList(field) && isReadById(getNamedType(field.type));
    if (isReadByItem || isReadByIds) return size ?? getAssumedSize(parent, field) ?? 1;
    const operation = isPaged(field) ? getOperation(field) : undefined;
    if (operation?.page?.kind === 'WINDOW')
      return estimateSpanCalls(getRequestedRows(args), this.#factors.getRowsPerCall(operation), typeof args.last === 'number');
    const perCall = operation?.page?.kind === 'PAGE' ? this.#factors.getRowsPerCall(operation) : 0;
    return perCall === 0 ? 1 : Math.max(1, Math.ceil((getCostExtensions(field).countRows?.(args) ?? getRequestedRows(args)) / perCall));
  }

  /** Adds the queries that count the lists of `times` more objects. */
  #addCounts(count: string, times: number): void {
    const counted = this.#counted.get(count) ?? 0;
    this.#counted.set(count, counted + times);
    this.#addQueries(Math.ceil((counted + times) / MAX_VALUES) - Math.ceil(counted / MAX_VALUES));
  }

  #addQueries(queries: number): void {
    this.expensiveReads += queries;
    this.#add(queries * EXPENSIVE_CALLS);
  }

  /** Adds a query for the page and one for the counts, the records that the index doesn't cover, and the call that finds customers by `query`. */
  #addSearch({ hasPage, hasCounts, uncovered }: SearchSelection, times: number, args: Readonly<Record<string, unknown>>): void {
    this.#addQueries(times * (Number(hasPage) + Number(hasCounts)));
    if (hasPage && uncovered.length > 0 && args.indexOnly !== true) this.#add(times * getRequestedRows(args));
    if ((hasPage || hasCounts) && typeof args.query === 'string') this.#add(times);
  }

  #addCalls(planned: PlannedField, times: number): void {
    const { field, weight } = planned;
    if (weight === 0) return;
    const operation = getOperation(field);
    const { sharedCall, readsMissingRows } = getCostExtensions(field);
    const list = sharedCall ?? getCompleteList(field);
    if (isExpensive(operation)) this.expensiveReads += times;
    // After a write, everything is read again.
    if (operation && !isRead(operation)) {
      this.#countedSharedCalls.clear();
      this.#counted.clear();
      this.writes += times;
    }
    if (!list || readsMissingRows) this.#addReplaceable(planned, times * weight, operation ? [operation] : planned.listGets());
    if (list && !this.#countedSharedCalls.has(list)) {
      this.#add(weight);
      this.#countedSharedCalls.add(list);
    }
  }

  /** Returns the references in the arguments of `_entities`, `nodes` or `node`. Undefined for any other field. */
  #getReferences(
    { representations, ids, id, nodeType }: Readonly<Record<string, unknown>>,
    target: GraphQLNamedType,
  ): References | undefined {
    const toReference = (each: unknown) => createReference(each, nodeType, this.#scope.schema);
    if (typeof id === 'string' && isNodeInterface(target)) return { distinct: [toReference(id)], repeats: 1 };
    const keys: unknown = representations ?? ids;
    if (!Array.isArray(keys)) return undefined;
    const sameType = this.#references.get(nodeType) ?? new Map<unknown, References>();
    this.#references.set(nodeType, sameType);
    const known = sameType.get(keys) ?? summarizeReferences(keys === ids ? keys.map(toReference) : keys);
    sameType.set(keys, known);
    return known;
  }

  /** Adds `node(id:)`, `nodes(ids:)` or `_entities(representations:)`, by the type of each reference. */
  #addReferences(planned: PlannedField, references: readonly Reference[], times: number): ResponseSize {
    let size = NOTHING;
    for (const [name, group] of Map.groupBy(references, (reference) => reference.__typename)) {
      const type = typeof name === 'string' ? this.#scope.schema.getType(name) : planned.target;
      if (!isCompositeType(type)) continue;
      const types = planned.listTypes(type);
      const need = planned.getNeed(types);
      const count = times * group.length;
      // `node` with keys only must check that the object exists. References are assumed to exist.
      if (need === 'record' || (need === 'keys' && isNodeInterface(planned.target)))
        this.#addReplaceable(
          planned,
          count,
          types.map((each) => getEntityOfType(each)?.operation),
        );
      size = [size, sizeObjects(count), this.addSelection(planned, count, {}, types)].reduce(addSizes);
    }
    return size;
  }
}

/** Cost of an operation. */
export interface Cost {
  /** Upstream calls. */
  readonly calls: number;
  /** Calls in addition that can find out whether pages of a list save calls. They are only sent if the other calls still fit the limits of the request. */
  readonly probeCalls: number;
  readonly response: ResponseSize;
  /** Bytes of literal lists and objects in arguments, counted for each expected field execution. */
  readonly literalBytes: number;
  /** Expected number of field executions that receive each variable in an argument. */
  readonly variableUses: ReadonlyMap<string, number>;
  readonly expensiveReads: number;
  readonly writes: number;
  /** Whether a variable has an invalid value, so that nothing is executed. */
  readonly hasInvalidVariables?: true;
}

const FREE: Cost = { calls: 0, probeCalls: 0, response: NOTHING, literalBytes: 0, variableUses: new Map(), expensiveReads: 0, writes: 0 };
const INVALID_VARIABLES: Cost = { ...FREE, hasInvalidVariables: true };

/**
 * The cost of the operation to execute: its upstream calls if every record is distinct. Not counted are the second call of a window that spans two upstream pages, searches
 * for rows that moved, list items beyond the assumed size, records read by ID because rows of an index differ, pages of covering lists that have changed, retries, and reads that explain a failure or compare a
 * currency. Null if the calls exceed the limit or can't be counted. A field with invalid arguments costs nothing: graphql-js fails it, and no compiled query is used.
 */
export function computeCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
  limit: number,
  factors: CostFactors = CONTRACT_FACTORS,
): Cost | null {
  const operation = getOperationAST(document, operationName);
  if (!operation) return FREE;
  // Stops at the first error, because a list may have a hundred thousand.
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 0 });
  if (!coerced) return INVALID_VARIABLES;
  const plan = planCalls(schema, document, operation, coerced);
  if (!plan) return FREE;
  const { fragments } = plan.scope;
  if (measureOperation(operation, fragments).selections > MAX_SELECTIONS) return null;
  const count = new CostCounter({ schema, fragments, variableValues: coerced }, limit, factors);
  try {
    const response = count.addSelection(plan, 1);
    const { total, probeCalls, literalBytes, variableUses, expensiveReads, writes } = count;
    return { calls: total, probeCalls, response, literalBytes, variableUses, expensiveReads, writes };
  } catch (error) {
    if (error instanceof LimitExceededError) return null;
    throw error;
  }
}
