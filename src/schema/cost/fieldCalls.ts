import { type GraphQLNamedType, type GraphQLObjectType, getNamedType, isInterfaceType, isUnionType } from 'graphql';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import type { CostExtensions } from '../kit/costExtensions.ts';
import type { OutputField } from '../kit/fieldAnnotations.ts';
import { getOperation } from '../kit/operations.ts';
import { getEntityOfType } from '../kit/registry.ts';

/** Cost of an expensive read in calls. Chosen: one takes as long as a dozen other reads. */
export const EXPENSIVE_CALLS = 10;

export const isExpensive = (operation: AnyOperation | undefined) => operation?.effect === 'EXPENSIVE_READ';

export const getCostExtensions = ({ extensions }: OutputField): CostExtensions => extensions;

export const isNodeInterface = (type: GraphQLNamedType) => isInterfaceType(type) && type.name === 'Node';

const isEntity = (type: GraphQLNamedType) => getEntityOfType(type) !== undefined;

/** Whether records of a type are read by ID, with one call each: an entity, a union of entities, or `Node`. */
export const isReadById = (type: GraphQLNamedType) =>
  isEntity(type) || isNodeInterface(type) || (isUnionType(type) && type.getTypes().every(isEntity));

/**
 * Operations that a field itself calls, without the one that reads the record it refers to by ID. Excludes `compares`, because a mutation also works if the key
 * can't read the record to compare.
 */
export function getCalledOperations(field: OutputField): readonly AnyOperation[] {
  const { calls, reads, sharedCall, alsoCalls = [] } = getCostExtensions(field);
  return [getOperation(field), calls, reads, sharedCall, ...alsoCalls].flatMap((operation) => operation ?? []);
}

/** Whether a field calls an operation itself. */
function callsItself(field: OutputField): boolean {
  const { calls, reads, sharedCall, readsCandidates = false } = getCostExtensions(field);
  return readsCandidates || (getOperation(field) ?? calls ?? reads ?? sharedCall) !== undefined;
}

/** Whether a field refers to a record by ID, which is read if more than its keys is selected. */
export function isEdge(parent: GraphQLNamedType, field: OutputField): boolean {
  if (callsItself(field)) return false;
  const { isFetchedById } = getCostExtensions(field);
  return (isFetchedById === true || parent.extensions.holdsRecords !== true) && isReadById(getNamedType(field.type));
}

/**
 * The cost of a field in upstream calls if nothing is cached, without the fields below it. A record by ID is one call. So is a page of any size, unless the
 * upstream's pages are smaller. An expensive read counts as several. The cost limit and the `@cost` directives use this function.
 */
export function getFieldWeight(parent: GraphQLNamedType, field: OutputField): number {
  if (isExpensive(getOperation(field))) return EXPENSIVE_CALLS;
  if (callsItself(field)) return getCostExtensions(field).compares ? 2 : 1;
  return isEdge(parent, field) ? 1 : 0;
}

/** All operations that a field can call, including the one that reads the record it refers to by ID. */
export function listFieldOperations(parent: GraphQLObjectType, field: OutputField): readonly AnyOperation[] {
  const read = isEdge(parent, field) ? getEntityOfType(getNamedType(field.type))?.operation : undefined;
  return [...getCalledOperations(field), ...(read ? [read] : [])];
}
