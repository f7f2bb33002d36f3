import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { type AnyOperation, isRead } from '../../upstream/contract/operation.ts';
import { countLiteralBytes, listVariableNames } from '../kit/argumentNodes.ts';
import type { CostExtensions, GetRowColumns, ListSizes, SearchSelection } from '../kit/costExtensions.ts';
import { getObjectType } from '../kit/edges.ts';
import type { OutputField } from '../kit/fieldAnnotations.ts';
import { decodeGlobalId } from '../kit/globalIds.ts';
import { collectFields, createTraversal, type DocumentScope, getSelectionNeed, isStreamed, selectsField } from '../kit/lookahead.ts';
import { getOperation } from '../kit/operations.ts';
import { type References, summarizeReferences } from '../kit/references.ts';
import { getEntityOfType, type Reference } from '../kit/registry.ts';
import { collectFragments, weighSelections } from '../kit/selections.ts';
import { estimateSpanCalls } from '../kit/timeWindow.ts';
import { MAX_VALUES } from '../search/inputs.ts';
import { ASSUMED_LIST_SIZE, getAssumedSize, getListSizes, getRequestedRows, isList, isPaged } from './listSizes.ts';
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

/** Cost of an expensive read in calls. Chosen: one takes as long as a dozen other reads. */
const EXPENSIVE_CALLS = 10;

const isExpensive = (operation: AnyOperation | undefined) => operation?.effect === 'EXPENSIVE_READ';

const getCostExtensions = ({ extensions }: OutputField): CostExtensions => extensions;

const hasLoadedRecords = ({ extensions }: GraphQLNamedType) => extensions.holdsRecords === true;

/** Returns the list that contains all records of a field's type, if the field refers to one of them by ID and the list is read as a whole. */
function getCompleteList(field: OutputField): AnyOperation | undefined {
  const { operation } = getEntityOfType(getNamedType(field.type)) ?? {};
  return operation?.page?.kind === 'WHOLE' && (getOperation(field) ?? operation) === operation ? operation : undefined;
}

const isNodeInterface = (type: GraphQLNamedType) => isInterfaceType(type) && type.name === 'Node';

const isEntity = (type: GraphQLNamedType) => getEntityOfType(type) !== undefined;

/** Whether records of a type are read by ID, with one call each: an entity, a union of entities, or `Node`. */
const isReadById = (type: GraphQLNamedType) =>
  isEntity(type) || isNodeInterface(type) || (isUnionType(type) && type.getTypes().every(isEntity));

/**
 * The cost of a field in upstream calls if nothing is cached, without the fields below it. A record by ID is one call. So is a page of any size, unless the
 * upstream's pages are smaller. An expensive read counts as several. The cost limit and the `@cost` directives use this function.
 */
export function getFieldWeight(parent: GraphQLNamedType, field: OutputField): number {
  const { calls, reads, sharedCall, isFetchedById, compares, readsCandidates } = getCostExtensions(field);
  const operation = getOperation(field);
  if (isExpensive(operation)) return EXPENSIVE_CALLS;
  if (operation || calls || reads || sharedCall || readsCandidates) return compares ? 2 : 1;
  return (isFetchedById || !hasLoadedRecords(parent)) && isReadById(getNamedType(field.type)) ? 1 : 0;
}

/** Thrown when the count exceeds the limit, to stop counting a document that is rejected anyway. */
class LimitExceededError extends Error {}

/** Converts an ID to a reference, with the name of its type in the schema. Without the type, the ID must be global. */
function createReference(id: unknown, type: unknown, schema: GraphQLSchema): Reference {
  const { typename } = typeof type === 'string' ? { typename: type } : (typeof id === 'string' && decodeGlobalId(id)) || {};
  return { __typename: typename && (getObjectType({ schema }, typename)?.name ?? typename), id };
}

/** Returns the result of a function. Undefined if an argument or a condition has an invalid value, so that its field fails. */
function undefinedIfInvalid<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Returns a meta-field: `__typename` of any type, or `__schema` and `__type` of the query root. */
function getMetaField(parent: GraphQLObjectType, name: string, schema: GraphQLSchema): OutputField | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const isRoot = parent === schema.getQueryType();
  return isRoot ? [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name) : undefined;
}

/** Whether a field returns the schema: introspection, or the SDL for composition. */
const returnsSchema = ({ type }: OutputField) => isIntrospectionType(getNamedType(type)) || getNamedType(type).name === '_Service';

/** What the cost depends on, and may differ from the contract. */
export interface CostFactors {
  /** Returns the maximum number of rows per call of a list. 0 if a single call returns all rows. */
  readonly getRowsPerCall: (operation: AnyOperation) => number;
  readonly getRowColumns: GetRowColumns;
}

const CONTRACT_FACTORS: CostFactors = {
  getRowsPerCall: ({ page }) => page?.maxSize ?? 0,
  getRowColumns: ({ columns }) => columns,
};

