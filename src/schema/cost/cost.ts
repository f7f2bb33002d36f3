import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
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
import type { CostExtensions } from '../kit/costMarks.ts';
import { decodeGlobalId } from '../kit/globalIds.ts';
import { countJsonBytes } from '../kit/jsonValues.ts';
import { collectFields, createTraversal, type DocumentScope, getSelectionNeed, isStreamed } from '../kit/lookahead.ts';
import { getOperation } from '../kit/operations.ts';
import { deduplicateReferences } from '../kit/references.ts';
import { getEntityOfType, type Reference } from '../kit/registry.ts';
import { collectFragments, weighSelections } from '../kit/selections.ts';
import { estimateSpanCalls } from '../kit/timeWindow.ts';
import { getTypeByCanonicalName } from '../kit/typeNames.ts';
import { DEFAULT_SIZE, MAX_SIZE } from '../kit/window.ts';
import {
  addSizes,
  getIntrospectionListSize,
  markAsSchema,
  NOTHING,
  type ResponseSize,
  multiplySize as repeated,
  selectLarger,
  sizeLaterParts,
  sizeLeaves,
  sizeObjects,
} from './answerSize.ts';

/**
 * The most selections of a document with its fragments written out where they are spread. Ours: as many as a document may have tokens, so
 * that fragments are no way round that. Spread under two names at each level, they would keep the count busy for hours where it adds nothing.
 */
const MAX_SELECTIONS = 10_000;

/** How long a list is taken to be that is no page of a connection: the lines of a quote, for one. Ours. */
export const ASSUMED_LIST_SIZE = 10;

/** What a read counts that takes much work. Ours: an execution takes as long as some dozen reads. */
const EXPENSIVE_CALLS = 10;

const isExpensive = (operation: AnyOperation | undefined) => operation?.effect === 'EXPENSIVE_READ';

/** Arguments that tell the size of a page. */
export const SIZE_ARGUMENTS = ['first', 'last'] as const;

type Field = GraphQLField<unknown, unknown>;

const getCostExtensions = ({ extensions }: Field): CostExtensions => extensions;

const hasLoadedRecords = ({ extensions }: GraphQLNamedType) => extensions.holdsRecords === true;

/** Whether a field is read by page, as a connection. */
export const isPaged = ({ args }: Field): boolean => SIZE_ARGUMENTS.every((name) => args.some((arg) => arg.name === name));

/** Whether a type is a page itself. */
const isPage = (type: GraphQLNamedType) => isObjectType(type) && 'pageInfo' in type.getFields();

/** The list that comes whole and answers every record of a type: of a field that leads to one by its id. */
function getCompleteList(field: Field): AnyOperation | undefined {
  const { operation } = getEntityOfType(getNamedType(field.type)) ?? {};
  return operation?.page?.kind === 'WHOLE' && (getOperation(field) ?? operation) === operation ? operation : undefined;
}

const isNodeInterface = (type: GraphQLNamedType) => isInterfaceType(type) && type.name === 'Node';

const isEntity = (type: GraphQLNamedType) => getEntityOfType(type) !== undefined;

/** Whether a type stands for records that are read by their id, one call each: an entity, a union of them, or `Node`. */
const isReadById = (type: GraphQLNamedType) =>
  isEntity(type) || isNodeInterface(type) || (isUnionType(type) && type.getTypes().every(isEntity));

/**
 * The cost of a field: the upstream calls that it takes when nothing is known yet, without those of the fields below it. A page is one call,
 * whatever its size, as long as the upstream's pages are as large; so is a record by its id. A read that takes much work counts as several. The cost limit and the `@cost` directives are both made from it.
 */
export function getFieldWeight(parent: GraphQLNamedType, field: Field): number {
  const { calls, reads, sharedCall, isFetchedById, compares } = getCostExtensions(field);
  const operation = getOperation(field);
  if (isExpensive(operation)) return EXPENSIVE_CALLS;
  if (operation || calls || reads || sharedCall) return compares ? 2 : 1;
  return (isFetchedById || !hasLoadedRecords(parent)) && isReadById(getNamedType(field.type)) ? 1 : 0;
}

const isList = ({ type }: Field) => isListType(getNullableType(type));

