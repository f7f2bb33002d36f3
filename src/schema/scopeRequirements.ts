import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
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
import { getRequirements, type ScopeRequirements } from '../upstream/access/scopeRequirements.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { getFieldWeight } from './cost/cost.ts';
import type { CostExtensions } from './kit/costExtensions.ts';
import type { OutputField } from './kit/fieldAnnotations.ts';
import { collectFields, type DocumentScope, getSelectionNeed } from './kit/lookahead.ts';
import { getOperation } from './kit/operations.ts';
import { getEntityOfType } from './kit/registry.ts';
import { collectFragments } from './kit/selections.ts';

/**
 * Operations that the field itself requires, without the one that reads the record it refers to. Excludes `compares`, because a mutation also works if the key
 * can't read the record to compare.
 */
export function getCalledOperations(field: OutputField): readonly AnyOperation[] {
  const { calls, reads, sharedCall, alsoCalls = [] }: CostExtensions = field.extensions;
  return [getOperation(field), calls, reads, sharedCall, ...alsoCalls].flatMap((operation) => operation ?? []);
}

/** Operations that read the record that a field refers to by ID. */
function getReadOperations(parent: GraphQLObjectType, field: OutputField): readonly AnyOperation[] {
  const operation = isEdge(parent, field) ? getEntityOfType(getNamedType(field.type))?.operation : undefined;
  return operation ? [operation] : [];
}

const isEdge = (parent: GraphQLObjectType, field: OutputField) =>
  getCalledOperations(field).length === 0 && getFieldWeight(parent, field) > 0;

/**
 * The operations that a coordinate calls: `Mutation.quoteConfirm`, `Quote.customer`, or `Quote` for a read by ID. A field of a record calls none. Undefined
 * if the schema doesn't have the coordinate.
 */
export function getCoordinateOperations(schema: GraphQLSchema, coordinate: string): readonly AnyOperation[] | undefined {
  const [name = '', member, ...rest] = coordinate.split('.');
  const type = schema.getType(name);
  if (!isObjectType(type) || name.startsWith('_') || rest.length > 0) return undefined;
  if (member === undefined) {
    const operation = getEntityOfType(type)?.operation;
    return operation ? [operation] : [];
  }
  const field = Object.hasOwn(type.getFields(), member) ? type.getFields()[member] : undefined;
  return field && [...getCalledOperations(field), ...getReadOperations(type, field)];
}

/** The scopes that a coordinate requires. Undefined if the schema doesn't have it. */
export function getCoordinateRequirements(schema: GraphQLSchema, coordinate: string): ScopeRequirements | undefined {
  const operations = getCoordinateOperations(schema, coordinate);
  return operations && getRequirements(operations);
}

/** Every coordinate that calls the upstream. */
export function listCallingCoordinates(schema: GraphQLSchema): readonly string[] {
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('_'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => getCalledOperations(field).length + getReadOperations(type, field).length > 0)
        .map(({ name }) => `${type.name}.${name}`),
    );
}

/** Collects the operations that a document can call. */
class DocumentCalls {
  readonly #scope: DocumentScope;
  readonly operations = new Set<AnyOperation>();

  constructor(scope: DocumentScope) {
    this.#scope = scope;
  }

  addSelection(parent: GraphQLCompositeType, nodes: readonly FieldNode[]): void {
    const types = isAbstractType(parent) ? this.#scope.schema.getPossibleTypes(parent) : [parent];
    for (const type of types) if (isObjectType(type)) this.#addFields(type, nodes);
  }

  #addFields(type: GraphQLObjectType, nodes: readonly FieldNode[]): void {
    const all = nodes.flatMap(({ selectionSet }) => (selectionSet ? [...collectFields(selectionSet, type, this.#scope)] : []));
    for (const [name, fieldNodes] of Map.groupBy(all, (node) => node.name.value)) {
      const field = type.getFields()[name];
      if (field) this.#addField(type, field, fieldNodes);
    }
  }

  #addField(parent: GraphQLObjectType, field: OutputField, fieldNodes: readonly FieldNode[]): void {
    const target = getNamedType(field.type);
    for (const operation of getCalledOperations(field)) if (!this.#isSkipped(operation, field, fieldNodes)) this.operations.add(operation);
    if (!isCompositeType(target)) return;
    if (isEdge(parent, field)) this.#addRead(target, fieldNodes);
    this.addSelection(target, fieldNodes);
  }

  /** Whether the call is skipped because the record is looked up by ID and only edges that need no more than its ID are selected. */
  #isSkipped(operation: AnyOperation, { type }: OutputField, fieldNodes: readonly FieldNode[]): boolean {
    const target = getNullableType(type);
    if (!isObjectType(target) || getEntityOfType(target)?.operation !== operation) return false;
    return getSelectionNeed({ ...this.#scope, fieldNodes }, target) === 'edges';
  }

  /** Adds the read of a record, unless only its keys are selected. */
  #addRead(target: GraphQLCompositeType, fieldNodes: readonly FieldNode[]): void {
    const types = isAbstractType(target) ? this.#scope.schema.getPossibleTypes(target) : [target];
    for (const type of types) {
      const operation = isObjectType(type) ? getEntityOfType(type)?.operation : undefined;
      if (operation && isObjectType(type) && getSelectionNeed({ ...this.#scope, fieldNodes }, type) === 'record')
        this.operations.add(operation);
    }
  }
}

/** Scopes that all operations of a valid document require, for any values of its variables. */
export function getDocumentRequirements(schema: GraphQLSchema, document: DocumentNode): ScopeRequirements {
  // Without its directives, the document selects every field that a variable could exclude.
  const expanded: DocumentNode = visit(document, { Directive: () => null });
  const calls = new DocumentCalls({ schema, fragments: collectFragments(expanded), variableValues: {} });
  for (const definition of expanded.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(definition.operation);
    const asField: FieldNode = {
      kind: Kind.FIELD,
      name: { kind: Kind.NAME, value: definition.operation },
      selectionSet: definition.selectionSet,
    };
    if (root) calls.addSelection(root, [asField]);
  }
  return getRequirements(calls.operations);
}
