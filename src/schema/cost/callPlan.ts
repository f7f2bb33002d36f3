import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { OutputField } from '../kit/fieldAnnotations.ts';
import { collectFields, createTraversal, type DocumentScope, getSelectionNeed, type SelectionNeed } from '../kit/lookahead.ts';
import { getOperation } from '../kit/operations.ts';
import { getEntityOfType } from '../kit/registry.ts';
import { collectFragments } from '../kit/selections.ts';
import { getCalledOperations, getCostExtensions, getFieldWeight, isEdge, isReadById } from './fieldCalls.ts';

/** Returns the result of a function. Undefined if an argument or a condition has an invalid value, so that its field fails. */
export function undefinedIfInvalid<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Returns a field of a type, including meta-fields: `__typename` of any type, or `__schema` and `__type` of the query root. */
function getField(parent: GraphQLObjectType, name: string, schema: GraphQLSchema): OutputField | undefined {
  const field = parent.getFields()[name];
  if (field || !name.startsWith('__')) return field;
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  return parent === schema.getQueryType() ? [SchemaMetaFieldDef, TypeMetaFieldDef].find((each) => each.name === name) : undefined;
}

/** The nodes that select a field: several if fragments repeat it. */
type FieldNodes = readonly [FieldNode, ...FieldNode[]];

/** The fields that are selected for an object type, merged by response name as in execution. */
export interface PlannedFields {
  readonly fields: readonly PlannedField[];
  /** Number of deferred fragments, each delivered separately. */
  readonly deferred: number;
}

/** What is selected of the objects of a field or a root. The fields of each type are planned when they are first used, because a document may have many. */
export class PlannedSelection {
  /** The type of the objects or values. */
  readonly target: GraphQLNamedType;
  readonly nodes: FieldNodes;
  readonly scope: DocumentScope;
  #selected: Map<GraphQLObjectType, PlannedFields> | undefined;

  constructor(target: GraphQLNamedType, nodes: FieldNodes, scope: DocumentScope) {
    this.target = target;
    this.nodes = nodes;
    this.scope = scope;
  }

  /** The object types that the objects of the selection can have. None for scalars and enums. `target`: a type that limits them further. */
  listTypes(target = this.target): readonly GraphQLObjectType[] {
    return isAbstractType(target) ? this.scope.schema.getPossibleTypes(target) : isObjectType(target) ? [target] : [];
  }

  /** The fields that are selected for an object type. None if a condition has an invalid value, so that its objects fail. */
  select(type: GraphQLObjectType): PlannedFields {
    const known = this.#selected?.get(type);
    if (known) return known;
    // One traversal for all nodes, as in execution. Otherwise fragments would count twice where fields merge.
    const traversal = createTraversal();
    const collected = undefinedIfInvalid(() =>
      this.nodes.flatMap(({ selectionSet }) => (selectionSet ? [...collectFields(selectionSet, type, this.scope, traversal)] : [])),
    );
    // Fields with the same response name are merged, as in execution, so that nothing counts twice.
    const fields = [...Map.groupBy(collected ?? [], ({ alias, name }) => (alias ?? name).value).values()].flatMap(([first, ...others]) => {
      const field = first && getField(type, first.name.value, this.scope.schema);
      return field ? [new PlannedField(type, field, [first, ...others], this.scope)] : [];
    });
    const selected = { fields, deferred: traversal.deferred };
    this.#selected ??= new Map();
    this.#selected.set(type, selected);
    return selected;
  }

  /** What the selection needs of a record: the most that any of these types needs. Determined by the same function as in execution. */
  getNeed(types = this.listTypes()): SelectionNeed {
    const needs = types.map((type) => undefinedIfInvalid(() => getSelectionNeed({ ...this.scope, fieldNodes: this.nodes }, type)));
    return needs.find((need) => need === 'record') ?? needs.find((need) => need === 'edges') ?? 'keys';
  }
}

/** A field of a document, with what it calls. */
export class PlannedField extends PlannedSelection {
  readonly parent: GraphQLObjectType;
  readonly field: OutputField;

  constructor(parent: GraphQLObjectType, field: OutputField, nodes: FieldNodes, scope: DocumentScope) {
    super(getNamedType(field.type), nodes, scope);
    this.parent = parent;
    this.field = field;
  }

  /** Its name in the response. */
  get key(): string {
    const [{ alias, name }] = this.nodes;
    return (alias ?? name).value;
  }

  /** The cost of the field for one object, without the fields below it: like `getFieldWeight`, but 0 if the selection needs no call. */
  get weight(): number {
    const weight = getFieldWeight(this.parent, this.field);
    return weight > 0 && this.#isServed() ? 0 : weight;
  }

  /** The operations that it can call, without those of the fields below it. Excludes `compares`: see `getCalledOperations`. */
  listOperations(): readonly AnyOperation[] {
    if (isEdge(this.parent, this.field)) return this.listGets();
    return this.#isServed() ? [] : getCalledOperations(this.field);
  }

  /** The operations that get the field's records by ID, as far as the selection needs them. */
  listGets(): readonly AnyOperation[] {
    return this.listTypes().flatMap((type) => {
      const operation = getEntityOfType(type)?.operation;
      return operation && this.getNeed([type]) === 'record' ? [operation] : [];
    });
  }

  /** Whether the selection needs no call: only keys, which are known, or edges, which need no more than a key. */
  #isServed(): boolean {
    const { calls, reads, sharedCall } = getCostExtensions(this.field);
    if (calls || sharedCall || !isCompositeType(this.target)) return false;
    const operation = getOperation(this.field);
    if (!operation) return (reads !== undefined || isReadById(this.target)) && this.getNeed() !== 'record';
    // A lookup by ID must check that the record exists.
    const isLookup = getNullableType(this.field.type) === this.target && getEntityOfType(this.target)?.operation === operation;
    return isLookup && this.getNeed() === 'edges';
  }
}

/** Plans an operation of a document. `variableValues`: null for all fields that any variables select. Undefined if the schema has no such operations. */
export function planCalls(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
  variableValues: DocumentScope['variableValues'],
): PlannedSelection | undefined {
  const root = schema.getRootType(operation);
  const asField: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: operation }, selectionSet };
  return root ? new PlannedSelection(root, [asField], { schema, fragments: collectFragments(document), variableValues }) : undefined;
}

/** All fields of a plan, for every possible type of their objects. */
export function* listPlannedFields(selection: PlannedSelection): Generator<PlannedField> {
  for (const type of selection.listTypes()) {
    for (const field of selection.select(type).fields) {
      yield field;
      yield* listPlannedFields(field);
    }
  }
}
