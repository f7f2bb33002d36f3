import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
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
  isListType,
  isObjectType,
  Kind,
} from 'graphql';
import { entityNamed } from './entities.ts';
import { fieldsOf, needOf, type Scope } from './lookahead.ts';
import { operationOf } from './operations.ts';
import { distinct, type Reference } from './references.ts';
import { DEFAULT_SIZE, MAX_SIZE } from './window.ts';

/**
 * The extensions of types that show records which are at hand when they are: pages of a list, the payload of a mutation, a conflict. To
 * follow one of their fields costs nothing.
 */
export const HOLDS_RECORDS = { holdsRecords: true };

/** How long a list is taken to be that is no page of a connection: the lines of a quote, for one. Ours. */
export const ASSUMED_LIST_SIZE = 10;

/** What tells the size of a page. */
export const SIZE_ARGUMENTS = ['first', 'last'] as const;

type Field = GraphQLField<unknown, unknown>;

const holdsRecords = ({ extensions }: GraphQLNamedType) => extensions.holdsRecords === true;

/** Whether a field is read by page, as a connection. */
export const isPaged = ({ args }: Field): boolean => SIZE_ARGUMENTS.every((name) => args.some((arg) => arg.name === name));

/** Whether a type stands for records that are read by their id, one call each. */
const isReadById = (type: GraphQLNamedType) => entityNamed(type.name) !== undefined || (isInterfaceType(type) && type.name === 'Node');

/**
 * What a field costs at worst: the upstream calls that it takes, without those of the fields below it. A page is one call, whatever its
 * size; so is a record by its id. The cost limit and the `@cost` directives are both made from it.
 */
export function weightOf(parent: GraphQLNamedType, field: Field): number {
  if (operationOf(field)) return 1;
  return !holdsRecords(parent) && isReadById(getNamedType(field.type)) ? 1 : 0;
}

const isList = ({ type }: Field) => isListType(getNullableType(type));

/**
 * How many objects a field is taken to answer when its arguments do not tell: a field may say so in its extensions, as `assumedSize`. Null
 * for one that answers no list of objects.
 */
export function assumedSizeOf(parent: GraphQLNamedType, field: Field): number | null {
  if (isPaged(field)) return DEFAULT_SIZE;
  // As many as its page has: counted there.
  if (holdsRecords(parent)) return null;
  if (typeof field.extensions.assumedSize === 'number') return field.extensions.assumedSize;
  return isList(field) && isCompositeType(getNamedType(field.type)) ? ASSUMED_LIST_SIZE : null;
}

/** Thrown when the count passes the limit, so that nobody waits for the count of a document that is refused anyway. */
class OverLimit extends Error {}

/** The records that `_entities(representations:)` or `nodes(ids:)` names, each once; undefined for the arguments of any other field. */
function referencesIn({ representations, ids }: Readonly<Record<string, unknown>>): Reference[] | undefined {
  if (Array.isArray(representations)) return distinct(representations);
  return Array.isArray(ids) ? distinct(ids.map((id: unknown) => ({ id }))) : undefined;
}

class CostCount {
  readonly #scope: Scope;
  readonly #limit: number;
  total = 0;

  constructor(scope: Scope, limit: number) {
    this.#scope = scope;
    this.#limit = limit;
  }

  #add(cost: number): void {
    this.total += cost;
    if (this.total > this.#limit) throw new OverLimit();
  }

  /** Adds what `times` objects of a type cost that are asked for these fields. Of an abstract type all are counted that it may be. */
  addSelection(parent: GraphQLCompositeType, fieldNodes: readonly FieldNode[], times: number): void {
    const types = isAbstractType(parent) ? this.#scope.schema.getPossibleTypes(parent) : [parent];
    for (const type of types) if (isObjectType(type)) this.#addFields(type, fieldNodes, times);
  }

