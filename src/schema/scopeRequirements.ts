import { type DocumentNode, type GraphQLSchema, isObjectType, Kind } from 'graphql';
import { getRequirements, type ScopeRequirements } from '../upstream/access/scopeRequirements.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { listPlannedFields, planCalls } from './cost/callPlan.ts';
import { listFieldOperations } from './cost/fieldCalls.ts';
import { getEntityOfType } from './kit/registry.ts';

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
  return field && listFieldOperations(type, field);
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
        .filter((field) => listFieldOperations(type, field).length > 0)
        .map(({ name }) => `${type.name}.${name}`),
    );
}

/** Scopes that all operations of a valid document require, for any values of its variables. */
export function getDocumentRequirements(schema: GraphQLSchema, document: DocumentNode): ScopeRequirements {
  const called = new Set<AnyOperation>();
  for (const definition of document.definitions) {
    const plan = definition.kind === Kind.OPERATION_DEFINITION ? planCalls(schema, document, definition, null) : undefined;
    for (const field of plan ? listPlannedFields(plan) : []) for (const operation of field.listOperations()) called.add(operation);
  }
  return getRequirements(called);
}