class CostCounter {
  readonly #scope: DocumentScope;
  readonly #limit: number;
  readonly #factors: CostFactors;
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

  constructor(scope: DocumentScope, limit: number, factors: CostFactors) {
    this.#scope = scope;
    this.#limit = limit;
    this.#factors = factors;
  }

  #add(cost: number): void {
    this.total += cost;
    if (this.total > this.#limit) throw new LimitExceededError();
  }

  /**
   * Adds the calls of the fields for `times` objects of a type, and returns the size of the fields. For an abstract type, adds the calls of all its possible
   * types, and returns the largest size. `sizes`: the lengths of lists in each object, as far as they are known.
   */
  addSelection(parent: GraphQLCompositeType, fieldNodes: readonly FieldNode[], times: number, sizes: ListSizes = {}): ResponseSize {
    if (times === 0) return NOTHING;
    const types = isAbstractType(parent) ? this.#scope.schema.getPossibleTypes(parent) : [parent];
    return types.map((type) => (isObjectType(type) ? this.#addFields(type, fieldNodes, times, sizes) : NOTHING)).reduce(getLarger, NOTHING);
  }

  #addFields(type: GraphQLObjectType, fieldNodes: readonly FieldNode[], times: number, sizes: ListSizes): ResponseSize {
    // One traversal for all nodes, as in execution. Otherwise fragments would count twice where fields merge.
    const traversal = createTraversal();
    const all = undefinedIfInvalid(() =>
      fieldNodes.flatMap(({ selectionSet }) => (selectionSet ? [...collectFields(selectionSet, type, this.#scope, traversal)] : [])),
    );
    // Fields with the same response name are merged, as in execution, so that nothing counts twice.
    const byName = Map.groupBy(all ?? [], ({ alias, name }) => (alias ?? name).value);
    return [...byName.values()]
      .map((nodes) => this.#addField(type, nodes, times, sizes))
      .reduce(addSizes, sizeLaterParts(times * traversal.deferred));
  }

  #addField(parent: GraphQLObjectType, nodes: readonly FieldNode[], times: number, sizes: ListSizes): ResponseSize {
    const [node] = nodes;
    const name = node?.name.value ?? '';
    const field = parent.getFields()[name] ?? getMetaField(parent, name, this.#scope.schema);
    const args = field && node && undefinedIfInvalid(() => getArgumentValues(field, node, this.#scope.variableValues));
    if (!args) return NOTHING;
    for (const { value } of node.arguments ?? []) this.#addArgument(value, times);
    const { countReads, candidateCalls, identifyCount, analyzeSearch } = getCostExtensions(field);
    if (candidateCalls !== undefined) this.#candidateCalls = candidateCalls;
    const { reads = 0, expensiveReads = 0 } = countReads?.(args) ?? {};
    this.expensiveReads += times * expensiveReads;
    this.#add(times * (reads + expensiveReads * EXPENSIVE_CALLS));
    const target = getNamedType(field.type);
    const references = countReads ? undefined : this.#getReferences(args, target);
    if (references) return repeated(this.#addReferences(target, nodes, references.distinct, times), references.repeats);
    const search = undefinedIfInvalid(() => analyzeSearch?.(nodes, target as GraphQLObjectType, this.#factors.getRowColumns, this.#scope));
    if (search) this.#addSearch(search, times, args);
    else this.#addCalls(parent, field, nodes, times * this.#countCallsPerObject(parent, field, args, sizes[name]));
    const count = identifyCount?.(args);
    if (count && undefinedIfInvalid(() => selectsField(nodes, target as GraphQLObjectType, 'totalCount', this.#scope)))
      this.#addCounts(`${parent.name}.${name} ${count}`, times);
    const size = this.#estimateSize(parent, field, args, nodes, times, sizes[name]);
    return returnsSchema(field) ? markAsSchema(size) : size;
  }

  #addArgument(value: ValueNode, times: number): void {
    this.literalBytes += times * countLiteralBytes(value);
    for (const name of listVariableNames(value)) this.variableUses.set(name, (this.variableUses.get(name) ?? 0) + times);
  }

  #estimateSize(
    parent: GraphQLObjectType,
    field: OutputField,
    args: Readonly<Record<string, unknown>>,
    nodes: readonly FieldNode[],
    times: number,
    listSize: number | undefined,
  ): ResponseSize {
    const target = getNamedType(field.type);
    const isStreamedList = isList(field) && undefinedIfInvalid(() => nodes.some((node) => isStreamed(node, this.#scope)));
    const addParts = (size: ResponseSize, count: number) => (isStreamedList ? addSizes(size, sizeLaterParts(count)) : size);
    if (!isCompositeType(target)) {
      const count = isList(field) ? times * ASSUMED_LIST_SIZE : times;
      return addParts(sizeLeaves(field, count), count);
    }
    const assumed = getIntrospectionListSize(this.#scope.schema, parent, field.name) ?? getAssumedSize(parent, field) ?? 1;
    const count = isPaged(field) ? times : times * (listSize ?? assumed);
    return addParts(addSizes(sizeObjects(count), this.addSelection(target, nodes, count, getListSizes(field, args))), count);
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
  #addSearch({ hasPage, hasCounts, isCovered }: SearchSelection, times: number, args: Readonly<Record<string, unknown>>): void {
    this.#addQueries(times * (Number(hasPage) + Number(hasCounts)));
    if (hasPage && !isCovered) this.#add(times * getRequestedRows(args));
    if ((hasPage || hasCounts) && typeof args.query === 'string') this.#add(times);
  }

  #addCalls(parent: GraphQLObjectType, field: OutputField, nodes: readonly FieldNode[], times: number): void {
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
    const weight = sharedCall ? getFieldWeight(parent, field) : this.#getSelectionWeight(parent, field, nodes);
    if (!list || readsMissingRows) this.#add(times * weight);
    if (list && weight > 0 && !this.#countedSharedCalls.has(list)) {
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
  #addReferences(target: GraphQLNamedType, nodes: readonly FieldNode[], references: readonly Reference[], times: number): ResponseSize {
    const groups = Map.groupBy(references, (reference) => reference.__typename);
    let size = NOTHING;
    for (const [name, group] of groups) {
      const type = typeof name === 'string' ? this.#scope.schema.getType(name) : target;
      if (!isCompositeType(type)) continue;
      const need = this.#getTypeNeed(type, nodes);
      // `node` with keys only must check that the object exists. References are assumed to exist.
      if (need === 'record' || (need === 'keys' && isNodeInterface(target))) this.#add(times * group.length);
      const count = times * group.length;
      size = [size, sizeObjects(count), this.addSelection(type, nodes, count)].reduce(addSizes);
    }
    return size;
  }

  #getTypeNeed(type: GraphQLCompositeType, fieldNodes: readonly FieldNode[]) {
    const types = isAbstractType(type) ? this.#scope.schema.getPossibleTypes(type) : [type];
    const needs = types.map((each) =>
      isObjectType(each) ? undefinedIfInvalid(() => getSelectionNeed({ ...this.#scope, fieldNodes }, each)) : 'keys',
    );
    return needs.find((need) => need === 'record') ?? needs.find((need) => need === 'edges') ?? 'keys';
  }

  /** Like `getFieldWeight`, but 0 if the selection needs no read: only keys, or edges that a key serves. */
  #getSelectionWeight(parent: GraphQLObjectType, field: OutputField, nodes: readonly FieldNode[]): number {
    const weight = getFieldWeight(parent, field);
    const target = getNamedType(field.type);
    const { calls, reads } = getCostExtensions(field);
    if (weight === 0 || calls || !isCompositeType(target)) return weight;
    if (reads) return this.#getTypeNeed(target, nodes) === 'record' ? weight : 0;
    if (!isReadById(target)) return weight;
    const operation = getOperation(field);
    // A field with its own operation always calls it, unless the operation reads a record by ID of which only edges are selected.
    if (operation && getEntityOfType(target)?.operation !== operation) return weight;
    const need = this.#getTypeNeed(target, nodes);
    const isRead = operation ? need !== 'edges' : need === 'record';
    return isRead ? weight : 0;
  }
}

/** Cost of an operation. */
export interface Cost {
  /** Upstream calls. */
  readonly calls: number;
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

const FREE: Cost = { calls: 0, response: NOTHING, literalBytes: 0, variableUses: new Map(), expensiveReads: 0, writes: 0 };
const INVALID_VARIABLES: Cost = { ...FREE, hasInvalidVariables: true };

/**
 * The cost of the operation to execute: its upstream calls if every record is distinct. Not counted are the second call of a window that spans two upstream pages, searches
 * for rows that moved, list items beyond the assumed size, records read by ID because rows of an index differ, pages of covering lists that save nothing, retries, and reads that explain a failure or compare a
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
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return FREE;
  const fragments = collectFragments(document);
  // Stops at the first error, because a list may have a hundred thousand.
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 0 });
  if (!coerced) return INVALID_VARIABLES;
  if (weighSelections(operation.selectionSet, fragments, () => 1) > MAX_SELECTIONS) return null;
  const count = new CostCounter({ schema, fragments, variableValues: coerced }, limit, factors);
  try {
    const asField: FieldNode = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: operation.operation },
      selectionSet: operation.selectionSet,
    };
    const response = count.addSelection(root, [asField], 1);
    const { total, literalBytes, variableUses, expensiveReads, writes } = count;
    return { calls: total, response, literalBytes, variableUses, expensiveReads, writes };
  } catch (error) {
    if (error instanceof LimitExceededError) return null;
    throw error;
  }
}