  #addFields(type: GraphQLObjectType, fieldNodes: readonly FieldNode[], times: number): void {
    // Fields of one response name are one field, as in execution: nothing is counted twice.
    const byName = new Map<string, FieldNode[]>();
    for (const { selectionSet } of fieldNodes) {
      if (!selectionSet) continue;
      for (const node of fieldsOf(selectionSet, type, this.#scope)) {
        const name = node.alias?.value ?? node.name.value;
        byName.set(name, [...(byName.get(name) ?? []), node]);
      }
    }
    for (const nodes of byName.values()) this.#addField(type, nodes, times);
  }

  #addField(parent: GraphQLObjectType, nodes: readonly FieldNode[], times: number): void {
    const [node] = nodes;
    const field = node && parent.getFields()[node.name.value];
    if (!node || !field) return;
    const target = getNamedType(field.type);
    const args = getArgumentValues(field, node, this.#scope.variableValues);
    const references = referencesIn(args);
    if (references) {
      this.#addReferences(target, nodes, references, times);
      return;
    }
    this.#add(times * this.#weightOf(parent, field, target, nodes));
    if (!isCompositeType(target)) return;
    // What a page holds beside its rows costs nothing, so that their number may stand for all of it.
    const asked = isPaged(field) ? (args.first ?? args.last) : null;
    const size = typeof asked === 'number' ? Math.min(Math.max(asked, 0), MAX_SIZE) : (assumedSizeOf(parent, field) ?? 1);
    this.addSelection(target, nodes, times * size);
  }

  /** Adds `nodes(ids:)` or `_entities(representations:)`, by what each reference leads to. */
  #addReferences(target: GraphQLNamedType, nodes: readonly FieldNode[], references: readonly Reference[], times: number): void {
    const named = Map.groupBy(references, (reference) => reference.__typename);
    for (const [name, group] of named) {
      const type = typeof name === 'string' ? this.#scope.schema.getType(name) : target;
      if (!isCompositeType(type)) continue;
      if (this.#needOf(type, nodes) === 'record') this.#add(times * group.length);
      this.addSelection(type, nodes, times * group.length);
    }
  }

  #needOf(type: GraphQLCompositeType, fieldNodes: readonly FieldNode[]) {
    const types = isAbstractType(type) ? this.#scope.schema.getPossibleTypes(type) : [type];
    const needs = types.map((each) => (isObjectType(each) ? needOf({ ...this.#scope, fieldNodes }, each) : 'keys'));
    return needs.find((need) => need === 'record') ?? needs.find((need) => need === 'edges') ?? 'keys';
  }

  /** As `weightOf`, less what this selection leaves out: keys, and edges that a key serves, are not read for. */
  #weightOf(parent: GraphQLObjectType, field: Field, target: GraphQLNamedType, nodes: readonly FieldNode[]): number {
    const weight = weightOf(parent, field);
    if (weight === 0 || !isReadById(target) || !isCompositeType(target) || isList(field)) return weight;
    const operation = operationOf(field);
    // A field with an operation of its own reads whatever is asked; a record that is named by its id, unless only its edges are.
    if (operation && entityNamed(target.name)?.operation !== operation) return weight;
    const need = this.#needOf(target, nodes);
    const isRead = operation || field.name === 'node' ? need !== 'edges' : need === 'record';
    return isRead ? weight : 0;
  }
}

/**
 * The cost of the operation of a document that is executed: the most upstream calls that it takes, before records that are asked for more
 * than once are read only once. Null when it is above the limit; 0 when it cannot be executed, which is for others to say.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Readonly<Record<string, unknown>>,
  limit: number,
): number | null {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return 0;
  const fragments = Object.fromEntries(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (!coerced) return 0;
  const count = new CostCount({ schema, fragments, variableValues: coerced }, limit);
  try {
    const asField: FieldNode = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: operation.operation },
      selectionSet: operation.selectionSet,
    };
    count.addSelection(root, [asField], 1);
  } catch (error) {
    if (error instanceof OverLimit) return null;
    throw error;
  }
  return count.total;
}