/** How many objects a field is taken to answer when its arguments do not tell; null for one that answers no list of objects. */
export function getAssumedSize(parent: GraphQLNamedType, field: Field): number | null {
  if (isPaged(field)) return DEFAULT_SIZE;
  // As many as its page has: counted there.
  if (isPage(parent)) return null;
  if (!isList(field) || !isCompositeType(getNamedType(field.type))) return null;
  return getCostExtensions(field).assumedSize ?? ASSUMED_LIST_SIZE;
}

/** Thrown when the count passes the limit, so that nobody waits for the count of a document that is refused anyway. */
class OverLimit extends Error {}

/** A global id as a reference, by the name that the schema has for its type. */
function createReference(id: unknown, schema: GraphQLSchema): Reference {
  const { typename } = (typeof id === 'string' && decodeGlobalId(id)) || {};
  return { __typename: typename && (getTypeByCanonicalName(schema, typename)?.name ?? typename), id };
}

/** The result of a function. Undefined if an argument or a condition has an invalid value, so that its field fails. */
function undefinedIfInvalid<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

interface References {
  /** Each record once: it is read once. */
  readonly distinct: readonly Reference[];
  /** How often each is answered, on average. */
  readonly repeats: number;
}

function summarizeReferences(references: readonly unknown[]): References {
  const once = deduplicateReferences(references);
  return { distinct: once, repeats: references.length / Math.max(once.length, 1) };
}

/** Fields that the schema itself has: `__typename` everywhere, the others at the root of queries. */
function getMetaField(parent: GraphQLObjectType, name: string, schema: GraphQLSchema): Field | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const isRoot = parent === schema.getQueryType();
  return isRoot ? [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name) : undefined;
}

/** Whether a field tells the schema: introspection, or the SDL for composers. */
const returnsSchema = ({ type }: Field) => isIntrospectionType(getNamedType(type)) || getNamedType(type).name === '_Service';

/** The most rows that a call to a list answers; 0 where all come at once. */
export type RowsPerCall = (operation: AnyOperation) => number;

const rowsByContract: RowsPerCall = ({ page }) => page?.maxSize ?? 0;

/** The rows of a page that its arguments ask for. */
function getRequestedRows({ first, last }: Readonly<Record<string, unknown>>): number {
  const asked = first ?? last;
  return typeof asked === 'number' ? Math.min(Math.max(asked, 0), MAX_SIZE) : DEFAULT_SIZE;
}

class CostCounter {
  readonly #scope: DocumentScope;
  readonly #limit: number;
  readonly #rowsPerCall: RowsPerCall;
  /** Many fields may be given one variable. */
  readonly #references = new Map<unknown, References>();
  /** JSON bytes of variables that are lists or objects. */
  readonly #variableBytes = new Map<string, number>();
  readonly #countedSharedCalls = new Set<AnyOperation>();
  /** Upstream calls. */
  total = 0;
  /** Bytes of lists and objects in arguments, as often as fields are given them. */
  argumentBytes = 0;
  expensiveReads = 0;
  writes = 0;

  constructor(scope: DocumentScope, limit: number, rowsPerCall: RowsPerCall) {
    this.#scope = scope;
    this.#limit = limit;
    this.#rowsPerCall = rowsPerCall;
  }

  #add(cost: number): void {
    this.total += cost;
    if (this.total > this.#limit) throw new OverLimit();
  }

