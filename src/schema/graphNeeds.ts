import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  visit,
} from 'graphql';
import { needsOf, type ScopeNeeds } from '../upstream/access/scopeNeeds.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { weightOf } from './cost/cost.ts';
import type { CostExtensions } from './kit/costMarks.ts';
import { fieldsOf, needOf, type Scope } from './kit/lookahead.ts';
import { operationOf } from './kit/operations.ts';
import { entityOf } from './kit/registry.ts';
import { fragmentsOf } from './kit/selections.ts';

type Field = GraphQLField<unknown, unknown>;

/** Operations that a field calls beside its own. */
interface CallExtensions extends CostExtensions {
  readonly alsoCalls?: readonly AnyOperation[];
}

/** The operations that a field itself needs, without the record that it leads to. A mutation also works if the key can't read the record to compare. */
function calledBy(field: Field): readonly AnyOperation[] {
  const { calls, reads, looksIn, alsoCalls = [] }: CallExtensions = field.extensions;
  return [operationOf(field), calls, reads, looksIn, ...alsoCalls].flatMap((operation) => operation ?? []);
}

/** The operations that read the record which a field leads to by its id. */
function readBy(parent: GraphQLObjectType, field: Field): readonly AnyOperation[] {
  const operation = isEdge(parent, field) ? entityOf(getNamedType(field.type))?.operation : undefined;
  return operation ? [operation] : [];
}

const isEdge = (parent: GraphQLObjectType, field: Field) => calledBy(field).length === 0 && weightOf(parent, field) > 0;

/**
 * The operations that a coordinate calls: `Mutation.quoteConfirm`, `Quote.customer`, or `Quote` for a read by ID. A field of a record calls none. Undefined
 * if the schema doesn't have the coordinate.
 */
export function operationsOfCoordinate(schema: GraphQLSchema, coordinate: string): readonly AnyOperation[] | undefined {
  const [name = '', member, ...rest] = coordinate.split('.');
  const type = schema.getType(name);
  if (!isObjectType(type) || name.startsWith('_') || rest.length > 0) return undefined;
  if (member === undefined) {
    const operation = entityOf(type)?.operation;
    return operation ? [operation] : [];
  }
  const field = Object.hasOwn(type.getFields(), member) ? type.getFields()[member] : undefined;
  return field && [...calledBy(field), ...readBy(type, field)];
}

/** The scopes that a coordinate requires. Undefined if the schema doesn't have it. */
export function needsOfCoordinate(schema: GraphQLSchema, coordinate: string): ScopeNeeds | undefined {
  const called = operationsOfCoordinate(schema, coordinate);
  return called && needsOf(called);
}

/** Every coordinate that calls the upstream. */
export function callingCoordinates(schema: GraphQLSchema): readonly string[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('_'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => calledBy(field).length + readBy(type, field).length > 0)
        .map(({ name }) => `${type.name}.${name}`),
    );
}

/** Collects the operations that a document may call. */
class CallsOfDocument {
  readonly #scope: Scope;
  readonly operations = new Set<AnyOperation>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  addSelection(parent: GraphQLCompositeType, nodes: readonly FieldNode[]): void {
    const types = isAbstractType(parent) ? this.#scope.schema.getPossibleTypes(parent) : [parent];
    for (const type of types) if (isObjectType(type)) this.#addFields(type, nodes);
  }

  #addFields(type: GraphQLObjectType, nodes: readonly FieldNode[]): void {
    const all = nodes.flatMap(({ selectionSet }) => (selectionSet ? [...fieldsOf(selectionSet, type, this.#scope)] : []));
    for (const [name, fieldNodes] of Map.groupBy(all, (node) => node.name.value)) {
      const field = type.getFields()[name];
      if (field) this.#addField(type, field, fieldNodes);
    }
  }

  #addField(parent: GraphQLObjectType, field: Field, fieldNodes: readonly FieldNode[]): void {
    const target = getNamedType(field.type);
    for (const operation of calledBy(field)) if (!this.#isLeftOut(operation, field, fieldNodes)) this.operations.add(operation);
    if (!isCompositeType(target)) return;
    if (isEdge(parent, field)) this.#addRead(target, fieldNodes);
    this.addSelection(target, fieldNodes);
  }

  /** Whether a record is named by its id, and nothing of it is asked for but edges that the id serves. */
  #isLeftOut(operation: AnyOperation, { type }: Field, fieldNodes: readonly FieldNode[]): boolean {
    const target = getNullableType(type);
    if (!isObjectType(target) || entityOf(target)?.operation !== operation) return false;
    return needOf({ ...this.#scope, fieldNodes }, target) === 'edges';
  }

  /** Of a record of which only keys are asked for nothing is read. */
  #addRead(target: GraphQLCompositeType, fieldNodes: readonly FieldNode[]): void {
    const types = isAbstractType(target) ? this.#scope.schema.getPossibleTypes(target) : [target];
    for (const type of types) {
      const operation = isObjectType(type) ? entityOf(type)?.operation : undefined;
      if (operation && isObjectType(type) && needOf({ ...this.#scope, fieldNodes }, type) === 'record') this.operations.add(operation);
    }
  }
}

/** The scopes that all operations of a valid document need, whatever its variables are. */
export function needsOfDocument(schema: GraphQLSchema, document: DocumentNode): ScopeNeeds {
  // Whatever a variable could leave out may be asked for.
  const whole: DocumentNode = visit(document, { Directive: () => null });
  const calls = new CallsOfDocument({ schema, fragments: fragmentsOf(whole), variableValues: {} });
  for (const definition of whole.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(definition.operation);
    const asField: FieldNode = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: definition.operation },
      selectionSet: definition.selectionSet,
    };
    if (root) calls.addSelection(root, [asField]);
  }
  return needsOf(calls.operations);
}
