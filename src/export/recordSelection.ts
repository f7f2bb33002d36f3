import { type GraphQLField, type GraphQLObjectType, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import type { CostExtensions } from '../schema/kit/costExtensions.ts';
import { getMember, getOperation } from '../schema/kit/operations.ts';
import { getEntityByName } from '../schema/kit/registry.ts';

/** Whether a field needs no call other than the one that reads its record. */
function isOwn(field: GraphQLField<unknown, unknown>): boolean {
  const { calls, reads, sharedCall } = field.extensions as CostExtensions;
  return !calls && !reads && !sharedCall && !getOperation(field) && !field.args.some(isRequiredArgument);
}

/** Selects the fields of a type that its record contains. References are objects with an ID. */
export function createSelection(type: GraphQLObjectType, idField: 'id' | 'rawId'): string {
  // Types without raw IDs have global IDs.
  const otherId = idField === 'rawId' && type.getFields().rawId ? 'id' : 'rawId';
  const fields = Object.values(type.getFields()).filter((field) => isOwn(field) && field.name !== otherId);
  const selected = fields.flatMap((field) => {
    const { name } = field;
    const target = getNamedType(field.type);
    if (isLeafType(target)) return [name];
    if (target.name === 'Money') return [`${name} { amount currencyCode }`];
    if (!isObjectType(target) || target.getFields().pageInfo) return [];
    if (!getEntityByName(target.name)) return [`${name} { ${createSelection(target, idField)} }`];
    return getMember(field) === undefined ? [] : [`${name} { ${target.getFields()[idField] ? idField : 'id'} }`];
  });
  return [...new Set(selected)].join(' ');
}