  /**
   * Adds the calls for these fields of `times` objects of a type, and answers the size of the fields. Of an abstract type the calls of all types
   * are added that it may be, and the largest is answered. `rows`: of each object, where it is a page.
   */
  addSelection(parent: GraphQLCompositeType, fieldNodes: readonly FieldNode[], times: number, rows = 1): ResponseSize {
    if (times === 0) return NOTHING;
    const types = isAbstractType(parent) ? this.#scope.schema.getPossibleTypes(parent) : [parent];
    return types
      .map((type) => (isObjectType(type) ? this.#addFields(type, fieldNodes, times, rows) : NOTHING))
      .reduce(selectLarger, NOTHING);
  }

  #addFields(type: GraphQLObjectType, fieldNodes: readonly FieldNode[], times: number, rows: number): ResponseSize {
    // A single set for all, as in execution: else fragments double where fields meet.
    const visited = createTraversal();
    const all = undefinedIfInvalid(() =>
      fieldNodes.flatMap(({ selectionSet }) => (selectionSet ? [...collectFields(selectionSet, type, this.#scope, visited)] : [])),
    );
    // Fields of one response name are one field, as in execution: nothing is counted twice.
    const byName = Map.groupBy(all ?? [], ({ alias, name }) => (alias ?? name).value);
    return [...byName.values()]
      .map((nodes) => this.#addField(type, nodes, times, rows))
      .reduce(addSizes, sizeLaterParts(times * visited.deferred));
  }

  #addField(parent: GraphQLObjectType, nodes: readonly FieldNode[], times: number, rows: number): ResponseSize {
    const [node] = nodes;
    const name = node?.name.value ?? '';
    const field = parent.getFields()[name] ?? getMetaField(parent, name, this.#scope.schema);
    const args = field && node && undefinedIfInvalid(() => getArgumentValues(field, node, this.#scope.variableValues));
    if (!args) return NOTHING;
    for (const { value } of node.arguments ?? []) this.argumentBytes += times * this.#countArgumentBytes(value);
    const target = getNamedType(field.type);
    const references = this.#referencesIn(args, target);
    if (references) return repeated(this.#addReferences(target, nodes, references.distinct, times), references.repeats);
    this.#addCalls(parent, field, nodes, times * this.#countCallsPerObject(parent, field, args));
    const size = this.#estimateSize(parent, field, args, nodes, isPage(parent) && isList(field) ? times * rows : times);
    return returnsSchema(field) ? markAsSchema(size) : size;
  }

  /** Texts count nothing, however long: they are read in one go. */
  #countArgumentBytes(value: ValueNode): number {
    let bytes = countLiteralBytes(value);
    for (const name of listVariableNames(value)) {
      const given = this.#scope.variableValues[name];
      if (typeof given !== 'object' || given === null) continue;
      const known = this.#variableBytes.get(name) ?? countJsonBytes(given);
      this.#variableBytes.set(name, known);
      bytes += known;
    }
    return bytes;
  }

  #estimateSize(
    parent: GraphQLObjectType,
    field: Field,
    args: Readonly<Record<string, unknown>>,
    nodes: readonly FieldNode[],
    times: number,
  ): ResponseSize {
    const target = getNamedType(field.type);
    const isLater = isList(field) && undefinedIfInvalid(() => nodes.some((node) => isStreamed(node, this.#scope)));
    const withParts = (size: ResponseSize, count: number) => (isLater ? addSizes(size, sizeLaterParts(count)) : size);
    if (!isCompositeType(target)) {
      const count = isList(field) ? times * ASSUMED_LIST_SIZE : times;
      return withParts(sizeLeaves(field, count), count);
    }
    if (isPaged(field)) {
      return addSizes(sizeObjects(times), this.addSelection(target, nodes, times, getRequestedRows(args)));
    }
    const count = times * (getIntrospectionListSize(this.#scope.schema, parent, field.name) ?? getAssumedSize(parent, field) ?? 1);
    return withParts(addSizes(sizeObjects(count), this.addSelection(target, nodes, count)), count);
  }

  /** Calls that a field takes for its rows: several for records that a record names by their ids, and for a page where the upstream's are smaller. */
  #countCallsPerObject(parent: GraphQLObjectType, field: Field, args: Readonly<Record<string, unknown>>): number {
    if ('record' in parent.extensions && isList(field) && isReadById(getNamedType(field.type))) return getAssumedSize(parent, field) ?? 1;
    const operation = isPaged(field) ? getOperation(field) : undefined;
    if (operation?.page?.kind === 'WINDOW')
      return estimateSpanCalls(getRequestedRows(args), this.#rowsPerCall(operation), typeof args.last === 'number');
    const perCall = operation?.page?.kind === 'PAGE' ? this.#rowsPerCall(operation) : 0;
    return perCall === 0 ? 1 : Math.max(1, Math.ceil(getRequestedRows(args) / perCall));
  }

  #addCalls(parent: GraphQLObjectType, field: Field, nodes: readonly FieldNode[], times: number): void {
    const operation = getOperation(field);
    const { sharedCall } = getCostExtensions(field);
    const list = sharedCall ?? getCompleteList(field);
    if (isExpensive(operation)) this.expensiveReads += times;
    // After a change everything is read anew.
    if (operation && !isRead(operation)) {
      this.#countedSharedCalls.clear();
      this.writes += times;
    }
    const weight = sharedCall ? getFieldWeight(parent, field) : this.#getSelectionWeight(parent, field, nodes);
    if (!list) this.#add(times * weight);
    else if (weight > 0 && !this.#countedSharedCalls.has(list)) {
      this.#add(weight);
      this.#countedSharedCalls.add(list);
    }
  }

  /** The records that `_entities`, `nodes` or `node` names; undefined for the arguments of any other field. */
  #referencesIn({ representations, ids, id }: Readonly<Record<string, unknown>>, target: GraphQLNamedType): References | undefined {
    if (typeof id === 'string' && isNodeInterface(target)) return { distinct: [createReference(id, this.#scope.schema)], repeats: 1 };
    const named: unknown = representations ?? ids;
    if (!Array.isArray(named)) return undefined;
    const known =
      this.#references.get(named) ??
      summarizeReferences(named === ids ? named.map((each) => createReference(each, this.#scope.schema)) : named);
    this.#references.set(named, known);
    return known;
  }

  /** Adds `node(id:)`, `nodes(ids:)` or `_entities(representations:)`, by what each reference leads to. */
  #addReferences(target: GraphQLNamedType, nodes: readonly FieldNode[], references: readonly Reference[], times: number): ResponseSize {
    const named = Map.groupBy(references, (reference) => reference.__typename);
    let size = NOTHING;
    for (const [name, group] of named) {
      const type = typeof name === 'string' ? this.#scope.schema.getType(name) : target;
      if (!isCompositeType(type)) continue;
      const need = this.#getTypeNeed(type, nodes);
      // To ask `node` for keys alone asks whether there is such an object; references are taken to exist.
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

  /** As `weightOf`, less what this selection leaves out: keys, and edges that a key serves, are not read for. */
  #getSelectionWeight(parent: GraphQLObjectType, field: Field, nodes: readonly FieldNode[]): number {
    const weight = getFieldWeight(parent, field);
    const target = getNamedType(field.type);
    const { calls, reads } = getCostExtensions(field);
    if (weight === 0 || calls || !isCompositeType(target)) return weight;
    if (reads) return this.#getTypeNeed(target, nodes) === 'record' ? weight : 0;
    if (!isReadById(target)) return weight;
    const operation = getOperation(field);
    // A field with an operation of its own reads whatever is asked; a record that is named by its id, unless only its edges are.
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
  readonly answer: ResponseSize;
  /** Bytes of lists and objects in arguments, as often as the fields are expected to be given them. */
  readonly argumentBytes: number;
  /** Reads among the calls that take much work. */
  readonly expensiveReads: number;
  /** Writes among the calls. */
  readonly writes: number;
  /** Whether a variable has a value that it may not have, so that nothing is executed. */
  readonly hasBadVariables?: true;
}

const FREE: Cost = { calls: 0, answer: NOTHING, argumentBytes: 0, expensiveReads: 0, writes: 0 };
const BAD_VARIABLES: Cost = { ...FREE, hasBadVariables: true };

/**
 * The cost of the operation to execute: its upstream calls if every record is distinct. Not counted are the second call of a window that spans two upstream pages, searches
 * for rows that moved, list items beyond the assumed size, records read by ID because a truncated list lacks them, retries, and reads that explain a failure or compare a
 * currency. Null if the calls exceed the limit or can't be counted. A field with invalid arguments costs nothing: graphql-js fails it, and no compiled query is used.
 */
export function computeCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
  limit: number,
  rowsPerCall: RowsPerCall = rowsByContract,
): Cost | null {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return FREE;
  const fragments = collectFragments(document);
  // Up to the first error: a list may hold a hundred thousand.
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 0 });
  if (!coerced) return BAD_VARIABLES;
  if (weighSelections(operation.selectionSet, fragments, () => 1) > MAX_SELECTIONS) return null;
  const count = new CostCounter({ schema, fragments, variableValues: coerced }, limit, rowsPerCall);
  try {
    const asField: FieldNode = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: operation.operation },
      selectionSet: operation.selectionSet,
    };
    const answer = count.addSelection(root, [asField], 1);
    const { total, argumentBytes, expensiveReads, writes } = count;
    return { calls: total, answer, argumentBytes, expensiveReads, writes };
  } catch (error) {
    if (error instanceof OverLimit) return null;
    throw error;
  }
}
